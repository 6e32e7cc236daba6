"""Configurations of agents as they go over the wire: what an agent may remember about people (Fyso)."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, PlainValidator, StrictBool, StringConstraints, WithJsonSchema

from strata.domain.wire.base import Wire
from strata.domain.wire.exact_json import size, to_text
from strata.domain.wire.fields import Label, Title, no_flag

MAX_DAYS = 3650
MAX_FACTS = 10_000
MAX_FACTS_OF_A_SESSION = 200

MAX_PROMPT = 50_000
MAX_STEPS = 1000


def _object(value: object) -> str:
    if not isinstance(value, dict):
        raise ValueError("should be a JSON object")
    text = to_text(value)
    if size(text) > MAX_PROMPT:
        raise ValueError(f"should have at most {MAX_PROMPT} bytes as JSON")
    return text


FreeForm = Annotated[str, PlainValidator(_object), WithJsonSchema({"type": "object"})]
"""An object of any JSON, held as its text."""
FREE_FORM = frozenset({"fallback_messages", "tools_scope"})
"""The fields of that type."""

Prompt = Annotated[str, StringConstraints(max_length=MAX_PROMPT)]
Steps = Annotated[int, Field(ge=1, le=MAX_STEPS), BeforeValidator(no_flag)]
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

    The fields from `name` on are Fyso's. They are kept and given back, and nothing here depends on them.
    """

    agent_id: str
    memory_enabled: bool = False
    fact_retention_days: int | None = None
    transcript_retention_days: int = 0
    redact: bool = True
    max_facts: int = 1000
    max_facts_per_session: int = 50
    updated_at: str | None = None
    name: str | None = None
    system_prompt: str | None = None
    fallback_mode: str | None = None
    fallback_messages: dict[str, Any] | None = None
    tools_scope: dict[str, Any] | None = None
    max_steps: int | None = None
    knowledge_enabled: bool | None = None
    schedules_enabled: bool | None = None
    status: str | None = None


class AgentConfigChange(Wire):
    """A change to a configuration. Absent fields stay as they are; null restores a default."""

    memory_enabled: StrictBool | None = None
    fact_retention_days: Days | None = None
    transcript_retention_days: DaysOrNone | None = None
    redact: StrictBool | None = None
    max_facts: FactCap | None = None
    max_facts_per_session: SessionFactCap | None = None
    name: Title | None = None
    system_prompt: Prompt | None = None
    fallback_mode: Label | None = None
    fallback_messages: FreeForm | None = None
    tools_scope: FreeForm | None = None
    max_steps: Steps | None = None
    knowledge_enabled: StrictBool | None = None
    schedules_enabled: StrictBool | None = None
    status: Label | None = None
