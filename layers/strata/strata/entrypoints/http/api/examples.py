"""Examples of the OpenAPI document: a request body and an answer for each operation.

A test sends them in this order to one server, and compares the fields of its answers with those here.
"""

from typing import Any

from strata.entrypoints.http.api.described import OBSERVATION_ID

_AT = "2026-01-01T09:00:00.000000Z"
_RULE = "Never deploy on a Friday: nobody is there to roll back."
_SAVED = {
    "session_id": "session-1",
    "type": "decision",
    "title": "No deploys on Fridays",
    "content": _RULE,
    "project": "shop",
    "tags": ["deploy"],
}
_OBSERVATION = {
    "id": OBSERVATION_ID,
    **_SAVED,
    "scope": "project",
    "normalized_hash": "0d3a5e1f0d3a5e1f0d3a5e1f0d3a5e1f0d3a5e1f0d3a5e1f0d3a5e1f0d3a5e1f",
    "revision_count": 1,
    "duplicate_count": 1,
    "last_seen_at": _AT,
    "created_at": _AT,
    "updated_at": _AT,
}
_SESSION = {"id": "session-1", "project": "shop", "started_at": _AT, "message_count": 0}
_ENDED = _SESSION | {
    "ended_at": _AT,
    "summary": 'Session with 2 messages. Started: "When do we deploy?"',
    "about": "No deploys on Fridays.",
    "message_count": 2,
}
_HIT = {
    "id": OBSERVATION_ID,
    "type": "decision",
    "title": "No deploys on Fridays",
    "content": _RULE,
    "rank": -0.87,
    "method": "hybrid",
    "relevance": 0.93,
}
_SHORT = {
    "id": OBSERVATION_ID,
    "type": "decision",
    "title": "No deploys on Fridays",
    "content": _RULE,
    "created_at": _AT,
}
_TOLD = {
    "conversation_id": "conversation-1",
    "agent_id": "support",
    "user_id": "ann",
    "summary": "Ann's order arrived damaged; she was sent a new one.",
    "key_decisions": ["send a new one"],
    "entities": ["order 1042"],
    "tools_used": ["orders"],
    "importance": 0.8,
    "keywords": ["order", "damaged"],
    "topic": "orders",
}
_EPISODE = {"id": "ep-1", **_TOLD, "timestamp": 1767258000000, "type": "conversation"}
_EVENT = {"event_type": "user_message", "content": "When do we deploy?"}
_KEPT_EVENT = {"event_id": "event_1", "timestamp": _AT, **_EVENT, "metadata": {}}
_CONFIG = {
    "agent_id": "support",
    "memory_enabled": True,
    "transcript_retention_days": 0,
    "redact": True,
    "max_facts": 1000,
    "max_facts_per_session": 50,
    "updated_at": _AT,
}
_CONSENT = {
    "external_ref": "ann",
    "ai_consent": True,
    "persist": True,
    "updated_at": _AT,
    "history": [{"ai_consent": True, "persist": True, "at": _AT, "by": "key:k1"}],
}
_ENTRY = {
    "id": "1767258000000000#1f2e3d4c",
    "event": "consent_given",
    "externalRef": "ann",
    "actorId": "key:k1",
    "metadata": {"ai_consent": True},
    "createdAt": _AT,
}
_REPORT = {
    "timestamp": 1767258000000,
    "trigger": "manual",
    "status": "done",
    "durationMs": 12,
    "summary": {"totals": {"corrected": 0}},
    "durations": {"totals": 12},
    "errors": {},
}
_HEALTH = {"status": "ok", "services": {"table": {"status": "ok", "responseTime": 0.4}}, "timestamp": _AT}

_CONCLUSION = {
    "id": "c5f0e3",
    "text": "Lives in Valencia",
    "type": "explicit",
    "confidence": 0.8,
    "sources": ["ep-1795228800000000"],
    "quotes": [{"text": "I live in Valencia", "source": "ep-1795228800000000", "at": _AT}],
    "agents": [],
    "projects": ["shop"],
    "against": 0,
    "stale": False,
    "created_at": _AT,
    "updated_at": _AT,
}

_ENTITY = {
    "id": "5f0c2d",
    "name": "Ana Ruiz",
    "type": "person",
    "aliases": ["Ana Ruiz", "Ana"],
    "roles": ["sister"],
    "confidence": 0.9,
    "mention_count": 4,
    "first_seen": _AT,
    "last_seen": _AT,
    "merged": [],
    "stated": [],
}
_ANA = {"id": "5f0c2d", "name": "Ana Ruiz", "type": "person"}
_OFFICE = {"id": "9a41be", "name": "Acme", "type": "organization"}
_WORKS = {
    "subject": _ANA,
    "kind": "works-at",
    "object": _OFFICE,
    "confidence": 0.8,
}

