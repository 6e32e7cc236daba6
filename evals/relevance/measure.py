"""Figures of a real server: how often it gives something, how often that helps, and how sure it was."""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.server import Client

from evals.interval import interval
from evals.relevance.examples import LANGUAGES, Examples, Query, Row
from evals.relevance.pairs import title

CONTEXT = 5
CUT = 300
"""Characters that a context without passages would give of a row."""
HITS = 10
EMPTY = ("small_talk", "general", "elsewhere")
"""The kinds of query that nothing helps with."""

_BINS = 10
_LEAST = 0.0001
"""The least relevance above 0: a search without a floor is not read."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A query asked of one project.

    Attributes:
        kind: of the project's rows, `note` or `turn`.
        hits: whether each hit of a search without a floor helps, and its relevance, best first.
        read: the same of a search that the reranker reads, without what it leaves out.
        given: the rows of a context of at most five, each with whether it helps, and its text.
        still: how many of the first five hits that help are among these.
        whole: for each given row that helps, whether its answer is in the text given, and whether it is among
            the row's first 300 characters. The whole row is the answer where the label names no part of it.
    """

    query: Query
    kind: str
    hits: Sequence[tuple[bool, float]]
    given: Sequence[tuple[bool, str]]
    still: int = 0
    whole: Sequence[tuple[bool, bool]] = ()
    read: Sequence[tuple[bool, float]] = ()


def ask(
    url: str,
    examples: Examples,
    languages: Iterable[str] = LANGUAGES,
    budget: int | None = None,
    *,
    reads: bool = False,
) -> Iterator[Asked]:
    """Save every project, and ask each query of each project that it fits.

    `budget` is the tokens of a context; None for no limit. With `reads` the reranker reads each search once
    more.
    """
    client = Client(url)
    for language in languages:
        for name, rows in examples.projects(language).items():
            project = f"{language}-{name}"
            ids = _saved(client, project, rows)
            client.wait_for_vectors(project)
            for query in examples.queries:
                if query.language == language and query.fits(name):
                    yield _asked(client, project, rows, ids, query, budget, reads=reads)
    client.close()


def _saved(client: Client, project: str, rows: Sequence[Row]) -> Mapping[int, Sequence[str]]:
    """The rows that an observation's id stands for: two, where one was said twice in the same words."""
    ids: dict[int, list[str]] = defaultdict(list)
    for row in rows:
        observation = {
            "session_id": f"{project}-{row.session}",
            "project": project,
            "type": row.type or "discovery",
            "title": title(row),
            "content": row.text,
        }
        ids[client.post("/observations", observation)["id"]].append(row.id)
    return ids


def _asked(
    client: Client,
    project: str,
    rows: Sequence[Row],
    ids: Mapping[int, Sequence[str]],
    query: Query,
    budget: int | None,
    *,
    reads: bool,
) -> Asked:
    wanted = {"q": query.text, "project": project, "limit": HITS}
    hits = client.get("/search", **wanted, min_relevance=0)
    read = client.get("/search", **wanted, min_relevance=_LEAST, rerank="true") if reads else []
    asked = {"query": query.text, "project": project, "layers": "observations", "limit": CONTEXT}
    items = client.get("/context", **asked | ({} if budget is None else {"token_budget": budget}))["items"]
    texts = {row.id: row.text for row in rows}

    def helping(number: int) -> list[str]:
        return [each for each in ids[number] if each in query.helps]

    whole = []
    for item in items:
        for each in helping(item["id"]):
            answer = query.answer if query.answer in texts[each] else texts[each]
            answer = answer or texts[each]
            whole.append((_holds(item["content"], answer), _holds(texts[each][:CUT], answer)))
    return Asked(
        query,
        rows[0].kind,
        [(bool(helping(hit["id"])), hit["relevance"]) for hit in hits],
        [(bool(helping(item["id"])), item["content"]) for item in items],
        len({hit["id"] for hit in hits[:CONTEXT] if helping(hit["id"])} & {item["id"] for item in items}),
        whole,
        [(bool(helping(hit["id"])), hit["relevance"]) for hit in read],
    )


def _holds(text: str, part: str) -> bool:
    return " ".join(part.split()) in " ".join(text.split())


