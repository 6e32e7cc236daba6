"""A setting that can't be used is named at the start, in one sentence, not met later as a traceback."""

import pytest

from strata.bootstrap import Application
from strata.settings import SettingsError, load


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("STRATA_RANKING", "soft=0.4,sofd=1", "STRATA_RANKING: there is no weight sofd"),
        ("STRATA_LOG_LEVEL", "loud", "STRATA_LOG_LEVEL: Input should be 'DEBUG'"),
        ("STRATA_TENANT", "a#b", "STRATA_TENANT: must be 1-100 letters"),
        ("STRATA_DEDUPE_WINDOW", "soon", "STRATA_DEDUPE_WINDOW: must be seconds, or a span"),
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


def test_levels_are_taken_in_lower_case_too():
    assert load({"STRATA_LOG_LEVEL": "debug"}).log_level == "DEBUG"


def test_weights_replace_the_measured_ones_and_counts_stay_whole():
    params = Application(load({"STRATA_RANKING": "soft=0.4, session_depth=2"}))._ranking()
    assert params.soft == 0.4
    assert params.session_depth == 2
    assert isinstance(params.session_depth, int)
