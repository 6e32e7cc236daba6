"""Parameters of template.yaml: contradictions are refused at once, and defaults fit a fresh account."""

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from strata.local.template import cloudformation
from support.iam_policies import FUNCTIONS, RESOURCES, TEMPLATE

ROOT = Path(__file__).parents[3]
STAGES = {
    name: section["deploy"]["parameters"]
    for name, section in tomllib.loads((ROOT / "samconfig.toml").read_text()).items()
    if name != "version"
}
FRESH_ACCOUNT = 10
"""Executions at once that a new account of AWS has."""

SECRET = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:key"
DYNAMODB = "arn:aws:dynamodb:eu-central-1:123456789012"
BUS = "arn:aws:events:eu-central-1:123456789012:event-bus/own"
IN_VPC = {"SearchSubnets": "subnet-1,subnet-2", "SearchSecurityGroups": "sg-1"}
TAKEN_OVER = {
    "TableArn": f"{DYNAMODB}:table/restored",
    "TableStreamArn": f"{DYNAMODB}:table/restored/stream/2026-11-20T08:00:00.000",
    "BodiesBucket": "bodies-of-another-stack",
}
BEDROCK = {
    "Model": "bedrock",
    "ModelName": "eu.a.b",
    "ModelArns": "arn:aws:bedrock:eu-central-1::foundation-model/a.b",
}


def refusals(given: dict[str, str]) -> set[str]:
    """The rules that refuse these parameters, as CloudFormation asks them before it makes anything."""
    rules = TEMPLATE["Rules"]
    return {
        name
        for name, rule in rules.items()
        if _holds(rule.get("RuleCondition", {"Fn::Equals": ["", ""]}), given)
        and not all(_holds(each["Assert"], given) for each in rule["Assertions"])
    }


def _holds(condition: dict[str, Any], given: dict[str, str]) -> bool:
    condition = _spelled_out(condition)
    resolver = cloudformation.Resolver(TEMPLATE | {"Conditions": {"asked": condition}}, given)
    return bool(resolver.resolve({"Fn::If": ["asked", True, False]}))


def _spelled_out(condition: Any) -> Any:
    """With `Fn::Contains`, which rules alone have, as equalities."""
    match condition:
        case {"Fn::Contains": [values, wanted]}:
            return {"Fn::Or": [{"Fn::Equals": [value, wanted]} for value in values]}
        case dict():
            return {name: _spelled_out(inner) for name, inner in condition.items()}
        case list():
            return list(map(_spelled_out, condition))
    return condition


def parameters_of(stage: str) -> dict[str, str]:
    return dict(each.split("=", 1) for each in STAGES[stage]["parameter_overrides"])


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (BEDROCK | {"ModelName": ""}, "BedrockModel"),
        (BEDROCK | {"ModelArns": ""}, "BedrockModel"),
        (BEDROCK | {"ModelKeyArn": SECRET}, "BedrockModel"),
        ({"Model": "openai", "ModelKeyArn": SECRET}, "OpenAiModel"),
        ({"Model": "openai", "ModelName": "small"}, "OpenAiModel"),
        ({"ModelName": "small"}, "NoModel"),
        ({"ConsolidationModelName": "large"}, "NoModel"),
        ({"ModelArns": BEDROCK["ModelArns"]}, "NoModel"),
        ({"JudgeModelName": "large"}, "NoModel"),
        ({"NliModel": "s3://models/nli", "Runtime": "python3.11"}, "CrossEncoder"),
        ({"EventBusArn": BUS, "EventWebhook": "https://events.example"}, "OneTeller"),
        ({"ModelDailyDollars": "1"}, "CapInDollars"),
        ({"Embedder": "openai"}, "OpenAiEmbedder"),
        ({"Embedder": "bedrock", "EmbeddingKeyArn": SECRET}, "OtherEmbedder"),
        ({"EmbeddingDimensions": "512"}, "TableEmbedder"),
        ({"JwtIssuer": "https://issuer.example"}, "Tokens"),
        ({"JwtAudience": "strata"}, "Tokens"),
        ({"SearchArn": "arn:aws:es:eu-central-1:123456789012:domain/own"}, "GivenEngine"),
        ({"SearchZones": "3"}, "Zones"),
        ({"SearchInstanceCount": "3"}, "Zones"),
        ({"SearchSubnets": "subnet-1"}, "Network"),
        (IN_VPC | {"SearchEngine": "serverless"}, "Network"),
        ({"TableArn": f"{DYNAMODB}:table/restored"}, "GivenTable"),
        ({"TableStreamArn": f"{DYNAMODB}:table/restored/stream/2026"}, "OwnTable"),
        ({"BodiesBucket": "bodies"}, "OwnTable"),
        ({"AlarmTopicArn": "arn:aws:sns:eu-central-1:123456789012:own", "AlarmEmail": "a@b.example"}, "Mail"),
    ],
)
def test_parameters_that_contradict_each_other_are_refused(given, rule):
    assert refusals(given) == {rule}


@pytest.mark.parametrize(
    "given",
    [
        {},
        BEDROCK | {"ModelDailyDollars": "1", "ModelInputPrice": "3", "ModelOutputPrice": "15"},
        {"Model": "openai", "ModelName": "small", "ModelUrl": "https://models.example/v1"},
        {"Embedder": "openai", "EmbeddingKeyArn": SECRET, "EmbeddingDimensions": "512"},
        {"Embedder": "bedrock"},
        {"NliModel": "s3://models/nli", "EventBusArn": BUS},
        {"EventWebhook": "https://events.example"},
        {"JwtIssuer": "https://issuer.example", "JwtAudience": "strata"},
        {
            "SearchEndpoint": "https://engine.example",
            "SearchArn": "arn:aws:es:eu-central-1:123456789012:domain/own",
        },
        TAKEN_OVER,
        {"SearchZones": "3", "SearchInstanceCount": "6"},
        {"SearchZones": "1", "SearchInstanceCount": "3"},
        {"SearchInstanceCount": "1"},
        IN_VPC,
        *map(parameters_of, STAGES),
    ],
)
def test_parameters_that_agree_are_taken(given):
    assert refusals(given) == set()


