"""Creates the template's table on a DynamoDB-compatible endpoint, so that the template defines its schema."""

from functools import cache
from pathlib import Path
from typing import Any

from strata.local.template import cloudformation
from strata.local.template.cloudformation import TemplateError
from strata.local.template.declarations import find

_MADE = ("AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes", "BillingMode")


def create_table(client: Any, name: str, template: Path | None = None) -> None:
    """Create the template's table, with its indexes, stream and TTL, unless it exists.

    Raises:
        TemplateError: the template declares no table. Exceptions of the client are not caught.
    """
    declared = _declared(template or find())
    request = {part: declared[part] for part in _MADE if part in declared}
    if "StreamSpecification" in declared:
        request["StreamSpecification"] = {"StreamEnabled": True, **declared["StreamSpecification"]}
    try:
        client.create_table(TableName=name, **request)
    except client.exceptions.ResourceInUseException:
        return
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 60})
    if "TimeToLiveSpecification" in declared:
        client.update_time_to_live(
            TableName=name, TimeToLiveSpecification=declared["TimeToLiveSpecification"]
        )


@cache
def _declared(template: Path) -> dict[str, Any]:
    """The properties of the table in a template."""
    document = cloudformation.read(template)
    resolved = cloudformation.Resolver(document).resolve(document)
    for resource in resolved["Resources"].values():
        if resource["Type"] == "AWS::DynamoDB::Table":
            properties: dict[str, Any] = resource["Properties"]
            return properties
    raise TemplateError("the template declares no AWS::DynamoDB::Table")
