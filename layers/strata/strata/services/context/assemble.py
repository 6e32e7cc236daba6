"""The one context call: every layer asked at once, ranked together, cut to a budget, never told twice."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from strata.domain.assembly.budget import Fitting, Tokenizer, as_text, fitting
from strata.domain.assembly.items import Remembered, value
from strata.domain.assembly.likeness import distinct
from strata.domain.errors import Unavailable
from strata.domain.scope import WRITE, Scope
from strata.domain.wire.ledger import INJECTED
from strata.ports import Clock, Lexicon
from strata.services.context.layers import Asked, Layer, Recalled
from strata.services.conversations.ledger import Ledger, Seen
from strata.services.people.ownership import owner_of
from strata.services.records.episodes import DEFAULT_OWNER
from strata.services.table.parallel import Parallel

Answer = TypeVar("Answer")

_log = logging.getLogger("strata.context")


@dataclass(frozen=True, slots=True)
class Wished:
    """How a context shall be.

    Attributes:
        layers: the names of those that are asked; None for all.
        token_budget: what the whole text may come to; None for no bound.
        conversation_id: whose injection ledger is kept.
        turn_id: names the turn, so that asking again gives the same items again.
    """

    layers: frozenset[str] | None = None
    token_budget: int | None = None
    conversation_id: str | None = None
    turn_id: str | None = None


@dataclass(frozen=True, slots=True)
class Assembled:
    """A context: its items, best first, and the tokens of its text.

    `unavailable` names layers that did not answer; `degraded` says that one could only look at its newest.
    """

    fitting: list[Fitting]
    tokens: int
    unavailable: list[str]
    degraded: bool


class ContextAssembler:
    """Assembles contexts from any layers.

    Args:
        layers: what is asked, each behind the port `Layer`.
        ledger: what conversations were given already.
        rounds: asks the layers at once.
        lexicon: tells what says the same.
        clock: the time.
        tokens_of: counts tokens.
    """

    def __init__(
        self,
        layers: Sequence[Layer],
        ledger: Ledger,
        rounds: Parallel,
        lexicon: Lexicon,
        clock: Clock,
        tokens_of: Tokenizer,
    ) -> None:
        self._layers = layers
        self._ledger = ledger
        self._rounds = rounds
        self._lexicon = lexicon
        self._clock = clock
        self._tokens_of = tokens_of

    def assemble(self, scope: Scope, asked: Asked, wished: Wished) -> Assembled:
        """The memories that matter most now, each once.

        Whom the agent speaks with is who was named, else the conversation's owner. Layers that always belong
        to one user fall back to the caller's own identity, then to `default`.
        With a conversation, what its ledger holds is left out, and what is given is marked there, if the
        caller may write. With a turn as well, what this turn was given before is given again, and no more.

        Raises:
            OwnedByAnother: the conversation belongs to another user than `asked.user_id`.
        """
        seen = self._seen(scope, asked, wished)
        given = seen.items if seen else {}
        turn = _Turn.of(wished.turn_id)
        mine = turn.mine(given)
        asked = self._of_user(scope, asked, seen, frozenset() if mine else frozenset(given))
        layers = [each for each in self._layers if wished.layers is None or each.name in wished.layers]
        answers = self._rounds.each([partial(_recalled, each, scope, asked) for each in layers])
        away = {each.name for each, answer in zip(layers, answers, strict=True) if answer is None}
        degraded = any(answer.degraded for answer in answers if answer is not None)
        recalled = [item for answer in answers if answer is not None for item in answer.items]
        if mine:
            recalled = self._same(scope, asked, layers, away, recalled, mine)
        else:
            recalled = [item for item in recalled if item.key not in given]
        valued = self._valued(recalled)
        if (
            mine
        ):  # they were told apart when they were first given; calls at once may have given more than fits
            kept = fitting(valued, wished.token_budget, self._tokens_of)
        else:
            worth = {item.key: value for item, value in valued}
            told = distinct([item for item, _ in valued], self._lexicon)
            kept = fitting([(item, worth[item.key]) for item in told], wished.token_budget, self._tokens_of)
            kept = self._marked(scope, asked, wished, turn, kept, seen)
        tokens = self._tokens_of(as_text([each.item for each in kept])) if kept else 0
        return Assembled(kept, tokens, [each.name for each in layers if each.name in away], degraded)

    def _valued(self, items: Sequence[Remembered]) -> list[tuple[Remembered, float]]:
        """The items with what they are worth now, best first."""
        now = self._clock.now_us()
        valued = [(item, value(item, now)) for item in items]
        valued.sort(key=lambda each: (-each[1], -each[0].order, each[0].key))
        return valued

    def _of_user(self, scope: Scope, asked: Asked, seen: Seen | None, given: frozenset[str]) -> Asked:
        user = asked.user_id or (owner_of(seen.session, None) if seen else None)
        return replace(asked, user_id=user, owner=user or scope.identity or DEFAULT_OWNER, given=given)

    def _seen(self, scope: Scope, asked: Asked, wished: Wished) -> Seen | None:
        """The conversation; None without one. Whose it is, is asked here where the caller named somebody."""
        if wished.conversation_id is None:
            return None
        return self._ledger.see(scope, wished.conversation_id, asked.user_id)

    def _same(
        self,
        scope: Scope,
        asked: Asked,
        layers: Sequence[Layer],
        away: set[str],
        recalled: Sequence[Remembered],
        mine: frozenset[str],
    ) -> list[Remembered]:
        """What a turn was given, as it is now, also where it is no longer among what a layer would choose.

        Layers that do not answer are added to those that are `away`, which are not asked.
        """
        there = {item.key: item for item in recalled if item.key in mine}
        for layer in layers:
            prefix = f"{layer.name}:"
            missing = [key.removeprefix(prefix) for key in mine - there.keys() if key.startswith(prefix)]
            if not missing or layer.name in away:
                continue
            found = _answered(layer, partial(layer.fetch, scope, asked, missing))
            if found is None:
                away.add(layer.name)
            else:
                there |= {item.key: item for item in found}
        return list(there.values())

    def _marked(
        self,
        scope: Scope,
        asked: Asked,
        wished: Wished,
        turn: "_Turn",
        kept: list[Fitting],
        seen: Seen | None,
    ) -> list[Fitting]:
        """What of the kept items this call may give: what another call has just given is left out."""
        conversation = wished.conversation_id
        if conversation is None or not kept or not scope.may(WRITE):
            return kept
        keys = [each.item.key for each in kept]
        marked = self._ledger.mark_many(
            scope, conversation, keys, value=turn.mark, user_id=asked.user_id, seen=seen
        )
        if len(marked) < len(keys) and wished.turn_id is not None:
            marked |= turn.mine(self._ledger.items(scope, conversation))
        return [each for each in kept if each.item.key in marked]


def _recalled(layer: Layer, scope: Scope, asked: Asked) -> Recalled | None:
    return _answered(layer, partial(layer.recall, scope, asked))


def _answered(layer: Layer, call: Callable[[], Answer]) -> Answer | None:
    """What a layer gives; None when its store does not answer."""
    try:
        return call()
    except Unavailable as error:
        _log.warning("the layer %s is left out: %s", layer.name, error.message)
        return None


@dataclass(frozen=True, slots=True)
class _Turn:
    """One turn of a conversation, as the ledger names what it was given."""

    mark: str
    is_named: bool

    @classmethod
    def of(cls, turn_id: str | None) -> "_Turn":
        return cls(INJECTED, False) if turn_id is None else cls(f"turn:{turn_id}", True)

    def mine(self, given: Mapping[str, str]) -> frozenset[str]:
        """Which items of a ledger this turn was given."""
        return frozenset(key for key, value in given.items() if self.is_named and value == self.mark)
