"""Rows of what is known about a person: sightings, conclusions, and the runs that drew them."""

from strata.domain.knowledge.borders import Border
from strata.domain.times import rfc3339
from strata.domain.wire.conclusions import Conclusion, Quote
from strata.ports.rows import Item, Key
from strata.ports.table import Query
from strata.services.records.parts import numbered, part
from strata.services.records.sessions import session_key

KNOWLEDGE_KIND = "knowledge"
KNOWLEDGE_PREFIX = "KNOWLEDGE#"
SIGHTED_PREFIX = "SIGHTED#"
CONCLUSION_PREFIX = "CONCLUSION#"
DECLINED_PREFIX = "DECLINED#"
CONSOLIDATION_PREFIX = "RUN#"
CONSOLIDATION_SK = "CONSOLIDATION"
KNOWLEDGE_HEAD_SK = "HEAD"
DUE_PK = "KNOWLEDGE_DUE"


def knowledge_pk(owner: str) -> str:
    """The partition of all that was concluded about a person, and of what it follows from."""
    return KNOWLEDGE_PREFIX + part(owner)


def knowledge_head_key(owner: str) -> Key:
    """Changes with every write of the partition, so that each follows from all of it: `{version}`.

    gsi2 lists it under `DUE_PK` by the time (µs) from which the sweep has something to do for this person:
    0 after every change, the start of the run that has taken the person up, or the next date.
    """
    return Key(knowledge_pk(owner), KNOWLEDGE_HEAD_SK)


def sighted_key(owner: str, session_id: str) -> Key:
    """The sightings in a session: `{session_id, source, agent_id, by_app, project, sightings, run}`."""
    return Key(knowledge_pk(owner), SIGHTED_PREFIX + part(session_id))


def conclusion_key(owner: str, conclusion_id: str) -> Key:
    """One conclusion."""
    return Key(knowledge_pk(owner), CONCLUSION_PREFIX + part(conclusion_id))


def declined_key(owner: str, conclusion_id: str) -> Key:
    """Keeps what was deleted from being drawn again: `{id, subject, value_key, sessions, at}`.

    That of a fact has no subject, the fact's value as `value_key`, and `replaced` for a superseded one.
    """
    return Key(knowledge_pk(owner), DECLINED_PREFIX + part(conclusion_id))


def consolidation_key(owner: str, number: int) -> Key:
    """A run of the dreamer: its report, and what it changed, so that it can be undone."""
    return Key(knowledge_pk(owner), CONSOLIDATION_PREFIX + numbered(number))


def newest_consolidations(owner: str, limit: int) -> Query:
    """The newest runs, newest first."""
    return Query(
        knowledge_pk(owner), prefix=CONSOLIDATION_PREFIX, newest_first=True, limit=limit, resumable=False
    )


def compared_key(owner: str) -> Key:
    """Conclusions that were compared with each other: `{texts, by}`, and the cross-encoder's `verdicts`."""
    return Key(knowledge_pk(owner), "COMPARED")


def words_key(session_id: str) -> Key:
    """A person's words in an ended session that is still to be consolidated: `{turns}`, as JSON text."""
    return Key(session_key(session_id).pk, "WORDS")


def consolidation_order_key(session_id: str) -> Key:
    """The order to consolidate a session, see `services/knowledge/orders`."""
    return Key(session_key(session_id).pk, CONSOLIDATION_SK)


def border_of_conclusion(row: Item) -> Border:
    """The border of a conclusion, by its row."""
    return Border.of(row["agents"], row["projects"], confined=row["confined"], apps=row.get("apps", ()))


def border_fields(border: Border) -> Item:
    """A border as a conclusion's row has it."""
    names = {"agents": border.agents, "projects": border.projects, "apps": border.apps}
    return {name: sorted(each) for name, each in names.items()} | {"confined": border.confined}


def to_conclusion(item: Item) -> Conclusion:
    """A conclusion's row as it goes over the wire."""
    return Conclusion(
        id=item["id"],
        text=item["text"],
        type=item["type"],
        confidence=item["confidence"],
        sources=[*item["sources"], *item.get("facts", ())],
        quotes=[
            Quote(text=each["text"], source=each["source"], at=rfc3339(each["at"])) for each in item["quotes"]
        ],
        agents=item["agents"],
        projects=item["projects"],
        against=item["against"],
        created_at=rfc3339(item["created_at"]),
        updated_at=rfc3339(item["updated_at"]),
        stale="stale" in item,
    )
