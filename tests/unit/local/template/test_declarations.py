import pytest

from strata.local.runtime import Runtime
from strata.local.template.cloudformation import TemplateError
from strata.local.template.declarations import AuthorizerSpec, Route, load
from strata.local.template.event_sources import QueueSource, QueueSpec, Schedule
from strata.local.template.functions import Function
from support.local_apps import ECHO, FakeLog, write_app

FULL = """
Parameters:
  Batch: {Type: Number, Default: 25}
  WithDreams: {Type: String, Default: "no"}
Conditions:
  Dreams: !Equals [!Ref WithDreams, "yes"]
Globals:
  Function:
    Handler: app.lambda_handler
    Timeout: 20
    MemorySize: 512
    Environment: {Variables: {SHARED: a, LEVEL: INFO}}
Resources:
  Table: {Type: AWS::DynamoDB::Table}
  RedriveQueue: {Type: AWS::SQS::Queue}
  Save:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: functions/save/
      Timeout: 30
      Environment: {Variables: {LEVEL: DEBUG, TABLE: !Ref Table}}
      Events:
        Post: {Type: HttpApi, Properties: {Method: post, Path: /observations}}
        Any: {Type: HttpApi, Properties: {Method: ANY, Path: "/files/{proxy+}"}}
  Indexer:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: functions/indexer/
      Events:
        Stream:
          Type: DynamoDB
          Properties:
            Stream: !GetAtt Table.StreamArn
            BatchSize: !Ref Batch
            FilterCriteria: {Filters: [{Pattern: '{"eventName": ["REMOVE"]}'}]}
        Queue: {Type: SQS, Properties: {Queue: !GetAtt RedriveQueue.Arn, BatchSize: 5}}
        Nightly: {Type: ScheduleV2, Properties: {ScheduleExpression: rate(1 day)}}
  Dreamer:
    Type: AWS::Serverless::Function
    Condition: Dreams
    Properties: {CodeUri: functions/dreamer/}
"""


def test_a_function_has_its_own_properties_over_the_shared_ones(tmp_path):
    save = load(write_app(tmp_path, FULL)).functions["Save"]

    assert (save.timeout, save.memory, save.handler) == (30, 512, "app.lambda_handler")
    assert save.code_dir == tmp_path / "functions/save"
    assert save.environment == {"SHARED": "a", "LEVEL": "DEBUG", "TABLE": {"Ref": "Table"}}


def test_routes_streams_queues_and_schedules_are_read(tmp_path):
    functions = load(write_app(tmp_path, FULL)).functions

    assert functions["Save"].routes == (Route("POST", "/observations"), Route("ANY", "/files/{proxy+}"))
    (stream,) = functions["Indexer"].streams
    assert (stream.table, stream.batch_size) == ("Table", 25)
    assert stream.patterns == ({"eventName": ["REMOVE"]},)
    assert functions["Indexer"].queues == (QueueSource(QueueSpec("RedriveQueue"), batch_size=5),)
    assert functions["Indexer"].schedules == (Schedule("Indexer.Nightly", "rate(1 day)"),)


def test_a_function_whose_condition_does_not_hold_is_not_there(tmp_path):
    assert set(load(write_app(tmp_path, FULL)).functions) == {"Save", "Indexer"}
    assert "Dreamer" in load(write_app(tmp_path, FULL.replace('Default: "no"', 'Default: "yes"'))).functions


