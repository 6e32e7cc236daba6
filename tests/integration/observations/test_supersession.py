"""Many consumers of one attribute at once leave one live observation, over both stores."""

from itertools import pairwise
from typing import Any

import pytest

from servers.tables import table_settings
from strata.domain.scope import Scope
from strata.services.records.observations import observation_key
from support.memory import Memory, application
from support.simultaneous import at_once

WRITERS = 20


@pytest.fixture(params=["sqlite", "dynamodb"])
def memory(request: pytest.FixtureRequest, tmp_path):
    """The services on the real clock, over SQLite and over DynamoDB Local."""
    where: dict[str, Any] = {"SUPERSEDE": "true"}
    if request.param == "dynamodb":
        address, name = (request.getfixturevalue(each) for each in ("dynamodb_local", "dynamodb_table"))
        where |= table_settings(address, name)
    app = application(tmp_path, **where)
    yield Memory(app)
    app.close()


def test_of_many_values_of_one_attribute_the_last_stays_whoever_follows_first(memory):
    other = Memory(memory.app, Scope("other"))
    theirs = other.save("Production runs PostgreSQL 9.").id
    bobs = memory.save("Production runs PostgreSQL 9.", session_id="bobs", user_id="bob").id
    ids = [memory.save(f"Production runs PostgreSQL {10 + each}.").id for each in range(WRITERS)]
    follow = memory.app.observations.supersession.follow
    every = [observation_key("demo", each) for each in [*ids, bobs]]

    assert set(at_once(lambda place: follow(memory.scope, every[place : place + 1]), len(every))) == {None}
    follow(other.scope, [observation_key("demo", theirs)])
    assert [memory.get(each).superseded_by for each in ids] == [*ids[1:], None]
    assert [memory.get(bobs).superseded_by, other.get(theirs).superseded_by] == [None, None]

    # every other one is deleted while the rest is followed again
    gone, left = ids[1::2], ids[::2]

    def delete_or_follow(place: int) -> None:
        if place < len(gone):
            memory.delete(gone[place])
            follow(memory.scope, [observation_key("demo", gone[place])])
        else:
            follow(memory.scope, [observation_key("demo", left[place - len(gone)])])

    assert set(at_once(delete_or_follow, WRITERS)) == {None}
    marks = [(each, memory.get(each).superseded_by) for each in left]
    assert marks == [*pairwise(left), (left[-1], None)]
