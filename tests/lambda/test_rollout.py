"""A new version takes over step by step, and alarms roll it back: the template as CloudFormation gets it."""

from pathlib import Path
from typing import Any

import pytest

from strata.local.template import cloudformation
from support.iam_policies import FUNCTIONS
from support.lambda_deployment import ROOT, transformed

ALIAS = "AuthorizerAliaslive"


@pytest.fixture(scope="module")
def resources(sam: None) -> dict[str, Any]:
    return transformed("tested")["Resources"]


def test_every_function_shifts_its_calls_step_by_step_and_back_when_an_alarm_goes_off(resources):
    watch = cloudformation.read(Path(ROOT / "watch.yaml"))["Resources"].values()
    known = [each["Properties"].get("AlarmName") for each in watch]
    groups = {
        name: each["Properties"]
        for name, each in resources.items()
        if each["Type"] == "AWS::CodeDeploy::DeploymentGroup"
    }
    assert set(groups) == {f"{function}DeploymentGroup" for function in FUNCTIONS}
    for group in groups.values():
        condition, at_once, stepwise = group["AlarmConfiguration"]["Fn::If"]
        assert (condition, at_once, stepwise["Enabled"]) == ("AtOnce", {}, True)
        alarms = [each["Name"] for each in stepwise["Alarms"]]
        assert 0 < len(alarms) <= 10
        assert [each for each in alarms if each not in known] == []
        assert group["AutoRollbackConfiguration"]["Enabled"] is True
        assert group["DeploymentConfigName"]["Fn::Sub"][1] == {"ConfigName": "Canary10Percent5Minutes"}
    for function in FUNCTIONS:
        update = resources[f"{function}Aliaslive"]["UpdatePolicy"]["CodeDeployLambdaAliasUpdate"]
        assert update["DeploymentGroupName"] == {"Ref": f"{function}DeploymentGroup"}


def test_the_authorizer_is_called_by_its_alias(resources):
    """By the function's own name it would be a new version before its rollout, and never from a snapshot."""
    schemes = resources["Api"]["Properties"]["Body"]["components"]["securitySchemes"]
    for name in ("Credentials", "CredentialsInAnyHeader"):
        called = schemes[name]["x-amazon-apigateway-authorizer"]["authorizerUri"]["Fn::Sub"][1]
        assert called == {"__FunctionArn__": {"Ref": ALIAS}}
        permission = resources[f"Api{name}AuthorizerPermission"]["Properties"]
        assert permission["FunctionName"] == {"Ref": ALIAS}


def test_what_an_agent_waits_for_starts_from_a_snapshot_and_old_versions_keep_none(resources):
    snapped = {
        name
        for name, each in resources.items()
        if each["Type"] == "AWS::Lambda::Function" and "SnapStart" in each["Properties"]
    }
    assert snapped == {"Authorizer", "Save", "Search", "Context", "Mcp"}
    versions = [each for each in resources.values() if each["Type"] == "AWS::Lambda::Version"]
    assert len(versions) == len(FUNCTIONS)
    assert {each["DeletionPolicy"] for each in versions} == {"Delete"}


def test_a_sweep_that_could_not_be_started_or_failed_is_kept_as_a_dead_letter(resources):
    dead = {"Fn::GetAtt": ["DeadLetters", "Arn"]}
    target = resources["SweepNightly"]["Properties"]["Target"]
    assert target["DeadLetterConfig"] == {"Arn": dead}
    assert target["RoleArn"] == {"Fn::GetAtt": ["SweepScheduleRole", "Arn"]}
    (policy,) = resources["SweepScheduleRole"]["Properties"]["Policies"]
    allowed = {each["Action"]: each["Resource"] for each in policy["PolicyDocument"]["Statement"][:2]}
    assert allowed == {"lambda:InvokeFunction": target["Arn"], "sqs:SendMessage": dead}
    failed = resources["SweepEventInvokeConfig"]["Properties"]
    assert failed["DestinationConfig"] == {"OnFailure": {"Destination": dead}}
    assert failed["Qualifier"] == "live"
