"""What the services need from the outside, as Protocols. An adapter keeps every promise written here.

The contract suites in `tests/contract/` run the same tests over every adapter of a port.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from strata.domain.retrieval import Candidate
from strata.domain.scope import Scope

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

Json = Any
"""A JSON value: None, bool, int, float, str, list or dict of these."""

Item = dict[str, Json]
"""A stored row's attributes, without its key. `expires_at` (epoch seconds) is its time to live;
`gsi1pk`, `gsi1sk`, `gsi2pk`, `gsi2sk` place it in the two sparse secondary indexes."""


class Clock(Protocol):
    """The time. Tests pass their own."""

    def now_us(self) -> int:
        """Microseconds since 1970, UTC."""
        ...


# --- Table ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """A row's key inside the scope's tenant. The adapter puts the tenant in front of `pk`."""

    pk: str
    sk: str


@dataclass(frozen=True, slots=True)
class Absent:
    """Holds when there is no row, or only an expired one."""


@dataclass(frozen=True, slots=True)
class Present:
    """Holds when there is a live row."""


@dataclass(frozen=True, slots=True)
class Equals:
    """Holds when a live row's attribute has this value; `None` matches a missing attribute too."""

    name: str
    value: str | int | bool | None


@dataclass(frozen=True, slots=True)
class AtMost:
    """Holds when a live row's numeric attribute exists and is not above `value`."""

    name: str
    value: int | float


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Holds when one of the conditions does."""

    conditions: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """Holds when every one of the conditions does."""

    conditions: tuple["Condition", ...]


Condition = Absent | Present | Equals | AtMost | AnyOf | AllOf


@dataclass(frozen=True, slots=True)
class Put:
    """Write the whole row, replacing what is there."""

    key: Key
    item: Item
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Update:
    """Change attributes of a row, making it if there is none. An expired row counts as none.

    `default` sets what is missing, `set` what is given, `add` adds to a number (0 when missing),
    `remove` drops attributes. One attribute may stand in one of them only.
    """

    key: Key
    set: Mapping[str, Json] = field(default_factory=dict)
    add: Mapping[str, int | float] = field(default_factory=dict)
    default: Mapping[str, Json] = field(default_factory=dict)
    remove: tuple[str, ...] = ()
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Delete:
    """Remove a row; removing what is not there is fine."""

    key: Key
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """Take part in a transaction without a change."""

    key: Key
    condition: Condition


Action = Put | Update | Delete | Check


@dataclass(frozen=True, slots=True)
class Query:
    """Rows of one partition in the order of their sort key.

    `index` reads a secondary index instead (`pk` and the bounds are then those of the index, and the
    answer may lag behind the newest writes by moments). `first` and `last` bound the sort key, both
    included; `prefix` asks for sort keys that begin so. `where` filters rows; `limit` counts rows that
    passed it: an adapter reads on until it has them or the partition ends.
    """

    pk: str
    prefix: str | None = None
    first: str | None = None
    last: str | None = None
    index: Literal["gsi1", "gsi2"] | None = None
    newest_first: bool = False
    limit: int = 100
    cursor: str | None = None
    where: Condition | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A row read from the table."""

    key: Key
    item: Item


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a query; `cursor` continues it, None at its end. A cursor is opaque and of one query."""

    rows: list[Row]
    cursor: str | None


class ConditionFailed(Exception):
    """A condition did not hold, so nothing of the transaction was written.

    `failures` maps the index of each action whose condition failed to the live row that stood there
    (None when there was none).
    """

    def __init__(self, failures: Mapping[int, Item | None]) -> None:
        super().__init__(f"conditions failed for actions {sorted(failures)}")
        self.failures = dict(failures)


class Table(Protocol):
    """Rows by partition and sort key, the source of truth.

    Promises:
    - Every method sees the scope's tenant only; no argument can name another tenant's row.
    - Reads by key and by partition are consistent: they see every write acknowledged before them.
    - `transact` is all or nothing, isolated, and durable when it returns.
    - A row past its `expires_at` is never returned, and conditions and updates treat it as absent,
      also while it is still stored.
    - Values come back as they went in: ints as int, floats as float, strings of any script, NUL
      included, empty strings, lists and maps to any depth. A float that is a whole number may come
      back as that int.
    - Every committed change shows on the change stream, per key in order.

    Raises (every method): `Unavailable` when the store does not answer in time, `Throttled` when it
    asks to slow down; then nothing was written, or the write's outcome is unknown and a retry with the
    same conditions tells. `ConditionFailed` as said.
    """

    def get(self, scope: Scope, key: Key) -> Item | None:
        """The live row, or None."""
        ...

    def get_many(self, scope: Scope, keys: Sequence[Key]) -> dict[Key, Item]:
        """The live rows among `keys`; those that are not there are missing from the answer."""
        ...

    def query(self, scope: Scope, query: Query) -> Page:
        """One page of a partition."""
        ...

    def transact(self, scope: Scope, actions: Sequence[Action]) -> None:
        """Write up to 100 actions on distinct keys at once, or raise `ConditionFailed`."""
        ...

    def update(self, scope: Scope, update: Update) -> Item:
        """Write one update and return the whole row after it, or raise `ConditionFailed`."""
        ...


@dataclass(frozen=True, slots=True)
class Change:
    """One committed change of one row: what happened to which key, of whom, in which order."""

    sequence: int
    tenant: str
    key: Key
    event: Literal["INSERT", "MODIFY", "REMOVE"]


class ChangeLog(Protocol):
    """The stream of a table on one machine, kept until it is trimmed: of each key in order, and in commit
    order where the rows are on this machine too."""

    def fetch(self) -> None:
        """Bring in what the stream of a table elsewhere has; by one process at a time.

        Raises:
            Unavailable: the stream does not answer.
        """
        ...

    def head(self) -> int:
        """Sequence number of the newest change, 0 when there was none."""
        ...

    def read(self, after: int, limit: int) -> list[Change]:
        """Changes with a higher sequence number than `after`, oldest first."""
        ...

    def position(self, consumer: str) -> int:
        """How far the named consumer has come."""
        ...

    def advance(self, consumer: str, sequence: int) -> None:
        """Record how far the consumer has come, and drop what every consumer has read."""
        ...


@dataclass(frozen=True, slots=True)
class Place:
    """How far one shard of a stream was read: `after` is the number of the last record, None at the start."""

    shard: str
    after: str | None = None
    ended: bool = False


class Journal(ChangeLog, Protocol):
    """A change log that is written from the stream of a table elsewhere."""

    def append(self, stream: str, place: Place, changes: Sequence[Change]) -> None:
        """Add the changes of one shard (their numbers are given here) with its place, all or nothing."""
        ...

    def places(self, stream: str) -> dict[str, Place]:
        """How far each shard was read, by its id."""
        ...

    def forget(self, stream: str, shards: Collection[str]) -> None:
        """Drop the places of shards that are no more."""
        ...


class Census(Protocol):
    """Every tenant's rows, for the operator's work only: rebuilds, checks and sweeps, never a request's."""

    def tenants(self) -> list[str]:
        """Every tenant that has a row. The directory of API keys (`Scope.directory`) is no tenant."""
        ...

    def count(self, sk_prefix: str) -> int:
        """How many rows have a sort key that begins so."""
        ...

    def keys(self, sk_prefix: str) -> Iterator[tuple[Scope, Key]]:
        """The keys of the rows whose sort key begins so, in long runs of one tenant's.

        Rows that are written meanwhile may be missing.
        """
        ...


