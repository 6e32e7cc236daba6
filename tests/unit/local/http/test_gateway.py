import base64
import json

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.local.http.messages import Request, from_answer, to_event
from strata.local.http.routing import Router
from strata.local.template.cloudformation import TemplateError
from strata.local.transport import InProcessTransport
from support.local_apps import ECHO, FakeLog, run_app

APP = """
Resources:
  Table: {{Type: AWS::DynamoDB::Table}}
  Echo:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: echo/
      Handler: app.lambda_handler
      Events:
        Api: {{Type: HttpApi, Properties: {{Method: ANY, Path: "/echo/{{id}}"}}}}
        {more}
"""
NO_MORE = APP.format(more="")


def client(runtime) -> httpx.Client:
    return httpx.Client(transport=InProcessTransport(runtime.gateway), base_url="http://localhost")


# --- Routes ---------------------------------------------------------------------------------------


def router(*routes: str) -> Router[str]:
    made: Router[str] = Router()
    for route in routes:
        method, path = route.split()
        made.add(method, path, route)
    return made


def found(router: Router[str], method: str, path: str):
    match = router.match(method, path)
    return None if match is None else (match.route_key, dict(match.parameters))


def test_the_most_specific_route_wins_in_whatever_order_they_are_declared():
    routes = ["GET /a/{proxy+}", "GET /a/{id}", "GET /a/recent", "ANY /a/{id}/x", "GET /a/{id}/events"]
    for made in (router(*routes), router(*reversed(routes))):
        assert found(made, "GET", "/a/recent") == ("GET /a/recent", {})
        assert found(made, "GET", "/a/7") == ("GET /a/{id}", {"id": "7"})
        assert found(made, "GET", "/a/recent/x") == ("ANY /a/{id}/x", {"id": "recent"})
        assert found(made, "GET", "/a/7/8/9") == ("GET /a/{proxy+}", {"proxy": "7/8/9"})


def test_a_method_of_its_own_goes_before_any():
    made = router("ANY /a", "GET /a")
    assert found(made, "GET", "/a") == ("GET /a", {})
    assert found(made, "PUT", "/a") == ("ANY /a", {})


@pytest.mark.parametrize("path", ["/", "", "/a", "/a/7/", "/b/7", "/a//", "//a/7"])
def test_what_no_route_names_has_none(path):
    assert found(router("GET /a/{id}"), "GET", path) is None


def test_an_encoded_slash_stays_inside_its_segment():
    made = router("GET /a/{id}/x")
    assert found(made, "GET", "/a/b%2Fc%20%F0%9F%A7%A0%23/x") == ("GET /a/{id}/x", {"id": "b/c 🧠#"})


@given(st.text(min_size=1).filter(lambda text: text.encode("utf-8", "ignore").decode() == text))
def test_any_id_arrives_whole(text):
    path = "".join(f"%{byte:02X}" for byte in text.encode())
    assert found(router("GET /a/{id}"), "GET", f"/a/{path}") == ("GET /a/{id}", {"id": text})


def test_two_functions_cannot_declare_one_route(tmp_path):
    twice = APP.format(more='Again: {Type: HttpApi, Properties: {Method: ANY, Path: "/echo/{name}"}}')
    with pytest.raises(TemplateError, match="declared twice"):
        run_app(tmp_path, twice, echo=ECHO)


# --- Events ---------------------------------------------------------------------------------------


def event_of(**request):
    return to_event(Request(**({"method": "GET", "path": "/x"} | request)), "GET /x", {}, "id")


def test_a_query_comes_as_sent_and_parsed():
    event = event_of(query="q=tea,%20coffee&tag=a&tag=b&empty=&plus=1+2")

    assert event["rawQueryString"] == "q=tea,%20coffee&tag=a&tag=b&empty=&plus=1+2"
    assert event["queryStringParameters"] == {"q": "tea, coffee", "tag": "a,b", "empty": "", "plus": "1 2"}


