"""Several stages deploy into one account and region: SAM gives no resource the same name in two of them."""

import json
from typing import Any

import pytest

from support.lambda_deployment import transformed

WITHIN_A_RESOURCE = {"AWS::ApiGatewayV2::Stage", "AWS::Lambda::Alias"}
"""Kinds of resources named within an API or a function, so that every stack may use the same name."""

OF_AWS = "DeploymentConfigName"
"""Names a configuration that AWS brings along."""


@pytest.fixture(scope="module")
def resources(sam: None) -> dict[str, Any]:
    """The resources of the transformed template, for a stage called `second`."""
    return transformed("second")["Resources"]


def test_every_physical_name_of_the_transformed_template_holds_the_stage(resources):
    given = {
        (name, key): json.dumps(value)
        for name, resource in resources.items()
        if resource["Type"] not in WITHIN_A_RESOURCE
        for key, value in resource.get("Properties", {}).items()
        if key.endswith("Name") and key != OF_AWS and not refers(value)
    }

    assert len(given) >= 3
    assert {where: value for where, value in given.items() if not of_a_stage(value)} == {}


def test_a_schedule_gets_its_name_from_cloudformation(resources):
    schedules = [each for each in resources.values() if each["Type"] == "AWS::Scheduler::Schedule"]

    assert schedules
    assert [each for each in schedules if "Name" in each["Properties"]] == []


def refers(value: Any) -> bool:
    """Whether it is the name of another resource of the same stack."""
    return isinstance(value, dict) and bool({"Ref", "Fn::GetAtt"} & set(value))


def of_a_stage(name: str) -> bool:
    return "${Stage}" in name or "second" in name
