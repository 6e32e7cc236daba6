"""Whether a clause without a subject goes on with the speaker of the clause before: "I love tea and hate coffee".

Its verb may as well be a noun with a verb of its own after it: "I love tea, and hate mail is awful".
"""

import re

from strata.domain.facts.found import Category
from strata.domain.facts.patterns.roles import is_trade
from strata.domain.facts.patterns.turns import Span, Turn
from strata.domain.text.sentences import Sentence

_CONJUNCTION = re.compile(r"&|\b(?:and|but|plus|yet|while|although|though|so|also|then)\b")
_LISTED = re.compile(r",\s*\Z")
_AND = re.compile(r"(?:\band|\bbut|&)\s")
_SIGNED = re.compile(r"love,? (?P<name>\w)")
_FINITE = (
    r"(?:(?:is|are|was|were|has|have|had|does|do|did|can|could|would|should)(?:n'?t)?|will|won'?t|can'?t|must|might|makes?|made|seems?|gives?"
    r"|gave|gets?|got|went|goes|came|comes|became|becomes?|ruins?|ruined|hurts?|kills?|sucks?|bores?|bored|annoys?|annoyed|worr(?:y|ies|ied)"
    r"|bothers?|bothered|scares?|scared|upsets?|irritates?|depress(?:es)?|frightens?|saddens?|disgusts?|disturbs?|offends?|tires?|amuses?"
    r"|delights?|excites?|thrills?|cheers? me|drives? (?:me|us|people)|keeps? (?:me|us|people)|helps? (?:me|us|people)|needs? to|tends? to)"
)
_NO_OBJECT = (
    r"(?:and|or|but|to|who|whom|whose|which|that|what|when|whenever|where|why|how|because|cause|since|as|if|unless|until|while|although"
    r"|though|than|so|i|i'm|i've|you|he|she|it|we|they|there|this)"
)
_HAS_VERB = re.compile(rf"[\w'&+-]+(?: (?!{_NO_OBJECT}\b)[\w'&+-]+){{0,6}}? {_FINITE}(?![\w-])")
_THINGS = re.compile(
    r"hate (?:speech(?:es)?|mails?|groups?|crimes?)\b"
    r"|study (?:group|guide|plan|room|hall|session|buddy|aid|desk|lamp|tour|trip|time|space)\b"
    r"|study (?!maths\b|languages\b|arts\b|sciences\b|business\b)[a-z-]+(?<!ic)(?<!s)s\b"
)
_WORK = re.compile(r"(?:[a-z]+ ){0,2}?work\b")
_AS = re.compile(r"\bas (?:an? )?\Z")
_FOR = re.compile(r"\b(?:for|at|in) (?:the )?\Z")
_ASKS_ELSE = re.compile(
    r"[,;:()\u2013\u2014]|\s-+\s|\b(?:so|but)\b|\band (?:can|could|would|will|what|how|where|when|which|who|do|does|is|are|should)\b"
)


def is_joined(turn: Turn, sentence: Sentence, end: int, start: int) -> bool:
    """Whether a conjunction joins the clause at `start` to a fact that ends before it, or the clause after it.

    A comma alone joins only what a conjunction goes on with: "I love tea, hate coffee and live in Cork".
    """
    if _CONJUNCTION.search(turn.folded, end, start) is not None:
        return True
    signed = _SIGNED.match(turn.folded, start, sentence.end)
    if signed is not None and turn.written[signed.start("name")].isupper():
        return False
    listed = _LISTED.search(turn.folded, end, start) is not None
    return listed and _AND.search(turn.folded, start, sentence.end) is not None


def is_own(turn: Turn, sentence: Sentence, start: int, span: Span, category: Category) -> bool:
    """Whether the clause at `start`, with "I" before it, states its value at `span`, and neither asks nor has
    another subject."""
    clause = start + len("i ")
    if _THINGS.match(turn.folded, clause, sentence.end) or _HAS_VERB.match(turn.folded, span.start):
        return False
    if sentence.asks and not _ASKS_ELSE.search(turn.folded, span.end, sentence.end):
        return False
    works = category in ("role", "place") and _WORK.match(turn.folded, clause, span.start) is not None
    return not works or _is_work(turn, clause, span)


def _is_work(turn: Turn, clause: int, span: Span) -> bool:
    """Whether one works as a profession, or for or at what has a name: "work in the garden" may be a thing."""
    before = turn.folded[clause : span.start]
    if _AS.search(before) or any(is_trade(word) for word in turn.folded[span.start : span.end].split()):
        return True
    return _FOR.search(before) is not None and turn.written[span.start].isupper()