def test_headers_are_joined_and_cookies_kept_apart():
    event = event_of(headers=[("x-a", "1"), ("x-a", "2"), ("cookie", "a=1; b=2")])

    assert event["headers"] == {"x-a": "1,2"}
    assert event["cookies"] == ["a=1", "b=2"]


def test_what_is_absent_has_no_key():
    assert not {"queryStringParameters", "pathParameters", "cookies", "body"} & set(event_of())


@pytest.mark.parametrize(
    ("content_type", "body", "encoded"),
    [
        ("application/json", '{"a": "é"}'.encode(), False),
        ("text/plain; charset=utf-8", b"a", False),
        ("application/json", b"\xff", True),
        ("application/octet-stream", b"a", True),
        ("application/x-www-form-urlencoded", b"a=1", True),
        ("", b"a", True),
    ],
)
def test_only_text_of_a_text_type_is_not_base64(content_type, body, encoded):
    event = event_of(method="POST", headers=[("content-type", content_type)], body=body)

    assert event["isBase64Encoded"] is encoded
    content = base64.b64decode(event["body"]) if encoded else event["body"].encode()
    assert content == body


def test_the_path_of_an_event_is_decoded():
    event = event_of(path="/a%2Fb/%F0%9F%A7%A0")
    assert event["rawPath"] == event["requestContext"]["http"]["path"] == "/a/b/🧠"


# --- Answers --------------------------------------------------------------------------------------


def test_an_answer_without_status_is_the_body_of_a_200():
    response = from_answer([{"a": 1}])
    assert (response.status, json.loads(response.body)) == (200, [{"a": 1}])


def test_cookies_and_repeated_headers_go_out_one_by_one():
    response = from_answer(
        {
            "statusCode": 200,
            "headers": {"X-One": "1", "Content-Length": "999"},
            "multiValueHeaders": {"X-Two": ["1", "2"]},
            "cookies": ["a=1", "b=2"],
            "body": "é",
        }
    )

    assert response.headers == [
        ("x-one", "1"),
        ("x-two", "1"),
        ("x-two", "2"),
        ("set-cookie", "a=1"),
        ("set-cookie", "b=2"),
        ("content-type", "text/plain; charset=utf-8"),
        ("content-length", "2"),
    ]


def test_a_base64_body_goes_out_decoded():
    answer = {"statusCode": 200, "body": base64.b64encode(b"\x00\xff").decode(), "isBase64Encoded": True}
    assert from_answer(answer).body == b"\x00\xff"


def test_no_content_has_neither_body_nor_length():
    response = from_answer({"statusCode": 204, "headers": {"Content-Type": "application/json"}, "body": ""})
    assert (response.headers, response.body) == ([], b"")


# --- The whole way --------------------------------------------------------------------------------


def test_a_route_added_to_the_template_is_served_without_another_line_of_code(tmp_path):
    more = 'Brew: {Type: HttpApi, Properties: {Method: POST, Path: "/brew/{pot}"}}'
    before = client(run_app(tmp_path / "before", NO_MORE, echo=ECHO))
    after = client(run_app(tmp_path / "after", APP.format(more=more), echo=ECHO))

    assert before.post("/brew/tea", json={}).status_code == 404
    answer = after.post("/brew/green%2Ftea?q=tea, coffee", json={"cups": 2}).json()
    assert answer["routeKey"] == "POST /brew/{pot}"
    assert answer["pathParameters"] == {"pot": "green/tea"}
    assert answer["queryStringParameters"] == {"q": "tea, coffee"}
    assert json.loads(answer["body"]) == {"cups": 2}


def test_an_unknown_route_gets_our_error_body(tmp_path):
    response = client(run_app(tmp_path, NO_MORE, echo=ECHO)).get("/nowhere")

    assert response.status_code == 404
    assert response.json() == {"error": "there is no GET /nowhere", "code": "not_found"}


