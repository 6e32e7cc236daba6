import pytest

from strata.local.http.authorization import Authorizer
from strata.local.http.messages import Request, to_event
from strata.local.template.cloudformation import TemplateError
from strata.local.template.declarations import AuthorizerSpec, load
from strata.local.template.functions import Function
from support.local_apps import ECHO, run_app, write_app

APP = """
Resources:
  Api:
    Type: AWS::Serverless::HttpApi
    Properties:
      Auth:
        DefaultAuthorizer: Keys
        Authorizers:
          Keys:
            FunctionArn: !GetAtt Authorizer.Arn
            AuthorizerPayloadFormatVersion: "2.0"
            EnableSimpleResponses: true
            Identity: {Headers: [Authorization], ReauthorizeEvery: 60}
  Authorizer:
    Type: AWS::Serverless::Function
    Properties: {CodeUri: authorizer/, Handler: app.lambda_handler}
  Echo:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: echo/
      Handler: app.lambda_handler
      Events:
        Private: {Type: HttpApi, Properties: {Method: GET, Path: /private}}
        Public: {Type: HttpApi, Properties: {Method: GET, Path: /public, Auth: {Authorizer: NONE}}}
"""
CHECK = """
calls = []
def lambda_handler(event, context):
    calls.append(event)
    key = event["identitySource"][0]
    if key == "Bearer broken":
        raise Exception("a secret")
    return {"isAuthorized": key == "Bearer good", "context": {"tenant": "acme", "calls": len(calls)}}
"""


def get(runtime, path="/private", key=None):
    headers = [("authorization", key)] if key else []
    return runtime.gateway.handle(Request("GET", path, headers=headers))


@pytest.fixture
def runtime(tmp_path):
    return run_app(tmp_path, APP, authorize=True, echo=ECHO, authorizer=CHECK)


def test_the_authorizers_context_reaches_the_function(runtime):
    response = get(runtime, key="Bearer good")
    assert response.status == 200
    assert b'"authorizer":{"lambda":{"tenant":"acme","calls":1}}' in response.body


@pytest.mark.parametrize(
    ("key", "status", "code"),
    [
        (None, 401, b"unauthenticated"),
        ("Bearer bad", 401, b"unauthenticated"),
        ("Bearer broken", 500, b"internal_error"),
    ],
)
def test_who_is_not_let_in_gets_our_error_body(runtime, key, status, code):
    response = get(runtime, key=key)
    assert response.status == status
    assert b'"code":"' + code in response.body
    assert b"secret" not in response.body


def test_a_wrong_key_is_told_from_a_missing_one(runtime):
    assert b"needs credentials" in get(runtime).body
    assert b"are not valid" in get(runtime, key="Bearer bad").body


def test_a_route_without_authorizer_stays_open(runtime):
    response = get(runtime, "/public")
    assert response.status == 200
    assert b'"authorizer"' not in response.body


def test_an_answer_is_kept_for_its_credential_until_it_is_too_old(tmp_path):
    function = Function(load(write_app(tmp_path, APP, echo=ECHO, authorizer=CHECK)).functions["Authorizer"])
    now = 100.0
    authorizer = Authorizer(AuthorizerSpec("Authorizer", ttl=60), function, lambda: now)

    def calls(key: str) -> int:
        event = to_event(
            Request("GET", "/private", headers=[("authorization", key)]), "GET /private", {}, "id"
        )
        assert authorizer.admit(event, "id") is None
        return event["requestContext"]["authorizer"]["lambda"]["calls"]

    assert calls("Bearer good") == 1
    now = 159.0
    assert calls("Bearer good") == 1
    now = 161.0
    assert calls("Bearer good") == 2


def test_a_refusal_of_one_credential_is_not_anothers(runtime):
    assert get(runtime, key="Bearer bad").status == 401
    assert get(runtime, key="Bearer good").status == 200


def test_a_template_without_authorizer_cannot_be_run_with_one(tmp_path):
    document = "Resources: {T: {Type: AWS::DynamoDB::Table}}"
    with pytest.raises(TemplateError, match="declares no authorizer"):
        run_app(tmp_path, document, authorize=True)