def test_a_rule_refuses_with_a_sentence_and_names_parameters_that_there_are():
    for rule in TEMPLATE["Rules"].values():
        for each in rule["Assertions"]:
            assert each["AssertDescription"].endswith(".")
        assert set(re.findall(r"'Ref': '(\w+)'", str(rule))) <= set(TEMPLATE["Parameters"])


def test_a_fresh_account_can_hold_what_the_defaults_reserve():
    """Executions are reserved out of the account's limit, and of ten all must stay free."""
    resolved = cloudformation.Resolver(TEMPLATE).resolve(TEMPLATE)["Resources"]
    functions = {name: resolved[name]["Properties"] for name in FUNCTIONS}
    assert [name for name, each in functions.items() if "ReservedConcurrentExecutions" in each] == []
    at_once = [
        event["Properties"]["ScalingConfig"]["MaximumConcurrency"]
        for each in functions.values()
        for event in each.get("Events", {}).values()
        if event["Type"] == "SQS"
    ]
    assert len(at_once) >= 4
    assert sum(at_once) < FRESH_ACCOUNT, "queues leave calls of the API room"


def test_a_creation_that_is_rolled_back_leaves_nothing_behind():
    """`Retain` would keep table, bucket and key of a failed stack; a protected table can't be deleted."""
    kept = {
        name: each["DeletionPolicy"]
        for name, each in RESOURCES.items()
        if each.get("DeletionPolicy", "Delete") != "Delete"
    }
    assert kept == dict.fromkeys(("Table", "Bodies", "Key"), "RetainExceptOnCreate")
    resolved = cloudformation.Resolver(TEMPLATE).resolve(RESOURCES["Table"]["Properties"])
    assert resolved["DeletionProtectionEnabled"] == "false"


def test_a_stack_that_takes_a_table_over_names_none_of_its_own():
    """Nothing refers to resources that are not made; the old table stays when the stack lets it go."""
    resolved = cloudformation.Resolver(TEMPLATE, TAKEN_OVER).resolve(
        {part: TEMPLATE[part] for part in ("Globals", "Resources", "Outputs")}
    )
    assert {"Table", "Bodies", "BodiesPolicy"} & set(resolved["Resources"]) == set()
    text = json.dumps(resolved)
    assert not re.findall(
        r'"Ref": "(?:Table|Bodies)"|"(?:Table|Bodies)", "\w*Arn"|\$\{(?:Table|Bodies)\.', text
    )
    assert TAKEN_OVER["BodiesBucket"] in text
    stream = resolved["Resources"]["Indexer"]["Properties"]["Events"]["Stream"]["Properties"]["Stream"]
    assert stream == TAKEN_OVER["TableStreamArn"]
    assert f"{TAKEN_OVER['TableArn']}/index/gsi1" in text


def test_a_release_asks_nothing():
    """Answers to what `sam deploy` would ask stand in samconfig.toml, or are defaults of the template."""
    (recipe,) = re.findall(r"^release:.*\n\t(.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert "--config-env $(STAGE)" in recipe
    assert "--no-confirm-changeset" in recipe
    assert "--guided" not in recipe
    assert "--parameter-overrides" not in recipe, "they would replace those of samconfig.toml"
    assert [name for name, each in TEMPLATE["Parameters"].items() if "Default" not in each] == []
    for stage, given in STAGES.items():
        assert parameters_of(stage)["Stage"] == stage
        assert set(parameters_of(stage)) <= set(TEMPLATE["Parameters"])
        assert given["resolve_s3"] is True
        assert given["fail_on_empty_changeset"] is False, "a release of what is there already is none"


@pytest.mark.parametrize(
    ("config", "built_for"),
    [
        ('parameter_overrides = ["Stage=prod"]', "python3.13 x86_64"),
        ('parameter_overrides = [\n  "Runtime=python3.12",\n  "Stage=prod",\n]', "python3.12 x86_64"),
        (r'parameter_overrides = "Architecture=\"arm64\" Runtime=\"python3.11\""', "python3.11 arm64"),
    ],
)
def test_the_layer_is_built_for_what_the_stage_is_given(tmp_path, config, built_for):
    (tmp_path / "samconfig.toml").write_text(
        f"[prod.deploy.parameters]\n{config}\n"
        '[other.deploy.parameters]\nparameter_overrides = ["Runtime=none"]\n'
    )
    shown = "shown: ; @echo $(RUNTIME) $(ARCHITECTURE)"
    command = ["make", "-s", "-f", str(ROOT / "Makefile"), f"--eval={shown}", "shown", "STAGE=prod"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=True, env={"PATH": os.environ["PATH"]}
    )
    assert done.stdout.strip() == built_for


def test_the_makefile_builds_for_the_template_s_defaults():
    makefile = (ROOT / "Makefile").read_text()
    for name in ("Runtime", "Architecture"):
        (default,) = re.findall(rf"GIVEN,{name}\),(\w+(?:\.\d+)?)\)", makefile)
        assert default == TEMPLATE["Parameters"][name]["Default"]
