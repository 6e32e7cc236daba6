"""Rules that watch.yaml must keep: the alarms and the dashboard, a stack inside template.yaml's."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from strata.entrypoints.observing.metrics import NAMESPACE
from strata.entrypoints.observing.operations import LATENCY, SAVES
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
ROLLED_BACK_BY = [f"{of}Errors" for of in ("Server", "Function", "Layer", "People", "Background", "Indexer")]
OF_THE_ENGINE = {
    "ClusterStatus.red",
    "ClusterIndexWritesBlocked",
    "JVMMemoryPressure",
    "FreeStorageSpace",
    "Nodes",
}
OF_ITS_KEY = {"KMSKeyError", "KMSKeyInaccessible"}


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
            resource = metric["Dimensions"][0]  # the others say which part of it, or of which stage
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
            namespace, name, _, value, *_ = before = words
            found.add((namespace, name, value.removeprefix("${").removesuffix("}")))
    return found


def test_the_stack_gives_each_parameter_the_resource_of_its_name():
    given = RESOURCES["Watch"]["Properties"]["Parameters"]
    queues = {name: {"Fn::GetAtt": [name, "QueueName"]} for name in QUEUES}
    same = (*FUNCTIONS, "Api", "Stage", "LatencyGoal", "MaintenanceEnabled")
    others = {name: {"Ref": name} for name in same} | {
        "DataNodes": {"Ref": "SearchInstanceCount"},
        "MasterNodes": {"Ref": "SearchMasters"},
        "Table": TEMPLATE["Outputs"]["TableName"]["Value"],
        "VolumeSize": {"Ref": "SearchVolumeSize"},
        "Domain": {
            "Fn::If": ["OwnDomain", SEARCH["Resources"]["SearchDomain"]["Properties"]["DomainName"], ""]
        },
    }
    topic = {"Fn::If": ["OwnTopic", {"Ref": "AlarmTopic"}, {"Ref": "AlarmTopicArn"}]}

    assert given == queues | others | {"Topic": topic}
    assert set(given) == set(WATCH["Parameters"])


def test_errors_and_throttles_of_every_function_set_off_an_alarm():
    assert watched()["AWS/Lambda", "Errors"] == set(FUNCTIONS)
    assert watched()["AWS/Lambda", "Throttles"] == set(FUNCTIONS) - {"Indexer"}, "IteratorAge tells of it"


def test_errors_and_throttles_are_shares_of_the_calls_or_runs_of_the_same_time():
    for name, alarm in ALARMS.items():
        if name.removesuffix("Alarm").endswith(("Errors", "Throttles")) and name != "TableThrottlesAlarm":
            (total,) = (each["Expression"] for each in alarm["Metrics"] if "Expression" in each)
            counted = {each["MetricName"] for each in metrics(alarm)}
            assert total.startswith("100 * ")
            assert counted & {"Count", "Invocations"}, name
            assert (
                len({each["MetricStat"]["Period"] for each in alarm["Metrics"] if "MetricStat" in each}) == 1
            )
            assert 1 <= alarm["Threshold"] <= 5


def test_a_share_of_runs_counts_the_runs_of_the_functions_whose_errors_it_counts():
    for name in ("BackgroundErrorsAlarm", "BackgroundThrottlesAlarm", "IndexerErrorsAlarm"):
        functions = defaultdict(set)
        for metric in metrics(ALARMS[name]):
            functions[metric["MetricName"]].add(metric["Dimensions"][0]["Value"]["Ref"])
        runs = functions.pop("Invocations")
        assert list(functions.values()) == [runs]


def test_an_expression_names_metrics_that_its_alarm_has():
    for name, alarm in ALARMS.items():
        for expression in (each["Expression"] for each in alarm.get("Metrics", []) if "Expression" in each):
            text = expression["Fn::Sub"] if isinstance(expression, dict) else expression
            ids = {each["Id"] for each in alarm["Metrics"] if "MetricStat" in each}
            parts = re.findall(r"METRICS\('(\w+)'\)", text)
            named = set(re.findall(r"\b[a-z]\w*", re.sub(r"'\w+'|\$\{\w+\}", "", text)))
            assert named <= ids, name
            assert all(any(part in each for each in ids) for part in parts), name
            assert parts or "METRICS()" in text or named == ids, name


def test_alarms_on_errors_go_off_while_a_new_version_takes_a_tenth_of_the_calls():
    for name in ROLLED_BACK_BY:
        alarm = ALARMS[f"{name}Alarm"]
        assert {each["MetricStat"]["Period"] for each in alarm["Metrics"] if "MetricStat" in each} == {60}
        assert alarm["EvaluationPeriods"] * 60 <= 300, "as long as the shortest rollout"
        assert alarm["Threshold"] < 10
    named = TEMPLATE["Globals"]["Function"]["DeploymentPreference"]["Alarms"]["Fn::If"][2]
    assert named == [ALARMS[f"{name}Alarm"]["AlarmName"] for name in ROLLED_BACK_BY]


def test_the_engines_own_troubles_set_off_alarms_where_the_stack_has_a_domain():
    found = {name for namespace, name in watched() if namespace == "AWS/ES"}
    assert found == OF_THE_ENGINE | OF_ITS_KEY
    for name, resource in WATCH["Resources"].items():
        of_engine = any(each["Namespace"] == "AWS/ES" for each in metrics(resource["Properties"]))
        assert (resource.get("Condition") == "Watched") == of_engine, name
        for metric in metrics(resource["Properties"]) if of_engine else ():
            assert {each["Name"] for each in metric["Dimensions"]} == {"DomainName", "ClientId"}


def test_maintenance_that_does_not_run_sets_off_an_alarm_where_it_should():
    alarm = ALARMS["MaintenanceMissedAlarm"]
    assert watched()["AWS/Lambda", "Invocations"] >= {"Sweep"}
    assert {each["MetricStat"]["Period"] for each in alarm["Metrics"] if "MetricStat" in each} == {86_400}
    assert alarm["EvaluationPeriods"] == 2
    assert WATCH["Resources"]["MaintenanceMissedAlarm"]["Condition"] == "Maintained"


def test_a_change_that_takes_minutes_to_be_searchable_sets_off_an_alarm():
    assert watched()[NAMESPACE, "IndexLag"] == {"Indexer"}


def test_the_dashboard_shows_every_figure_of_stratas_own():
    dashboard = {name for namespace, name, _ in shown() if namespace == NAMESPACE}
    assert dashboard == {*LATENCY.values(), *SAVES.values(), "Degraded", "IndexLag", "RecordsNotDigested"}


def test_a_lagging_index_sets_off_an_alarm():
    assert watched()["AWS/Lambda", "IteratorAge"] == {"Indexer"}


def test_degraded_answers_set_off_an_alarm():
    """By the metric that functions emit, with its own dimensions."""
    assert watched()[NAMESPACE, "Degraded"] == {"Search", "Context", "Mcp"}
    for metric in metrics(ALARMS["DegradedAlarm"]):
        assert {each["Name"] for each in metric["Dimensions"]} == {"function", "stage"}


def test_every_queue_sets_off_an_alarm_when_something_waits_in_it():
    """Of a queue that a function reads, messages that wait for long; of another one, any message."""
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
