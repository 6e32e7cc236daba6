"""A transaction's actions as DynamoDB's write requests, and the meaning of their failures.

An update cannot remove the attributes of an expired row that is still stored. So an update is conditional on
there being no expired row; if there is one, the update is retried as a put of the whole row.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, assert_never

from botocore.exceptions import ClientError

from strata.adapters.dynamodb.expressions import Expressions
from strata.adapters.dynamodb.overflow import IN_ROW, Overflow
from strata.adapters.dynamodb.patience import error_code
from strata.adapters.dynamodb.rows import (
    BODIES,
    attributes_of,
    is_live,
    item_of,
    key_of,
    read_item,
    stored_name,
)
from strata.adapters.dynamodb.values import StoredItem
from strata.adapters.rules.conditions import holds, updated
from strata.domain.errors import TooLarge
from strata.domain.scope import Scope
from strata.ports.rows import Absent, Action, Check, Delete, Item, Key, Put, Update
from strata.ports.table import ConditionFailed, NoTable

Request = tuple[str, dict[str, Any]]
"""The kind of a write (`Put`, `Update`, `Delete`, `ConditionCheck`) and its arguments."""

_TOO_LARGE = re.compile(r"item size|payload size|aggregate size|4 ?MB", re.IGNORECASE)


class Refused(Exception):
    """Conditions failed: the existing rows by the index of their action."""

    def __init__(self, standing: Mapping[int, StoredItem | None]) -> None:
        super().__init__(f"conditions failed for actions {sorted(standing)}")
        self.standing = dict(standing)


class Plan:
    """Plans the writes of some actions, given what earlier attempts found about expired rows and bodies."""

    def __init__(self, table: str, scope: Scope, actions: Sequence[Action], overflow: Overflow) -> None:
        self.overflow = overflow
        self._table = table
        self._scope = scope
        self._actions = actions
        self._anew: set[int] = set()
        self._now = 0.0

    def requests(self, now: float) -> list[Request]:
        """The write of each action, as of `now` (epoch seconds).

        Raises:
            InvalidRequest: a value is not JSON.
            TooLarge: a row has more than 400 KB.
        """
        self._now = now
        return [self._request(place, action) for place, action in enumerate(self._actions)]

    def rows_anew(self) -> dict[int, Item]:
        """The rows that replace expired ones, by the index of their update."""
        return {
            place: updated(action, None)
            for place, action in enumerate(self._actions)
            if place in self._anew and isinstance(action, Update)
        }

    def learn(self, refused: Refused) -> None:
        """Record why the requests failed, so that the next ones avoid it.

        Raises:
            ConditionFailed: the actions' own conditions failed.
            NewerRow: a newer version of Strata wrote one of these rows.
        """
        failures: dict[int, Item | None] = {}
        for place, row in refused.standing.items():
            action = self._actions[place]
            live = None if row is None or not is_live(row, self._now) else read_item(row)
            of_bodies = not isinstance(action, Check) and self.overflow.meet(place, row)
            if place in self._anew:
                self._anew.remove(place)
            elif isinstance(action, Update) and row is not None and live is None:
                if action.condition is None or holds(action.condition, None):
                    self._anew.add(place)
                else:
                    failures[place] = None
            elif not (of_bodies and (action.condition is None or holds(action.condition, live))):
                failures[place] = live
        if failures:
            raise ConditionFailed(failures)

    def _request(self, place: int, action: Action) -> Request:
        expressions = Expressions(self._scope, self._now)
        arguments: dict[str, Any] = {"TableName": self._table}
        match action:
            case Put(key, item):
                kind, arguments["Item"] = "Put", self._row(place, key, item)
            case Update(key) if place in self._anew:
                kind, arguments["Item"] = "Put", self._row(place, key, updated(action, None))
            case Update(key):
                kind, arguments["Key"] = "Update", key_of(self._scope, key)
                arguments["UpdateExpression"] = self._update(place, action, expressions)
            case Delete(key):
                kind, arguments["Key"] = "Delete", key_of(self._scope, key)
            case Check(key):
                kind, arguments["Key"] = "ConditionCheck", key_of(self._scope, key)
            case _:
                assert_never(action)
        asked = [self._condition(place, kind, expressions), self._about_bodies(place, kind, expressions)]
        if any(asked):
            arguments["ConditionExpression"] = " AND ".join(filter(None, asked))
            arguments["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
        return kind, arguments | expressions.arguments()

    def _condition(self, place: int, kind: str, expressions: Expressions) -> str | None:
        """The action's condition on the existing row, which a newer version must not have written."""
        condition = self._actions[place].condition
        if kind == "Update":
            asked: str | None = expressions.condition_in_place(condition)
        elif place in self._anew:
            asked = expressions.condition(Absent())
        else:
            asked = None if condition is None else expressions.condition(condition)
        if asked is not None:
            return f"({asked}) AND {expressions.has_known_schema()}"
        return "(attribute_exists(pk) OR attribute_not_exists(pk))" if kind == "ConditionCheck" else None

    def _row(self, place: int, key: Key, item: Item) -> StoredItem:
        """The whole row, without values that become bodies."""
        row = item_of(self._scope, key, item)
        names = self.overflow.fit(place, row, row)
        if names:
            row[BODIES] = {"SS": names}
        self.overflow.keep(place, names)
        return row

    def _update(self, place: int, update: Update, expressions: Expressions) -> str:
        """The update's expression; the bodies of a row whose bodies it changes are known."""
        given = attributes_of(self._scope, {**update.default, **update.set})
        added = self.overflow.fit(place, given, key_of(self._scope, update.key))
        standing = self.overflow.standing(place)
        if standing is None:
            self.overflow.keep(place, added)
            return expressions.update(update, given, added=added)
        after = self.overflow.after(place, _replaced(update), added)
        self.overflow.keep(place, after)
        return expressions.update(update, given, bodies=None if after == standing else after)

    def _about_bodies(self, place: int, kind: str, expressions: Expressions) -> str | None:
        """The condition on the existing row's bodies, so that none is orphaned."""
        if not self.overflow.possible or kind == "ConditionCheck":
            return None
        standing = self.overflow.standing(place)
        if kind != "Update" or standing is not None:
            return expressions.has_bodies(standing or ())
        action = self._actions[place]
        named = {*action.set, *action.remove} if isinstance(action, Update) else set()
        replaced = sorted(named - IN_ROW)
        return expressions.are_in_row(replaced) if replaced else None


