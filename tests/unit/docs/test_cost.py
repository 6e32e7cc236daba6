"""docs/cost.md charges what the templates make by default."""

import re
from pathlib import Path

from strata.local.template import cloudformation
from support.iam_policies import FUNCTIONS, TEMPLATE

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "cost.md").read_text()
DEFAULTS = PAGE.partition("## A month of the template's defaults")[2].partition("\n## ")[0]
HOURS = 730
TIMES = "\N{MULTIPLICATION SIGN}"


def priced(what: str) -> tuple[str, float]:
    """A line of the defaults: how much there is of it, and its dollars."""
    (line,) = re.findall(rf"^\| {what}[^|]*\|([^|]*)\| \**\$([0-9.]+)", DEFAULTS, re.MULTILINE)
    return line[0], float(line[1])


def default(parameter: str) -> object:
    return TEMPLATE["Parameters"][parameter]["Default"]


def test_the_domain_and_its_disks_are_the_default_ones():
    nodes, size = int(str(default("SearchInstanceCount"))), int(str(default("SearchVolumeSize")))
    assert f"{nodes} {TIMES} {default('SearchInstanceType')}" in DEFAULTS
    assert priced("the domain")[1] == round(nodes * 0.073 * HOURS, 2)
    assert f"{nodes} {TIMES} {size} GiB" in DEFAULTS
    assert priced("its disks")[1] == round(nodes * size * 0.122, 2)
    assert default("SearchMasters") == 0


def test_the_alarms_metrics_are_charged():
    """To ten: a function more brings two."""
    watch = cloudformation.read(ROOT / "watch.yaml")["Resources"].values()
    alarms = [each["Properties"] for each in watch if each["Type"] == "AWS::CloudWatch::Alarm"]
    metrics = sum(sum("MetricStat" in each for each in alarm.get("Metrics", [])) or 1 for alarm in alarms)
    much, dollars = priced("alarms")
    told = int(much.split()[0])
    assert abs(metrics - told) <= 10
    assert dollars == round(told * 0.10, 2)


def test_every_function_with_a_snapshot_is_charged():
    sizes = [each.get("MemorySize", 1024) for each in FUNCTIONS.values() if "SnapStart" in each]
    large = [each["Fn::If"] for each in sizes if each != 1024]
    assert (default("Snapshots"), default("Runtime")) == ("true", "python3.13")
    assert TEMPLATE["Globals"]["Function"]["MemorySize"] == 1024
    assert (default("Rerank"), large) == ("true", [["Reranks", 1769, 1024]] * 2)
    small = len(sizes) - len(large)
    assert f"snapshots: {small} functions of 1 GB, {len(large)} of 1.7 GB" in DEFAULTS
    gigabytes = small + len(large) * 1769 / 1024
    assert priced("snapshots")[1] == round(gigabytes * 0.0000015046 * HOURS * 3600, 2)


def test_the_lines_make_the_sum():
    lines = re.findall(r"^\| (?!what|\*)[^|]*\|[^|]*\| \$([0-9.]+) \|$", DEFAULTS, re.MULTILINE)
    assert len(lines) == 8
    assert round(sum(map(float, lines)), 2) == priced(r"\*\*together")[1]


def test_route_metrics_are_off_as_the_page_says():
    settings = TEMPLATE["Resources"]["Api"]["Properties"]["DefaultRouteSettings"]
    assert settings["DetailedMetricsEnabled"] is False
    assert "Metrics of single routes are off" in DEFAULTS
