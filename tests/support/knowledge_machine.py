"""Runs of the dreamer, deletions, refusals and undo in any order, with rules that are simple to foresee."""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from strata.domain.knowledge.statements import Proposal, Said, Sighting
from strata.domain.times import DAY
from strata.domain.wire.consent import ConsentChange
from strata.ports.rows import Item
from strata.services.knowledge.conclusions import Wanted
from strata.services.knowledge.dreamer import Dreamer
from strata.services.records.knowledge import knowledge_pk
from support.clocks import HandClock
from support.memory import LOCAL, Memory, application

OWNER = "ann"


def read(said: Sequence[Said]) -> list[Sighting]:
    """Sightings written as `subject=value`; a subject in capitals has one value at a time."""
    found = []
    for each in said:
        subject, _, value = each.text.partition("=")
        found.append(
            Sighting(subject, value, subject.isupper(), False, True, each.text, each.at, each.source)
        )
    return found


def conclude(sightings: Sequence[Sighting]) -> list[Proposal]:
    """The newest value of each subject."""
    found = []
    for subject in sorted({each.subject for each in sightings}):
        seen = sorted((each for each in sightings if each.subject == subject), key=lambda each: each.at)
        same = tuple(each for each in seen if each.value == seen[-1].value or not each.single)
        text = f"{subject} {seen[-1].value if seen[-1].single else ''}"
        found.append(Proposal(subject, "explicit", text, len(same) / (len(same) + 1), same, ()))
    return found


def dreamer(memory: Memory) -> Dreamer:
    return Dreamer(memory.app.stores.table, memory.app.clock, read, conclude)


def state(memory: Memory, owner: str = OWNER) -> dict[str, Item]:
    """Conclusions and sightings, by their keys."""
    rows = [*memory.rows(knowledge_pk(owner))]
    return {
        json.dumps([row.get("session_id"), row["id"] if "text" in row else None]): row
        for row in rows
        if "text" in row or "sightings" in row
    }


class Histories(RuleBasedStateMachine):
    """Whatever happens: an undo right after a run gives back the state before it, and nothing more."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = HandClock()
        self.memory = Memory(application(Path(self.folder.name), self.clock))
        self.dreamer = dreamer(self.memory)
        self.ended: list[str] = []
        self.before: list[tuple[str, dict[str, Item], dict[str, Item]]] = []
        """Runs that can be undone, with the state before and after each, none of them before one that was."""
        self.refused: set[str] = set()
        self.declined: dict[str, set[str]] = {}

    def teardown(self) -> None:
        self.memory.app.close()
        self.folder.cleanup()

    @initialize()
    def begin(self) -> None:
        for subject in ("HOME", "tea", "jazz"):
            self.a_session_is_consolidated(subject, "a", False, "x")

    @property
    def known(self) -> list[dict[str, Any]]:
        catalog = self.memory.app.knowledge.conclusions
        return [each.model_dump() for each in catalog.listed(LOCAL, OWNER, Wanted())]

    def runs(self) -> list[str]:
        listed = self.memory.app.knowledge.consolidations.listed(LOCAL, OWNER, 100)
        return [each.id for each in listed]

    @rule(
        subject=st.sampled_from(["HOME", "WORK", "tea", "jazz"]),
        value=st.sampled_from("abc"),
        again=st.booleans(),
        project=st.sampled_from(["x", "y"]),
    )
    def a_session_is_consolidated(self, subject: str, value: str, again: bool, project: str) -> None:
        self.clock.forward(DAY)
        ended = [each for each in self.ended if each not in self.refused]
        session = ended[-1] if again and ended else f"s{len(self.ended)}"
        if session not in self.ended:
            self.ended.append(session)
            self.memory.start(session, project, user_id=OWNER)
        before, runs = state(self.memory), self.runs()
        self.memory.end(session, f"{subject}={value}", "ok", "tea=hot")
        for _ in range(2):
            self.dreamer.run(LOCAL, session)
        new = [each for each in self.runs() if each not in runs]
        assert len(new) <= 1
        if new:
            self.before.append((new[0], before, state(self.memory)))

    @precondition(lambda self: self.before)
    @rule()
    def the_last_run_is_undone(self) -> None:
        run, before, after = self.before.pop()
        unchanged = state(self.memory) == after
        for _ in range(2):
            self.memory.app.knowledge.consolidations.undo(LOCAL, OWNER, run)
        if unchanged:
            assert state(self.memory) == before

    @precondition(lambda self: self.before)
    @rule(data=st.data())
    def an_older_run_is_undone(self, data: st.DataObject) -> None:
        """Undo: rows that changed since stay, the others are as before the run."""
        place = data.draw(st.sampled_from(range(len(self.before))))
        run, before, after = self.before[place]
        del self.before[place:]
        now = state(self.memory)
        self.memory.app.knowledge.consolidations.undo(LOCAL, OWNER, run)
        then = state(self.memory)
        for key in now.keys() | then.keys():
            if now.get(key) != then.get(key):
                assert now.get(key) == after.get(key), "it changed since, and was put back"
                assert then.get(key) == before.get(key)

    @precondition(lambda self: self.known)
    @rule(data=st.data())
    def a_conclusion_is_deleted(self, data: st.DataObject) -> None:
        one = data.draw(st.sampled_from([each["id"] for each in self.known]))
        self.memory.app.knowledge.conclusions.delete(LOCAL, OWNER, one)
        assert one not in [each["id"] for each in self.known]

    @rule()
    def all_are_deleted(self) -> None:
        self.memory.app.knowledge.conclusions.delete_all(LOCAL, OWNER)
        assert self.known == []

    @precondition(lambda self: self.ended)
    @rule(data=st.data())
    def a_session_is_refused(self, data: st.DataObject) -> None:
        session = data.draw(st.sampled_from(self.ended))
        self.memory.app.people.session_consents.put(LOCAL, session, False, "ann")
        self.memory.follow()
        self.refused.add(session)

    @rule()
    def the_person_refuses_and_has_it_erased(self) -> None:
        consents = self.memory.app.people.consents
        consents.put(LOCAL, OWNER, ConsentChange(ai_consent=False, erase=True), "ann")
        assert self.memory.rows(knowledge_pk(OWNER)) == []
        self.before.clear()
        consents.put(LOCAL, OWNER, ConsentChange(ai_consent=True), "ann")

    @invariant()
    def nothing_rests_on_a_refused_session(self) -> None:
        stored = json.dumps(self.memory.rows(knowledge_pk(OWNER)))
        for row in state(self.memory).values():
            assert self.refused.isdisjoint(row.get("sessions", [row.get("session_id")])), stored

    @invariant()
    def one_value_of_a_subject_is_told(self) -> None:
        subjects = [each["text"].split()[0] for each in self.known]
        assert len(subjects) == len(set(subjects))
