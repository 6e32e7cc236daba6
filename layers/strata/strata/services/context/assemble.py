"""Contexts of all layers of memory: asked at once, ranked together, cut to a budget, given once."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from strata.domain.assembly.budget import Fitting, Tokenizer, fitting, passage_of
from strata.domain.assembly.items import Remembered, value
from strata.domain.assembly.likeness import repeats, told_in_profile
from strata.domain.assembly.passages import Passages
from strata.domain.assembly.prompt import as_text
from strata.domain.assembly.restated import DERIVED, echoes, quotes, restated
from strata.domain.errors import Unavailable
from strata.domain.scope import WRITE, Scope
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.domain.wire.ledger import INJECTED
from strata.ports.clock import Clock
from strata.ports.language import Lexicon
from strata.services.context.layers.layer import FILTERED, ContextQuery, Layer
from strata.services.conversations.ledger import Ledger, Seen
from strata.services.people.ownership import owner_of
from strata.services.table.parallel import Parallel

Result = TypeVar("Result")

_log = logging.getLogger("strata.context")


@dataclass(frozen=True, slots=True)
class ContextOptions:
    """The form of a context.

    Attributes:
        layers: the names of the layers to ask; None for all.
        token_budget: the most tokens of the whole text; None for no limit.
        conversation_id: the conversation whose injection ledger is kept.
        turn_id: names the turn, so that asking again returns the same items.
    """

    layers: frozenset[str] | None = None
    token_budget: int | None = None
    conversation_id: str | None = None
    turn_id: str | None = None


@dataclass(frozen=True, slots=True)
class Assembly:
    """An assembled context: its items, best first, its text for a prompt, and the tokens of that.

    `unavailable` names the layers that did not answer; `degraded` is true if one saw only its newest rows.
    """

    fitting: list[Fitting]
    text: str
    tokens: int
    unavailable: list[str]
    degraded: bool


@dataclass(frozen=True, slots=True)
class ContextAssembler:
    """Assembles contexts from any layers.

    Attributes:
        layers: the layers, each behind the port `Layer`.
        ledger: the items that conversations were given already.
        parallel: asks the layers at once.
        lexicon: recognizes items that say the same.
        tokens_of: counts tokens.
    """

    layers: Sequence[Layer]
    ledger: Ledger
    parallel: Parallel
    lexicon: Lexicon
    clock: Clock
    tokens_of: Tokenizer

    def assemble(self, scope: Scope, query: ContextQuery, options: ContextOptions) -> Assembly:
        """The memories that matter most now, each once.

        The user is the one that is named, else the conversation's owner. Layers that always belong to one
        user fall back to the caller's own identity, then to `default`.
        With a conversation, the items in its ledger are left out, and new ones are marked there, if the
        caller may write. With a turn as well, the items that this turn was given before are given again, and
        no others.

        Raises:
            OwnedByAnother: the conversation belongs to another user than `query.user_id`.
        """
        seen = self._seen(scope, query, options)
        given = seen.items if seen else {}
        before = _given_to(options.turn_id, given)
        query = _for_user(scope, query, seen, frozenset() if before else frozenset(given))
        recalled = self._recalled(scope, query, options)
        if before:
            kept = self._kept_again(scope, query, options, recalled, before)
        else:
            items = [item for item in recalled.items if item.key not in given]
            told = [item for item in recalled.items if item.key in given]
            kept, repeated = self._each_once(query, options, items, told)
            kept = self._marked(scope, query, options, kept, repeated, seen)
        text = as_text([each.item for each in kept], query.project)
        tokens = self.tokens_of(text) if kept else 0
        unavailable = [each.name for each in recalled.layers if each.name in recalled.unavailable]
        return Assembly(kept, text, tokens, unavailable, recalled.degraded)

    def _seen(self, scope: Scope, query: ContextQuery, options: ContextOptions) -> Seen | None:
        """The conversation, if one is named; checks its owner against a user that is named."""
        if options.conversation_id is None:
            return None
        return self.ledger.see(scope, options.conversation_id, query.user_id)

    def _recalled(self, scope: Scope, query: ContextQuery, options: ContextOptions) -> "_Recollection":
        layers = [each for each in self.layers if options.layers is None or each.name in options.layers]
        if query.only:
            layers = [each for each in layers if each.name in FILTERED]
        calls = [partial(_answered, each, partial(each.recall, scope, query)) for each in layers]
        answers = self.parallel.each(calls)
        there = [answer for answer in answers if answer is not None]
        return _Recollection(
            layers,
            [item for answer in there for item in answer.items],
            {each.name for each, answer in zip(layers, answers, strict=True) if answer is None},
            any(answer.degraded for answer in there),
        )

    def _each_once(
        self,
        query: ContextQuery,
        options: ContextOptions,
        items: Sequence[Remembered],
        told: Sequence[Remembered],
    ) -> tuple[list[Fitting], list[str]]:
        """The best items that fit, without what others of them tell, and the keys of all that they say.

        `told` was given before. What is left out makes room for more, which may tell further items. A line
        that was found by what an observation says may be given later for what else it says.
        """
        lines: list[str] = []
        best = Passages(query.text, self.lexicon).best
        while True:
            kept, repeated = self._newly_kept(query, options, items)
            given = [each.item for each in kept]
            again = restated(given)
            twice = told_in_profile(items, [*given, *told])
            twice.update(item.key for item in (*again, *echoes(given, best)))
            if not twice:  # of what stays, so that no quote goes with the line that has it
                again = quotes(given)
                twice.update(item.key for item in again)
            if not twice:
                return kept, repeated + lines
            lines += [key for item in again for key in item.keys]
            items = [item for item in items if item.key not in twice]

    def _newly_kept(
        self, query: ContextQuery, options: ContextOptions, items: Sequence[Remembered]
    ) -> tuple[list[Fitting], list[str]]:
        """The best items that fit, and the keys of all that says the same as one of these."""
        alike: dict[str, list[Remembered]] = {}

        def chosen(best: Sequence[Remembered]) -> list[Remembered]:
            groups = [_stored_first(each) for each in repeats(best, self.lexicon)]
            alike.update({group[0].key: group for group in groups})
            return [first for first, *_ in groups]

        kept = self._fitting(query, options, items, chosen)
        return kept, [key for each in kept for same in alike[each.item.key] for key in same.keys]

    def _fitting(
        self,
        query: ContextQuery,
        options: ContextOptions,
        items: Iterable[Remembered],
        chosen: Callable[[Sequence[Remembered]], Sequence[Remembered]] = list,
    ) -> list[Fitting]:
        """The chosen ones among these items, best first, each with what answers, as many as fit."""
        passages = Passages(query.text, self.lexicon)
        room = passage_of(options.token_budget)
        valued = self._valued([passages.shown(item, room) for item in items])
        worth = {item.key: value for item, value in valued}
        told = chosen([item for item, _ in valued])
        return fitting(
            [(item, worth[item.key]) for item in told],
            options.token_budget,
            self.tokens_of,
            passages,
            query.project,
        )

    def _kept_again(
        self,
        scope: Scope,
        query: ContextQuery,
        options: ContextOptions,
        recalled: "_Recollection",
        before: frozenset[str],
    ) -> list[Fitting]:
        """The items that the turn was given before, as they are now, even if no layer would choose them.

        They were compared with each other then; they are cut again, since concurrent calls may have been
        given more than fits.
        """
        there = {item.key: item for item in recalled.items if item.key in before}
        for layer in recalled.layers:
            prefix = f"{layer.name}:"
            missing = [key.removeprefix(prefix) for key in before - there.keys() if key.startswith(prefix)]
            if not missing or layer.name in recalled.unavailable:
                continue
            found = _answered(layer, partial(layer.fetch, scope, query, missing))
            if found is None:
                recalled.unavailable.add(layer.name)
            else:
                there |= {item.key: item for item in found}
        return self._fitting(query, options, there.values())

    def _valued(self, items: Sequence[Remembered]) -> list[tuple[Remembered, float]]:
        """The items with their current values, best first."""
        now = self.clock.now_us()
        valued = [(item, value(item, now)) for item in items]
        valued.sort(key=lambda each: (-each[1], -each[0].order, each[0].key))
        return valued

    def _marked(
        self,
        scope: Scope,
        query: ContextQuery,
        options: ContextOptions,
        kept: list[Fitting],
        repeated: Sequence[str],
        seen: Seen | None,
    ) -> list[Fitting]:
        """Mark the items and what repeats them; leave out those that another call has just given."""
        conversation = options.conversation_id
        if conversation is None or not kept or not scope.may(WRITE):
            return kept
        keys = [each.item.key for each in kept]
        mark = _mark(options.turn_id)
        marked = self.ledger.mark_many(
            scope, conversation, keys, value=mark, repeated=repeated, user_id=query.user_id, seen=seen
        )
        if not marked.issuperset(keys) and options.turn_id is not None:
            marked |= _given_to(options.turn_id, self.ledger.items(scope, conversation))
        return [each for each in kept if each.item.key in marked]


@dataclass(slots=True)
class _Recollection:
    """The items of the layers that were asked, and the names of those that did not answer."""

    layers: list[Layer]
    items: list[Remembered]
    unavailable: set[str]
    degraded: bool


def _stored_first(alike: list[Remembered]) -> list[Remembered]:
    """Items that say the same, an observation before what was derived of a session."""
    if not alike[0].source or alike[0].layer not in DERIVED:
        return alike
    return sorted(alike, key=lambda each: each.layer != "observations")


def _answered(layer: Layer, call: Callable[[], Result]) -> Result | None:
    """The layer's answer; None when its store does not answer."""
    try:
        return call()
    except Unavailable as error:
        _log.warning("the layer %s is left out: %s", layer.name, error.message)
        return None


def _for_user(scope: Scope, query: ContextQuery, seen: Seen | None, given: frozenset[str]) -> ContextQuery:
    """The query with its user and owner, and the items that layers need not choose."""
    user = query.user_id or (owner_of(seen.session, None) if seen else None)
    return replace(query, user_id=user, owner=user or scope.identity or DEFAULT_OWNER, given=given)


def _mark(turn_id: str | None) -> str:
    """The ledger's value for items that this turn is given."""
    return INJECTED if turn_id is None else f"turn:{turn_id}"


def _given_to(turn_id: str | None, given: Mapping[str, str]) -> frozenset[str]:
    """The items of a ledger that a named turn was given."""
    return frozenset(key for key, value in given.items() if turn_id is not None and value == _mark(turn_id))
