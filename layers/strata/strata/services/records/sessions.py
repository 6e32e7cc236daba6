"""Rows of sessions."""

from strata.domain.summary import only_counts
from strata.domain.times import rfc3339
from strata.domain.wire.sessions import Session
from strata.ports.rows import Item, Key
from strata.services.records.parts import numbered, part, whole

SESSION_SK = "SESSION"
_SESSION = "SESSION#"
SESSION_KIND = "session"


def session_key(session_id: str) -> Key:
    """The row of a session. A session that writes have only named has no `started_at` yet."""
    return Key(_SESSION + part(session_id), SESSION_SK)


def session_around(key: Key) -> str:
    """The id of the session in whose partition a row lies."""
    return whole(key.pk.removeprefix(_SESSION))


def project_summaries(project: str) -> str:
    """gsi2: the ended sessions of a project that have a summary, by start."""
    return f"SUMMARIES#{part(project)}"


def project_sessions(project: str) -> str:
    """gsi1: the sessions of a project, by start."""
    return f"PROJECT#{part(project)}"


def listed(project: str, started: int, session_id: str) -> Item:
    """The attributes that place a session among its project's."""
    return {"gsi1pk": project_sessions(project), "gsi1sk": _place(started, session_id)}


def summarized(project: str, started: int, session_id: str, summary: str, about: str | None) -> Item:
    """The attributes of a session with a summary: this, its line, and the session's place among summaries.

    Without a line (None) the summary is one, unless it only counts messages.
    """
    place = {"gsi2pk": project_summaries(project), "gsi2sk": _place(started, session_id)}
    return {"summary": summary} | place | ({} if about is None else {"about": about})


def line_of(session: Item) -> str:
    """The line that tells prompts of a session; "" for one without worth, or without a summary."""
    about: str | None = session.get("about")
    summary: str = session.get("summary") or ""
    return about if about is not None else "" if only_counts(summary) else summary


def _place(started: int, session_id: str) -> str:
    return f"{numbered(started)}#{session_id}"


def to_session(item: Item) -> Session:
    """A session from its row."""
    return Session(
        id=item["id"],
        project=item["project"],
        started_at=rfc3339(item["started_at"]),
        ended_at=rfc3339(item["ended_at"]) if item.get("ended_at") else None,
        summary=item.get("summary"),
        about=item.get("about") or None,
        message_count=item.get("message_count", 0),
        agent_id=item.get("agent_id"),
        user_id=item.get("user_id"),
        external_type=item.get("external_type"),
    )
