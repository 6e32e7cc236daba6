"""Messages grouped by the weights of the package, with vectors that are made up."""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from strata.adapters.knowledge.patterns.groups import MOST, candidates
from strata.adapters.knowledge.patterns.model import SentencePatterns
from strata.adapters.knowledge.patterns.traits import traits
from strata.adapters.knowledge.statements import read_messages
from strata.domain.knowledge.patterns import Message, messages
from strata.domain.knowledge.statements import Said

_DAY = 86_400_000_000
Vectors = NDArray[np.float32]


class _Drawn:
    """A vector for each text, drawn by it; texts on one subject lie close."""

    model, dimensions, at_once = "drawn", 384, 4

    def __init__(self) -> None:
        self.read: list[str] = []

    def embed(self, texts: Sequence[str], *, soon: bool = False) -> Vectors:
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, query: str) -> Vectors:
        self.read.append(query)
        found = _draw(query) * 0.3 + (_draw("swim") if "swim" in query else 0)
        vector: Vectors = (found / np.linalg.norm(found)).astype(np.float32)
        return vector


def _draw(text: str) -> Vectors:
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:4])
    drawn: Vectors = np.random.default_rng(seed).standard_normal(384).astype(np.float32)
    return drawn


def _history() -> list[Message]:
    words = (
        "tent",
        "invoice",
        "violin",
        "gravel",
        "passport",
        "printer",
        "orchid",
        "tunnel",
        "violet",
        "kayak",
    )
    said = [
        Said(f"About the {words[day % 10]}{day} again", day * _DAY + day * 7_200_000_000, f"s{day}", 0)
        for day in range(40)
    ]
    for day in (3, 12, 21, 30):
        said[day] = Said(f"Swim {day}: goggles for a swim in the lido", said[day].at, f"s{day}", 0)
    return messages(read_messages(said))


def test_groups_share_no_message_and_stand_on_three_days():
    said = _history()
    found = SentencePatterns(_Drawn())(said)
    places = [place for group in found for place in group]
    assert len(places) == len(set(places))
    assert all(3 <= len(group) <= MOST for group in found)
    assert all(len({said[place].source for place in group}) >= 3 for group in found)
    assert SentencePatterns(_Drawn())(said) == found


def test_a_long_message_is_embedded_by_its_beginning():
    embedder, said = _Drawn(), _history()
    long = [Message(each.at, each.source, each.text * 99, each.words, each.against, 0.0, ()) for each in said]
    SentencePatterns(embedder)(long)
    assert max(map(len, embedder.read)) == 300


def test_candidates_grow_by_the_likeliest_message():
    said = _history()
    of = traits(said, np.stack([_draw(each.text) for each in said]))
    odds = np.full((len(said), len(said)), -9.0)
    odds[np.ix_([3, 12, 21], [3, 12, 21])] = 2.0
    assert (3, 12, 21) in candidates(of, odds)
    assert all({3, 12, 21} <= set(each) for each in candidates(of, odds) if 12 in each)
