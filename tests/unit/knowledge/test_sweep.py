"""The sweep of conclusions: what grows old fades, what says the same is merged, what is weak is hidden."""

from pathlib import Path
from typing import Any

import pytest

from strata.bootstrap import Application
from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.domain.wire.maintenance import Report
from strata.ports.rows import Item
from strata.services.knowledge.conclusions import Wanted
from strata.services.knowledge.person import KnowledgeRows
from strata.services.table.transaction import transact
from support.clocks import HandClock
from support.memory import LOCAL, application

ACME = Scope("acme")


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def app(tmp_path: Path, clock: HandClock) -> Application:
    return application(tmp_path, clock)


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


def sweep(app: Application, scope: Scope = LOCAL, *, dry: bool = False) -> Report:
    """A whole run of maintenance, a millisecond or more after the one before it."""
    app.clock.forward(0.002)  # type: ignore[attr-defined]
    report = app.maintenance.sweeper.run_now(scope, lambda: True, dry=dry)
    assert report.errors == {}
    return report


def known(app: Application, owner: str, scope: Scope = LOCAL) -> dict[str, float]:
    """What is told of a person: confidence by text."""
    listed = app.knowledge.conclusions.listed(scope, owner, Wanted())
    return {each.text: round(each.confidence, 3) for each in listed}


def test_what_nothing_supports_for_ninety_days_fades_day_by_day_until_it_is_hidden_and_gone(app, clock):
    conclude(app, "ann", "Often runs")
    conclude(app, "bob", "Often swims")
    assert known(app, "ann") == {"Often runs": 0.8}
    clock.forward(89 * DAY)
    sweep(app)
    assert known(app, "ann") == {"Often runs": 0.8}
    clock.forward(DAY)
    for _ in range(10):
        sweep(app)
    assert (known(app, "ann"), known(app, "bob")) == ({"Often runs": 0.72}, {"Often swims": 0.72})
    clock.forward(4 * DAY)
    sweep(app)
    assert known(app, "ann") == {"Often runs": round(0.8 * 0.9**5, 3)}
    clock.forward(5 * DAY)
    report = sweep(app)
    assert report.summary["pruning"]["removed"] == 2
    assert (known(app, "ann"), known(app, "bob")) == ({}, {})
    clock.forward(30 * DAY)
    assert sweep(app).summary["pruning"]["removed"] == 2
    assert KnowledgeRows(app.stores.table).read(LOCAL, "ann").conclusions == {}
