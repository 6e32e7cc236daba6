"""Rules that template.yaml and search.yaml must keep when they are deployed."""

import re
import tomllib
from pathlib import Path
from typing import Any, cast

import pytest

from strata.domain.wire.envelope import has_envelope
from strata.local.template import cloudformation
from strata.local.template.declarations import load
from strata.settings import queue_setting
from strata.settings.observing import ObservingSettings
from support.iam_policies import (
    FUNCTIONS,
    POLICIES,
    RESOURCES,
    TEMPLATE,
    allows,
    as_list,
    grants,
    holds,
    of_type,
    statements,
)

ROOT = Path(__file__).parents[3]
SEARCH = cloudformation.read(ROOT / "search.yaml")

WRITES = {"dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem", "dynamodb:BatchWriteItem"}

QUEUES = of_type("AWS::SQS::Queue")

POLICIES_OF_A_ROLE = 10
"""Managed policies that IAM lets a role hold, unless AWS is asked for more."""
EXCLUSIVE = (
    {"DomainAccess", "CollectionAccess"},
    {"AsksBedrock", "AsksWithKey"},
    {"EmbedsByBedrock", "EmbedsWithKey"},
)
"""Conditions of each of which one holds at most; rules of the template refuse Bedrock with a key."""


def granted(function: str) -> set[str]:
    return {action for statement in statements(function) for action in as_list(statement["Action"])}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_may_do_named_things_to_named_resources(function):
    for statement in statements(function):
        assert not [action for action in as_list(statement["Action"]) if "*" in action]
        assert "*" not in as_list(statement["Resource"])


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_function_but_that_of_exports_may_scan_or_describe_the_table(function):
    may = granted(function) & {"dynamodb:Scan", "dynamodb:DescribeTable", "dynamodb:DeleteTable"}
    assert may == ({"dynamodb:Scan", "dynamodb:DescribeTable"} if function == "Transfer" else set())


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_role_holds_no_more_policies_than_iam_lets_it(function):
    """SAM attaches some of its own: for logs, for traces, and for each kind of what calls the function."""
    kinds = {event["Type"] for event in FUNCTIONS[function].get("Events", {}).values()}
    by_sam = 2 + len(kinds & {"SQS", "DynamoDB"}) + ("VpcConfig" in FUNCTIONS[function])
    named = sum("Ref" in policy for policy in FUNCTIONS[function]["Policies"])
    naming = {name for name, policy in POLICIES.items() if "Roles" in policy and holds(function, name)}
    conditions = {RESOURCES[name]["Condition"] for name in naming}
    never_together = sum(max(0, len(conditions & each) - 1) for each in EXCLUSIVE)
    assert by_sam + named + len(naming) - never_together <= POLICIES_OF_A_ROLE


@pytest.mark.parametrize("function", [name for name, spec in load().functions.items() if spec.queues])
def test_a_message_stays_invisible_while_lambda_tries_it(function):
    """Six times the function's time, of which Lambda needs some to hand out what it could not run at once."""
    spec = load().functions[function]
    assert [each for each in spec.queues if each.queue.visibility < 6 * spec.timeout] == []
    assert all(each.reports_failures and each.queue.dead_letters == "DeadLetters" for each in spec.queues)


def test_no_queue_takes_all_the_concurrency_that_there_is():
    """Lambda gives a queue's function more and more of it, as long as messages wait."""
    for function in FUNCTIONS.values():
        for event in function.get("Events", {}).values():
            if event["Type"] == "SQS":
                most = event["Properties"]["ScalingConfig"]["MaximumConcurrency"]
                assert most == {"Ref": "QueueConcurrency"}


@pytest.mark.parametrize("function", ["Search", "Health"])
def test_what_only_reads_may_not_write(function):
    others = {"es:ESHttpPut", "es:ESHttpDelete", "sqs:SendMessage", "s3:PutObject", "s3:DeleteObject"}
    assert not granted(function) & others
    writes = {asked[0]: keys for asked, keys in grants(function) if asked[0] in WRITES}
    assert writes == {"dynamodb:UpdateItem": "_directory#REQUESTS#*"}


