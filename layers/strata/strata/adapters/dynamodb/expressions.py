"""Conditions and updates as DynamoDB's expressions, in which an expired row counts as absent."""

from collections.abc import Iterable, Sequence
from typing import Any

from strata.adapters.dynamodb.rows import BODIES, placed, stored_name
from strata.adapters.dynamodb.values import Stored, StoredItem, stored
from strata.adapters.rules import schema
from strata.adapters.rules.conditions import holds
from strata.domain.scope import Scope
from strata.ports.rows import Absent, AllOf, AnyOf, AtMost, Condition, Equals, Json, Present, Update


class Expressions:
    """The expressions of one request, with their names and values."""

    def __init__(self, scope: Scope, now: float) -> None:
        self._scope = scope
        self._names: dict[str, str] = {}
        self._values: StoredItem = {}
        self._now = now

    def arguments(self) -> dict[str, Any]:
        """The request's arguments for the placeholders."""
        arguments: dict[str, Any] = {}
        if self._names:
            arguments["ExpressionAttributeNames"] = {hole: name for name, hole in self._names.items()}
        if self._values:
            arguments["ExpressionAttributeValues"] = self._values
        return arguments

    def condition(self, condition: Condition) -> str | None:
        """The condition as an expression; None when it always holds. An expired row counts as absent."""
        of_live = simplified(condition)
        if not holds(condition, None):
            return self._of_standing(of_live)
        if of_live is True:
            return None
        rest = "" if of_live is False else f" OR ({self._compiled(of_live)})"
        return f"attribute_not_exists(pk) OR {self._expired()}{rest}"

    def condition_in_place(self, condition: Condition | None) -> str:
        """As `condition`, and no expired row exists, whose attributes would survive the update."""
        of_live = True if condition is None else simplified(condition)
        if condition is not None and not holds(condition, None):
            return self._of_standing(of_live)
        if of_live is False:
            return "attribute_not_exists(pk)"
        rest = "" if of_live is True else f" AND (attribute_not_exists(pk) OR ({self._compiled(of_live)}))"
        return f"NOT {self._expired()}{rest}"

    def filter(self, where: Condition | None) -> str | None:
        """A filter for live rows that match `where`, and rows of a newer version; None: none can match."""
        of_live = True if where is None else simplified(where)
        if of_live is False:
            return None
        rest = "" if of_live is True else f" AND ({self._compiled(of_live)} OR {self._is_newer()})"
        return f"NOT {self._expired()}{rest}"

    def update(
        self,
        update: Update,
        given: StoredItem,
        *,
        added: Sequence[str] = (),
        bodies: Sequence[str] | None = None,
    ) -> str:
        """The update expression.

        Args:
            given: the stored values that it sets, also by default.
            added: names to add to those of the row's bodies.
            bodies: the names of all bodies of the row after the update, if it changes them.
        """

        def hole(name: str) -> str:
            return self._hole(given[stored_name(name)])

        sets = [
            f"{self.name(name)} = if_not_exists({self.name(name)}, {hole(name)})" for name in update.default
        ]
        sets += [f"{self.name(name)} = {hole(name)}" for name in update.set]
        adds = [f"{self.name(name)} {self.value(name, amount)}" for name, amount in update.add.items()]
        removes = [self.name(name) for name in update.remove]
        if added:
            adds.append(f"{BODIES} {self._hole({'SS': list(added)})}")
        if bodies:
            sets.append(f"{BODIES} = {self._hole({'SS': list(bodies)})}")
        elif bodies is not None:
            removes.append(BODIES)
        sets.append("{} = {}".format(*self._schema()))
        clauses = [("SET", sets), ("ADD", adds), ("REMOVE", removes)]
        return " ".join(f"{verb} {', '.join(parts)}" for verb, parts in clauses if parts)

    def name(self, attribute: str) -> str:
        """A placeholder for the attribute's name."""
        return self._names.setdefault(stored_name(attribute), f"#n{len(self._names)}")

    def value(self, attribute: str, value: Json) -> str:
        """A placeholder for a value of that attribute."""
        return self._hole(stored(placed(self._scope, attribute, value)))

    def has_bodies(self, names: Sequence[str]) -> str:
        """Holds when the row has exactly these bodies; with none: no row, or one without bodies."""
        return f"{BODIES} = {self._hole({'SS': list(names)})}" if names else f"attribute_not_exists({BODIES})"

    def are_in_row(self, attributes: Iterable[str]) -> str:
        """Holds when none of these attributes is in a body."""
        self._values[":in_body"] = {"S": "SS"}
        return " AND ".join(f"NOT attribute_type({self.name(name)}, :in_body)" for name in attributes)

    def has_known_schema(self) -> str:
        """Holds unless a newer version of Strata wrote a live row."""
        return f"(NOT {self._is_newer()} OR {self._expired()})"

    def _is_newer(self) -> str:
        return "{} > {}".format(*self._schema())

    def _schema(self) -> tuple[str, str]:
        """Placeholders for the row's schema and for this version's."""
        self._values[":schema"] = stored(schema.SCHEMA)
        return self._names.setdefault(schema.NAME, "#schema"), ":schema"

    def _hole(self, value: Stored) -> str:
        hole = f":v{len(self._values)}"
        self._values[hole] = value
        return hole

    def _expired(self) -> str:
        """True for an expired row; comparing two types, or an absent attribute, is false."""
        self._values[":now"] = stored(self._now)
        return "expires_at <= :now"

    def _of_standing(self, of_live: Condition | bool) -> str:
        """Holds when a live row exists for which `of_live` is true."""
        if of_live is False:
            return "attribute_exists(pk) AND attribute_not_exists(pk)"
        rest = "" if of_live is True else f" AND ({self._compiled(of_live)})"
        return f"attribute_exists(pk) AND NOT {self._expired()}{rest}"

    def _compiled(self, condition: Condition) -> str:
        """The expression of a condition that `simplified` could not decide."""
        match condition:
            case Equals(name, None):
                missing = f"attribute_not_exists({self.name(name)})"
                return f"{missing} OR {self.name(name)} = {self.value(name, None)}"
            case Equals(name, value):
                return f"{self.name(name)} = {self.value(name, value)}"
            case AtMost(name, value):
                return f"{self.name(name)} <= {self.value(name, value)}"
            case AnyOf(conditions):
                return " OR ".join(f"({self._compiled(each)})" for each in conditions)
            case AllOf(conditions):
                return " AND ".join(f"({self._compiled(each)})" for each in conditions)
        raise TypeError(f"{condition} is decided by there being a row")


def simplified(condition: Condition) -> Condition | bool:
    """Simplify a condition for a live row: the outcome, if that decides it."""
    match condition:
        case Absent() | Present():
            return isinstance(condition, Present)
        case AnyOf(conditions) | AllOf(conditions):
            settles = isinstance(condition, AnyOf)
            parts = [simplified(each) for each in conditions]
            if settles in [part for part in parts if isinstance(part, bool)]:
                return settles
            left = tuple(part for part in parts if not isinstance(part, bool))
            if len(left) < 2:  # parentheses twice round one thing would be an error
                return left[0] if left else not settles
            return type(condition)(left)
        case _:
            return condition
