"""docs/data-model.md names every row that the services make."""

import re
from pathlib import Path
from typing import get_type_hints

import pytest

from strata.services.records import change_notes
from strata.services.records.episodes import agent_episodes, session_episodes
from strata.services.records.events import app_logs
from strata.services.records.kinds import KINDS
from strata.services.records.observations import GLOBAL_PK, session_observations
from strata.services.records.owners import owner_pk
from strata.services.records.parts import numbered
from strata.services.records.sessions import project_sessions, project_summaries
from support.record_keys import MADE

DOCUMENT = (Path(__file__).parents[3] / "docs" / "data-model.md").read_text()
NUMBER = 7


def written(text: str) -> str:
    """A key's part as the document writes it."""
    return re.sub(r"[0-9a-f]{64}", "{sha256}", text).replace(numbered(NUMBER), "{id}")


@pytest.mark.parametrize("name", sorted(MADE))
def test_every_key_is_in_the_document(name: str) -> None:
    hints = {
        parameter: hint for parameter, hint in get_type_hints(MADE[name]).items() if parameter != "return"
    }
    given = {
        parameter: NUMBER if hint is int else "PROJECT#{project}" if parameter == "pk" else f"{{{parameter}}}"
        for parameter, hint in hints.items()
    }
    key = MADE[name](**given)
    sk = re.sub(r"^(CHANGE|CONSENT|ENTRY)#\{id\}", r"\1#{at}", written(key.sk))
    sk = re.sub(r"^APPLIED#\{id\}", "APPLIED#{until}", sk)
    line = next(
        (line for line in DOCUMENT.splitlines() if f"| `{sk}` |" in line and f"`{written(key.pk)}`" in line),
        None,
    )
    assert line is not None, f"{name}: no row `{written(key.pk)}` | `{sk}` in docs/data-model.md"


def test_every_place_in_an_index_is_in_the_document() -> None:
    assert f"`{project_sessions('{project}')}`, `{{started}}#{{session_id}}`" in DOCUMENT
    assert f"`{project_summaries('{project}')}`, `{{started}}#{{session_id}}`" in DOCUMENT
    assert f"`{session_observations('{session_id}')}`, `{{id}}`" in DOCUMENT
    assert f"`{session_episodes('{session_id}')}`, `{{id}}`" in DOCUMENT
    assert f"`{agent_episodes('{agent_id}')}`, `{{id}}`" in DOCUMENT
    assert f"`{GLOBAL_PK}`, `{{id}}`" in DOCUMENT
    assert f"`{app_logs('{app}')}`, `{{updated}}#{{session_id}}`" in DOCUMENT
    assert f"`{owner_pk('{owner}')}`" in DOCUMENT
    for kind in KINDS:
        assert f"`{change_notes.shard_pk(0, kind)[:-1]}{{shard}}`" in DOCUMENT
    assert f"is 0 to {change_notes.SHARDS - 1}" in DOCUMENT
