"""The sentences of conclusions, in the language of their quotes."""

from collections.abc import Iterable

from strata.domain.text.analysis import words
from strata.domain.text.stop_words import ENGLISH, SPANISH

_STATED = {
    "name": ("Is called {}", "Se llama {}"),
    "role": ("Works as {}", "Trabaja como {}"),
    "home": ("Lives in {}", "Vive en {}"),
    "origin": ("Comes from {}", "Es de {}"),
    "work": ("Works in {}", "Trabaja en {}"),
    "language": ("Wants to be answered in {}", "Quiere respuestas en {}"),
    "channel": ("Wants to be contacted by {}", "Quiere que le contacten por {}"),
    "likes": ("Likes {}", "Le gusta: {}"),
    "dislikes": ("Dislikes or avoids {}", "No le gusta o evita: {}"),
    "uses": ("Uses {}", "Usa {}"),
    "wants": ("Wants in answers: {}", "Quiere en las respuestas: {}"),
    "refuses": ("Does not want in answers: {}", "No quiere en las respuestas: {}"),
    "mentions": ("Often mentions {} ({} days)", "Menciona a menudo {} ({} días)"),
}
_OPPOSITE = {"likes": "dislikes", "wants": "refuses"}


def is_spanish(quotes: Iterable[str]) -> bool:
    """Whether more words of Spanish than of English join what is quoted."""
    said = [word for quote in quotes for word in words(quote)]
    return sum(word in SPANISH for word in said) > sum(word in ENGLISH for word in said)


def stated(subject: str, value: str, quotes: Iterable[str], *, against: bool) -> str:
    """The sentence of a value that a person stated."""
    kind = subject.partition(":")[0]
    kind = _OPPOSITE.get(kind, kind) if against else kind
    return _STATED[kind][is_spanish(quotes)].format(value)


def mentioned(value: str, days: int, quotes: Iterable[str]) -> str:
    """The sentence of a subject that recurs."""
    return _STATED["mentions"][is_spanish(quotes)].format(value, days)
