"""Rules that watch.yaml must keep: the alarms and the dashboard, a stack inside template.yaml's."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from strata.entrypoints.observing.metrics import NAMESPACE
from strata.local.template import cloudformation
from support.iam_policies import FUNCTIONS, RESOURCES, TEMPLATE, of_type

ROOT = Path(__file__).parents[3]
WATCH = cloudformation.read(ROOT / "watch.yaml")
SEARCH = cloudformation.read(ROOT / "search.yaml")
ALARMS = of_type("AWS::CloudWatch::Alarm", WATCH)
QUEUES = of_type("AWS::SQS::Queue")
NAMED_ELSEWHERE = {"StageName", "CollectionGroupName", "MetricName"}
"""Properties that end in `Name` and do not name the resource they stand at."""

Watched = tuple[str, str, str]
"""A metric's namespace and name, and the parameter whose metric it is."""


def metrics(alarm: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The metrics that an alarm watches: its only one, or those that it adds up."""
    yield from (each["MetricStat"]["Metric"] for each in alarm.get("Metrics", []) if "MetricStat" in each)
    if "MetricName" in alarm:
        yield alarm


def watched() -> dict[tuple[str, str], set[str]]:
    """Of which parameters an alarm watches a metric, by its namespace and name."""
    found = defaultdict(set)
    for alarm in ALARMS.values():
        for metric in metrics(alarm):
            key = metric["Namespace"], metric["MetricName"]
            (resource,) = (each for each in metric["Dimensions"] if each["Name"] != "stage")
            found[key].add(resource["Value"]["Ref"])
    return found


def shown() -> set[Watched]:
    """The dashboard's widgets, with its shorthand written out."""
    body = json.loads(WATCH["Resources"]["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"])
    found = set()
    for widget in body["widgets"]:
        before: list[str] = []
        for metric in widget["properties"]["metrics"]:
            words = [each for each in metric if isinstance(each, str)]
            if words[0] == "...":
                words = before[: 1 - len(words)] + words[1:]
            namespace, name, _, value = before = words
            found.add((namespace, name, value.removeprefix("${").removesuffix("}")))
    return found


def test_the_stack_gives_each_parameter_the_resource_of_its_name():
    given = RESOURCES["Watch"]["Properties"]["Parameters"]
    queues = {name: {"Fn::GetAtt": [name, "QueueName"]} for name in QUEUES}
    others = {name: {"Ref": name} for name in (*FUNCTIONS, "Api", "Table", "Stage", "LatencyGoal")}
    topic = {"Fn::If": ["OwnTopic", {"Ref": "AlarmTopic"}, {"Ref": "AlarmTopicArn"}]}

    assert given == queues | others | {"Topic": topic}
    assert set(given) == set(WATCH["Parameters"])


def test_errors_and_throttles_of_every_function_set_off_an_alarm():
    assert watched()["AWS/Lambda", "Errors"] == set(FUNCTIONS)
    assert watched()["AWS/Lambda", "Throttles"] == set(FUNCTIONS)


def test_a_lagging_index_sets_off_an_alarm():
    assert watched()["AWS/Lambda", "IteratorAge"] == {"Indexer"}


def test_degraded_answers_set_off_an_alarm():
    """By the metric that functions emit, with its own dimensions."""
    assert watched()[NAMESPACE, "Degraded"] == {"Search", "Context", "Mcp"}
    for metric in metrics(ALARMS["DegradedAlarm"]):
        assert {each["Name"] for each in metric["Dimensions"]} == {"function", "stage"}


def test_every_queue_sets_off_an_alarm_when_something_waits_in_it():
    """Where a function takes messages, when they wait for long; elsewhere, when there is one."""
    events = [event for function in FUNCTIONS.values() for event in function.get("Events", {}).values()]
    taken = {event["Properties"]["Queue"]["Fn::GetAtt"][0] for event in events if event["Type"] == "SQS"}

    assert watched()["AWS/SQS", "ApproximateAgeOfOldestMessage"] == taken
    assert watched()["AWS/SQS", "ApproximateNumberOfMessagesVisible"] == set(QUEUES) - taken


def test_throttles_of_the_table_set_off_an_alarm():
    assert watched()["AWS/DynamoDB", "ReadThrottleEvents"] == {"Table"}
    assert watched()["AWS/DynamoDB", "WriteThrottleEvents"] == {"Table"}


def test_server_errors_and_slow_calls_of_the_api_set_off_an_alarm():
    assert watched()["AWS/ApiGateway", "5xx"] == {"Api"}
    assert watched()["AWS/ApiGateway", "Latency"] == {"Api"}
    assert ALARMS["LatencyAlarm"]["Threshold"] == {"Ref": "LatencyGoal"}


def test_no_alarm_adds_up_more_metrics_than_cloudwatch_lets_it():
    assert all(len(list(metrics(alarm))) <= 10 for alarm in ALARMS.values())


def test_every_alarm_tells_the_topic_when_it_goes_off_and_when_it_is_over():
    assert ALARMS
    for alarm in ALARMS.values():
        assert alarm["AlarmActions"] == alarm["OKActions"] == [{"Ref": "Topic"}]


def test_the_dashboard_shows_every_function_queue_and_the_table():
    dashboard = shown()
    for function in FUNCTIONS:
        assert ("AWS/Lambda", "Errors", function) in dashboard
        assert ("AWS/Lambda", "ConcurrentExecutions", function) in dashboard
    for queue in QUEUES:
        assert ("AWS/SQS", "ApproximateNumberOfMessagesVisible", queue) in dashboard
    for direction in ("Read", "Write"):
        assert ("AWS/DynamoDB", f"{direction}ThrottleEvents", "Table") in dashboard
    assert {parameter for _, _, parameter in dashboard} <= set(WATCH["Parameters"])


def test_nothing_has_a_name_that_stood_in_the_main_stack_before():
    """An update creates the new alarms while the old ones (`strata-${Stage}-latency` and so on) exist."""
    names = [alarm["AlarmName"]["Fn::Sub"] for alarm in ALARMS.values()]

    assert all(re.fullmatch(r"strata-\$\{Stage\}-watch-[a-z-]+", name) for name in names)
    assert len(set(names)) == len(names)
    dashboard = WATCH["Resources"]["Dashboard"]["Properties"]["DashboardName"]
    assert dashboard == {"Fn::Sub": "strata-${Stage}-watch"}


def test_every_name_that_a_template_gives_holds_the_stage():
    names = [
        value
        for template in (TEMPLATE, WATCH, SEARCH)
        for resource in template["Resources"].values()
        for key, value in resource.get("Properties", {}).items()
        if key.endswith("Name") and key not in NAMED_ELSEWHERE
    ]
    assert len(names) > len(ALARMS)
    assert [name for name in names if "${Stage}" not in name["Fn::Sub"]] == []
