"""The derived search index."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from strata.domain.errors import Unavailable
from strata.domain.retrieval import Candidate
from strata.domain.scope import Scope

if TYPE_CHECKING:
    from strata.ports.language import Vectors


@dataclass(frozen=True, slots=True)
class Document:
    """A memory as the index holds it. `fields` are exact-match facets; `vector` is unit length.

    `keywords`, `order`, `session_id` and `previous` are as in `Candidate`. `version` says which state of
    its row the document shows; it is kept for `catalog`, and means nothing to a search. `labels` are facets,
    (name, value), of which a document may have several of one name; `times` are moments in microseconds.
    """

    key: str
    kind: str
    title: str
    text: str
    keywords: str = ""
    order: int = 0
    session_id: str | None = None
    previous: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    vector: "Vectors | None" = None
    version: int = 0
    labels: tuple[tuple[str, str], ...] = ()
    times: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Label:
    """Holds for documents that have this label, or with `prefix` one whose value begins with it."""

    name: str
    value: str
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """Holds for documents with this time from `first` on and before `end`; None is no bound."""

    name: str
    first: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Narrowing:
    """A filter that needs what documents of earlier versions lack: see `INDEX_SHAPE`.

    `labels` is a conjunction of disjunctions, as `SearchQuery.where` is; all `spans` must hold.
    """

    labels: tuple[tuple[Label, ...], ...] = ()
    spans: tuple[Span, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.labels or self.spans)


INDEX_SHAPE = 2
"""The shape of the documents that this version writes: 2 since they have labels and times."""


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """The search that an engine is asked for.

    `terms` are searched by BM25, any of them may match (empty: no text search); `vector` by cosine
    (None: no vector search). `where` is a conjunction of disjunctions of (field, value): each inner
    tuple needs one match. `narrowing` filters further. Up to `limit` candidates come from each side.
    """

    kind: str
    terms: tuple[str, ...] = ()
    vector: "Vectors | None" = None
    where: tuple[tuple[tuple[str, str], ...], ...] = ()
    limit: int = 200
    narrowing: Narrowing = Narrowing()


class NoIndex(Unavailable):
    """The engine answers, and holds no such index."""


class DocumentsRefused(Exception):
    """The engine refuses these documents for what they hold; all others of the same write are written.

    `reasons` maps the key of each to the kind of the engine's error, a colon, and its own sentence, which may
    quote the document.
    """

    def __init__(self, reasons: Mapping[str, str]) -> None:
        told = "; ".join(f"{key}: {reason}" for key, reason in reasons.items())
        super().__init__(f"the search engine refuses {len(reasons)} documents: {told}")
        self.reasons = dict(reasons)

    @property
    def kind(self) -> str:
        """The kinds of these errors, without their sentences."""
        return ", ".join(sorted({reason.partition(":")[0] for reason in self.reasons.values()}))


class SearchIndex(Protocol):
    """The derived index: BM25 over words and nearest vectors, filtered inside the engine.

    Promises:
    - A search sees the scope's tenant and the asked kind only, and filters before it cuts to `limit`:
      a filter never shrinks an answer below what matches.
    - Each candidate carries the scores of the sides that found it: a document found by both sides
      stands once, with both.
    - English words match by their stem; the words of scripts written without spaces match by their
      character pairs (see `strata.domain.text.analysis`).
    - Titles and keywords are searched as the text is.
    - Any string is a valid term: there is no query syntax to escape from.
    - Writing a document again replaces it; deleting an unknown one is fine.
    - A vector is compared with those of its own model only. An adapter is made for one model; what an index
      holds of another one is found by its words.

    Raises: `Unavailable` when the engine does not answer in time. `write` also: `DocumentsRefused`.
    """

    def write(self, scope: Scope, documents: Sequence[Document], deleted: Sequence[str] = ()) -> None:
        """Index the documents and drop the deleted keys, durably."""

    def search(self, scope: Scope, query: SearchQuery) -> list[Candidate]:
        """The candidates of both sides, in no particular order."""

    def catalog(
        self, scope: Scope, kind: str, keys: Sequence[str] | None = None
    ) -> Iterator[tuple[str, int]]:
        """Key and version of every document of a kind, or of those among up to 1 000 `keys`, each once.

        To compare with the table; what is written meanwhile may be missing.
        """

    def fits(self) -> bool:
        """Whether the index was made, or last rebuilt, with this process's model: its vectors are whole.

        Where it was not, a rebuild makes it so. An answer may be some seconds old.
        """

    def begin_rebuild(self, *, resume: bool = False) -> "Rebuild":
        """Begin to build the index again: beside the live one, empty, where the engine has room for two.

        With `resume` what an interrupted rebuild has written is kept.
        """


class Rebuild(Protocol):
    """An index that is being built again.

    What the stream brings meanwhile may be missing in it: what differs from the table is to be written again
    before and after `finish`.
    """

    @property
    def index(self) -> SearchIndex:
        """The index to write; the live index itself where it is rebuilt in place."""

    @property
    def identity(self) -> str:
        """The identity of the new index."""

    def finish(self) -> None:
        """Let it be the live index from now on, in one step."""


class SearchEngine(SearchIndex, Protocol):
    """Holds indexes that are told apart by an identity, which is random and given once.

    An engine that was replaced, or came back empty, has no index of an identity that was given before. As a
    `SearchIndex` it is its live index, whichever that is.
    """

    def create(self) -> str:
        """The identity of the live index, which is created if there is none."""

    def at(self, identity: str) -> SearchIndex:
        """The index of this identity alone. Each call raises `NoIndex` where it is not there any more."""

    def count(self, scope: Scope, kind: str) -> int:
        """The number of documents of a kind in the live index.

        Raises:
            NoIndex: there is none.
        """

    def problems(self) -> list[str]:
        """The damages of the index's storage, a sentence each; a rebuild makes it anew."""
