"""A small server of the wire contract in memory, to put under a client instead of the network."""

import json
from collections.abc import Callable
from typing import Any

import httpx

NOW = "2026-01-02T03:04:05.000006Z"


class FakeStrata(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Keeps sessions and observations in dicts, and every request it got in `requests`.

    `refusals` are answered first, one each; an exception among them is raised, None lets a request through.
    """

    def __init__(self, page: int = 2) -> None:
        self.sessions: dict[str, dict[str, Any]] = {}
        self.observations: dict[int, dict[str, Any]] = {}
        self.requests: list[httpx.Request] = []
        self.refusals: list[httpx.Response | Exception | None] = []
        self.page = page

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.requests.append(request)
        refusal = self.refusals.pop(0) if self.refusals else None
        if isinstance(refusal, Exception):
            raise refusal
        if refusal is not None:
            return httpx.Response(refusal.status_code, headers=refusal.headers, content=refusal.content)
        route, _, rest = request.url.path.strip("/").partition("/")
        answer: Callable[..., httpx.Response] = getattr(self, f"_{request.method}_{route}".lower())
        body = json.loads(request.content) if request.content else {}
        return answer(rest, dict(request.url.params), body)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        return self.handle_request(request)

    def _post_sessions(self, rest: str, params: dict[str, str], body: Any) -> httpx.Response:
        if not rest:
            row = {"id": body["id"], "project": body["project"], "started_at": NOW, "message_count": 0}
            return httpx.Response(201, json=self.sessions.setdefault(body["id"], row))
        identity = rest.removesuffix("/end")
        if identity not in self.sessions:
            return missing()
        summary = f"Session with {len(body['messages'])} messages."
        self.sessions[identity] |= {
            "summary": summary,
            "message_count": len(body["messages"]),
            "ended_at": NOW,
        }
        ended = {"session_id": identity, "summary": summary, "message_count": len(body["messages"])}
        return httpx.Response(200, json=ended)

    def _get_sessions(self, rest: str, params: dict[str, str], body: Any) -> httpx.Response:
        return httpx.Response(200, json=[*self.sessions.values()][::-1])

    def _post_observations(self, rest: str, params: dict[str, str], body: Any) -> httpx.Response:
        identity = len(self.observations) + 1
        self.observations[identity] = {
            "id": identity,
            "scope": "project",
            "normalized_hash": "0" * 64,
            "revision_count": 1,
            "duplicate_count": 1,
            "last_seen_at": NOW,
            "created_at": NOW,
            "updated_at": NOW,
            **body,
        }
        saved = {"id": identity, "action": "created", "revision_count": 1, "duplicate_count": 1}
        return httpx.Response(201, json=saved)

    def _get_observations(self, rest: str, params: dict[str, str], body: Any) -> httpx.Response:
        if rest == "recent":
            return httpx.Response(200, json=[*self.observations.values()][::-1])
        return httpx.Response(200, json=self.observations[int(rest)]) if self._has(rest) else missing()

    def _patch_observations(self, rest: str, params: dict[str, str], body: Any) -> httpx.Response:
        self.observations[int(rest)] |= body
        return httpx.Response(200, json=self.observations[int(rest)])

    def _delete_observations(self, rest: str, params: dict[str, str], body: Any) -> httpx.Response:
        if not self._has(rest):
            return missing()
        del self.observations[int(rest)]
        return httpx.Response(204)

    def _has(self, rest: str) -> bool:
        return int(rest) in self.observations

    def _get_search(self, rest: str, params: dict[str, str], body: Any) -> httpx.Response:
        hits = [
            {
                **{name: o[name] for name in ("id", "type", "title", "content")},
                "rank": -0.5,
                "method": "hybrid",
            }
            for o in self.observations.values()
            if params["q"].lower() in o["content"].lower()
        ]
        return httpx.Response(200, json=hits)

    def _get_context(self, rest: str, params: dict[str, str], body: Any) -> httpx.Response:
        if params.get("format") == "text":
            lines = [f"- [{o['type']}] {o['title']}: {o['content']}" for o in self.observations.values()]
            text = "\n".join(["<memory:context>", *lines, "</memory:context>", ""])
            return httpx.Response(200, text=text)
        observations = [
            {name: o[name] for name in ("type", "title", "content")} for o in self.observations.values()
        ]
        sessions = [{"summary": s["summary"]} for s in self.sessions.values() if "summary" in s]
        known: dict[str, Any] = {"recent_sessions": sessions, "recent_observations": observations}
        if "layers" in params:
            known |= {"items": [], "tokens": 0}
        return httpx.Response(200, json=known)

    def _get_timeline(self, rest: str, params: dict[str, str], body: Any) -> httpx.Response:
        names = ("id", "type", "title", "content", "created_at")
        return httpx.Response(200, json=[{n: o[n] for n in names} for o in self.observations.values()])

    def _get_stats(self, rest: str, params: dict[str, str], body: Any) -> httpx.Response:
        totals = {"total_sessions": len(self.sessions), "total_observations": len(self.observations)}
        projects = sorted({o["project"] for o in self.observations.values()})
        return httpx.Response(200, json=totals | {"projects": projects})

    def _get_export(self, rest: str, params: dict[str, str], body: Any) -> httpx.Response:
        start = int(params.get("cursor", 0))
        rows = [*self.observations.values()]
        page: dict[str, Any] = {"exported_at": NOW, "observations": rows[start : start + self.page]}
        page["sessions"] = [] if start else [*self.sessions.values()]
        if start + self.page < len(rows):
            page["next"] = str(start + self.page)
        return httpx.Response(200, json=page)

    def _post_import(self, rest: str, params: dict[str, str], body: Any) -> httpx.Response:
        sessions = [s for s in body.get("sessions", []) if s["id"] not in self.sessions]
        observations = [o for o in body.get("observations", []) if o["id"] not in self.observations]
        self.sessions |= {s["id"]: s for s in sessions}
        self.observations |= {o["id"]: o for o in observations}
        counts = {"imported_sessions": len(sessions), "imported_observations": len(observations)}
        return httpx.Response(200, json=counts)

    def _get_health(self, rest: str, params: dict[str, str], body: Any) -> httpx.Response:
        return httpx.Response(200, json={"status": "ok", "services": {}, "timestamp": NOW})


def missing() -> httpx.Response:
    """The refusal for an unknown id."""
    return httpx.Response(404, json={"error": "there is no such thing", "code": "not_found"})