@pytest.mark.parametrize("code", ["raise KeyError('secret')", "return {'statusCode': 200, 'body': 7}"])
def test_a_failing_handler_is_answered_without_its_trace(tmp_path, code):
    runtime = run_app(tmp_path, NO_MORE, echo=f"def lambda_handler(event, context):\n    {code}\n")

    response = client(runtime).get("/echo/1")

    assert response.status_code == 500
    assert response.json()["code"] == "internal_error"
    assert "secret" not in response.text


STREAMED = """
Resources:
  Table: {Type: AWS::DynamoDB::Table}
  Save:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: save/
      Handler: app.lambda_handler
      Events: {Api: {Type: HttpApi, Properties: {Method: POST, Path: /save}}}
  Indexer:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: indexer/
      Handler: app.lambda_handler
      Events: {Stream: {Type: DynamoDB, Properties: {Stream: !GetAtt Table.StreamArn}}}
"""
SAVE = """
from support import local_apps
def lambda_handler(event, context):
    local_apps.shared.write("a")
    return {"statusCode": 201, "body": "{}"}
"""
INDEX = """
from support import local_apps
def lambda_handler(event, context):
    if local_apps.broken:
        raise RuntimeError("no index")
    local_apps.indexed.extend(record["dynamodb"]["Keys"]["sk"]["S"] for record in event["Records"])
"""


@pytest.fixture
def shared(monkeypatch):
    from support import local_apps

    monkeypatch.setattr(local_apps, "shared", FakeLog(), raising=False)
    monkeypatch.setattr(local_apps, "indexed", [], raising=False)
    monkeypatch.setattr(local_apps, "broken", False, raising=False)
    return local_apps


def test_a_request_does_not_wait_for_the_stream_which_is_followed_beside_it(tmp_path, shared):
    runtime = run_app(tmp_path, STREAMED, log=shared.shared, save=SAVE, indexer=INDEX)

    assert client(runtime).post("/save").status_code == 201
    assert shared.indexed == []
    runtime.finish(5)
    assert shared.indexed == ["a"]


def test_a_batch_of_this_machine_stays_small_where_the_template_allows_more(tmp_path, shared):
    large = STREAMED.replace("!GetAtt Table.StreamArn", "!GetAtt Table.StreamArn, BatchSize: 500")
    counts = "from support import local_apps\ndef lambda_handler(event, context):\n"
    counts += "    local_apps.indexed.append(len(event['Records']))\n"
    runtime = run_app(tmp_path, large, log=shared.shared, save=SAVE, indexer=counts)

    shared.shared.write(*map(str, range(150)))
    runtime.finish(30)

    assert shared.indexed == [100, 50]


def test_what_the_index_fails_on_stays_in_the_stream(tmp_path, shared, monkeypatch):
    monkeypatch.setattr(shared, "broken", True)
    runtime = run_app(tmp_path, STREAMED, log=shared.shared, save=SAVE, indexer=INDEX)

    assert client(runtime).post("/save").status_code == 201
    runtime.finish(5)
    assert shared.shared.position("Indexer") == 0


# --- Other methods --------------------------------------------------------------------------------


def test_what_no_route_takes_is_the_default_routes(tmp_path):
    document = APP.format(more="Rest: {Type: HttpApi}")
    asked = client(run_app(tmp_path, document, echo=ECHO))

    for method, path in (("POST", "/nowhere"), ("OPTIONS", "/echo"), ("HEAD", "/a/b")):
        answer = asked.request(method, path)
        assert answer.status_code == 200
        event = answer.json()
        assert (event["routeKey"], event["rawPath"]) == ("$default", path)
        assert event["requestContext"]["http"]["method"] == method
    assert asked.get("/echo/7").json()["routeKey"] == "ANY /echo/{id}"


def test_without_a_default_route_it_is_not_found(tmp_path):
    asked = client(run_app(tmp_path, NO_MORE, echo=ECHO))
    assert asked.delete("/nowhere").json() == {"error": "there is no DELETE /nowhere", "code": "not_found"}
    assert asked.head("/nowhere").status_code == 404