@pytest.mark.parametrize("function", [name for name, spec in load().functions.items() if spec.routes])
def test_what_is_asked_counts_the_requests_of_tenants_and_waits_a_second_for_a_throttled_table(function):
    table = "Table"
    assert allows(function, ("dynamodb:GetItem", table), "_directory#TENANTS")
    assert allows(function, ("dynamodb:UpdateItem", table), "_directory#REQUESTS#acme")
    assert environment(function)["STRATA_DYNAMODB_THROTTLED_PATIENCE"] == "1"


@pytest.mark.parametrize(
    "function", ["Indexer", *(name for name, spec in load().functions.items() if spec.queues)]
)
def test_work_in_the_background_waits_longer_for_a_throttled_table(function):
    assert environment(function)["STRATA_DYNAMODB_THROTTLED_PATIENCE"] == "6"


def environment(function: str) -> dict[str, object]:
    of_all = TEMPLATE["Globals"]["Function"]["Environment"]["Variables"]
    return of_all | FUNCTIONS[function].get("Environment", {}).get("Variables", {})


def test_what_reads_rows_reads_their_bodies_and_what_writes_rows_writes_and_erases_them():
    for function in set(FUNCTIONS) - {"Authorizer", "Chats"}:  # deployed, imports of chats read no rows
        may = granted(function)
        assert may >= {"s3:GetObject", "s3:ListBucket"}
        assert ("dynamodb:PutItem" in may) == (may >= {"s3:PutObject", "s3:DeleteObject"})
    assert not [action for action in granted("Authorizer") if action.startswith("s3:")]


def test_only_what_erases_rows_may_delete_them():
    assert {name for name in FUNCTIONS if "dynamodb:DeleteItem" in granted(name)} == {
        "Save",
        "Indexer",
        "Ledger",
        "SessionEvents",
        "SessionEnd",
        "Episodes",
        "Agents",
        "Chats",
        "Knowledge",
        "Questions",
        "Privacy",
        "Extraction",
        "Dreamer",
        "Entities",
        "Transfer",
        "Erasure",
        "Maintenance",
        "Mcp",
        "Sweep",
    }


ASKING = {"Extraction", "Dreamer", "Questions", "Mcp", "Sweep"}
EMBEDDING = {"Search", "Context", "Questions", "Mcp", "Episodes", "Maintenance", "Sweep", "Indexer"}


def test_only_the_indexer_may_write_the_index():
    assert {name for name in FUNCTIONS if "es:ESHttpPut" in granted(name)} == {"Indexer"}


@pytest.mark.parametrize(
    ("policy", "condition", "functions"),
    [
        (
            "EmbedByBedrock",
            "EmbedsByBedrock",
            EMBEDDING,
        ),
        (
            "ReadEmbeddingKey",
            "EmbedsWithKey",
            EMBEDDING,
        ),
        ("AskBedrock", "AsksBedrock", ASKING),
        ("ReadModelKey", "AsksWithKey", ASKING),
    ],
)
def test_only_what_asks_a_model_may_and_only_where_one_is_chosen(policy, condition, functions):
    assert RESOURCES[policy]["Condition"] == condition
    roles = RESOURCES[policy]["Properties"]["Roles"]
    assert {role["Ref"].removesuffix("Role") for role in roles} == functions


def test_no_key_of_a_model_is_in_an_environment_variable():
    environments = [
        function.get("Environment", {}).get("Variables", {})
        for function in [*FUNCTIONS.values(), TEMPLATE["Globals"]["Function"]]
    ]
    keys = {"STRATA_EMBEDDING_KEY", "STRATA_MODEL_KEY"}
    assert not [name for environment in environments for name in environment if name in keys]


@pytest.mark.parametrize("function", sorted(ASKING))
def test_what_may_ask_a_model_is_told_which_one_and_what_it_may_cost(function):
    told = environment(function)
    assert told["STRATA_MODEL"] == {"Ref": "Model"}
    assert {"STRATA_MODEL_KEY_SECRET", "STRATA_MODEL_DAILY_TOKENS", "STRATA_REQUIRE_DPA"} <= set(told)


