"""Configurations of agents as they go over the wire: what an agent may remember about people (Fyso)."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from strata.domain.wire.base import Wire
from strata.domain.wire.fields import no_flag

MAX_DAYS = 3650
MAX_FACTS = 10_000
MAX_FACTS_OF_A_SESSION = 200

Days = Annotated[int, Field(ge=1, le=MAX_DAYS), BeforeValidator(no_flag)]
DaysOrNone = Annotated[int, Field(ge=0, le=MAX_DAYS), BeforeValidator(no_flag)]
FactCap = Annotated[int, Field(ge=1, le=MAX_FACTS), BeforeValidator(no_flag)]
SessionFactCap = Annotated[int, Field(ge=1, le=MAX_FACTS_OF_A_SESSION), BeforeValidator(no_flag)]


class AgentConfig(Wire):
    """The configuration of an agent.

    Attributes:
        memory_enabled: whether facts about people are extracted after a conversation and given to the agent.
        fact_retention_days: days until a fact is deleted; None keeps it for good.
        transcript_retention_days: days until a transcript is deleted after its facts were
            extracted; 0 deletes it at once.
        redact: whether secrets are removed from transcripts and facts.
        max_facts: the most facts about one person; beyond it the oldest are deleted.
        max_facts_per_session: the most facts that one conversation may add.
    """

    agent_id: str
    memory_enabled: bool = False
    fact_retention_days: int | None = None
    transcript_retention_days: int = 0
    redact: bool = True
    max_facts: int = 1000
    max_facts_per_session: int = 50
    updated_at: str | None = None


class AgentConfigChange(Wire):
    """A change to a configuration. Absent fields stay as they are; null restores a default."""

    memory_enabled: bool | None = None
    fact_retention_days: Days | None = None
    transcript_retention_days: DaysOrNone | None = None
    redact: bool | None = None
    max_facts: FactCap | None = None
    max_facts_per_session: SessionFactCap | None = None
