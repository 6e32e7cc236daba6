"""The cut-over to a restored table, by the commands of docs/operations.md, on DynamoDB Local."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError
from typer.testing import CliRunner

from servers.tables import dynamodb_client, table_settings
from strata.bootstrap import application as application_of_commands
from strata.cli.app import app as commands
from strata.domain.errors import NotFound, Unauthenticated
from strata.domain.scope import Scope
from strata.local.template import cloudformation
from support.iam_policies import TEMPLATE
from support.memory import LOCAL, Memory, application

GUIDE = Path(__file__).parents[3] / "docs" / "operations.md"
OTHER = Scope("other")
KEPT = ("AttributeDefinitions", "KeySchema")
NOT_ON_DYNAMODB_LOCAL = "UnknownOperationException"


@pytest.fixture
def fresh_commands() -> Iterator[CliRunner]:
    """Runs commands in this process, each time over the stores that the environment names by then."""
    application_of_commands.cache_clear()
    yield CliRunner()
    application_of_commands().close()
    application_of_commands.cache_clear()


@pytest.mark.timeout(600)
def test_a_restored_table_takes_the_live_ones_place(
    tmp_path, monkeypatch, fresh_commands, dynamodb_local, dynamodb_table
):
    live, restored = dynamodb_table, f"{dynamodb_table}-restored"
    client = dynamodb_client(dynamodb_local)
    app = application(tmp_path, **table_settings(dynamodb_local, live), ERASURE_SETTLE="0")
    memories = [Memory(app), Memory(app, OTHER)]
    for memory in memories:
        memory.start("of ann", user_id="ann")
        memory.start("of bob", user_id="bob")
    stays, deleted, changed, erased = (
        [memory.save(f"{what} {memory.scope.tenant}", session_id=session).id for memory in memories]
        for what, session in (
            ("tea is in the drawer", "of bob"),
            ("coffee is on the shelf", "of bob"),
            ("the well is deep", "of bob"),
            ("ann likes the sea", "of ann"),
        )
    )
    revoked, kept = (app.credentials.keys.create(each, scopes=["read"]) for each in ("local", "other"))
    follow(app)
    restore(client, live, restored)

    memories[0].delete(deleted[0])
    memories[0].change(changed[0], content="the well is dry")
    later = memories[0].save("this came after the moment").id
    app.credentials.keys.revoke(revoked.info.id)
    app.tenants.limits.set("other", {"requests": 7})
    begun = app.privacy.erasures.begin(LOCAL, "ann", "operator")
    work_off(app, begun.erasure_id)
    follow(app)

    prepare(client, restored)
    given = {f"STRATA_{name}": value for name, value in table_settings(dynamodb_local, restored).items()}
    for name, value in (given | {"STRATA_DATA": str(tmp_path), "STRATA_ERASURE_SETTLE": "0"}).items():
        monkeypatch.setenv(name, value)
    done = fresh_commands.invoke(commands, ["carry-over", live, "--json"])
    assert done.exit_code == 0, done.output
    assert '"erased": 1' in done.output
    assert '"keys": 1' in done.output
    assert '"limits": 1' in done.output

    after = application(tmp_path, **table_settings(dynamodb_local, restored))
    verdict = after.repair.verifier.verify(repair=True)
    assert verdict.left == 0
    assert (verdict.orphans, verdict.stale) == (1, 1), (
        "the memory that came after the moment, the changed one"
    )
    assert after.repair.verifier.verify().differences == 0

    local, other = Memory(after), Memory(after, OTHER)
    assert local.get(stays[0]).content == "tea is in the drawer local"
    assert local.get(changed[0]).content == "the well is deep local"
    for gone in (deleted[0], erased[0], later):
        with pytest.raises(NotFound):
            local.get(gone)
    assert [other.get(each[1]).id for each in (stays, deleted, changed, erased)] == [
        each[1] for each in (stays, deleted, changed, erased)
    ]
    assert after.privacy.erasures.get(LOCAL, begun.erasure_id).status == "done"
    assert after.credentials.keys.verify(kept.key).tenant == "other"
    assert after.tenants.limits.list()["other"].requests == 7
    with pytest.raises(Unauthenticated, match="revoked"):
        after.credentials.keys.verify(revoked.key)
    app.close()
    after.close()


def test_the_guide_gives_a_restored_table_all_that_the_template_gives_its_own():
    declared = cloudformation.Resolver(TEMPLATE).resolve(TEMPLATE["Resources"]["Table"]["Properties"])
    given: dict[str, Any] = {}
    for _, arguments in calls_of_the_guide("restored"):
        given |= arguments
    stream = declared["StreamSpecification"] | {"StreamEnabled": True}
    assert given["StreamSpecification"] == stream
    assert given["TimeToLiveSpecification"] == declared["TimeToLiveSpecification"]
    assert given["PointInTimeRecoverySpecification"] == declared["PointInTimeRecoverySpecification"]
    assert given["DeletionProtectionEnabled"] is True


def restore(client: Any, source: str, target: str) -> None:
    """A table with the rows and indexes of another, and nothing else: what a restore makes."""
    described = client.describe_table(TableName=source)["Table"]
    indexes = [
        {name: index[name] for name in ("IndexName", "KeySchema", "Projection")}
        for index in described["GlobalSecondaryIndexes"]
    ]
    client.create_table(
        TableName=target,
        BillingMode="PAY_PER_REQUEST",
        GlobalSecondaryIndexes=indexes,
        **{name: described[name] for name in KEPT},
    )
    for page in client.get_paginator("scan").paginate(TableName=source, ConsistentRead=True):
        for item in page["Items"]:
            client.put_item(TableName=target, Item=item)


def prepare(client: Any, table: str) -> None:
    """The guide's second step."""
    for operation, arguments in calls_of_the_guide(table):
        try:
            getattr(client, operation)(**arguments)
        except ClientError as error:
            if error.response["Error"]["Code"] != NOT_ON_DYNAMODB_LOCAL:
                raise
            assert operation == "update_continuous_backups"
    assert client.describe_table(TableName=table)["Table"]["DeletionProtectionEnabled"] is True
    told = client.describe_time_to_live(TableName=table)["TimeToLiveDescription"]
    assert told["AttributeName"] == "expires_at"


def calls_of_the_guide(table: str) -> list[tuple[str, dict[str, Any]]]:
    """The guide's calls that change a restored table, as boto3 takes them."""
    lines = re.findall(r"^ +aws dynamodb (update-\S+ .*)$", GUIDE.read_text(), re.MULTILINE)
    return [_call(shlex.split(line.replace("$RESTORED", table))) for line in lines]


def _call(words: list[str]) -> tuple[str, dict[str, Any]]:
    operation, *rest = words
    arguments: dict[str, Any] = {}
    name = ""
    for word in rest:
        if word.startswith("--"):
            name = "".join(part.title() for part in word.removeprefix("--").split("-"))
            arguments[name] = True
        else:
            arguments[name] = dict(map(_member, word.split(","))) if "=" in word else word
    return operation.replace("-", "_"), arguments


def _member(text: str) -> tuple[str, Any]:
    name, value = text.split("=")
    return name, value == "true" if value in ("true", "false") else int(value) if value.isdigit() else value


def follow(app: Any) -> None:
    """Have the indexer follow the table's own stream to its end."""
    app.stores.change_log.fetch()
    Memory(app).follow()


def work_off(app: Any, erasure_id: str) -> None:
    """Work on an erasure to its end, the stream followed after each step."""
    while app.privacy.eraser.work(LOCAL, erasure_id) is not None:
        follow(app)
