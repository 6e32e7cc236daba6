"""The kinds of memories that are searched: where their rows lie, and what the index knows of them.

A new kind joins indexing, search, rebuild and check by one more entry in `KINDS`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from strata.domain.wire.observations import GLOBAL_SCOPE
from strata.ports import Document, Item, Key
from strata.services.records.episodes import (
    EPISODE_KIND,
    EPISODE_PREFIX,
    episode_id,
    episode_key,
    episode_note_key,
    episode_number,
    episode_of,
    episode_place_key,
    episodes_pk,
)
from strata.services.records.observations import (
    GLOBAL_PK,
    OBSERVATION_KIND,
    OBSERVATION_PREFIX,
    change_key,
    observation_key,
    observation_of,
    pointer_key,
    project_pk,
    session_observations,
)

NOBODY = ""
"""The value of a facet that a row has none for: what is nobody's may be asked for beside somebody's own."""

MAX_PROPOSED = 1000


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of memory that is searched.

    Its rows have an integer `id`, unique in tenant and kind, and `updated_at`. They lie by id in the
    partition of their place (a project, an owner), which row, pointer and document name.

    Attributes:
        name: in the index.
        prefix: of its rows' sort keys.
        place: the attribute that names a row's place.
        partition: of a place.
        key: of a row, from place and id.
        pointer: from a bare id to a row that names its place, also for a while after it is gone.
        note: the key of a change note, from place, id and time.
        shards: gsi2 lists the notes of all places under this and a number.
        beyond: the further partitions in which a write of this row is noted.
        row_of: the row that a changed key is about, None when it is about no row of this kind.
        document_key: a document's key, from its row's id.
        number: the same back; None for what is no such key.
        document: what a row says, without vector and predecessor.
        session: gsi1's partition in which a row's predecessor is found; None where rows are not told in turn.
        proposed: how many of it each side of the engine proposes at most, whatever the settings say.
    """

    name: str
    prefix: str
    place: str
    partition: Callable[[str], str]
    key: Callable[[str, int], Key]
    pointer: Callable[[int], Key]
    note: Callable[[str, int, int], Key]
    shards: str
    beyond: Callable[[Item], Iterable[str]]
    row_of: Callable[[Key], Key | None]
    document_key: Callable[[int], str]
    number: Callable[[str], int | None]
    document: Callable[[Item], Document]
    session: Callable[[Item], str] | None = None
    proposed: int = MAX_PROPOSED

    def id_of(self, key: Key) -> int:
        """The id in a row's sort key."""
        return int(key.sk.removeprefix(self.prefix))

    def document_of(self, key: Key) -> str:
        """The key of a row's document."""
        return self.document_key(self.id_of(key))

    def row_key(self, row: Item) -> Key:
        """The key of a row."""
        return self.key(row[self.place], row["id"])


def _number(document: str) -> int | None:
    return int(document) if document.isascii() and document.isdigit() else None


def _observation(row: Item) -> Document:
    named = {name: row.get(name) for name in ("project", "type", "scope")}
    return Document(
        key=str(row["id"]),
        kind=OBSERVATION_KIND,
        title=row["title"],
        text=row["content"],
        keywords=" ".join([*(row.get("tags") or ()), row.get("topic_key") or ""]).strip(),
        order=row["id"],
        session_id=row["session_id"],
        fields={name: value for name, value in named.items() if value} | _or_nobodys(row, "user_id"),
        version=row["updated_at"],
    )


def _episode(row: Item) -> Document:
    named = {name: row.get(name) for name in ("owner", "type")}
    said = [row["summary"], *(row.get("key_decisions") or ())]
    words = [*(row.get("keywords") or ()), *(row.get("entities") or ()), *(row.get("tools_used") or ())]
    return Document(
        key=episode_id(row["id"]),
        kind=EPISODE_KIND,
        title=row.get("topic") or "",
        text="\n".join(said),
        keywords=" ".join(words),
        order=row["id"],
        fields={name: value for name, value in named.items() if value} | _or_nobodys(row, "agent_id"),
        version=row["updated_at"],
    )


def _or_nobodys(row: Item, name: str) -> dict[str, str]:
    """A facet that every row of a kind has."""
    return {name: row.get(name) or NOBODY}


OBSERVATIONS = Kind(
    name=OBSERVATION_KIND,
    prefix=OBSERVATION_PREFIX,
    place="project",
    partition=project_pk,
    key=observation_key,
    pointer=pointer_key,
    note=lambda project, number, at: change_key(project_pk(project), project, number, at),
    shards="CHANGES#",
    beyond=lambda row: [GLOBAL_PK] if row["scope"] == GLOBAL_SCOPE else [],
    row_of=observation_of,
    document_key=str,
    number=_number,
    document=_observation,
    session=lambda row: session_observations(row["session_id"]),
)

EPISODES = Kind(
    name=EPISODE_KIND,
    prefix=EPISODE_PREFIX,
    place="owner",
    partition=episodes_pk,
    key=episode_key,
    pointer=episode_place_key,
    note=episode_note_key,
    shards="EPISODE_CHANGES#",
    beyond=lambda row: [],
    row_of=episode_of,
    proposed=50,  # few stand where many turns do, and no neighbours help each other
    document_key=episode_id,
    number=episode_number,
    document=_episode,
)

KINDS = (OBSERVATIONS, EPISODES)


def searched(key: Key) -> tuple[Kind, Key] | None:
    """The searched row that a changed key is about, with its kind; None for all other rows."""
    for kind in KINDS:
        row = kind.row_of(key)
        if row is not None:
            return kind, row
    return None


def embedded_text(document: Document) -> str:
    """What a document's vector stands for: everything that a search by words would look at."""
    return " ".join(filter(None, (document.title, document.keywords, document.text)))
