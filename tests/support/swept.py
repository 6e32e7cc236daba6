"""Conclusions that a model is taken to have drawn, sweeps over them, and what is told and announced after."""

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from strata.bootstrap import Application
from strata.domain.errors import ModelFailed, Unavailable
from strata.domain.scope import Scope
from strata.domain.wire.maintenance import Report
from strata.ports.announcements import Announcement
from strata.ports.entailment import Entailed
from strata.ports.rows import Item
from strata.services.knowledge.conclusions import Wanted
from strata.services.knowledge.person import KnowledgeRows
from strata.services.table.transaction import transact
from support.memory import LOCAL


def conclude(app: Application, owner: str, *texts: str, scope: Scope = LOCAL, **fields: Any) -> None:
    """Let a model have concluded these from a session of today."""
    known = KnowledgeRows(app.stores.table).read(scope, owner)
    now = app.clock.now_us()
    rows = []
    for text in texts:
        session = f"s {text}"
        quote = {"text": text, "source": session, "at": now}
        row: Item = {
            "id": f"{owner}-{text}",
            "scope": "all",
            "subject": f"model:{text}",
            "value": "",
            "value_key": "",
        }
        row |= {"single": False, "by": "model", "corrected": False, "type": "inductive", "text": text}
        row |= {
            "confidence": 0.8,
            "sources": [session],
            "sessions": [session],
            "quotes": [quote],
            "against": 0,
        }
        row |= {"last": now, "agents": [], "projects": [], "confined": False, "run": 1}
        rows.append(row | {"created_at": now, "updated_at": now} | fields)
    actions = [known.conclusion(row["id"], row) for row in rows]
    transact(app.stores.table, scope, {"head": known.head, "rows": actions})


def sweep(app: Application, scope: Scope = LOCAL, *, dry: bool = False, failing: bool = False) -> Report:
    """A whole run of maintenance, a millisecond or more after the one before it."""
    app.clock.forward(0.002)  # type: ignore[attr-defined]
    report = app.maintenance.sweeper.run_now(scope, lambda: True, dry=dry)
    if report.status == "running":  # no request waits for a model
        app.maintenance.sweeper.carry_on({"tenant": scope.tenant, "run": report.timestamp}, lambda: True)
        report = app.maintenance.runs.report(scope, report.timestamp)
    assert bool(report.errors) is failing
    return report


def known(app: Application, owner: str, scope: Scope = LOCAL) -> dict[str, float]:
    """The conclusions about a person: confidence by text."""
    listed = app.knowledge.conclusions.listed(scope, owner, Wanted())
    return {each.text: round(each.confidence, 3) for each in listed}


class Announced:
    """Keeps what is announced; refuses the first `refusals` times."""

    def __init__(self, refusals: int = 0) -> None:
        self.events: list[Announcement] = []
        self.refusals = refusals

    def announce(self, announcement: Announcement) -> None:
        if self.refusals:
            self.refusals -= 1
            raise Unavailable("nobody listens")
        self.events.append(announcement)


class Encoder:
    """Finds that pairs contradict in which both texts have this word; counts what it is asked."""

    model = "nli-1"
    sure = 0.9

    def __init__(self, word: str = "", *, fails: bool = False) -> None:
        self.word = word
        self.fails = fails
        self.asked: list[tuple[str, str]] = []

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailed]:
        if self.fails:
            raise ModelFailed("no weights")
        self.asked += pairs
        both = [self.word in one and self.word in other for one, other in pairs]
        return [Entailed(0.0, 0.97 if each else 0.1) for each in both]


class Judging:
    """A language model that gives these relations by text, or whatever it was told to say."""

    name = "judge"

    def __init__(self, relations: Any = None) -> None:
        self.relations = relations
        self.questions: list[dict[str, Any]] = []

    def ask(self, question: Any, shape: Any, usage: Any) -> Any:
        asked = json.loads(question.text)
        self.questions.append(asked)
        told = self.relations(asked["pairs"]) if callable(self.relations) else self.relations
        if told is None:
            raise ModelFailed("rubbish")
        return shape.model_validate({"relations": told})


class Dies(BaseException):
    """The end of the process: nothing catches it."""


class Dying:
    """A table whose process dies at one write, before or after it is done."""

    def __init__(self, table: Any, at: int, *, done: bool) -> None:
        self._table, self._left, self._done = table, at, done

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._table, name)
        return method if name not in ("transact", "update") else lambda *sent: self._write(method, sent)

    def _write(self, method: Any, sent: tuple[Any, ...]) -> Any:
        self._left -= 1
        if self._left:
            return method(*sent)
        if self._done:
            with suppress(Exception):  # a write that is refused is the last one, too
                method(*sent)
        raise Dies