def report(asked: Sequence[Asked]) -> str:
    """The figures: by language and kind of row, then the calibration by kind of row.

    `kept` is the share of the helping rows among the first five hits that a context still gives; `given` is
    the number of helping rows that it gives instead of these, as a share of them.
    """
    lines = [
        f"{'':10}"
        + "".join(f"{kind:>24}" for kind in EMPTY)
        + f"{'kept':>16}{'given':>12}{'helps':>16}{'before':>8}"
    ]
    groups = [(language, kind) for language in (*LANGUAGES, "") for kind in ("note", "turn", "")]
    for language, kind in groups:
        some = [
            each for each in asked if each.query.language.startswith(language) and each.kind.startswith(kind)
        ]
        if some:
            lines.append(f"{language or 'all':4}{kind or 'both':6}" + _row(some))
    lines += ["", f"{'':10}{'n':>8}{'helps':>8}{'Brier skill':>12}{'AUROC':>8}{'ECE':>8}"]
    for kind in ("note", "turn"):
        some = [each for each in asked if each.kind == kind]
        for name, pairs in (
            (kind, [pair for each in some for pair in each.hits]),
            (f"{kind} read", [pair for each in some for pair in each.read]),
        ):
            if pairs:
                lines.append(f"{name:10}" + _calibration(pairs))
    lines += ["", *_found(asked)]
    whole = [each for asked_ in asked for each in asked_.whole]
    for said, column in (("what is given", 0), (f"the first {CUT} characters", 1)):
        cut = sum(not each[column] for each in whole)
        low, high = interval(cut, len(whole))
        share = f"{_share(cut, len(whole))} [{low:.3f}-{high:.3f}]/{len(whole)}"
        lines += [""] * (not column) + [f"answers that are not in {said}: {share}"]
    return "\n".join(lines)


def _found(asked: Sequence[Asked]) -> Iterator[str]:
    """The share of the rows that help which are among the first five hits, by the rules and read."""
    for kind in ("note", "turn"):
        some = [each for each in asked if each.kind == kind and each.query.helps]
        there = sum(len(each.query.helps) for each in some)
        for name in ("hits", "read"):
            first = [helps for each in some for helps, _ in getattr(each, name)[:CONTEXT]]
            if first:
                share = _share(sum(first), there)
                yield f"{kind:5} {name}: {share} of {there} that help are among the first five"


def _row(asked: Sequence[Asked]) -> str:
    cells = []
    for kind in EMPTY:
        some = [bool(each.given) for each in asked if each.query.kind == kind]
        low, high = interval(sum(some), len(some))
        cells.append(f"{_share(sum(some), len(some)):>8} [{low:.3f}-{high:.3f}]/{len(some):<4}")
    answerable = [each for each in asked if each.query.kind == "answerable"]
    before = [helps for each in answerable for helps, _ in each.hits[:CONTEXT]]
    given = [helps for each in answerable for helps, _ in each.given]
    kept = f"{_share(sum(each.still for each in answerable), sum(before))} /{sum(before)}"
    instead = _share(sum(given), sum(before))
    helpful = f"{_share(sum(given), len(given))} /{len(given)}"
    return "".join(cells) + f"{kept:>14}{instead:>12}{helpful:>16}{_share(sum(before), len(before)):>8}"


def _calibration(pairs: Sequence[tuple[bool, float]]) -> str:
    base = sum(truth for truth, _ in pairs) / len(pairs)
    brier = sum((likely - truth) ** 2 for truth, likely in pairs) / len(pairs)
    skill = 1 - brier / max(base * (1 - base), 1e-9)
    numbers = f"{skill:>12.3f}{auroc(pairs):>8.3f}{calibration_error(pairs):>8.3f}"
    return f"{len(pairs):>8}{sum(truth for truth, _ in pairs):>8}" + numbers


def auroc(pairs: Sequence[tuple[bool, float]]) -> float:
    """The probability that a hit that helps is rated above one that does not; equal ratings count half."""
    ranked = sorted(pairs, key=lambda pair: pair[1])
    ranks, start = 0.0, 0
    while start < len(ranked):
        end = start
        while end < len(ranked) and ranked[end][1] == ranked[start][1]:
            end += 1
        ranks += sum(truth for truth, _ in ranked[start:end]) * (start + 1 + end) / 2
        start = end
    helpful = sum(truth for truth, _ in pairs)
    other = len(pairs) - helpful
    return (ranks - helpful * (helpful + 1) / 2) / max(helpful * other, 1)


def calibration_error(pairs: Sequence[tuple[bool, float]]) -> float:
    """The expected calibration error over ten bins of equal width."""
    bins: dict[int, list[tuple[bool, float]]] = defaultdict(list)
    for truth, likely in pairs:
        bins[min(int(likely * _BINS), _BINS - 1)].append((truth, likely))
    return sum(
        abs(sum(likely for _, likely in some) - sum(truth for truth, _ in some)) for some in bins.values()
    ) / len(pairs)


def prompts(asked: Sequence[Asked], number: int) -> str:
    """The hits of this many queries, drawn at random but the same every time; `+` marks those that help."""
    lines = []
    for each in random.Random(1).sample(list(asked), min(number, len(asked))):
        lines.append(f"{each.query.kind:10} {each.query.text}")
        lines += [f"    {'+' if helps else '-'} {text[:150]}" for helps, text in each.given] or [
            "    (nothing)"
        ]
    return "\n".join(lines)


def _share(found: int, of: int) -> str:
    return f"{found / of:.3f}" if of else "-"
