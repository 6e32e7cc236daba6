"""A setting that can't be used is named at the start, in one sentence, not met later as a traceback."""

import pytest

from strata.adapters.sqs import SqsQueue
from strata.bootstrap import Application
from strata.settings import Settings, SettingsError, load
from strata.settings.settings import PARTS, TASKS


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("STRATA_RANKING", "soft=0.4,sofd=1", "STRATA_RANKING: there is no weight sofd"),
        ("STRATA_LOG_LEVEL", "loud", "STRATA_LOG_LEVEL: Input should be 'DEBUG'"),
        ("STRATA_TENANT", "a#b", "STRATA_TENANT: must be 1-100 letters"),
        ("STRATA_DEDUPE_WINDOW", "soon", "STRATA_DEDUPE_WINDOW: must be seconds, or a span"),
        ("STRATA_WORK_QUEUE_URL", "work", "STRATA_WORK_QUEUE_URL: String should match"),
        ("STRATA_ALLOWED_ORIGINS", "https://a.example, *", "STRATA_ALLOWED_ORIGINS: must be origins such as"),
        ("STRATA_ALLOWED_ORIGINS", "https://a.example/", "not 'https://a.example/'"),
        ("STRATA_ALLOWED_ORIGINS", "a.example", "not 'a.example'"),
        ("STRATA_ALLOWED_ORIGINS", "null", "not 'null'"),
        ("STRATA_STORE", "dynamodb", "unusable settings: STRATA_STORE=dynamodb needs STRATA_TABLE"),
    ],
)
def test_what_cannot_be_used_is_named(name, value, said):
    with pytest.raises(SettingsError, match="unusable settings") as refused:
        load({name: value})
    assert said in str(refused.value)
    assert "Value error" not in str(refused.value)


def test_every_wrong_setting_is_named_at_once():
    with pytest.raises(SettingsError) as refused:
        load({"STRATA_PORT": "many", "STRATA_REDACT": "perhaps"})
    assert "STRATA_PORT" in str(refused.value)
    assert "STRATA_REDACT" in str(refused.value)


def test_what_store_index_and_issuer_lack_is_named_at_once():
    given = {
        "STRATA_JWT_ISSUER": "https://login.example",
        "STRATA_STORE": "dynamodb",
        "STRATA_INDEX": "opensearch",
    }
    told = (
        "unusable settings: STRATA_JWT_ISSUER needs STRATA_JWT_AUDIENCE: else tokens for others open this; "
        "STRATA_STORE=dynamodb needs STRATA_TABLE; STRATA_INDEX=opensearch needs STRATA_OPENSEARCH_URL"
    )
    for names in (given, reversed(given)):
        with pytest.raises(SettingsError) as refused:
            load({name: given[name] for name in names})
        assert str(refused.value) == told


def test_a_variable_named_like_a_field_sets_nothing():
    parts = {name: getattr(load({}), name) for name in (*PARTS, *TASKS)}
    names = {*Settings.model_fields, *(name for part in parts.values() for name in type(part).model_fields)}
    assert names > {"tenant", "data", "server", "host", "judge", "queue_urls"}
    for name in names:
        assert load({name: "notes"}) == load({}), name
    assert load({"tenant": "b", "STRATA_TENANT": "a", "server": "b", "STRATA_PORT": "1"}) == load(
        {"STRATA_TENANT": "a", "STRATA_PORT": "1"}
    )


def test_origins_are_read_as_browsers_send_them():
    given = "https://App.example:443, http://localhost:5173,tauri://localhost,"
    origins = ("https://app.example", "http://localhost:5173", "tauri://localhost")
    assert load({"STRATA_ALLOWED_ORIGINS": given}).server.allowed_origins == origins


def test_levels_are_taken_in_lower_case_too():
    assert load({"STRATA_LOG_LEVEL": "debug"}).observing.log_level == "DEBUG"


def test_weights_replace_the_measured_ones_and_counts_stay_whole():
    params = Application(load({"STRATA_RANKING": "soft=0.4, session_depth=2"})).search.ranking
    assert params.soft == 0.4
    assert params.session_depth == 2
    assert isinstance(params.session_depth, int)


def test_a_queue_is_the_one_that_its_setting_names_else_one_of_the_store(tmp_path):
    app = Application(
        load(
            {"STRATA_DATA": str(tmp_path), "STRATA_WORK_QUEUE_URL": "https://sqs.eu-west-1.amazonaws.com/1/w"}
        )
    )
    assert isinstance(app.queues.named("work"), SqsQueue)
    assert app.queues.named("work") is app.queues.named("work")
    app.queues.named("other").send(["a"])
    assert [message.body for message in app.queues.named("other").receive()] == ["a"]
    assert app.queues.named("third").receive() == []
    app.close()


def test_what_is_set_is_a_value_of_the_templates_parameter_of_that_name():
    parameters = load(
        {
            "AGTOS_MAINTENANCE_ENABLED": "0",
            "STRATA_MAINTENANCE_TIMEZONE": "Europe/Berlin",
            "STRATA_REDACT": "true",
            "STRATA_STAGE": "test",
            "STRATA_JWT_TENANT_CLAIM": "org",
            "staleThresholdDays": "30",
            "MEMORY_LISTEN": ":8080",
            "STRATA_WORKERS": "3",
            "STRATA_ALLOWED_HOSTS": "a.example,b.example",
        }
    ).parameters
    assert parameters == {
        "MaintenanceEnabled": "false",
        "MaintenanceTimezone": "Europe/Berlin",
        "Redact": "true",
        "Stage": "test",
        "JwtTenantClaim": "org",
        "StaleDays": 30,
        "Host": "0.0.0.0",
        "Port": 8080,
        "Workers": 3,
        "AllowedHosts": "a.example,b.example",
    }
