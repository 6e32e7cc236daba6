"""`WorkingMemory`, the conversation that an agent holds in memory, and the parts of its messages."""

from strata.client.working_memory.chat import from_chat, to_chat
from strata.client.working_memory.checkpoints import Checkpoint, CheckpointError, Reading, Restored
from strata.client.working_memory.delegations import Delegation
from strata.client.working_memory.fields import AsyncCheckpointField, CheckpointField
from strata.client.working_memory.files import CheckpointFile
from strata.client.working_memory.memory import WorkingMemory
from strata.client.working_memory.messages import Message
from strata.client.working_memory.parts import (
    File,
    Other,
    Part,
    Reasoning,
    Text,
    ToolCall,
    ToolResult,
    part_from_dict,
)
from strata.client.working_memory.tokens import estimated_tokens

__all__ = [
    "AsyncCheckpointField",
    "Checkpoint",
    "CheckpointError",
    "CheckpointField",
    "CheckpointFile",
    "Delegation",
    "File",
    "Message",
    "Other",
    "Part",
    "Reading",
    "Reasoning",
    "Restored",
    "Text",
    "ToolCall",
    "ToolResult",
    "WorkingMemory",
    "estimated_tokens",
    "from_chat",
    "part_from_dict",
    "to_chat",
]
