"""Checks of conclusions that a language model proposes: only what its quoted words let a reader verify is kept."""

import re
from collections.abc import Mapping

from pydantic import BaseModel

from strata.domain.facts.grounding import figures_are_borne_out, is_borne_out
from strata.domain.knowledge.statements import ConclusionType
from strata.domain.text.folding import fold

LONGEST_TEXT, LONGEST_QUOTE, MOST_QUOTES = 300, 500, 8
_SHORTEST_QUOTE, _SHORTEST_TEXT, _FEWEST_FOR_INDUCTION = 3, 8, 2
_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass|ignora|olvida)\w*\b.{0,60}"
    r"\b(?:rules?|instructions?|prompts?|above|previous|reglas|instrucciones|anterior\w*)\b"
    r"|^\W*(?:system|assistant|developer|sistema)\b\W{0,3}:"
    r"|</?(?:system|instructions?|assistant)\b"
    r"|\bconclu(?:de|ye|ir|sions?|siones)\b",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)

Texts = Mapping[int | str, str]
"""Texts by the numbers of messages, or by the ids of conclusions."""


class Proposed(BaseModel):
    """A conclusion as a model proposes it; a source is the number of a message or the id of a conclusion."""

    type: ConclusionType
    text: str
    confidence: float
    sources: list[int | str]
    quotes: list[str]


def gives_orders(message: str) -> bool:
    """Whether a message seems to be addressed to whoever reads it for conclusions."""
    return _ORDERS.search(message) is not None


def refusal(proposed: Proposed, said: Texts, standing: Texts) -> str | None:
    """The reason for which a proposal is not taken, in no words of the model's; None for one that is.

    Args:
        proposed: the proposal.
        said: the messages that the model was given.
        standing: the conclusions that it was given.
    """
    if not proposed.text.strip() or len(proposed.text) > LONGEST_TEXT:
        return f"its text is empty or longer than {LONGEST_TEXT} characters"
    if not 0 < proposed.confidence <= 1:
        return "its confidence is not above 0 and at most 1"
    if any(each not in said and each not in standing for each in proposed.sources):
        return "it names a source that does not exist"
    messages = [said[each] for each in proposed.sources if each in said]
    if not messages:
        return "it rests on no message of the session"
    known = messages + [standing[each] for each in proposed.sources if each in standing]
    return _misquoted(proposed, messages, standing) or _groundless(proposed, "\n".join(messages), known)


def _misquoted(proposed: Proposed, messages: list[str], standing: Texts) -> str | None:
    if not 0 < len(proposed.quotes) <= MOST_QUOTES:
        return f"it has no quote, or more than {MOST_QUOTES}"
    recalled = [text for each in standing.values() if len(text := fold(each)) >= _SHORTEST_TEXT]
    for quote in proposed.quotes:
        if not _SHORTEST_QUOTE <= len(quote.strip()) <= len(quote) <= LONGEST_QUOTE:
            return f"a quote is shorter than {_SHORTEST_QUOTE} or longer than {LONGEST_QUOTE} characters"
        if not any(quote in each for each in messages):
            return "a quote does not stand in the messages that it names"
        if any(text in fold(quote) for text in recalled):
            return "it rests on recalled text"
    return None


def _groundless(proposed: Proposed, words: str, known: list[str]) -> str | None:
    if proposed.type == "explicit" and not is_borne_out(proposed.text, words):
        return "the messages that it names do not say so"
    if not figures_are_borne_out(proposed.text, "\n".join(known)):
        return "it tells a figure that its sources do not"
    if proposed.type == "inductive" and len({*proposed.sources}) < _FEWEST_FOR_INDUCTION:
        return "an induction rests on one source"
    return None