def resolved(function: str, **given: object) -> dict[str, Any]:
    return cast(dict[str, Any], cloudformation.Resolver(TEMPLATE, given).resolve(FUNCTIONS[function]))


@pytest.mark.parametrize(
    ("given", "reads"),
    [
        ({}, True),
        ({"Rerank": "false"}, False),
        ({"Embedder": "e5"}, False),
        ({"AdotLayerArn": "arn:aws:lambda:eu-central-1:1:layer:adot:1"}, False),
    ],
)
def test_contexts_are_read_with_a_whole_processor_where_a_reranker_fits(given, reads):
    for name in ("Context", "Mcp"):
        function = resolved(name, **given)
        assert (function["MemorySize"], len([each for each in function["Layers"] if each])) == (
            (1769, 1) if reads else (1024, 0)
        )


def test_the_sweep_alone_carries_a_cross_encoder_with_room_for_it_and_only_where_one_is_chosen():
    place = "s3://models/of/strata"
    small, large = resolved("Sweep"), resolved("Sweep", NliModel=place)
    assert (small["MemorySize"], small["EphemeralStorage"]) == (1769, {"Size": 512})
    assert large["MemorySize"] >= 2048
    assert large["EphemeralStorage"]["Size"] >= 512 + 2 * 223
    assert large["Environment"]["Variables"]["STRATA_NLI_MODEL"] == place
    sentences = {"Fn::If": ["AddsSentences", {"Ref": "SentencesLayer"}, {"Ref": "AWS::NoValue"}]}
    layer = {"Fn::If": ["ReadsPairs", {"Ref": "EntailmentLayer"}, sentences]}
    reader = {"Fn::If": ["Reranks", {"Ref": "SentencesLayer"}, {"Ref": "AWS::NoValue"}]}
    assert {name: each["Layers"] for name, each in FUNCTIONS.items() if "Layers" in each} == {
        "Sweep": [layer],
        "Dreamer": [sentences],
        "Context": [reader],
        "Mcp": [reader],
    }
    assert RESOURCES["EntailmentLayer"]["Condition"] == "ReadsPairs"
    (read,) = [
        each for each in statements("Sweep") if "s3:GetObject" in each["Action"] and "NliModel" in str(each)
    ]
    text, named = read["Resource"]["Fn::Sub"]
    number, (_, (separator, _)) = named["Place"]["Fn::Select"][0], named["Place"]["Fn::Select"][1].popitem()
    assert (text.partition(":::")[2], place.split(separator)[number]) == ("${Place}/*", "models/of/strata")


def test_the_sentence_embedder_has_a_layer_where_it_is_chosen_and_an_indexer_with_time_for_it():
    (batch, sentences) = (
        each["Events"]["Stream"]["Properties"]["BatchSize"]
        for each in (resolved("Indexer"), resolved("Indexer", Embedder="e5"))
    )
    assert (batch, sentences) == (500, 50)
    assert resolved("Indexer", Embedder="e5")["MemorySize"] >= 1769
    assert resolved("Indexer", Embedder="e5")["Timeout"] >= 300
    assert "Condition" not in RESOURCES["SentencesLayer"]
    (refused,) = TEMPLATE["Rules"]["SentenceEmbedder"]["Assertions"]
    assert refused["Assert"] == {"Fn::Equals": [{"Ref": "NliModel"}, ""]}


@pytest.mark.parametrize("function", ["Maintenance", "Sweep"])
def test_what_sweeps_is_told_the_thresholds_and_where_events_go(function):
    given = {
        "StaleDays": 30,
        "PruneConfidence": 0.2,
        "EventBusArn": "arn:aws:events:eu-west-1:1:event-bus/own",
    }
    told = resolved(function, **given)["Environment"]["Variables"]
    assert (told["STRATA_STALE_DAYS"], told["STRATA_PRUNE_CONFIDENCE"]) == (30, 0.2)
    assert told["STRATA_EVENT_BUS"] == given["EventBusArn"]
    assert allows(function, ("events:PutEvents", "EventBusArn"), None)


