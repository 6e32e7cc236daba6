"""Signs of what a session was about: something decided, changed, learnt, left open or done, in four languages.

They add to `signs`, which decide what becomes an episode. Patterns are matched against single sentences (see
`reading`); every repetition is bounded.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from strata.domain.worth.changes import CHANGES, CHANGES_ELSEWHERE
from strata.domain.worth.sieve import Sieve
from strata.domain.worth.sign_table import EpisodeType


class Point(StrEnum):
    """The meaning of a sentence for the line of its session."""

    DECIDED = "decided"
    CHANGED = "changed"
    LEARNT = "learnt"
    OPEN = "open"
    DONE = "done"


OF_SIGNS = {
    EpisodeType.CORRECTION: Point.LEARNT,
    EpisodeType.PREFERENCE: Point.LEARNT,
    EpisodeType.FACT: Point.LEARNT,
    EpisodeType.DECISION: Point.DECIDED,
    EpisodeType.OUTCOME: Point.DONE,
}
"""The kind of line that each sign of an episode makes."""

_EVERY = {
    Point.DECIDED: (
        r"\b(?:we|they|the team)(?: have|'ve)? (?:decided|agreed|settled|opted|chose|picked)\b",
        r"\bwe(?:'ll| will) (?:use|keep|drop|adopt|stay with|move to|switch to|go with)\b",
        r"^(?:the )?(?:final )?(?:decision|choice|plan|agreement)(?: is| was|:)",
        r"\b(?:hemos |han )?(?:decid|acord|eleg)(?:ido|ado|imos|amos|ieron|aron)\b(?! (?:que )?no se)",
        r"\b(?:la decision es|usaremos|nos quedamos con|queda decidido|se queda en)\b",
        r"\b(?:entschieden|beschlossen|geeinigt|festgelegt|abgemacht)\b|^(?:beschluss|entscheidung):",
        r"\bwir (?:nehmen|bleiben bei|verwenden|setzen auf|wechseln (?:zu|auf)|stellen .{1,40} auf .{1,40} um)\b",
        r"(?:决定|最后定|最终定|选定|商定|说好|改用|定下来|确定用)(?!.{0,4}(?:权|性))",
    ),
    Point.LEARNT: (
        r"\bturn(?:s|ed) out\b|\bcaused by\b|\blesson(?:s)? learn(?:ed|t)\b",
        r"\b(?:root )?cause (?:is|was)\b|\bthe (?:problem|issue|bug|reason|culprit|trick) (?:is|was|lay)\b",
        r"\b(?:we|i)(?: have|'ve)? (?:learn(?:ed|t)|found out|discovered|figured out) (?!more\b|it\b)",
        r"\b(?:resulta|resulto) que\b|\bla causa (?:es|era|fue)\b|\bse debia a\b",
        r"\bel (?:problema|error|fallo|motivo|truco) (?:es|era|fue|estaba)\b",
        r"\b(?:aprendimos|descubrimos|descubri|averiguamos|nos dimos cuenta)\b",
        r"\bherausgestellt\b|\bstellte sich heraus\b|\b(?:die )?ursache (?:ist|war)\b|\blag (?:daran|an)\b",
        r"\b(?:das problem|der fehler|der grund|der trick) (?:ist|war|lag)\b",
        r"\b(?:gelernt|herausgefunden|festgestellt)\b",
        r"原因是|原来是|是因为|问题出在|查明|教训是|才发现",
    ),
    Point.OPEN: (
        r"\bstill (?:has|have|needs?) to\b|\b(?:is|are|remains?) still (?:open|unclear|missing|to be)\b",
        r"\b(?:remains?|left) (?:open|unresolved|to be done|to do)\b|^(?:to ?do|open|next steps?)(?: is| are|:)",
        r"\b(?:waiting (?:for|on)|blocked (?:by|on)|postponed|not decided yet|yet to be)\b",
        r"\b(?:ha(?:s|ve)|is|are|was|were)(?:n't| not) (?:been )?[a-z]{1,20} yet\b",
        r"\bqueda(?:n)? (?:pendientes?|por [a-z]{1,20}r)\b|\bpendientes? de\b|\b(?:todavia|aun) (?:falta|hay que|no)\b",
        r"\b(?:noch|weiterhin) (?:offen|unklar|zu klaren|zu tun|nicht (?:fertig|entschieden|geklart))\b",
        r"\bbleibt offen\b|\bsteht (?:noch )?aus\b|\bmuss(?:en)? (?:wir |ich )?noch\b|\bfehlt noch\b|\bvertagt\b",
        r"还没有?(?!关系)|尚未|待定|还要|先放一放|以后再|未解决",
    ),
    Point.DONE: (
        r"\b(?:ist|sind|wurden?|habe|haben) .{1,80}\b(?:behoben|eingerichtet|umgestellt|ausgerollt|erledigt|repariert|verschickt|gebucht)\b",
        r"已经?(?:修好|修复|完成|解决|上线|部署|发布|改好)",
    ),
}
"""Patterns of what anybody may say."""

_OF_USERS = (
    r"\bich (?:bevorzuge|mag|hasse|bin allergisch|heisse|wohne|arbeite|vertrage)\b|\bmir ist .{1,40} lieber\b",
    r"\b(?:ab jetzt|von nun an|kunftig|in zukunft)\b",
    r"我(?:更)?(?:喜欢|不喜欢|讨厌|习惯|住在|的名字|叫)|我对.{1,12}过敏|(?:从现在起|以后都)",
)
"""Patterns of what only users say of themselves."""


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence that is a point of its session, and its place among the session's messages."""

    point: Point
    place: int
    text: str


def leaves_open(sentence: str) -> bool:
    """Whether a folded question stands after a word that says that it is open: "still open: who pays?"."""
    return _OPENS.match(sentence) is not None


def is_supposed(sentence: str) -> bool:
    """Whether a folded sentence begins with a condition: "if we decided to move, it would be expensive"."""
    return _SUPPOSED.match(sentence) is not None


def point_of(role: str, sentence: str) -> Point | None:
    """The point that a folded sentence makes by its own words; None for none."""
    if not _SIEVE.matches(sentence):
        return None
    if role == "user" and not is_supposed(sentence) and _CHANGED.search(sentence):
        return Point.CHANGED
    for point, pattern in _PATTERNS:
        if pattern.search(sentence):
            return point
    return Point.LEARNT if role == "user" and _USERS.search(sentence) else None


_PATTERNS = [(point, re.compile("|".join(patterns))) for point, patterns in _EVERY.items()]
_USERS = re.compile("|".join(_OF_USERS))
_CHANGED = re.compile("|".join((*CHANGES, *CHANGES_ELSEWHERE)))
_SUPPOSED = re.compile(
    r"(?:and |but |y |und |aber )?(?:if|what if|suppose|si|en caso de que|wenn|falls|angenommen|如果|要是|假如)\b"
)
_OPENS = re.compile(
    r"(?:still |to be )?(?:open|todo|to do|unclear|undecided|queda abierto|pendiente|offen|未定|待定)(?: is| ist)?: ?"
)
_SIEVE = Sieve([*(pattern.pattern for _, pattern in _PATTERNS), *_OF_USERS, *CHANGES, *CHANGES_ELSEWHERE])
