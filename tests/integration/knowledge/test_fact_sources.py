"""A conclusion and the fact of the same words, whichever is written first, over either store."""

import pytest

from strata.bootstrap import Application
from strata.services.knowledge.conclusions import Wanted
from strata.services.records.knowledge import consolidation_order_key
from strata.services.records.people import fact_id, fact_key
from support.facts import AGENT, ANN, converse, enable
from support.memory import LOCAL, Memory

SCOUT = "scout"
SAID = ("I live in Rome.", "", "Bye", "", "Thanks", "")


@pytest.mark.parametrize("facts_first", [True, False])
def test_a_deleted_fact_fells_the_conclusion_of_one_person_and_agent(
    app: Application, facts_first: bool
) -> None:
    memory, catalog = Memory(app), app.facts.catalog
    told = {"s1": (ANN, AGENT), "s2": (ANN, SCOUT), "s3": ("bob", AGENT)}

    def known(owner: str, agent: str) -> list[tuple[str, list[str]]]:
        listed = app.knowledge.conclusions.listed(LOCAL, owner, Wanted(agent_id=agent))
        return [(each.text, each.sources[1:]) for each in listed]

    for session, (owner, agent) in told.items():
        enable(memory, agent)
        converse(memory, session, *SAID, agent=agent, owner=owner)
        works = [app.facts.extraction.run, app.knowledge.dreamer.run]
        for work in works if facts_first else reversed(works):
            work(LOCAL, session)
            facts = catalog.newest(LOCAL, agent, owner, 10)
            keys = [fact_key(agent, owner, each["id"]) for each in facts]
            app.knowledge.fact_sources.follow(LOCAL, [consolidation_order_key(session), *keys])
    ids = {who: fact_id(catalog.newest(LOCAL, who[1], who[0], 10)[0]["id"]) for who in told.values()}
    assert {who: known(*who) for who in ids} == {who: [("Lives in Rome", [ids[who]])] for who in ids}
    (gone,) = catalog.newest(LOCAL, AGENT, ANN, 10)
    catalog.delete(LOCAL, AGENT, ANN, fact_id(gone["id"]))
    app.knowledge.fact_sources.follow(LOCAL, [fact_key(AGENT, ANN, gone["id"])])
    assert known(ANN, AGENT) == []
    assert len(known(ANN, SCOUT)) == len(known("bob", AGENT)) == 1
