"""The kinds of memories that are indexed and searched.

A new kind joins indexing, search, rebuild and check as one more implementation of `Kind` in `KINDS`.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from strata.domain.filters import metadata_text
from strata.domain.retrieval import MAX_CANDIDATES
from strata.domain.wire.observations import GLOBAL_SCOPE
from strata.ports.rows import Item, Key
from strata.ports.search import Document
from strata.services.records.episodes import (
    EPISODE_KIND,
    EPISODE_PREFIX,
    episode_applied_key,
    episode_change_note_key,
    episode_id,
    episode_number,
    episode_of,
    episode_place_key,
    episodes_pk,
    project_of,
)
from strata.services.records.observations import (
    GLOBAL_PK,
    OBSERVATION_KIND,
    OBSERVATION_PREFIX,
    applied_key,
    change_note_key,
    observation_of,
    pointer_key,
    project_pk,
    session_observations,
)
from strata.services.records.parts import numbered, parts_of_note, whole

UNKNOWN_PROJECT = " "
"""The project's facet of an episode whose row does not name it: no project has this name."""

NOBODY = ""
"""The value of a facet that a row does not have, so that a search can ask for rows without an owner."""

DERIVED = "derived"
"""The facet of an episode that was derived from a conversation."""


class Kind(ABC):
    """A kind of memory that is indexed and searched.

    Its rows have an integer `id`, unique within tenant and kind, and `updated_at`. They are stored by id in
    the partition of their place (a project, an owner), which is named by row, pointer and document.

    Attributes:
        name: the kind's name in the index.
        prefix: of its rows' sort keys.
        place: the attribute that names a row's place.
        shards: gsi2 lists the change notes of all places under this prefix and a number.
        max_candidates: how many each side of the engine proposes at most, whatever the settings say.
        texts, optional_texts, numbers, lists: the attributes that documents, filters and hits read.
    """

    name: ClassVar[str]
    prefix: ClassVar[str]
    place: ClassVar[str]
    shards: ClassVar[str]
    max_candidates: ClassVar[int] = MAX_CANDIDATES
    texts: ClassVar[tuple[str, ...]]
    optional_texts: ClassVar[tuple[str, ...]]
    numbers: ClassVar[tuple[str, ...]] = ("id", "created_at", "updated_at")
    lists: ClassVar[tuple[str, ...]]

    @staticmethod
    @abstractmethod
    def partition(place: str, /) -> str:
        """The partition of a place."""

    @staticmethod
    @abstractmethod
    def pointer(number: int, /) -> Key:
        """The row that names the place of an id, and outlives the memory for a while."""

    @staticmethod
    @abstractmethod
    def change_note_key(place: str, number: int, at: int, /) -> Key:
        """The change note of one write."""

    @staticmethod
    @abstractmethod
    def applied_key(note: Key, until: int, number: int, /) -> Key:
        """The row that stands for notes of this one's partition until the engine shows what they tell of."""

    @staticmethod
    @abstractmethod
    def row_of(key: Key, /) -> Key | None:
        """The row that a changed key (a row's own or its change note's) is about; None for other kinds.

        Raises:
            ValueError: the key of a change note is malformed.
        """

    @staticmethod
    @abstractmethod
    def document_key(number: int, /) -> str:
        """The key of a document, from its row's id."""

    @staticmethod
    @abstractmethod
    def number(document: str, /) -> int | None:
        """The row's id, from the key of its document; None if there can be no such document."""

    def document(self, row: Item) -> Document:
        """The document of a row, without vector and predecessor.

        Raises:
            ValueError: the row is malformed.
        """
        if not self.is_whole(row):
            raise ValueError(f"a row of the kind {self.name} is malformed")
        return self._document(row)

    @abstractmethod
    def _document(self, row: Item) -> Document:
        """The document of a whole row."""

    def noted_row(self, note: Key) -> Key | None:
        """The row that a change note names; None for a malformed note, which the indexer has put aside."""
        try:
            return self.row_of(note)
        except ValueError:
            return None

    def has_id(self, key: Key) -> bool:
        """Whether a row's sort key names an id, as every key does that Strata made."""
        digits = key.sk.removeprefix(self.prefix)
        return digits.isascii() and digits.isdigit()

    def is_whole(self, row: Item) -> bool:
        """Whether a row has what documents, filters and hits read; others are put aside by the indexer."""
        return (
            all(isinstance(row.get(name), str) for name in self.texts)
            and all(isinstance(row.get(name), int) for name in self.numbers)
            and all(isinstance(row.get(name), str | None) for name in self.optional_texts)
            and all(_is_list_of_texts(row.get(name)) for name in self.lists)
            and isinstance(row.get("metadata"), dict | None)
        )

    def session(self, row: Item) -> str | None:
        """The gsi1 partition that holds a row's predecessor; None for kinds without an order of turns."""
        return None

    def other_partitions(self, row: Item) -> Iterable[str]:
        """The partitions besides its own that hold change notes of a row."""
        return ()

    def key(self, place: str, number: int) -> Key:
        """The key of a row, from its place and id."""
        return Key(self.partition(place), self.prefix + numbered(number))

    def row_key(self, row: Item) -> Key:
        """The key of a row."""
        return self.key(row[self.place], row["id"])

    def id_of(self, key: Key) -> int:
        """The id in a row's sort key."""
        return int(key.sk.removeprefix(self.prefix))

    def document_of(self, key: Key) -> str:
        """The key of a row's document."""
        return self.document_key(self.id_of(key))


