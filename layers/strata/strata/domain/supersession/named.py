"""Statements whose value is a name: where somebody lives or works, and nouns such as "default branch"."""

import re
from dataclasses import dataclass

from strata.domain.facts.languages import LANGUAGES
from strata.domain.supersession.vocabulary import NAMES


@dataclass(frozen=True, slots=True)
class Named:
    """An attribute with a name for a value, and what it is an attribute of, both folded."""

    attribute: str
    about: str
    value: str
    former: str = ""


_WHO = r"(?P<who>i|i've|i'm|ich|the user|user|[a-z][a-z'-]+)"
_NAME = r"(?P<value>(?:[a-z][\w.&'-]*)(?: [\w.&'-]+){0,3}?)"
_END = r"(?= (?:now|since|last|in (?:january|february|march|april|may|june|july|august|september|october|november|december)|this|desde|ahora|seit|jetzt)\b|[ .]*\Z)"
_LIVES = re.compile(
    rf"\A\s*(?:(?:now|ahora|jetzt|since \w+(?: \w+)?|desde \w+)\s+)?(?:{_WHO} )?(?:now |ahora |has |have |'ve |se ha |just )*"
    r"(?P<verb>lives|(?<=i )live|living|been living|moved|relocated|vive|vivo|mudado|mudo|mude|wohnt|wohne|ist)(?: (?:now|ahora|jetzt|nun))?"
    rf" (?P<to>in|to|en|a|nach) (?:(?:an?|una?|einer?m?) (?:[a-z]+ )?(?:in|en|de) )?(?:the |el barrio de |el )?{_NAME}(?P<moved> gezogen)?{_END}"
)
_WORKS = re.compile(
    rf"\A\s*(?:(?:now|ahora|jetzt|since \w+|desde \w+)\s+)?(?:{_WHO} )?(?:now |ahora )?"
    rf"(?P<verb>works?|trabaja|trabajo|arbeitet?|arbeite)(?: (?:now|ahora|jetzt))? (?P<to>at(?: the)?|for(?: the)?|en (?:el|la|los)|bei(?: der| dem)?|im) {_NAME}{_END}"
)
_HOME = re.compile(rf"\A\s*{_WHO} home(?: address)? is (?:now )?in {_NAME}{_END}")
_ANSWERS = re.compile(
    r"\A\s*(?:since )?\s*(?:please )?(?:answer|reply to|talk to|write to|respond to|respondeme|contestame|hablame|antworte)(?: me| mir)? (?:in|en|auf)"
    rf" (?P<value>[a-z]+){_END}"
)
_TOOL = r"(?P<{}>[a-z][\w.+#/-]*(?: (?!instead|for|from|since)[\w.+#/-]+){{0,2}}?)"
_ABOUT = r"(?P<about>(?:[\w'/-]+ ){0,4}?[\w'/-]+)"
_REPLACED = [
    re.compile(pattern)
    for pattern in (
        rf"\A\s*{_ABOUT} (?:was |were |has |have |is |are |been )*(?:moved|migrated|switched|changed) from {_TOOL.format('former')}"
        rf" to {_TOOL.format('value')}{_END}",
        rf"\A\s*{_ABOUT} (?:now )?(?:uses|runs on|is on) {_TOOL.format('value')} instead of {_TOOL.format('former')}[ .]*\Z",
        rf"\A\s*{_ABOUT} (?:se )?(?:pasa|paso|migro|cambio) de {_TOOL.format('former')} a {_TOOL.format('value')}{_END}",
    )
]
_USED = [
    re.compile(pattern)
    for pattern in (
        rf"\A\s*we use {_TOOL.format('value')} for {_ABOUT}[ .]*\Z",
        rf"\A\s*usamos {_TOOL.format('value')} para {_ABOUT}[ .]*\Z",
        rf"\A\s*{_ABOUT} (?:uses|use|runs? on|(?:is|are) (?:built|stored|hosted|done|made|written) (?:on|in|with)|usan?|corren? con|(?:se )?hacen? con) {_TOOL.format('value')}[ .]*\Z",
    )
]
_MADE = re.compile(
    rf"\A\s*{_ABOUT} (?:is|are|esta|estan|se|ist|sind) (?:now |ahora |jetzt |nun )?"
    r"(?P<verb>hosted|stored|written|deployed|kept|cut|guardan?|alojad[oa]s?|gespeichert) (?:now |ahora )?(?:in|on|at|from|en) (?:the )?"
    rf"(?P<value>[a-z][\w.+#/-]*(?: [\w.+#/-]+){{0,2}}?){_END}"
)
_JOINING = frozenset(
    ("on", "with", "in", "at", "for", "to", "by", "from", "con", "en", "por", "a", "bei", "mit")
)
"""Words that no name holds: what follows them is said beside it."""
_MOVES = re.compile(r"\b(?:moved|relocated|mudado|mudo|mude|gezogen)\b")
_NOUNS = {
    "branch": r"default branch|rama por defecto|standardbranch",
    "manager": r"manager|boss|line manager|jefe|jefa",
    "lead": r"on-call lead|team lead|tech lead|lead|maintainer|owner|responsable",
    "preference": r"preferred \w+|favou?rite editor",
    "tool": r"package manager|ci provider|test runner|formatter|linter|bundler|orm",
    "setting": r"default \w+|encoding|log level|time ?zone|license|currency|theme|database|db",
}
_IS = r"(?:is now|is|=|was (?:changed|renamed|switched|set|moved) to|has (?:changed|moved|switched) to|pasa a ser|es ahora|es|ist jetzt|ist)"
_ATTRIBUTES = [
    (
        name,
        re.compile(
            rf"\A\s*(?P<about>(?:[\w'-]+ ){{0,5}}?(?P<noun>{noun})(?: (?:of|for|de|del|von) (?:[\w'-]+ ?){{1,4}}?)?)\s+(?P<verb>{_IS}) (?:now |ahora )?"
            rf"(?P<value>[\w./+#-]+(?: [\w./+#-]+){{0,2}}?){_END}"
        ),
    )
    for name, noun in _NOUNS.items()
]  # fmt: skip


