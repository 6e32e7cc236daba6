"""The rules of AgentOps's `toolHooks`, read from YAML.

Names, defaults and limits are those of AgentOps's Agent resource; an empty field counts as absent.
"""

import os
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, ValidationError, model_validator

from strata.client.hooks.patterns import Pattern
from strata.domain.wire.fields import Label
from strata.installation import adding

FROM_TOOL_ARGS = "from_tool_args"
_ROOT = "toolHooks"
_OF_THE_RUNTIME = frozenset({"blockedCommands", "allowedPaths", "auditTools"})


class HooksError(ValueError):
    """Invalid rules.

    Attributes:
        problems: `(field, sentence)` for each, the field as `toolHooks.memorySaveRules[0].type`.
    """

    def __init__(self, problems: list[tuple[str, str]]) -> None:
        super().__init__("; ".join(f"{field}: {message}" for field, message in problems))
        self.problems = problems


def _pattern(value: object) -> Pattern:
    if not isinstance(value, str):
        raise ValueError("should be a pattern, as a string")
    return Pattern(value)


_Pattern = Annotated[Pattern, PlainValidator(_pattern)]
_Tool = Annotated[str, Field(min_length=1, max_length=200)]


class _Rule(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True, arbitrary_types_allowed=True, strict=True)

    tool: _Tool
    """The tool's exact name."""

    @model_validator(mode="before")
    @classmethod
    def _empty_is_absent(cls, given: object) -> object:
        if not isinstance(given, Mapping):
            return given
        return {name: value for name, value in given.items() if not _is_empty(name, value)}


def _is_empty(name: object, value: object) -> bool:
    return value is None or value == "" or (name == "limit" and value == 0)


class SaveRule(_Rule):
    """Saves a tool's result as an observation."""

    match_output: _Pattern | None = Field(None, alias="matchOutput")
    match_args: dict[str, _Pattern] = Field(default_factory=dict, alias="matchArgs")
    """Name of an argument to a pattern; all of them must match."""
    type: Label = "discovery"
    scope: Literal["project", "global"] = "project"


class InjectRule(_Rule):
    """Searches before a tool runs, for a fixed text or for the tool's arguments."""

    query: str = FROM_TOOL_ARGS
    limit: Annotated[int, Field(ge=1, le=10)] = 3


class HookRules(BaseModel):
    """All rules of one agent."""

    model_config = ConfigDict(extra="allow", frozen=True)

    save_rules: list[SaveRule] = Field(default_factory=list, alias="memorySaveRules")
    inject_rules: list[InjectRule] = Field(default_factory=list, alias="contextInjectTools")

    @classmethod
    def from_yaml(cls, source: str | os.PathLike[str]) -> Self:
        """Rules from YAML text, or from the file that a `Path` names; needs PyYAML.

        Raises:
            HooksError: it is not YAML, or not rules.
            OSError: the file can't be read.
        """
        try:
            import yaml  # noqa: PLC0415 - who gives rules as a dict does not need it
        except ImportError:
            reason = f"YAML needs PyYAML: {adding('hooks')}"
            raise HooksError([(_ROOT, reason)]) from None
        text = source if isinstance(source, str) else Path(source).read_text(encoding="utf-8")
        try:
            document = yaml.safe_load(text)
        except (yaml.YAMLError, RecursionError) as error:
            raise HooksError([(_ROOT, f"is not YAML: {error}")]) from error
        if isinstance(document, str):
            raise HooksError([(_ROOT, "should be a mapping; a file is given as a Path")])
        return cls.from_dict(document)

    @classmethod
    def from_dict(cls, document: Any) -> Self:
        """Rules from parsed YAML: the whole Agent, a mapping with `toolHooks`, or the hooks alone.

        Unknown keys are logged as warnings, because the agent's author may rely on them.

        Raises:
            HooksError: naming every field that is wrong.
        """
        try:
            rules = cls.model_validate(_tool_hooks(document))
        except ValidationError as error:
            raise HooksError(
                [(_path(one["loc"]), _sentence(one["msg"])) for one in error.errors()]
            ) from error
        for field in rules._unknown():
            what = "is left to the agent's runtime" if field in _OF_THE_RUNTIME else "is not known"
            warnings.warn(f"{_ROOT}.{field} {what} and has no effect here", stacklevel=3)
        return rules

    def _unknown(self) -> Iterator[str]:
        yield from self.model_extra or ()
        for name, rules in (("memorySaveRules", self.save_rules), ("contextInjectTools", self.inject_rules)):
            for place, rule in enumerate(rules):
                yield from (f"{name}[{place}].{key}" for key in rule.model_extra or ())


def _tool_hooks(document: Any) -> Any:
    for key in ("spec", _ROOT):
        if isinstance(document, Mapping) and key in document:
            document = document[key]
    return {} if document is None else document


def _path(loc: tuple[int | str, ...]) -> str:
    return _ROOT + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc)


def _sentence(message: str) -> str:
    return message.removeprefix("Value error, ")
