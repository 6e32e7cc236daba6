"""The attribute that a verb and a value make: a port, a price, a deadline; none where there may be several at a time."""

from collections.abc import Callable, Set
from dataclasses import dataclass

from strata.domain.supersession.values import PRODUCTS, Value
from strata.domain.supersession.vocabulary import CHANGE_VERBS, CONFIGURED, FEES, PLAIN_VERBS, TESTED, VERBS

NEED_CHANGE = frozenset({"address", "port", "region", "weight", "deadline", "schedule", "size", "state"})
"""Attributes of which two values may both hold unless the newer note says that something changed."""

_PRICES = frozenset(("price", "fee", "cuota", "precio", "preis", "cost"))
_DUE = frozenset(("due", "deadline", "entrega", "entregan", "plazo", "limite", "abgabe", "frist", "fallig"))
_RAISED = frozenset(("version", "upgraded", "bumped", "migramos", "actualizamos"))
_LOWEST_PORT = 80
_SUFFIXES = ("limit", "timeout", "ttl")


@dataclass(frozen=True, slots=True)
class Said:
    """A value with the verb before it, the clause's other words, the last of them before it, and whether it is new."""

    value: Value
    verb: str
    words: Set[str]
    last: str
    changed: bool

    @property
    def plain(self) -> bool:
        """Whether the verb says nothing about the attribute."""
        return self.verb in PLAIN_VERBS

    @property
    def set(self) -> bool:
        """Whether something is, or was made, so."""
        return self.plain or self.verb in CHANGE_VERBS

    @property
    def configured(self) -> bool:
        """Whether the clause names something that is configured."""
        return bool(self.words & CONFIGURED) or any(word.endswith(_SUFFIXES) for word in self.words)

    def does(self, what: str) -> bool:
        """Whether the verb is one of these."""
        return self.verb in VERBS[what]


def attribute_of(said: Said) -> str | None:
    """The attribute; None for a passing event, and for what may have several values."""
    rule = _RULES.get(said.value.kind)
    return None if rule is None else rule(said)


def _version(said: Said) -> str | None:
    told = (
        said.does("run")
        or said.verb in CHANGE_VERBS
        or (said.plain and said.words & {"version", "on", "con", "mit"})
    )
    return "version" if told and (said.changed or not said.words & TESTED) else None


def _figure(said: Said) -> str | None:
    value, words = said.value.value, said.words
    if "." in value or words & _RAISED or (words & PRODUCTS and int(value) < _LOWEST_PORT):
        told = said.verb in CHANGE_VERBS or "version" in words or (said.plain and said.last in ("on", "at"))
        return "version" if told else None
    listens = said.does("listen") or (said.does("run") and said.last in ("on", "auf", "en"))
    if words & {"port", "puerto"} or (listens and _LOWEST_PORT <= int(value) <= 65535):
        return "port"
    if words & {"extension", "durchwahl"}:
        return "contact" if said.set else None
    return "setting" if said.configured and (said.set or said.does("limit")) else None


def _price(said: Said) -> str | None:
    told = said.does("cost") or (said.set and said.words & _PRICES)
    return "price" if told and (said.changed or said.words & FEES) else None


def _amount(said: Said) -> str | None:
    if said.does("fire"):
        return "threshold"
    return "setting" if said.configured or said.does("limit") else None


def _duration(said: Said) -> str | None:
    if said.last in ("in", "en"):
        return None  # how long from now, which every day changes
    if said.does("keep") or (said.plain and said.words & VERBS["keep"]):
        return "retention"
    if said.does("expire"):
        return "expiry"
    return "setting" if said.configured and (said.set or said.does("limit")) else None


def _place(said: Said, name: str) -> str | None:
    return name if said.set or said.does("place") else None


def _if(name: str, holds: Callable[[Said], object]) -> Callable[[Said], str | None]:
    return lambda said: name if holds(said) else None


_RULES: dict[str, Callable[[Said], str | None]] = {
    "version": _version,
    "figure": _figure,
    "region": lambda said: _place(said, "region"),
    "host": lambda said: _place(said, "address"),
    "email": lambda said: _place(said, "address"),
    "money": _price,
    "percent": _amount,
    "bytes": _amount,
    "duration": _duration,
    "weight": _if("weight", lambda said: said.does("weigh")),
    "date": _if("deadline", lambda said: said.words & _DUE and (said.set or said.does("due"))),
    "time": _if("schedule", lambda said: said.set or said.does("schedule")),
    "weekday": _if("schedule", lambda said: said.set or said.does("schedule")),
    "state": _if("state", lambda said: said.plain),
    "people": _if("size", lambda said: said.does("count")),
}
