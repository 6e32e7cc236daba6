"""The authorizers of API Gateway, in the template as CloudFormation gets it."""

from typing import Any

import pytest

from strata.domain.wire.envelope import has_envelope
from support.lambda_deployment import transformed


@pytest.fixture(scope="module")
def described(sam: None) -> dict[str, Any]:
    """The API as the transformed template describes it, in OpenAPI."""
    body: dict[str, Any] = transformed("tested")["Resources"]["Api"]["Properties"]["Body"]
    return body


def test_one_authorizer_is_asked_by_its_header_and_kept_and_one_is_always_asked(described):
    schemes = described["components"]["securitySchemes"]
    told = {name: scheme["x-amazon-apigateway-authorizer"] for name, scheme in schemes.items()}
    assert {
        name: (each["identitySource"], each["authorizerResultTtlInSeconds"]) for name, each in told.items()
    } == {
        "Credentials": (["$request.header.Authorization"], 60),
        "CredentialsInAnyHeader": ([], 0),
    }
    assert told["Credentials"]["authorizerUri"] == told["CredentialsInAnyHeader"]["authorizerUri"]


def test_what_no_route_takes_goes_to_one_function_that_asks_nobody(described):
    default = described["paths"]["/$default"]["x-amazon-apigateway-any-method"]
    assert default["isDefaultRoute"] is True
    assert default.get("security", [{"NONE": []}]) == [{"NONE": []}]
    assert (
        default["x-amazon-apigateway-integration"]
        == (described["paths"]["/health"]["get"]["x-amazon-apigateway-integration"])
    )


def test_fysos_routes_alone_have_the_one_without_an_identity_source(described):
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            if not method.startswith("x-"):
                named = [name for each in operation.get("security", []) for name in each]
                expected = "CredentialsInAnyHeader" if has_envelope(path) else "Credentials"
                assert named in ([expected], ["NONE"], []), (method, path)
                assert named == [expected] or not has_envelope(path), (method, path)