def personal(folded: str, written: str) -> Named | None:
    """Where somebody lives or works, or the language that they want to be answered in."""
    asked = _ANSWERS.match(folded)
    if asked is not None:
        return Named("language", "userself", asked["value"])
    home = _HOME.match(folded)
    if home is not None:
        return Named("home", _person(home["who"]), home["value"])
    for name, pattern in (("home", _LIVES), ("employer", _WORKS)):
        found = pattern.match(folded)
        if found is not None and _is_personal(found, written):
            return Named(name, _person(found["who"]), found["value"])
    return None


def _is_personal(found: re.Match[str], written: str) -> bool:
    """Whether what lives or works is a person, where the sentence says that a name is the place."""
    verb, who = found["verb"], found["who"]
    if (verb == "ist" and found["moved"] is None) or (found["to"] == "to" and verb not in _MOVED):
        return False
    value = written[found.start("value") : found.end("value")]
    if value == value.lower() or _JOINING.intersection(found["value"].split()):
        return False
    if who is None:
        return verb in _FIRST_PERSON
    return who in _I or written[found.start("who")].isupper()


def tells_of_a_move(folded: str) -> bool:
    """Whether a clause says that somebody moved."""
    return _MOVES.search(folded) is not None


def attribute(folded: str, written: str) -> Named | None:
    """An attribute by its noun, such as "my manager is Ruth"."""
    for name, pattern in _ATTRIBUTES:
        found = pattern.match(folded)
        if found is None or found["value"] in LANGUAGES or _JOINING.intersection(found["value"].split()):
            continue
        value = written[found.start("value") : found.end("value")]
        if found["verb"].endswith((" to", "ser")) or _is_name(value):
            return Named(name, found["about"], found["value"])
    return None


def replaced(folded: str) -> Named | None:
    """A clause that names the former value too, such as "CI moved from Jenkins to Buildkite"."""
    found = next((found for pattern in _REPLACED if (found := pattern.match(folded))), None)
    return None if found is None else Named("tool", found["about"], found["value"], found["former"])


def used(folded: str) -> Named | None:
    """A clause that says what is used for something."""
    found = next((found for pattern in _USED if (found := pattern.match(folded))), None)
    return None if found is None else Named("tool", found["about"], found["value"])


def made(folded: str, written: str) -> Named | None:
    """A clause that says where or how something is stored, hosted or written."""
    found = _MADE.match(folded)
    if found is None or not _is_name(written[found.start("value") : found.end("value")]):
        return None
    return Named(found["verb"], found["about"], found["value"])


def _is_name(written: str) -> bool:
    """Whether a value is a name and no adjective or adverb."""
    return any(each.isupper() or each.isdigit() or each in "-./#" for each in written) or any(
        word in NAMES for word in written.split()
    )


_I = frozenset(("i", "i've", "i'm", "ich", "the user", "user"))
_MOVED = ("moved", "relocated")
_FIRST_PERSON = ("vivo", "trabajo", "wohne", "arbeite")


def _person(who: str | None) -> str:
    return "userself" if who is None or who in _I else who
