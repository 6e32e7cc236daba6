"""docs/deployment.md has every parameter of the template, docs/operations.md every alarm."""

import re
from pathlib import Path

import pytest

from strata.local.template import cloudformation
from support.iam_policies import TEMPLATE, of_type

ROOT = Path(__file__).parents[3]
DEPLOYMENT = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
OPERATIONS = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
ALARMS = of_type("AWS::CloudWatch::Alarm", cloudformation.read(ROOT / "watch.yaml"))


def part(document, title):
    """The text under a heading."""
    return document.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("parameter", TEMPLATE["Parameters"])
def test_every_parameter_is_in_the_document(parameter):
    assert re.search(rf"^\|[^|]*`{parameter}`[^|]*\|", DEPLOYMENT, re.MULTILINE)


def test_the_document_names_no_parameter_that_there_is_not():
    rows = re.findall(r"^\|([^|]*)\|", part(DEPLOYMENT, "Parameters"), re.MULTILINE)
    named = {name for row in rows for name in re.findall("`([A-Za-z]+)`", row)}
    assert named == set(TEMPLATE["Parameters"])


def test_every_parameter_is_asked_for_in_a_group():
    groups = TEMPLATE["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    assert sorted(name for group in groups for name in group["Parameters"]) == sorted(TEMPLATE["Parameters"])


@pytest.mark.parametrize("alarm", ALARMS)
def test_every_alarm_says_what_to_do(alarm):
    name = alarm.removesuffix("Alarm")
    assert re.search(rf"^\|[^|]*\b{name}\b[^|]*\|", part(OPERATIONS, "Alarms and what to do"), re.MULTILINE)