class ObservationKind(Kind):
    """Observations, stored by project."""

    name = OBSERVATION_KIND
    prefix = OBSERVATION_PREFIX
    place = "project"
    shards = "CHANGES#"
    texts = ("session_id", "type", "title", "content", "project", "scope")
    optional_texts = ("topic_key", "user_id", "agent_id")
    lists = ("tags",)
    partition = staticmethod(project_pk)
    pointer = staticmethod(pointer_key)
    row_of = staticmethod(observation_of)

    @staticmethod
    def change_note_key(place: str, number: int, at: int, /) -> Key:
        return change_note_key(project_pk(place), place, number, at)

    @staticmethod
    def applied_key(note: Key, until: int, number: int, /) -> Key:
        return applied_key(note.pk, until, number)

    @staticmethod
    def document_key(number: int, /) -> str:
        return str(number)

    @staticmethod
    def number(document: str, /) -> int | None:
        return int(document) if document.isascii() and document.isdigit() else None

    def _document(self, row: Item) -> Document:
        return Document(
            key=str(row["id"]),
            kind=OBSERVATION_KIND,
            title=row["title"],
            text=row["content"],
            keywords=" ".join([*(row.get("tags") or ()), row.get("topic_key") or ""]).strip(),
            order=row["id"],
            session_id=row["session_id"],
            fields=_facets(row, "project", "type", "scope") | {"user_id": row.get("user_id") or NOBODY},
            version=row["updated_at"],
            labels=_labels(row),
            times=_times(row),
        )

    def session(self, row: Item) -> str:
        return session_observations(row["session_id"])

    def other_partitions(self, row: Item) -> Iterable[str]:
        return (GLOBAL_PK,) if row["scope"] == GLOBAL_SCOPE else ()


class EpisodeKind(Kind):
    """Episodes, stored by owner. An episode sums up many turns: few suffice, and neighbours do not matter.

    The text of a derived one is its summary; the words of all that was said help to find it.
    """

    name = EPISODE_KIND
    prefix = EPISODE_PREFIX
    place = "owner"
    shards = "EPISODE_CHANGES#"
    max_candidates = 50
    texts = ("session_id", "type", "summary", "owner")
    optional_texts = ("topic", "agent_id", "user_id", "project")
    lists = ("keywords", "entities", "tools_used", "key_decisions")
    partition = staticmethod(episodes_pk)
    pointer = staticmethod(episode_place_key)
    change_note_key = staticmethod(episode_change_note_key)
    row_of = staticmethod(episode_of)
    document_key = staticmethod(episode_id)
    number = staticmethod(episode_number)

    @staticmethod
    def applied_key(note: Key, until: int, number: int, /) -> Key:
        return episode_applied_key(whole(parts_of_note(note.sk)[2]), until, number)

    def _document(self, row: Item) -> Document:
        words = [*(row.get("keywords") or ()), *(row.get("entities") or ()), *(row.get("tools_used") or ())]
        said, decisions, derived = [row["summary"]], row.get("key_decisions") or (), row.get("derived")
        (words if derived else said).extend(decisions)
        return Document(
            key=episode_id(row["id"]),
            kind=EPISODE_KIND,
            title=row.get("topic") or "",
            text="\n".join(said),
            keywords=" ".join(words),
            order=row["id"],
            fields=_facets(row, "owner", "type")
            | {"agent_id": row.get("agent_id") or NOBODY, "project": _project(row)}
            | ({DERIVED: "true"} if derived else {}),
            version=row["updated_at"],
            labels=_labels(row),
            times=_times(row),
        )


def _is_list_of_texts(value: object) -> bool:
    """Whether this is a list of texts, or missing."""
    return value is None or (isinstance(value, list) and all(isinstance(each, str) for each in value))


def _project(row: Item) -> str:
    project = project_of(row)
    return UNKNOWN_PROJECT if project is None else project


def _facets(row: Item, *names: str) -> dict[str, str]:
    return {name: value for name in names if (value := row.get(name))}


def _labels(row: Item) -> tuple[tuple[str, str], ...]:
    """The labels of a row, by which `domain.filters` filters it."""
    names = [(name, row[name]) for name in ("agent_id", "session_id") if row.get(name)]
    tags = [("tag", tag) for tag in row.get("tags") or ()]
    metadata = [
        (metadata_label(key), metadata_text(value)) for key, value in (row.get("metadata") or {}).items()
    ]
    return (*names, *tags, *metadata)


def _times(row: Item) -> dict[str, int]:
    return {name: row[name] for name in ("created_at", "updated_at")}


def metadata_label(key: str) -> str:
    """The name of the label of a key of the metadata."""
    return f"metadata.{key}"


OBSERVATIONS = ObservationKind()
EPISODES = EpisodeKind()
KINDS: tuple[Kind, ...] = (OBSERVATIONS, EPISODES)


def searched(key: Key) -> tuple[Kind, Key] | None:
    """The searched row that a changed key is about, with its kind; None for all other rows.

    Raises:
        ValueError: the key of a change note is malformed.
    """
    for kind in KINDS:
        row = kind.row_of(key)
        if row is not None:
            return kind, row
    return None


def embedded_text(document: Document) -> str:
    """The text that a document's vector stands for: everything that a search by words looks at."""
    return " ".join(filter(None, (document.title, document.keywords, document.text)))