# --- Search ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Document:
    """A memory as the index holds it. `fields` are exact-match facets; `vector` is unit length.

    `keywords`, `order`, `session_id` and `previous` are as in `Candidate`. `version` says which state of
    its row the document shows; it is kept for `catalog`, and means nothing to a search.
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


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What to look for.

    `terms` are searched by BM25, any of them may match (empty: no text search); `vector` by cosine
    (None: no vector search). `where` is a conjunction of disjunctions of (field, value): each inner
    tuple needs one match. Up to `limit` candidates come from each side.
    """

    kind: str
    terms: tuple[str, ...] = ()
    vector: "Vectors | None" = None
    where: tuple[tuple[tuple[str, str], ...], ...] = ()
    limit: int = 200


class DocumentsRefused(Exception):
    """The engine refuses these documents for what they hold; all others of the same write are written.

    `reasons` maps the key of each to the engine's own sentence.
    """

    def __init__(self, reasons: Mapping[str, str]) -> None:
        told = "; ".join(f"{key}: {reason}" for key, reason in reasons.items())
        super().__init__(f"the search engine refuses {len(reasons)} documents: {told}")
        self.reasons = dict(reasons)


class SearchIndex(Protocol):
    """The derived index: BM25 over words and nearest vectors, filtered inside the engine.

    Promises:
    - A search sees the scope's tenant and the asked kind only, and filters before it cuts to `limit`:
      a filter never shrinks an answer below what matches.
    - Each candidate carries the scores of the sides that found it: a document found by both sides
      stands once, with both.
    - English words match by their stem; the words of scripts written without spaces match by their
      character pairs (see `strata.domain.analysis`).
    - Titles and keywords are searched as the text is.
    - Any string is a valid term: there is no query syntax to escape from.
    - Writing a document again replaces it; deleting an unknown one is fine.

    Raises: `Unavailable` when the engine does not answer in time. `write` also: `DocumentsRefused`.
    """

    def write(self, scope: Scope, documents: Sequence[Document], deleted: Sequence[str] = ()) -> None:
        """Index the documents and drop the deleted keys, durably."""
        ...

    def search(self, scope: Scope, query: SearchQuery) -> list[Candidate]:
        """The candidates of both sides, in no particular order."""
        ...

    def catalog(
        self, scope: Scope, kind: str, keys: Sequence[str] | None = None
    ) -> Iterator[tuple[str, int]]:
        """Key and version of every document of a kind, or of those among up to 1 000 `keys`, each once.

        To compare with the table; what is written meanwhile may be missing.
        """
        ...

    def clear(self) -> None:
        """Drop every document of every tenant."""
        ...

    def begin_rebuild(self, *, resume: bool = False) -> "Rebuild":
        """Begin to build the index again: beside the live one, empty, where the engine has room for two.

        With `resume` what an interrupted rebuild has written is kept.
        """
        ...


