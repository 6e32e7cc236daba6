"""Linear-chain conditional random fields, whose weights CRFsuite wrote: from clues of words to their tags."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from strata.domain.errors import ModelFailed


class CrfTagger:
    """Tags words by weights, which are loaded at the first use and shared by the process. Thread-safe.

    Args:
        path: the weights. A JSON file beside them, of the same name, tells their length under `bytes`.
        purpose: what they find, for errors.
    """

    def __init__(self, path: Path, purpose: str) -> None:
        self._path = path
        self._purpose = purpose

    def __call__(self, clues: Sequence[Sequence[str]]) -> list[Mapping[str, float]]:
        """The probability of each tag of each word.

        Raises:
            ModelFailed: CRFsuite is not installed, or the weights are missing or damaged.
        """
        tagger, lock = self._loaded()
        with lock:
            tagger.set(clues)
            return [{tag: tagger.marginal(tag, at) for tag in tagger.labels()} for at in range(len(clues))]

    def best(self, clues: Sequence[Sequence[str]], sure_of: str) -> tuple[list[str], list[float]]:
        """The likeliest tags together, and the probability of each; 0 for the tag that needs none.

        Args:
            clues: of each word.
            sure_of: the tag whose probability nobody asks for.

        Raises:
            ModelFailed: as above.
        """
        tagger, lock = self._loaded()
        with lock:
            tags: list[str] = tagger.tag(clues)
            return tags, [0.0 if tag == sure_of else tagger.marginal(tag, at) for at, tag in enumerate(tags)]

    def _loaded(self) -> tuple[Any, Lock]:
        try:
            return _weights(self._path)
        except (ImportError, OSError, ValueError, KeyError) as error:
            raise ModelFailed(
                f"the weights for {self._purpose} ({self._path.name}) can't be loaded: {error}"
            ) from error


@cache
def _weights(path: Path) -> tuple[Any, Lock]:
    """The tagger of this process, with the lock under which it is used: it keeps the words that it tags."""
    from pycrfsuite import Tagger  # noqa: PLC0415 - a cold start doesn't pay for it

    record = path.with_suffix(".json")  # CRFsuite ends the process where its file is cut off
    if record.exists() and json.loads(record.read_text("ascii"))["bytes"] != path.stat().st_size:
        raise ValueError("it has not the length that it was written with")
    tagger = Tagger()
    tagger.open(str(path))
    return tagger, Lock()
