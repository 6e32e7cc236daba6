"""Questions put to one person each, with the best statement of theirs: whether it answers.

Every speaker of a conversation is a person, and so is whoever wrote a project's notes. A question is
answered where a row of the person's helps with it; asked of the other speaker it mostly is not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evals.relevance.examples import LANGUAGES, Examples, Query, Row
from evals.relevance.pairs import Recorder
from strata.adapters.static_embeddings import StaticEmbeddings
from strata.domain.ranking.dialogue import talk
from strata.domain.ranking.rank import rank
from strata.domain.relevance.evidence import answering
from strata.domain.retrieval import Candidate

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Put:
    """A question that was put to a person.

    `answering` is the evidence of the best statement, `turn` whether that is a turn of a conversation, and
    `helps` whether anything that the person said answers.
    """

    query: Query
    answering: Floats
    turn: bool
    helps: bool


def put(examples: Examples) -> Iterator[Put]:
    """Every question that asks something, to every person of its language whom its label fits."""
    embedder = StaticEmbeddings()
    for language in LANGUAGES:
        queries = [each for each in examples.queries if each.language == language]
        for name, rows in examples.projects(language).items():
            asked = [each for each in queries if each.kind != "small_talk" and each.fits(name)]
            for speaker in dict.fromkeys(row.speaker for row in rows):
                yield from _of_person([row for row in rows if row.speaker == speaker], asked, embedder)


def _of_person(rows: Sequence[Row], queries: Sequence[Query], embedder: StaticEmbeddings) -> Iterator[Put]:
    stated = _candidates(rows)
    vectors = embedder.embed([each.text for each in stated])
    ids = {row.id for row in rows}
    for query in queries:
        cosines = vectors @ embedder.embed([query.text])[0]
        statements = [replace(each, cosine=float(one)) for each, one in zip(stated, cosines, strict=True)]
        recorder = Recorder()
        ranked = rank(query.text, statements, lexicon=embedder, calibration=recorder, turns=talk)
        assert recorder.found is not None
        seen, turns = recorder.found
        if seen.telling().any():
            best = next(place for place, each in enumerate(statements) if each.key == ranked[0].key)
            yield Put(query, answering(seen)[best], bool(turns[best]), not ids.isdisjoint(query.helps))


def _candidates(rows: Sequence[Row]) -> list[Candidate]:
    last: dict[str, str] = {}
    stated = []
    for order, row in enumerate(rows):
        session = f"{row.project}-{row.session}" if row.kind == "turn" else None
        text = f"[{row.at:%-d %B %Y}] {row.text}" if session else f"{row.title}\n{row.text}".strip()
        previous = last.get(session) if session else None
        stated.append(Candidate(row.id, "", text, order=order, session_id=session, previous=previous))
        if session:
            last[session] = row.id
    return stated