_DEVICE = {"deviceId": "kitchen", "userId": "ann", "updatedAt": _AT}
_PREFERENCES = {
    "preferences": {
        "theme": "dark",
        "privacySettings": {"storeTranscripts": True, "storeAudio": False},
    }
}

EXAMPLES: dict[str, tuple[Any, Any]] = {
    "start_session": ({"id": "session-1", "project": "shop"}, _SESSION),
    "save_observation": (
        _SAVED,
        {"id": OBSERVATION_ID, "action": "created", "revision_count": 1, "duplicate_count": 1},
    ),
    "read_session": (None, _SESSION),
    "get_observation": (None, _OBSERVATION),
    "recent_observations": (None, [_OBSERVATION]),
    "search_observations": (None, [_HIT]),
    "timeline": (None, [_SHORT]),
    "change_observation": ({"tags": ["deploy", "rule"]}, _OBSERVATION | {"tags": ["deploy", "rule"]}),
    "end_session": (
        {
            "messages": [
                {"role": "user", "content": "When do we deploy?"},
                {"role": "assistant", "content": "Any day but Friday."},
            ]
        },
        {
            "session_id": "session-1",
            "summary": 'Session with 2 messages. Started: "When do we deploy?"',
            "message_count": 2,
        },
    ),
    "recent_sessions": (None, [_ENDED]),
    "fetch_context": (
        None,
        {
            "recent_sessions": [{"summary": 'Session with 2 messages. Started: "When do we deploy?"'}],
            "recent_observations": [{"type": "decision", "title": "No deploys on Fridays", "content": _RULE}],
            "context": f"<memory:context>\n- [decision] {_RULE} (id 1, 2026-01-01)\n</memory:context>\n",
        },
    ),
    "stats": (None, {"total_sessions": 1, "total_observations": 1, "projects": ["shop"]}),
    "export_memories": (None, {"exported_at": _AT, "sessions": [_ENDED], "observations": [_OBSERVATION]}),
    "import_memories": (
        {"sessions": [_ENDED], "observations": [_OBSERVATION]},
        {"imported_sessions": 0, "imported_observations": 0},
    ),
    "delete_observation": (None, None),
    "put_working_memory": ({"draft": "Dear Ann", "ttl_seconds": 3600}, {"draft": "Dear Ann"}),
    "get_working_memory": (None, {"draft": "Dear Ann"}),
    "delete_working_memory": (None, {"deleted": 1}),
    "mark_injected": ({"item": "doc-1"}, {"item": "doc-1", "marked": True}),
    "check_injected": ({"item": "doc-1"}, {"item": "doc-1", "injected": True}),
    "get_ledger": (None, {"doc-1": "injected"}),
    "evict_injected": ({"item": "doc-1"}, {"item": "doc-1", "evicted": True}),
    "store_episode": (_TOLD, {"id": "ep-1"}),
    "search_similar_episodes": (
        {"query": "damaged order", "agent_id": "support"},
        {"results": [_EPISODE | {"similarity": 0.71}]},
    ),
    "conversation_episodes": (None, {"episodes": [_EPISODE]}),
    "recent_episodes": (None, {"episodes": [_EPISODE], "count": 1, "available": True}),
    "search_episodes": (
        None,
        {
            "query": "damaged order",
            "results": [_EPISODE | {"score": 0.9, "matchType": "hybrid"}],
            "count": 1,
        },
    ),
    "forget_episode": (None, {"deleted": True, "episodeId": "ep-1"}),
    "ingest_response": (
        {
            "session_id": "session-1",
            "response": "We decided to deploy on Mondays, because everybody is there.",
            "tool_calls": 3,
        },
        {"ingested": True, "importance": 0.7, "id": "ep-2"},
    ),
    "open_session": ({"session_id": "session-1", "user_id": "ann"}, {"session_id": "session-1"}),
    "append_events": (_EVENT, {"event_id": "event_1"}),
    "list_events": (None, {"agent": "strata", "events": [_KEPT_EVENT], "total": 1}),
    "list_session_events": (None, {"agent": "strata", "events": [_KEPT_EVENT], "total": 1}),
    "list_sessions": (None, {"agent": "strata", "sessions": ["session-1"], "total": 1}),
    "get_session": (
        None,
        {
            "session_id": "session-1",
            "user_id": "ann",
            "app_name": "default",
            "events": [_KEPT_EVENT],
            "created_at": _AT,
            "updated_at": _AT,
        },
    ),
    "conversation": (None, {"context": "User: When do we deploy?"}),
    "event_stats": (None, {"total_sessions": 1, "total_events": 1, "avg_events_per_session": 1}),
    "clean_up": ({"max_age_hours": 24}, {"cleaned": 0}),
    "delete_session": (None, {"deleted": True}),
    "put_agent_config": ({"memory_enabled": True}, _CONFIG),
    "get_agent_config": (None, _CONFIG),
    "list_facts": (
        None,
        {
            "facts": [
                {
                    "id": "f-1",
                    "fact": "Ann lives in Oslo.",
                    "category": "place",
                    "value": "Oslo",
                    "basis": "I live in Oslo.",
                    "session_id": "session-1",
                    "created_at": _AT,
                }
            ]
        },
    ),
    "delete_fact": (None, None),
    "list_sources": (
        None,
        {
            "sources": [
                {
                    "name": "cursor",
                    "available": True,
                    "memoryCount": 12,
                    "path": "/home/ann/.codex/sessions",
                }
            ]
        },
    ),
    "import_chats": (
        {"sources": ["codex"]},
        {"imported": 12, "skipped": 0, "errors": 0, "message": "12 conversations and 0 notes were imported"},
    ),
    "current_project": (
        None,
        {
            "project": "shop",
            "project_source": "git_root",
            "project_path": "/home/ann/shop",
            "cwd": "/home/ann/shop/api",
            "available_projects": [],
        },
    ),
    "save_prompt": (
        {"session_id": "session-2", "content": "When do we deploy?", "project": "shop"},
        {"id": "event_1", "status": "saved"},
    ),
    "capture_learnings": (
        {
            "session_id": "session-2",
            "content": f"## Key Learnings:\n\n1. {_RULE}",
            "project": "shop",
            "source": "subagent-stop",
        },
        {"extracted": 1, "saved": 1, "duplicates": 0},
    ),
    "move_project": (
        {"old_project": "shop-api", "new_project": "shop"},
        {"status": "skipped", "reason": "no records found"},
    ),
    "put_profile": ({"name": "Ann", "preferences": {"units": "metric"}}, {"updated": True}),
    "get_profile": (
        None,
        {
            "profile": {
                "name": "Ann",
                "communicationStyle": None,
                "patterns": [],
                "preferences": {"units": "metric"},
            },
            "provenance": {name: [{"by": "person", "at": _AT}] for name in ("name", "preferences")},
        },
    ),
    "list_entities": (None, {"entities": [_ENTITY], "count": 1}),
    "entity_stats": (None, {"total": 2, "types": {"person": 1, "organization": 1}}),
    "merge_proposals": (
        None,
        {
            "proposals": [
                {
                    "entity": _ENTITY,
                    "source": _ENTITY | {"id": "77d0aa", "name": "A. Ruiz", "aliases": ["A. Ruiz"]},
                    "reason": "initials",
                    "likeness": 1.0,
                }
            ],
            "count": 1,
        },
    ),
    "get_entity": (None, _ENTITY),
    "put_entity": ({"aliases": ["Ana Ruiz", "Anita"]}, _ENTITY | {"stated": ["aliases"]}),
    "delete_entity": (None, {"deleted": True, "entityId": "5f0c2d"}),
    "restore_entity": (None, _ENTITY),
    "merge_entities": ({"sourceId": "77d0aa"}, _ENTITY | {"merged": ["77d0aa"]}),
    "undo_merge": ({"sourceId": "77d0aa"}, {"entity": _ENTITY, "source": _ENTITY | {"id": "77d0aa"}}),
    "entity_conclusions": (None, {"conclusions": [_CONCLUSION], "count": 1}),
    "entity_episodes": (None, {"episodes": [_EPISODE], "count": 1}),
    "entity_relationships": (
        None,
        {
            "relationships": [_WORKS | {"sources": ["ep-1795228800000000"], "last_seen": _AT}],
            "count": 1,
        },
    ),
    "entity_graph": (
        None,
        {
            "nodes": [
                _ANA | {"depth": 0, "mention_count": 4},
                _OFFICE | {"depth": 1, "mention_count": 1},
            ],
            "edges": [{"subject": "5f0c2d", "kind": "works-at", "object": "9a41be", "confidence": 0.8}],
            "truncated": False,
        },
    ),
    "entity_page": (None, "# Ana Ruiz\n"),
    "list_conclusions": (None, {"conclusions": [_CONCLUSION]}),
    "list_consolidations": (
        None,
        {
            "consolidations": [
                {
                    "id": "1795228800000000",
                    "session_id": "session-1",
                    "at": _AT,
                    "outcome": "concluded",
                    "added": 2,
                    "changed": 1,
                    "removed": 0,
                    "left_out": 0,
                    "refused": [],
                }
            ]
        },
    ),
    "undo_consolidation": (
        None,
        {"undone": True, "consolidationId": "1795228800000000", "restored": 3, "kept": 0},
    ),
    "delete_conclusion": (None, {"deleted": True, "conclusionId": "c5f0e3"}),
    "delete_conclusions": (None, {"deleted": True, "count": 3}),
    "profile_history": (
        None,
        {"history": [{"at": _AT, "changes": [{"field": "name", "value": "Ann", "by": "person", "at": _AT}]}]},
    ),
    "ask_about_user": (
        {"question": "Where does she live?", "userId": "ann"},
        {
            "answer": "Lives in Oslo",
            "confidence": 0.93,
            "sources": [
                {"id": "conclusions:c5f0e3", "layer": "conclusions", "text": "Lives in Oslo", "at": _AT}
            ],
            "sentences": [{"text": "Lives in Oslo", "sources": ["conclusions:c5f0e3"]}],
            "by": "rules",
        },
    ),
    "forget": (
        {"query": "where I live", "userId": "ann"},
        {
            "dry_run": True,
            "forgotten": [
                {"id": "conclusions:c5f0e3", "layer": "conclusions", "text": "Lives in Oslo", "at": _AT}
            ],
        },
    ),
    "put_preferences": (
        {"preferences": {"theme": "dark", "privacySettings": {"storeAudio": False}}},
        _PREFERENCES,
    ),
    "get_preferences": (None, _PREFERENCES),
    "put_device": ({"userId": "ann"}, _DEVICE),
    "get_device": (None, _DEVICE),
    "delete_device": (None, {"deleted": True, "deviceId": "kitchen"}),
    "put_consent": ({"ai_consent": True}, _CONSENT),
    "get_consent": (None, _CONSENT),
    "list_audit_log": (None, [_ENTRY]),
    "put_session_consent": (
        {"consent": True},
        {"session_id": "session-1", "ai_consent": True, "external_ref": "ann", "updated_at": _AT},
    ),
    "accept_dpa": (None, {"dpaAcceptedAt": _AT, "dpaAcceptedBy": "key:k1"}),
    "get_dpa_status": (None, {"accepted": True, "acceptedAt": _AT, "acceptedBy": "key:k1"}),
    "get_personal_data": (
        None,
        {"exported_at": _AT, "items": {"sessions": [_ENDED], "episodes": [_EPISODE]}},
    ),
    "erase_personal_data": (None, {"erasure_id": "e-1", "status": "queued"}),
    "get_erasure": (
        None,
        {
            "erasure_id": "e-1",
            "status": "queued",
            "requested_at": _AT,
            "erased": {},
            "kept": ["This receipt, which names the person by a salted digest only."],
            "out_of_reach": ["Backups: the table can be restored to any second of the last 35 days."],
        },
    ),
    "maintain": (None, _REPORT),
    "maintenance_history": (None, {"reports": [_REPORT]}),
    "maintenance_report": (None, _REPORT),
    "exchange_messages": (
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "mem_search", "arguments": {"query": "When do we deploy?"}},
        },
        {
            "jsonrpc": "2.0",
            "id": 1,
            "result": {"content": [{"type": "text", "text": _RULE}], "isError": False},
        },
    ),
    "health": (None, _HEALTH),
    "health_or_503": (
        None,
        {
            "status": "healthy",
            "services": {"table": {"status": "healthy", "responseTime": 0.4}},
            "timestamp": 1795228800000,
        },
    ),
    "service_health": (
        None,
        {
            "status": "healthy",
            "responseTime": 0.4,
            "details": {"lastMaintenanceAt": 1767258000000, "totalSweeps": 1},
        },
    ),
    "metrics": (None, "# TYPE agtos_background_work_safe gauge\nagtos_background_work_safe 1\n"),
    "openapi_document": (None, None),
}
