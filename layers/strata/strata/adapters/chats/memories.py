"""engram, mem0 and claude-mem: stores of memories, in SQLite or exported as JSON.

engram since 0.1: `~/.engram/engram.db` with sessions, user_prompts and observations, and `engram export`.
mem0 since 0.1: `~/.mem0/history.db` with a row for each change of a memory, and what `get_all` or an export
of the platform gives.
claude-mem since 4: `~/.claude-mem/claude-mem.db` with observations and summaries of Claude Code's sessions.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from strata.adapters.chats import files
from strata.adapters.chats.files import Record
from strata.adapters.chats.source import Source, tolerant
from strata.ports.chats import ChatMessage, ChatNote, Conversation


class Engram(Source):
    """The store of engram: prompts and summaries of sessions, and observations."""

    name = "engram"

    def places(self) -> Sequence[Path]:
        """Its stores and exports."""
        return files.files(self._places.under(".engram"), "engram.db", "engram-export*.json")

    @tolerant
    def conversations(self, since: datetime | None = None) -> Iterator[Conversation]:
        """Yield the sessions with what was asked in them."""
        for path in self.places():
            for session in self._rows(path, "sessions"):
                started, ended = (files.moment(session.get(name)) for name in ("started_at", "ended_at"))
                if session.get("id") and files.later(ended or started, since):
                    yield Conversation(
                        str(session["id"]),
                        partial(self._read, path, session),
                        project=session.get("project") or files.project_of(session.get("directory")),
                        started=started,
                        updated=ended or started,
                    )

    @tolerant
    def notes(self, since: datetime | None = None) -> Iterator[ChatNote]:
        """Yield the observations."""
        for path in self.places():
            for row in self._rows(path, "observations"):
                at = files.moment(row.get("created_at")) or files.changed(path)
                changed = files.moment(row.get("updated_at")) or at
                text = str(row.get("content") or "").strip()
                if text and not row.get("deleted_at") and files.later(changed, since):
                    about = {name: row.get(name) for name in ("title", "project", "type")}
                    yield ChatNote(text, at, **about, topic=row.get("topic_key"))

    @tolerant
    def _read(self, path: Path, session: Record) -> Iterator[ChatMessage]:
        for row in self._rows(path, "user_prompts", str(session["id"])):
            if text := str(row.get("content") or "").strip():
                number = row.get("sync_id") or row.get("id")
                yield ChatMessage("user", text, files.moment(row.get("created_at")), f"prompt {number}")
        if summary := str(session.get("summary") or "").strip():
            at = files.moment(session.get("ended_at") or session.get("started_at"))
            yield ChatMessage("assistant", summary, at, "summary")

    def _rows(self, path: Path, table: str, session: str | None = None) -> Iterator[Record]:
        if path.suffix == ".json":
            told = files.document(path, self.unread)
            found = told.get(table.removeprefix("user_")) if isinstance(told, dict) else None
            for each in files.objects(found):
                if session is None or each.get("session_id") == session:
                    yield each
            return
        where, given = (" WHERE session_id = ?", (session,)) if session is not None else ("", ())
        query = f"SELECT * FROM {table}{where} ORDER BY rowid"  # noqa: S608 - tables of this module
        yield from map(dict, files.rows(path, self.unread, query, *given))


class Mem0(Source):
    """The memories of mem0."""

    name = "mem0"

    def places(self) -> Sequence[Path]:
        """Its stores and exports."""
        return files.files(self._places.under(".mem0"), "history.db", "*.json")

    @tolerant
    def notes(self, since: datetime | None = None) -> Iterator[ChatNote]:
        """Yield the memories as they are now."""
        for path in self.places():
            for row in self._exported(path) if path.suffix == ".json" else self._newest(path):
                text = str(row.get("memory") or row.get("new_memory") or row.get("data") or "").strip()
                at = files.moment(row.get("updated_at") or row.get("created_at")) or files.changed(path)
                if text and files.later(at, since):
                    yield ChatNote(text, at, project=row.get("agent_id") or row.get("app_id"))

    def _newest(self, path: Path) -> Iterator[Record]:
        """The last change of each memory that was not deleted."""
        query = (
            "SELECT * FROM history AS one WHERE rowid = (SELECT max(rowid) FROM history AS other"
            " WHERE other.memory_id = one.memory_id) ORDER BY rowid"
        )
        for row in map(dict, files.rows(path, self.unread, query)):
            if not row.get("is_deleted") and row.get("event") != "DELETE":
                yield row

    def _exported(self, path: Path) -> Iterator[Record]:
        told = files.document(path, self.unread)
        if isinstance(told, dict):
            told = told.get("results") or told.get("memories")
        yield from files.objects(told)


class ClaudeMem(Source):
    """The observations of claude-mem, and its summaries of sessions."""

    name = "claude-mem"

    def places(self) -> Sequence[Path]:
        """Its store."""
        return files.files(self._places.under(".claude-mem"), "claude-mem.db")

    @tolerant
    def notes(self, since: datetime | None = None) -> Iterator[ChatNote]:
        """Yield the observations and the summaries."""
        for path in self.places():
            for table in ("observations", "session_summaries"):
                query = f"SELECT * FROM {table} ORDER BY id"  # noqa: S608 - tables of this module
                for row in map(dict, files.rows(path, self.unread, query)):
                    at = files.moment(row.get("created_at_epoch")) or files.changed(path)
                    title, text = _summed(row) if table == "session_summaries" else _observed(row)
                    if text and files.later(at, since):
                        kind = row.get("type") or "session_summary"
                        yield ChatNote(text, at, title=title, project=row.get("project"), type=kind)


def _observed(row: Record) -> tuple[str | None, str]:
    """Title and text of an observation of claude-mem."""
    facts = files.value_of(row.get("facts"))
    said = [row.get("narrative") or row.get("text"), *(facts if isinstance(facts, list) else ())]
    return row.get("title"), "\n".join(str(each).strip() for each in said if each)


def _summed(row: Record) -> tuple[str | None, str]:
    """Title and text of a summary of claude-mem."""
    parts = "request", "investigated", "learned", "completed", "next_steps", "notes"
    said = {part: str(row.get(part) or "").strip() for part in parts}
    return said["request"] or None, "\n".join(
        f"{part.replace('_', ' ')}: {text}" for part, text in said.items() if text
    )
