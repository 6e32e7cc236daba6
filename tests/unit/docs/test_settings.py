"""docs/settings.md names every setting that is read, and none that is not."""

import re
from pathlib import Path

from pydantic import AliasChoices, BaseModel

from strata.local.template import declarations
from strata.settings import Settings, queue_setting
from strata.settings.knowledge import KnowledgeSettings
from strata.settings.models import TASK_SUFFIXES, EmbeddingSettings, LanguageSettings
from strata.settings.observing import ObservingSettings
from strata.settings.server import ServerSettings
from strata.settings.stores import DynamoSettings, OpenSearchSettings
from strata.settings.tokens import TokenSettings

DOCUMENT = (Path(__file__).parents[3] / "docs" / "settings.md").read_text(encoding="utf-8")
OF_CLIENTS = {"STRATA_URL", "STRATA_API_KEY", "STRATA_PROJECT"} | {
    "MEMORY_ENABLED",  # these of programs written for KAOS
    "MEMORY_TYPE",
    "MEMORY_CONTEXT_LIMIT",
}
READ = (
    Settings,
    ServerSettings,
    TokenSettings,
    KnowledgeSettings,
    ObservingSettings,
    DynamoSettings,
    OpenSearchSettings,
    EmbeddingSettings,
    LanguageSettings,
)
OF_LAMBDA = {"AWS_LAMBDA_FUNCTION_MEMORY_SIZE"}
JOINED = {"orphanImportanceThreshold", "MEMORY_LISTEN"}  # host and port in one
OF_TASKS = {
    f"STRATA_{task}_MODEL{suffix}" for task in ("CONSOLIDATION", "JUDGE") for suffix in TASK_SUFFIXES
} | {
    "AGTOS_MAINTENANCE_PROVIDER",
    "AGTOS_MAINTENANCE_MODEL",
    "AGTOS_CONSOLIDATION_PROVIDER",
    "AGTOS_CONSOLIDATION_MODEL",
}
OF_QUEUES = {queue_setting(queue.name) for queue in declarations.load().queues.values()}


def names_of(model: type[BaseModel]) -> set[str]:
    aliases = [field.validation_alias for field in model.model_fields.values()]
    return {
        str(name)
        for alias in aliases
        if alias is not None
        for name in (alias.choices if isinstance(alias, AliasChoices) else [alias])
    }


def test_the_document_names_every_setting_and_no_other():
    read = {name for model in READ for name in names_of(model)}
    written = set(
        re.findall(
            r"`((?:STRATA|OLLAMA|MEMORY|AGENT|OTEL|AGTOS|DEDUPE|WORKING_MEMORY)_[A-Z0-9_]+"
            r"|[a-z]\w+Threshold\w*)`",
            DOCUMENT,
        )
    )
    assert written == read - OF_LAMBDA | OF_CLIENTS | JOINED | OF_QUEUES | OF_TASKS
