"""Questions about what one asks of a person first: their name, work, home, likes.

The words of such a question are seldom those of the statement that answers it ("What is her job?", "Works as
architect"), nor need they be of its language. So both are told by what they are about (`personal_forms`). A
question about somebody else ("Where does her brother live?") is none of these.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from strata.domain.facts.patterns.finder import facts_in
from strata.domain.relevance.personal_forms import LEAD, NOW, OF_CATEGORY, QUESTIONS, STATEMENTS, Aspect
from strata.domain.text.folding import fold

_TELLS = [(aspect, re.compile(pattern)) for aspect, pattern in STATEMENTS]
_CLAUSES = re.compile(r"[,;.] | and | y | e ")
_SUBJECT = re.compile(
    r"^(?:(?:she|he|they|i|the user|this user|this person|ella|el|el usuario|la usuaria) )?"
)
_NO_TASTE = re.compile(r"(?:wants|uses|no quiere|quiere|usa)\b")
_QUOTED = re.compile('[\u00ab"\u201c](.{1,400})[\u00bb"\u201d]', re.DOTALL)
_NAMES_SOMEBODY = re.compile(
    r"\b(?:name(?:'s| is|:)|is called|is named|goes by|call (?:me|her|him|them) "
    r"|se llama|nombre(?: es|:)|llamad[oa] )"
)
_LONGEST_QUESTION = 120
_MARKS = re.compile(r"[^\w\s'-]")
_A_NAME = re.compile(r"[^\W\d_][\w'-]{1,30}")
_FOR_A_LIVING = re.compile(r"\bfor a living\b", re.IGNORECASE)


def asked_for(question: str, names: Iterable[str] = ()) -> Aspect | None:
    """The aspect of a person that a question asks for; None for any other question.

    Args:
        question: the question.
        names: what the person is called; another name is somebody else's.
    """
    if len(question) > _LONGEST_QUESTION:
        return None
    said = " ".join(_MARKS.sub(" ", fold(question).replace("\u2019", "'")).split())
    named = frozenset(each for name in names for each in _A_NAME.findall(fold(name)) if each in said)
    return next((aspect for aspect, form in _forms(named) if form.fullmatch(said)), None)


@lru_cache(maxsize=64)
def _forms(names: frozenset[str]) -> list[tuple[Aspect, re.Pattern[str]]]:
    """The forms of the questions, about a person with these names."""
    named = [re.escape(each) for each in sorted(names)]

    def of(before: str, after: str = "") -> str:
        return "".join(f"|{before}{each}{after}" for each in named)

    marks = {
        "{names}": of(""),
        "{owners}": of("", "'?s"),
        "{of_names}": of("de "),
        "{a_names}": of("a "),
    }
    forms = []
    for aspect, pattern in QUESTIONS:
        form = pattern
        for mark, words in marks.items():
            form = form.replace(mark, words)
        forms.append((aspect, re.compile(f"{LEAD}(?:{form}){NOW}")))
    return forms


def told_by(statement: str, category: str = "") -> frozenset[Aspect]:
    """What a sentence tells of a person, in the words of facts and conclusions.

    Args:
        statement: the sentence, or one that quotes what the person stated.
        category: of a fact.
    """
    said = fold(statement)
    clauses = [_SUBJECT.sub("", each, count=1) for each in _CLAUSES.split(said)]
    found = {aspect for each in clauses for aspect, form in _TELLS if form.match(each)}
    if category in OF_CATEGORY and not _NO_TASTE.match(said):
        found.add(OF_CATEGORY[category])
    if (quoted := _QUOTED.search(statement)) is not None:
        found = found.union(*(told_by(each.fact, each.category) for each in facts_in(quoted.group(1))))
    return frozenset(found)


def names_somebody(text: str) -> bool:
    """Whether a text tells a name."""
    return _NAMES_SOMEBODY.search(fold(text)) is not None or any(
        fact.category == "name" for fact in facts_in(text)
    )


def reworded(question: str) -> str:
    """A question without the idiom whose words ask for something else: "for a living" is no life anywhere."""
    return _FOR_A_LIVING.sub("for work as a job", question)