class Rebuild(Protocol):
    """An index that is being built again.

    What the stream brings meanwhile goes to the live index only: what differs from the table is to be
    written again before and after `finish`.
    """

    @property
    def index(self) -> SearchIndex:
        """Where to write; the live index itself where it is rebuilt in place."""
        ...

    def finish(self) -> None:
        """Let it be the live index from now on, in one step."""
        ...


# --- Queue ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Message:
    """A message that was received: `receipt` is this delivery's, `deliveries` counts it too."""

    body: Json
    receipt: str
    deliveries: int


class Queue(Protocol):
    """Messages that wait until someone has done what they say.

    Promises:
    - `send` is durable when it returns, all bodies or, after an error, possibly some of them.
    - At least once: a message comes until it is deleted, in no promised order, and now and then again.
    - A received message is invisible to other receivers for as long as was asked; then it comes again.
    - A receipt is good for its own delivery; one that is over is passed over.
    - A queue that is limited to some deliveries puts a message aside as a dead letter after the last.

    Raises (every method): `Unavailable` when the queue does not answer, `Throttled` when it asks to slow
    down.
    """

    def send(self, bodies: Sequence[Json]) -> None:
        """Add a message for each body."""
        ...

    def receive(self, limit: int = 10, *, invisible: int = 60) -> list[Message]:
        """Up to `limit` visible messages, from now on invisible for `invisible` seconds; none if none is."""
        ...

    def delete(self, receipts: Sequence[str]) -> None:
        """These messages are done."""
        ...

    def release(self, receipts: Sequence[str], reason: str, *, after: int = 0) -> None:
        """These messages are not done, for this reason: they come again after `after` seconds.

        A queue that can keeps the reason with the message, for whoever looks at its dead letters.
        """
        ...

    def depth(self) -> int:
        """How many messages there are, invisible ones included; about, where the queue is far away."""
        ...


# --- Language -------------------------------------------------------------------------------------


class Embedder(Protocol):
    """Text to unit vectors. `model` names weights and rules: vectors of two models never mix."""

    @property
    def model(self) -> str:
        """Name and version of what makes the vectors."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """One unit row (float32) for each text; a text without a known word is all zeros."""
        ...


class Lexicon(Protocol):
    """What single words mean and how rare they are, for the soft match."""

    def word_vectors(self, words: Sequence[str]) -> "Vectors":
        """One unit row (float32) for each word; all zeros for an unknown one."""
        ...

    def rarity(self, words: Sequence[str]) -> "Vectors":
        """An idf-like weight above 0 for each word: rare words weigh more."""
        ...


# --- Credentials ----------------------------------------------------------------------------------


class TokenVerifier(Protocol):
    """Checks the tokens of the one issuer that is trusted."""

    def claims(self, token: str) -> Mapping[str, Json]:
        """The claims of a token that is signed by the issuer, meant for this service, and valid now.

        Raises:
            Unauthenticated: it is not; the message does not hold the token.
            Unavailable: the issuer's keys are not known and cannot be fetched.
        """
        ...
