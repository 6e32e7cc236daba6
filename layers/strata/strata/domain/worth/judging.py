"""The importance of a transcript, by signs in it and by the length of the exchange."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from strata.domain.text.recalled import without_recalled
from strata.domain.text.strings import cut
from strata.domain.wire.messages import Message
from strata.domain.worth.courtesy import courteous
from strata.domain.worth.points import OF_SIGNS, Point, Told, is_supposed, leaves_open, point_of
from strata.domain.worth.reading import Utterance, utterances
from strata.domain.worth.sign_table import EpisodeType
from strata.domain.worth.signs import SIGNS, may_sign

KEPT_FROM = 0.4
"""The lowest importance of a conversation that becomes an episode."""

CONVERSATION = "conversation"

_WEIGHTS = {
    EpisodeType.CORRECTION: 0.8,
    EpisodeType.PREFERENCE: 0.8,
    EpisodeType.FACT: 0.7,
    EpisodeType.DECISION: 0.7,
    EpisodeType.OUTCOME: 0.7,
}
_FURTHER = 0.05
_SMALL_TALK, _LOOK_UP, _SHORT, _EXCHANGE = 0.1, 0.2, 0.3, 0.4
_LONG_TURNS = 5
_MUCH_SAID = 1500
"""Characters of user and assistant from which two turns are more than a look-up."""
_WORKED = 3
"""Tool messages from which a single request counts as work."""
_HIGHLIGHTS, _HIGHLIGHT_RUNES = 10, 300


@dataclass(frozen=True, slots=True)
class Worth:
    """The importance of a conversation.

    Attributes:
        importance: 0 to 1; an episode from `KEPT_FROM` on.
        type: `correction`, `preference`, `fact`, `decision`, `task_outcome` or `conversation`.
        reasons: those types in the order of their weight, or `exchange`, `work`, `look_up` or `small_talk`.
        highlights: quotations from the conversation that gave the reasons.
        points: the sentences that were a decision, or something learnt, left open or done, in order.
    """

    importance: float
    type: str
    reasons: tuple[str, ...]
    highlights: tuple[str, ...] = ()
    points: tuple[Told, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether it becomes an episode."""
        return self.importance >= KEPT_FROM


def judge(messages: Sequence[Message]) -> Worth:
    """The importance of a transcript.

    Corrections, preferences, facts about the user, decisions and outcomes of tasks always make an episode;
    greetings, small talk and a single look-up never do. Other conversations count by their length.
    """
    found: set[EpisodeType] = set()
    highlights: dict[str, None] = {}
    told: list[Told] = []
    turns = tools = said = 0
    answered = asked = False
    for place, message in enumerate(messages):
        role = speaker(message)
        if role == "tool":
            tools += 1
            continue
        if role not in ("user", "assistant"):
            continue
        read = utterances(message.text)
        marked: dict[str, Point] = {}
        for kind, sentence in _signs(role, read, answered=answered, asked=asked):
            found.add(kind)
            highlights[_highlight(message.text, sentence)] = None
            marked.setdefault(sentence.written, OF_SIGNS[kind])
        for sentence in read:
            point = _point(role, sentence, marked.get(sentence.written))
            if point is not None:
                told.append(Told(point, place, sentence.written))
        if role == "assistant":
            answered, asked = answered or bool(read), bool(read) and read[-1].asks
        if not courteous(read):
            turns += role == "user"
            said += len(without_recalled(message.text))
    if not found:
        return replace(_of_exchange(turns, tools, said), points=tuple(told))
    kinds = sorted(found, key=lambda kind: (-_WEIGHTS[kind], list(EpisodeType).index(kind)))
    importance = _WEIGHTS[kinds[0]] + _FURTHER * (len(kinds) - 1 + (turns >= _LONG_TURNS))
    return Worth(
        round(min(importance, 1.0), 2),
        kinds[0].value,
        tuple(kind.value for kind in kinds),
        tuple(highlights)[:_HIGHLIGHTS],
        tuple(told),
    )


def _point(role: str, sentence: Utterance, marked: Point | None) -> Point | None:
    """The point of a sentence; `marked` is that of its sign."""
    if sentence.asks:
        return Point.OPEN if leaves_open(sentence.text) else None
    return None if is_supposed(sentence.text) else point_of(role, sentence.text) or marked


def _signs(
    role: str, read: Sequence[Utterance], *, answered: bool, asked: bool
) -> Iterator[tuple[EpisodeType, Utterance]]:
    """The signs in the sentences of one message; questions have none."""
    signs = [
        sign
        for sign in SIGNS
        if sign.role == role and (answered or not sign.replies) and not (asked and sign.unasked)
    ]
    for sentence in read:
        if not sentence.asks and may_sign(role, sentence.text):
            yield from ((sign.kind, sentence) for sign in signs if sign.sieve.matches(sentence.text))


def _highlight(text: str, sentence: Utterance) -> str:
    """The whole message if it is short, else the sentence."""
    whole = without_recalled(text).strip()
    return whole if len(whole) <= _HIGHLIGHT_RUNES else cut(sentence.written, _HIGHLIGHT_RUNES)


def _of_exchange(turns: int, tools: int, said: int) -> Worth:
    if turns == 0:
        return Worth(_SMALL_TALK, CONVERSATION, ("small_talk",))
    if tools >= _WORKED:
        return Worth(_EXCHANGE, CONVERSATION, ("work",))
    if turns == 1:
        return Worth(_LOOK_UP, CONVERSATION, ("look_up",))
    if turns == 2 and said < _MUCH_SAID:
        return Worth(_SHORT, CONVERSATION, ("look_up",))
    deep = _FURTHER * min(turns - 2, 4)
    return Worth(round(_EXCHANGE + deep, 2), CONVERSATION, ("exchange",))


def speaker(message: Message) -> str:
    """The speaker of a message. A tool result may have the role `user` and parts of type `tool_result`."""
    parts = message.content
    if isinstance(parts, list) and parts and all(_is_result(part) for part in parts):
        return "tool"
    return message.role


def _is_result(part: object) -> bool:
    return isinstance(part, dict) and part.get("type") == "tool_result"
