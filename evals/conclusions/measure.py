"""Judge the conclusions that rules draw from labelled diaries: README.md says what a right one is."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from evals.conclusions.diaries import Diary, Line
from evals.interval import interval
from strata.domain.knowledge.statements import Proposal, Said
from strata.domain.text.analysis import words
from strata.domain.text.common import common_stem

Rules = Callable[[Sequence[Said]], Sequence[Proposal]]

_ARTICLES = frozenset("a an the el la los las un una".split())  # noqa: SIM905
FOUND, MISSED = "found", "missed"
RESOLVED, OUTDATED, SILENT = "resolved", "outdated", "silent"


@dataclass(frozen=True, slots=True)
class Judged:
    """A diary and what was concluded from it.

    Attributes:
        diary: the diary.
        right: every conclusion that says what a label says, with the label.
        wrong: the others, each with the labels of the lines that it rests on.
        patterns: for each pattern, whether it was found.
        conflicts: for each conflict, "resolved", "outdated" (an old value stands), or "silent".
        quoted: the lines of noise that a conclusion quotes, with it.
    """

    diary: Diary
    right: list[tuple[str, Proposal]] = field(default_factory=list)
    wrong: list[tuple[str, Proposal]] = field(default_factory=list)
    patterns: dict[str, str] = field(default_factory=dict)
    conflicts: dict[str, str] = field(default_factory=dict)
    quoted: list[tuple[Line, Proposal]] = field(default_factory=list)


def said(diary: Diary) -> list[Said]:
    """Its lines as messages: a day is a session, and the times are taken as UTC."""
    return [
        Said(line.text, _microseconds(line), f"{diary.id}-{line.day}", line.number) for line in diary.lines
    ]


def judge(rules: Rules, diary: Diary) -> Judged:
    """Draw conclusions from a whole diary and compare them with its labels."""
    judged = Judged(diary)
    by_moment = {_microseconds(line): line for line in diary.lines}
    standing: set[str] = set()
    for proposal in rules(said(diary)):
        lines = list(dict.fromkeys(by_moment[each.at] for each in proposal.support))
        judged.quoted.extend((line, proposal) for line in lines if line.label == "n")
        label = _most(line.label for line in lines)
        if label == "s":
            continue
        standing |= set(_values(proposal, label, diary))
        if _is_right(proposal, label, diary):
            judged.right.append((label, proposal))
        else:
            judged.wrong.append((" ".join(line.label for line in lines), proposal))
    for pattern in diary.patterns:
        hit = any(label == pattern.id for label, _ in judged.right)
        judged.patterns[pattern.id] = FOUND if hit else MISSED
    for conflict in diary.conflicts:
        judged.conflicts[conflict.id] = (
            OUTDATED
            if f"{conflict.id}-" in standing
            else RESOLVED
            if f"{conflict.id}+" in standing
            else SILENT
        )
    return judged


def _is_right(proposal: Proposal, label: str, diary: Diary) -> bool:
    for pattern in diary.patterns:
        if label == pattern.id:
            return proposal.type != "deductive" and any(_holds(proposal, term) for term in pattern.terms)
    return label.endswith("+") and label in _values(proposal, label, diary)


def _values(proposal: Proposal, label: str, diary: Diary) -> Iterator[str]:
    """The labels of the values of conflicts that the conclusion tells as what holds."""
    for conflict in diary.conflicts:
        if label == f"{conflict.id}+" and _holds(proposal, conflict.new):
            yield label
        if label == f"{conflict.id}-" and any(_holds(proposal, old) for old in conflict.old):
            yield label


def _holds(proposal: Proposal, term: str) -> bool:
    """Whether it tells the term, without articles, or a form of it."""
    wanted = _stems(term)
    for text in (proposal.text, *(each.value for each in proposal.support)):
        told = _stems(text)
        if any(told[at : at + len(wanted)] == wanted for at in range(len(told) + 1 - len(wanted))):
            return True
    return False


def _stems(text: str) -> list[str]:
    told = words(text)
    return [common_stem(word) for word in told if word not in _ARTICLES] or told


def _most(labels: Iterable[str]) -> str:
    """The label of more than half of the lines; "" without one."""
    counted = Counter(labels)
    label, most = counted.most_common(1)[0]
    return label if most * 2 > counted.total() else ""


def _microseconds(line: Line) -> int:
    moment = datetime.combine(line.day, line.time, UTC)
    return int(moment.timestamp()) * 1_000_000 + line.number


def table(judged: Sequence[Judged], *, totals_only: bool = False) -> str:
    """The figures as people read them: a row a language, and one for all."""
    languages = sorted({each.diary.language for each in judged})
    rows: list[tuple[str, Sequence[Judged]]] = [("all", judged)]
    if not totals_only:
        rows = [(name, [each for each in judged if each.diary.language == name]) for name in languages] + rows
    lines: list[str] = []
    for name, some in rows:
        lines.append(f"{name}: {len(some)} diaries")
        lines += [f"  {what:44}{_share(found, of)}" for what, found, of in _figures(some)]
        if not totals_only:
            lines += [f"    {kind:42}{_share(found, of)}" for kind, found, of in _by_kind(some)]
    return "\n".join(lines)


def _figures(judged: Sequence[Judged]) -> Iterator[tuple[str, int, int]]:
    patterns = [each for one in judged for each in one.patterns.values()]
    conflicts = [each for one in judged for each in one.conflicts.values()]
    right = [(label, each) for one in judged for label, each in one.right]
    wrong = [each for one in judged for _, each in one.wrong]
    for type_, name in (("inductive", "patterns"), ("explicit", "statements")):
        mine = sum(each.type == type_ for _, each in right)
        yield f"precision, {name}", mine, mine + sum(each.type == type_ for each in wrong)
    yield "precision, all", len(right), len(right) + len(wrong)
    yield "recall of patterns", patterns.count(FOUND), len(patterns)
    yield "conflicts resolved", conflicts.count(RESOLVED), len(conflicts)
    told = len(conflicts) - conflicts.count(SILENT)
    yield "conflicts resolved where a value stands", conflicts.count(RESOLVED), told
    noise = sum(len(one.diary.labelled("n")) for one in judged)
    quoted = sum(len({line for line, _ in one.quoted}) for one in judged)
    yield "noise that nothing quotes", noise - quoted, noise


def _by_kind(judged: Sequence[Judged]) -> Iterator[tuple[str, int, int]]:
    counted: Counter[tuple[str, str]] = Counter(
        (pattern.kind, one.patterns[pattern.id]) for one in judged for pattern in one.diary.patterns
    )
    for kind in sorted({kind for kind, _ in counted}):
        yield f"recall of kind {kind}", counted[kind, FOUND], counted[kind, FOUND] + counted[kind, MISSED]


def _share(found: int, of: int) -> str:
    if not of:
        return "-"
    low, high = interval(found, of)
    return f"{found / of:.3f}  ({low:.3f} to {high:.3f}; {found} of {of})"


def errors(judged: Iterable[Judged]) -> str:
    """Whatever was wrong or missed, diary by diary."""
    lines: list[str] = []
    for one in judged:
        lines.append(one.diary.id)
        for labels, proposal in one.wrong:
            lines.append(f"  wrong    {proposal.type} {proposal.text!r} [{labels}]")
            lines += [
                f"               {quote}" for quote in dict.fromkeys(each.quote for each in proposal.support)
            ]
        for pattern in one.diary.patterns:
            if one.patterns[pattern.id] == MISSED:
                lines.append(
                    f"  missed   {pattern.id} {pattern.kind}: {pattern.text} | {', '.join(pattern.terms)}"
                )
                lines += [f"               {line.text}" for line in one.diary.labelled(pattern.id)]
        for conflict in one.diary.conflicts:
            if (state := one.conflicts[conflict.id]) != RESOLVED:
                lines.append(f"  {state:8} {conflict.id}: {', '.join(conflict.old)} > {conflict.new}")
                lines += [
                    f"               {line.label} {line.text}"
                    for line in one.diary.lines
                    if re.match(rf"{conflict.id}[+-]", line.label)
                ]
        lines += [f"  noise    {line.text} > {proposal.text!r}" for line, proposal in one.quoted]
    return "\n".join(lines)
