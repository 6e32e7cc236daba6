"""An answer fits into what a serverless function may return."""

import json

import pytest

from strata.entrypoints.http.api.answers import MOST, fitting
from support.api import client
from support.memory import application, observation


def dump(answer):
    return json.dumps(answer, ensure_ascii=False).encode()


def in_a_response(body: bytes) -> int:
    return len(json.dumps(body.decode()))


@pytest.mark.parametrize("letter", ["a", '"', "記", "🚀", "\n"])
def test_a_list_is_cut_at_its_end_to_what_a_response_holds(letter):
    rows = [letter * 40_000 for _ in range(400)]
    body, left_out = fitting(rows, dump)
    assert in_a_response(body) <= 6_000_000
    assert left_out > 0
    assert json.loads(body) == rows[: len(rows) - left_out]
    one_more = dump(rows[: len(rows) - left_out + 1])
    assert in_a_response(one_more) > MOST - 10_000


def test_what_fits_is_left_alone():
    assert fitting(["a"] * 10, dump) == (dump(["a"] * 10), 0)
    assert fitting({"a": "b" * 7_000_000}, dump)[1] == 0


def test_a_list_says_how_many_rows_it_leaves_out_and_a_timeline_keeps_its_anchor(tmp_path):
    app = application(tmp_path)
    api = client(app)
    ids = [
        api.post("/observations", json=observation(content=f"{number} " + "語" * 49_000)).json()["id"]
        for number in range(30)
    ]
    recent = api.get("/observations/recent", params={"limit": 100})
    left_out = int(recent.headers["strata-left-out"])
    assert [seen["id"] for seen in recent.json()] == ids[::-1][: len(ids) - left_out]
    assert in_a_response(recent.content) <= 6_000_000

    for anchor in (ids[0], ids[15], ids[-1]):
        timeline = api.get("/timeline", params={"observation_id": anchor, "before": 50, "after": 50})
        shown = [seen["id"] for seen in timeline.json()]
        assert anchor in shown
        assert shown == sorted(shown)
        assert in_a_response(timeline.content) <= 6_000_000
    app.close()
