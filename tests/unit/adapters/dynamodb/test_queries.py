"""The part of a partition that a query of DynamoDB reads."""

from typing import Any

from strata.adapters.dynamodb.queries import run_query
from strata.adapters.dynamodb.rows import item_of
from strata.ports.rows import Equals, Key
from strata.ports.table import Query
from support.memory import LOCAL


class Partition:
    """A partition of so many rows; every tenth one is of the wanted kind. Its answers are DynamoDB's."""

    def __init__(self, rows):
        self._rows = rows
        self.looked_at = 0

    def read(self, arguments):
        start = int(arguments["ExclusiveStartKey"]["sk"]["S"]) + 1 if "ExclusiveStartKey" in arguments else 0
        end = min(start + arguments["Limit"], self._rows)
        self.looked_at += end - start
        places = range(start, end)
        if "FilterExpression" in arguments and "#n0" in arguments["FilterExpression"]:
            places = places[-start % 10 :: 10]
        answer: dict[str, Any] = {"Items": [item_of(LOCAL, Key("P", f"{place:09}"), {}) for place in places]}
        if end < self._rows:
            answer["LastEvaluatedKey"] = item_of(LOCAL, Key("P", f"{end - 1:09}"), {})
        return answer


def test_who_will_not_go_on_has_no_row_read_beyond_the_last():
    partition = Partition(1000)
    page = run_query(partition.read, LOCAL, Query("P", limit=10, resumable=False), 0)
    assert (len(page.rows), page.cursor) == (10, None)
    assert partition.looked_at == 10


def test_a_filter_that_found_enough_is_not_applied_to_the_rest_of_the_partition():
    partition = Partition(100_000)
    query = Query("P", limit=10, where=Equals("type", "decision"), resumable=False)
    page = run_query(partition.read, LOCAL, query, 0)
    assert (len(page.rows), page.cursor) == (10, None)
    assert partition.looked_at == 100


def test_who_may_go_on_is_told_whether_there_is_more():
    whole, cut = Partition(10), Partition(11)
    assert run_query(whole.read, LOCAL, Query("P", limit=10), 0).cursor is None
    assert run_query(cut.read, LOCAL, Query("P", limit=10), 0).cursor is not None
