"""Reads a CloudFormation document and resolves values that are known before a deployment.

`!Ref` and the other intrinsic functions become their long form (`{"Ref": ...}`, `{"Fn::GetAtt": ...}`).
`Resolver` replaces those that depend on parameters and conditions only; others, such as references to
resources, stay.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

Document = dict[str, Any]

_NOTHING = {"Ref": "AWS::NoValue"}


class TemplateError(ValueError):
    """The template cannot run here; the message names the entry and the reason."""


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The safe loader with CloudFormation's short forms, as its own class, so that others are unchanged."""


def _long_form(loader: Any, name: str, node: yaml.Node) -> Document:
    if isinstance(node, yaml.ScalarNode):
        value = loader.construct_scalar(node)
        if name == "GetAtt":
            value = value.split(".", 1)
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    else:
        value = loader.construct_mapping(node, deep=True)
    return {name if name in ("Ref", "Condition") else f"Fn::{name}": value}


_Loader.add_multi_constructor("!", _long_form)


def read(path: Path) -> Document:
    """Read the document in `path`.

    Raises:
        TemplateError: there is no such file, or it is not YAML or has no resources.
    """
    try:
        document = yaml.load(path.read_bytes(), Loader=_Loader)  # noqa: S506 - derived from the safe loader
    except OSError as error:
        raise TemplateError(f"cannot read the template {path}: {error.strerror}") from error
    except yaml.YAMLError as error:
        raise TemplateError(f"{path} is not valid YAML: {error}") from error
    if not isinstance(document, dict) or not isinstance(document.get("Resources"), dict):
        raise TemplateError(f"{path} has no Resources")
    return document


class Resolver:
    """Resolves values of a document by its parameters and conditions.

    Args:
        document: as `read` gives it.
        parameters: values that replace the document's defaults.
    """

    def __init__(self, document: Document, parameters: Mapping[str, Any] | None = None) -> None:
        declared = document.get("Parameters", {})
        defaults = {name: spec["Default"] for name, spec in declared.items() if "Default" in spec}
        self._parameters: Document = defaults | dict(parameters or {})
        self._conditions: Document = document.get("Conditions", {})

    def resolve(self, value: Any) -> Any:
        """Resolve known functions; resources and members that resolve to nothing are left out.

        Raises:
            TemplateError: a condition is not declared, or cannot be evaluated here.
        """
        resolved: Any = value
        match value:
            case list():
                resolved = [inner for inner in map(self.resolve, value) if inner != _NOTHING]
            case {"Type": _, "Condition": condition} if not self._holds(condition):
                resolved = _NOTHING
            case {"Ref": str(name)} if len(value) == 1:
                resolved = self._parameters.get(name, value)
            case {"Fn::If": [str(name), then, otherwise]} if len(value) == 1:
                resolved = self.resolve(then if self._holds(name) else otherwise)
            case {"Fn::Sub": str(text)} if len(value) == 1:
                resolved = self._substituted(text)
            case dict():
                members = {name: self.resolve(inner) for name, inner in value.items()}
                resolved = {name: inner for name, inner in members.items() if inner != _NOTHING}
        return resolved

    def _substituted(self, text: str) -> Any:
        """The text with its parameters; the unresolved function if it names anything else."""
        filled = text
        for name, given in self._parameters.items():
            filled = filled.replace(f"${{{name}}}", str(given))
        return {"Fn::Sub": text} if "${" in filled else filled

    def _holds(self, condition: Any) -> bool:
        match condition:
            case str(name) | {"Condition": str(name)}:
                if name not in self._conditions:
                    raise TemplateError(f"the condition {name} is not declared")
                return self._holds(self._conditions[name])
            case {"Fn::Equals": [left, right]}:
                return str(self.resolve(left)) == str(self.resolve(right))
            case {"Fn::Not": [inner]}:
                return not self._holds(inner)
            case {"Fn::And": list(all_of)}:
                return all(map(self._holds, all_of))
            case {"Fn::Or": list(any_of)}:
                return any(map(self._holds, any_of))
        raise TemplateError(f"cannot tell whether this condition holds: {condition}")