def test_every_function_logs_to_the_groups_that_are_kept_and_encrypted():
    assert TEMPLATE["Globals"]["Function"]["LoggingConfig"]["LogGroup"] == {"Ref": "FunctionLogs"}
    for properties in of_type("AWS::Logs::LogGroup").values():
        assert {"RetentionInDays", "KmsKeyId"} <= set(properties)


def test_what_is_stored_is_encrypted_with_the_chosen_key():
    key = {"Fn::If": ["OwnKey", {"Fn::GetAtt": ["Key", "Arn"]}, {"Ref": "KmsKeyArn"}]}

    assert RESOURCES["Table"]["Properties"]["SSESpecification"]["KMSMasterKeyId"] == key
    assert QUEUES
    assert all(queue["KmsMasterKeyId"] == key for queue in QUEUES.values())
    assert RESOURCES["Engine"]["Properties"]["Parameters"]["KmsKeyArn"] == key
    (rule,) = RESOURCES["Bodies"]["Properties"]["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert rule["ServerSideEncryptionByDefault"]["KMSMasterKeyID"] == key


def test_the_table_outlives_the_stack_and_can_be_restored():
    table = RESOURCES["Table"]

    assert (table["DeletionPolicy"], table["UpdateReplacePolicy"]) == ("RetainExceptOnCreate", "Retain")
    assert table["Properties"]["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"] is True
    assert table["Properties"]["StreamSpecification"] == {"StreamViewType": "KEYS_ONLY"}
    assert table["Properties"]["DeletionProtectionEnabled"] == {"Ref": "DeletionProtection"}


def test_bodies_are_private_encrypted_and_gone_once_deleted():
    bodies = RESOURCES["Bodies"]
    properties = bodies["Properties"]
    (rule,) = properties["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    (denied,) = RESOURCES["BodiesPolicy"]["Properties"]["PolicyDocument"]["Statement"]

    assert (bodies["DeletionPolicy"], bodies["UpdateReplacePolicy"]) == ("RetainExceptOnCreate", "Retain")
    assert rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"] == "aws:kms"
    assert len(properties["PublicAccessBlockConfiguration"]) == 4
    assert all(properties["PublicAccessBlockConfiguration"].values())
    assert (denied["Effect"], denied["Principal"]) == ("Deny", "*")
    assert denied["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
    assert "VersioningConfiguration" not in properties


def test_access_logs_hold_no_paths_queries_or_credentials():
    logged = RESOURCES["Api"]["Properties"]["AccessLogSettings"]["Format"]

    assert "$context.routeKey" in logged
    for private in (
        "$context.path",
        "http.path",
        "queryString",
        "uthorization",
        "$request",
        'context.identity.user"',
    ):
        assert private not in logged


def test_a_function_is_told_of_a_queue_by_the_setting_of_the_queues_name():
    told = [
        (name, value)
        for function in FUNCTIONS.values()
        for name, value in function.get("Environment", {}).get("Variables", {}).items()
        if name.endswith("_QUEUE_URL")
    ]
    known = [(queue_setting(queue.name), {"Ref": queue.logical_id}) for queue in load().queues.values()]
    assert told
    assert [each for each in told if each not in known] == []


def test_the_stream_gives_up_on_a_record_only_into_the_dead_letters():
    stream = FUNCTIONS["Indexer"]["Events"]["Stream"]["Properties"]

    assert stream["DestinationConfig"]["OnFailure"]["Destination"] == {"Fn::GetAtt": ["DeadLetters", "Arn"]}
    assert stream["BisectBatchOnFunctionError"] is True
    assert 0 < stream["MaximumRecordAgeInSeconds"] < 86_400, "the stream itself forgets after a day"


def test_the_domain_lets_in_named_roles_over_tls_alone():
    domain = SEARCH["Resources"]["SearchDomain"]["Properties"]

    assert {str(s["Principal"]) for s in domain["AccessPolicies"]["Statement"]} == {
        "{'AWS': {'Ref': 'Readers'}}",
        "{'AWS': {'Ref': 'Writers'}}",
    }
    assert domain["DomainEndpointOptions"]["EnforceHTTPS"] is True
    assert domain["NodeToNodeEncryptionOptions"]["Enabled"] is True
    assert domain["EncryptionAtRestOptions"]["Enabled"] is True


def test_the_stack_gives_the_engine_what_it_asks_for():
    assert set(RESOURCES["Engine"]["Properties"]["Parameters"]) == set(SEARCH["Parameters"])


def engine(**given: object) -> dict[str, Any]:
    """The engine's resources, as the stack makes them by these of its parameters."""
    stack = cloudformation.Resolver(TEMPLATE, given).resolve(RESOURCES["Engine"])["Properties"]["Parameters"]
    resolver = cloudformation.Resolver(SEARCH, stack | {"Readers": "r", "KmsKeyArn": "k"})
    return cast(dict[str, Any], resolver.resolve(SEARCH["Resources"]))


def test_a_domain_is_spread_guarded_and_disked_as_the_parameters_say():
    usual = engine()["SearchDomain"]["Properties"]
    assert usual["ClusterConfig"]["ZoneAwarenessConfig"] == {"AvailabilityZoneCount": 2}
    assert usual["ClusterConfig"]["DedicatedMasterEnabled"] is False
    assert "VPCOptions" not in usual
    large = engine(
        SearchInstanceCount=6,
        SearchZones=3,
        SearchMasters=3,
        SearchIops=9000,
        SearchSubnets="subnet-1,subnet-2,subnet-3",
        SearchSecurityGroups="sg-1",
    )["SearchDomain"]["Properties"]
    assert large["ClusterConfig"] == {
        "InstanceType": "t3.medium.search",
        "InstanceCount": 6,
        "ZoneAwarenessEnabled": True,
        "ZoneAwarenessConfig": {"AvailabilityZoneCount": 3},
        "DedicatedMasterEnabled": True,
        "DedicatedMasterType": "m6g.large.search",
        "DedicatedMasterCount": 3,
    }
    assert large["EBSOptions"]["Iops"] == 9000
    assert large["VPCOptions"]["SubnetIds"] == {"Fn::Split": [",", "subnet-1,subnet-2,subnet-3"]}
    assert (
        engine(SearchInstanceCount=1)["SearchDomain"]["Properties"]["ClusterConfig"]["ZoneAwarenessEnabled"]
        is False
    )


def test_what_asks_the_engine_is_in_its_network_and_nothing_else_is():
    inside = {name for name, function in FUNCTIONS.items() if "VpcConfig" in function}
    asking = {role["Ref"].removesuffix("Role") for role in POLICIES["UseCollection"]["Roles"]}
    assert inside == asking
    for name in inside:
        condition, given, otherwise = FUNCTIONS[name]["VpcConfig"]["Fn::If"]
        assert (condition, set(given), otherwise) == (
            "InVpc",
            {"SubnetIds", "SecurityGroupIds"},
            {"Ref": "AWS::NoValue"},
        )


@pytest.mark.parametrize(("subnets", "denied"), [("", ["ec2:*"]), ("subnet-1", [])])
def test_a_function_may_make_network_interfaces_in_a_network_only(subnets, denied):
    resolver = cloudformation.Resolver(TEMPLATE, {"SearchSubnets": subnets})
    statements = resolver.resolve(POLICIES["UseKey"]["PolicyDocument"]["Statement"])
    assert [action for each in statements if each["Effect"] == "Deny" for action in each["Action"]] == denied
    asking = {name for name, function in FUNCTIONS.items() if "VpcConfig" in function}
    assert all({"Ref": "UseKey"} in FUNCTIONS[name]["Policies"] for name in asking)


@pytest.mark.parametrize("kind", ["domain", "serverless"])
def test_an_operators_role_may_write_the_index_of_either_engine(kind):
    operator = "arn:aws:iam::123456789012:role/operator"
    stack = cloudformation.Resolver(TEMPLATE, {"OperatorRoleArn": operator, "SearchEngine": kind})
    writers = stack.resolve(RESOURCES["Engine"]["Properties"]["Parameters"]["Writers"])
    assert writers == {"Fn::Join": [",", [{"Fn::GetAtt": ["IndexerRole", "Arn"]}, operator]]}
    without = cloudformation.Resolver(TEMPLATE).resolve(
        RESOURCES["Engine"]["Properties"]["Parameters"]["Writers"]
    )
    assert without == {"Fn::GetAtt": ["IndexerRole", "Arn"]}


def test_the_index_is_made_with_the_shards_and_replicas_that_the_engine_can_hold():
    def told(**given: object) -> tuple[object, object]:
        variables = TEMPLATE["Globals"]["Function"]["Environment"]["Variables"]
        resolved = cloudformation.Resolver(TEMPLATE, given).resolve(variables)
        return resolved["STRATA_OPENSEARCH_SHARDS"], resolved["STRATA_OPENSEARCH_REPLICAS"]

    assert told() == (1, 1)
    assert told(SearchShards=4, SearchReplicas=2, SearchInstanceCount=6) == (4, 2)
    assert told(SearchInstanceCount=1) == (1, "0")
    assert told(SearchEngine="serverless") == ("", "")


def test_spans_are_exported_by_a_layer_behind_ours_where_one_is_given():
    function = TEMPLATE["Globals"]["Function"]
    nothing = {"Ref": "AWS::NoValue"}
    exporter = {"Fn::If": ["Exported", {"Ref": "AdotLayerArn"}, nothing]}
    sentences = {"Fn::If": ["EmbedsSentences", {"Ref": "SentencesLayer"}, nothing]}
    assert function["Layers"] == [{"Ref": "StrataLayer"}, sentences, exporter]
    wrapper = function["Environment"]["Variables"]["AWS_LAMBDA_EXEC_WRAPPER"]
    assert wrapper == {"Fn::If": ["Exported", "/opt/otel-instrument", nothing]}
    assert TEMPLATE["Parameters"]["AdotLayerArn"]["Default"] == ""


def test_whether_spans_carry_texts_is_decided_by_a_parameter_whose_default_is_that_of_the_setting():
    told = TEMPLATE["Globals"]["Function"]["Environment"]["Variables"]["STRATA_TRACE_TEXT"]
    assert told == {"Ref": "TraceText"}
    assert TEMPLATE["Parameters"]["TraceText"]["Default"] == str(ObservingSettings().trace_text).lower()


def test_make_deploy_starts_from_a_configuration_that_there_is():
    """The SAM CLI takes an environment that it does not know for an empty one, and asks for everything."""
    makefile = (ROOT / "Makefile").read_text()
    (usual,) = re.findall(r"^STAGE +\?= (\w+)$", makefile, re.MULTILINE)
    stages = tomllib.loads((ROOT / "samconfig.toml").read_text())

    assert "--config-env $(STAGE)" in makefile
    assert {usual, "prod"} <= set(stages)
    for stage in set(stages) - {"version"}:
        given = stages[stage]["deploy"]["parameters"]
        assert given["stack_name"] == f"strata-{stage}"
        assert f"stage={stage}" in given["tags"].split()
        assert set(given["capabilities"].split()) == {"CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"}


def test_fysos_routes_alone_are_asked_about_without_an_identity_source():
    """A gateway refuses a request that lacks an identity source's header; Fyso's clients send `X-API-Key`."""
    template = load()
    assert template.authorizers["Credentials"].headers == ("authorization",)
    asked = template.authorizers["CredentialsInAnyHeader"]
    assert (asked.headers, asked.ttl) == ((), 0)
    for function in template.functions.values():
        for route in function.routes:
            if route.authorizer is not None:
                fysos = route.authorizer == "CredentialsInAnyHeader"
                assert fysos == has_envelope(route.path), route