def test_an_authorizer_stands_before_every_route_that_does_not_opt_out(tmp_path):
    template = load(
        write_app(
            tmp_path,
            """
            Resources:
              Api:
                Type: AWS::Serverless::HttpApi
                Properties:
                  Auth:
                    DefaultAuthorizer: Keys
                    Authorizers:
                      Keys:
                        FunctionArn: !GetAtt Authorizer.Arn
                        Identity: {Headers: [Authorization], ReauthorizeEvery: 3600}
                      Asked: {FunctionArn: !GetAtt Authorizer.Arn, Identity: {ReauthorizeEvery: 60}}
              Authorizer:
                Type: AWS::Serverless::Function
                Properties: {CodeUri: a/, Handler: app.lambda_handler}
              Hello:
                Type: AWS::Serverless::Function
                Properties:
                  CodeUri: a/
                  Handler: app.lambda_handler
                  Events:
                    Private: {Type: HttpApi, Properties: {Method: GET, Path: /private}}
                    Public:
                      Type: HttpApi
                      Properties: {Method: GET, Path: /public, Auth: {Authorizer: NONE}}
                    Other:
                      Type: HttpApi
                      Properties: {Method: GET, Path: /other, Auth: {Authorizer: Asked}}
            """,
        )
    )

    assert template.authorizers == {
        "Keys": AuthorizerSpec("Authorizer", ("authorization",), 60),
        "Asked": AuthorizerSpec("Authorizer", (), 0),
    }
    assert [route.authorizer for route in template.functions["Hello"].routes] == ["Keys", None, "Asked"]


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ("{Type: Kinesis, Properties: {}}", "F.E: events of type Kinesis"),
        ("{Type: HttpApi, Properties: {Method: GET}}", "needs a Method and a Path"),
        ("{Type: DynamoDB, Properties: {Stream: !Ref Somewhere}}", "Stream must be"),
        (
            "{Type: DynamoDB, Properties: {Stream: !GetAtt T.StreamArn, "
            "FilterCriteria: {Filters: [{Pattern: x}]}}}",
            "must be JSON",
        ),
    ],
)
def test_what_cannot_run_here_is_refused_by_name(tmp_path, event, said):
    path = write_app(
        tmp_path,
        f"""
        Resources:
          F:
            Type: AWS::Serverless::Function
            Properties: {{CodeUri: f/, Handler: app.h, Events: {{E: {event}}}}}
        """,
    )

    with pytest.raises(TemplateError, match=said):
        load(path)


@pytest.mark.parametrize(("text", "said"), [("a: [", "not valid YAML"), ("a: 1", "no Resources")])
def test_a_broken_template_is_refused_with_its_path(tmp_path, text, said):
    path = write_app(tmp_path, text)

    with pytest.raises(TemplateError, match=f"{path}.*{said}"):
        load(path)


def test_a_missing_template_is_refused_with_its_path(tmp_path):
    with pytest.raises(TemplateError, match=r"nowhere\.yaml"):
        load(tmp_path / "nowhere.yaml")


TWO = """
Resources:
  One: {Type: AWS::Serverless::Function, Properties: {CodeUri: one/, Handler: app.lambda_handler}}
  Two: {Type: AWS::Serverless::Function, Properties: {CodeUri: two/, Handler: app.lambda_handler}}
"""


def test_functions_whose_modules_have_one_name_stay_apart(tmp_path):
    code = "def lambda_handler(event, context):\n    return [context.function_name, __file__, event]\n"
    template = load(write_app(tmp_path, TWO, one=code, two=code))

    one, two = (Function(template.functions[name])({"n": 1}, "id") for name in ("One", "Two"))

    assert one == ["One", str(tmp_path / "one/app.py"), {"n": 1}]
    assert two == ["Two", str(tmp_path / "two/app.py"), {"n": 1}]


@pytest.mark.parametrize(("code", "said"), [({}, "does not exist"), ({"one": "x = 1"}, "no lambda_handler")])
def test_a_function_without_code_is_refused_by_name(tmp_path, code, said):
    template = load(write_app(tmp_path, TWO, **code))

    with pytest.raises(TemplateError, match=f"One: .*{said}"):
        Function(template.functions["One"]).load()


def test_a_handler_is_told_how_much_time_it_has(tmp_path):
    document = TWO.replace("app.lambda_handler}}", "app.lambda_handler, Timeout: 9}}")
    code = "def lambda_handler(event, context):\n    return context.get_remaining_time_in_millis()\n"
    template = load(write_app(tmp_path, document, one=code, two=ECHO))

    assert 0 < Function(template.functions["One"])({}, "id") <= 9000


def test_the_shipped_template_can_run_here_and_every_function_has_its_code(tmp_path):
    template = load()

    Runtime(template, tmp_path, FakeLog)

    assert {"/sessions", "/observations", "/search", "/context", "/health"} <= {
        route.path for function in template.functions.values() for route in function.routes
    }
    for function in template.functions.values():
        module, _, _ = function.handler.rpartition(".")
        assert (function.code_dir / f"{module}.py").is_file()
