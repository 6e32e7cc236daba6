"""Every kind of row: its key, and how it becomes what goes over the wire.

The tenant is not part of any key here; the table's adapter puts the scope's tenant in front.
What comes from a caller is escaped, so that no value can reach into another row's key.
docs/data-model.md lists the same rows with who reads them how.
"""

from strata.services.records.directory import KEY_LIST_PK, api_key_line, api_key_row
from strata.services.records.observations import (
    GLOBAL_PK,
    LAST_OBSERVATION,
    OBSERVATION_KIND,
    OBSERVATION_PREFIX,
    TRASH_PREFIX,
    change_key,
    hash_key,
    observation_id_of,
    observation_key,
    observation_of,
    pointed_id,
    pointer_key,
    project_pk,
    session_observations,
    to_observation,
    topic_guard_key,
    trash_key,
)
from strata.services.records.parts import CHANGE_PREFIX, POINTER_SK, digest, noted_at, numbered, part
from strata.services.records.sessions import (
    SESSION_SK,
    project_sessions,
    project_summaries,
    session_key,
    summarized,
    to_session,
)
from strata.services.records.totals import STATS_PK, stats_key

__all__ = [
    "CHANGE_PREFIX",
    "GLOBAL_PK",
    "KEY_LIST_PK",
    "LAST_OBSERVATION",
    "OBSERVATION_KIND",
    "OBSERVATION_PREFIX",
    "POINTER_SK",
    "SESSION_SK",
    "STATS_PK",
    "TRASH_PREFIX",
    "api_key_line",
    "api_key_row",
    "change_key",
    "digest",
    "hash_key",
    "noted_at",
    "numbered",
    "observation_id_of",
    "observation_key",
    "observation_of",
    "part",
    "pointed_id",
    "pointer_key",
    "project_pk",
    "project_sessions",
    "project_summaries",
    "session_key",
    "session_observations",
    "stats_key",
    "summarized",
    "to_observation",
    "to_session",
    "topic_guard_key",
    "trash_key",
]