def _replaced(update: Update) -> set[str]:
    """The stored attributes whose previous value the update replaces."""
    return {stored_name(name) for name in (*update.set, *update.remove)}


def is_repeatable(action: Action) -> bool:
    """Whether the actions are idempotent.

    A repeated addition counts twice; a condition may fail because of our own first write.
    """
    if action.condition is not None:
        return False
    return not (isinstance(action, Update) and action.add)


def _refusal(error: ClientError) -> Exception | None:
    """The error for failed conditions and sizes; None for any other failure."""
    code = error_code(error)
    response: dict[str, Any] = dict(error.response)
    if code == "ConditionalCheckFailedException":
        return Refused({0: response.get("Item")})
    reasons: list[dict[str, Any]] = response.get("CancellationReasons", [])
    if code == "TransactionCanceledException":
        failed = {
            place: reason.get("Item") or None
            for place, reason in enumerate(reasons)
            if reason.get("Code") == "ConditionalCheckFailed"
        }
        if failed:
            return Refused(failed)
    said = [response.get("Error", {}).get("Message", "")] if code == "ValidationException" else []
    said += [reason.get("Message") or "" for reason in reasons if reason.get("Code") == "ValidationError"]
    if any(_TOO_LARGE.search(message) for message in said):
        return TooLarge("a stored row may have 400 KB, and what is written at once 4 MB")
    return None


def sent(send: Callable[..., dict[str, Any]], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Send the request with DynamoDB's client.

    Raises:
        Refused: conditions failed.
        TooLarge: a row would have more than 400 KB, or all of them 4 MB.
        NoTable: there is no such table.
        ClientError, BotoCoreError: anything else.
    """
    try:
        return send(**arguments)
    except ClientError as error:
        if error_code(error) == "ResourceNotFoundException":
            raise NoTable("there is no such table, or it is not ready") from error
        meant = _refusal(error)
        if meant is None:
            raise
        raise meant from error
