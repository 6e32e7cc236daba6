"""The actions that the template lets each function do."""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from strata.local.template import cloudformation

TEMPLATE = cloudformation.read(Path(__file__).parents[2] / "template.yaml")
RESOURCES: dict[str, Any] = TEMPLATE["Resources"]

Asked = tuple[str, str]
"""An action of IAM and what it is done to: `Table`, `Table/index/gsi1`, `Bodies/*`, `ErasureQueue`."""


def of_type(kind: str, template: dict[str, Any] = TEMPLATE) -> dict[str, dict[str, Any]]:
    """The properties of a template's resources of a type."""
    resources = template["Resources"].items()
    return {name: spec["Properties"] for name, spec in resources if spec["Type"] == kind}


FUNCTIONS = of_type("AWS::Serverless::Function")
POLICIES = of_type("AWS::IAM::ManagedPolicy")


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def statements(function: str) -> Iterator[dict[str, Any]]:
    """The statements of a function's own policies, and of those attached to its role."""
    role = {"Ref": f"{function}Role"}
    for policy in FUNCTIONS[function]["Policies"]:
        document = POLICIES[policy["Ref"]]["PolicyDocument"] if "Ref" in policy else policy
        yield from _allowed(document)
    for policy in POLICIES.values():
        if role in policy.get("Roles", []):
            yield from policy["PolicyDocument"]["Statement"]


def grants(function: str) -> Iterator[tuple[Asked, str]]:
    """Each action with its resource, and the only partition keys that it is good for, as a pattern."""
    for statement in statements(function):
        assert statement["Effect"] == "Allow"
        condition = statement.get("Condition", {}).get("ForAllValues:StringLike", {})
        (keys,) = condition.get("dynamodb:LeadingKeys", ["*"])
        for asked in _grants(statement):
            yield asked, keys


def shared(function: str) -> dict[str, set[Asked]]:
    """The actions that each of the policies allows that a function shares with others."""
    refs = [policy["Ref"] for policy in FUNCTIONS[function]["Policies"] if "Ref" in policy]
    return {
        ref: {asked for each in _allowed(POLICIES[ref]["PolicyDocument"]) for asked in _grants(each)}
        for ref in refs
    }


def own(function: str) -> set[Asked]:
    """The actions that a function alone is allowed, but for those that a parameter turns on."""
    policies = [policy for policy in FUNCTIONS[function]["Policies"] if "Statement" in policy]
    always = [each for policy in policies for each in policy["Statement"] if "Fn::If" not in each]
    return {asked for each in always for asked in _grants(each)}


def allows(function: str, asked: Asked, partition: str | None) -> bool:
    """Whether a function may do what it asks for, to a row of this partition where it is about one."""
    return any(
        grant == asked and (keys == "*" or (partition is not None and fnmatchcase(partition, keys)))
        for grant, keys in grants(function)
    )


def holds(function: str, policy: str) -> bool:
    """Whether a policy that names its roles names this function's."""
    return {"Ref": f"{function}Role"} in POLICIES[policy]["Roles"]


def _allowed(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A document's statements as they are where their conditions hold."""
    for statement in document["Statement"]:
        allowed = statement.get("Fn::If", [None, statement])[1]
        if allowed != {"Ref": "AWS::NoValue"}:
            yield allowed


def _grants(statement: dict[str, Any]) -> Iterator[Asked]:
    for action in as_list(statement["Action"]):
        for resource in as_list(statement["Resource"]):
            yield action, _named(resource)


def _named(resource: Any) -> str:
    match resource:
        case {"Fn::If": ["OwnTable" | "OwnBodies", made, _]}:
            return _named(made)
        case {"Fn::GetAtt": [str(name), "Arn"]}:
            return name
        case {"Fn::Sub": str(text)}:
            return re.sub(r"\$\{(\w+)\.Arn\}", r"\1", text)
        case {"Ref": str(name)}:
            return name
    return str(resource)
