"""Reads a CloudFormation document and resolves what is known before a deployment.

`!Ref` and the other intrinsic functions become their long form (`{"Ref": ...}`, `{"Fn::GetAtt": ...}`).
`resolve` replaces those that parameter defaults and conditions decide; all else, such as a reference to a
resource, stays.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml

Document = dict[str, Any]

_NOTHING = {"Ref": "AWS::NoValue"}


class TemplateError(ValueError):
    """The template cannot be run here; the message says which entry and why."""


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The safe loader with CloudFormation's short forms; a class of its own: no other reader changes."""


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
    """The document in `path`.

    Raises:
        TemplateError: no such file, not YAML, or not a mapping.
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


def resolver(document: Document, parameters: Mapping[str, Any] | None = None) -> Callable[[Any], Any]:
    """A function that resolves any value of the document by its parameters' defaults and its conditions."""
    known = {
        name: spec["Default"] for name, spec in document.get("Parameters", {}).items() if "Default" in spec
    }
    known |= parameters or {}
    conditions = document.get("Conditions", {})

    def holds(condition: Any) -> bool:
        if isinstance(condition, str):
            if condition not in conditions:
                raise TemplateError(f"the condition {condition} is not declared")
            return holds(conditions[condition])
        match condition:
            case {"Condition": str(name)}:
                return holds(name)
            case {"Fn::Equals": [left, right]}:
                return str(resolve(left)) == str(resolve(right))
            case {"Fn::Not": [inner]}:
                return not holds(inner)
            case {"Fn::And": list(all_of)}:
                return all(holds(inner) for inner in all_of)
            case {"Fn::Or": list(any_of)}:
                return any(holds(inner) for inner in any_of)
        raise TemplateError(f"cannot tell whether this condition holds: {condition}")

    def resolve(value: Any) -> Any:
        if isinstance(value, list):
            return [inner for inner in map(resolve, value) if inner != _NOTHING]
        if not isinstance(value, dict):
            return value
        if "Type" in value and "Condition" in value and not holds(value["Condition"]):
            return _NOTHING
        resolved = intrinsic(value) if len(value) == 1 else value
        if resolved is not value:
            return resolved
        members = {key: resolve(inner) for key, inner in value.items()}
        return {key: inner for key, inner in members.items() if inner != _NOTHING}

    def intrinsic(value: Document) -> Any:
        match value:
            case {"Ref": str(name)}:
                return known.get(name, value)
            case {"Fn::If": [str(name), then, otherwise]}:
                return resolve(then if holds(name) else otherwise)
            case {"Fn::Sub": str(text)}:
                for name, default in known.items():
                    text = text.replace(f"${{{name}}}", str(default))
                return value if "${" in text else text
        return value

    return resolve
