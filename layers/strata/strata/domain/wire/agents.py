"""What an agent may remember of the people it speaks with (Fyso's agents-config)."""

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
    """How an agent remembers people.

    Attributes:
        memory_enabled: whether facts about people are found after a conversation, and given to the agent.
        fact_retention_days: for how long a fact is kept; None for good.
        transcript_retention_days: for how long a conversation's transcript is kept after its facts were
            found; 0 deletes it then.
        redact: whether secrets are taken out of transcripts and facts.
        max_facts: about one person; above it the oldest go.
        max_facts_per_session: what one conversation may add.
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
    """Change what is named; null sets a value back to its default."""

    memory_enabled: bool | None = None
    fact_retention_days: Days | None = None
    transcript_retention_days: DaysOrNone | None = None
    redact: bool | None = None
    max_facts: FactCap | None = None
    max_facts_per_session: SessionFactCap | None = None
