"""Projects in the lines of an import are named as every route names them."""

import pytest
from pydantic import TypeAdapter, ValidationError

from strata.domain.wire.knowledge_lines import ConclusionLine, MentionLine, SightingsLine
from strata.domain.wire.lines import EpisodeLine
from strata.domain.wire.profile_lines import ProfileLine

AT = "2026-01-01T00:00:00Z"
EPISODE: dict[str, object] = {
    "id": "ep-1",
    "conversation_id": "s1",
    "summary": "a heron",
    "keywords": [],
    "topic": "",
}
EPISODE |= {"type": "conversation", "importance": 0.5, "derived": True, "created_at": AT, "updated_at": AT}


@pytest.mark.parametrize(
    ("named", "read"), [(" Shop ", "shop"), ("DOCS", "docs"), ("shop", "shop"), ("", ""), (None, None)]
)
def test_the_project_of_an_episode(named, read):
    assert EpisodeLine.model_validate(EPISODE | {"project": named}).project == read


def test_an_episode_may_name_no_project():
    assert EpisodeLine.model_validate(EPISODE).project is None


@pytest.mark.parametrize("named", [" ", "x" * 201, "İ" * 150, "a\nb", 7])
def test_what_names_no_project_is_refused(named):
    with pytest.raises(ValidationError, match="project"):
        EpisodeLine.model_validate(EPISODE | {"project": named})


def test_the_projects_of_a_statement_in_a_profile_are_each_named_once():
    stated = {
        "value": "Ann",
        "by": "agent",
        "at": AT,
        "agents": ["Helper"],
        "projects": ["Docs", " Shop", "shop"],
    }
    line = {"user_id": "ann", "version": 1, "updated_at": AT, "statements": {"name": [stated]}}
    (read,) = ProfileLine.model_validate(line).statements["name"]
    assert (read.projects, read.agents) == (["docs", "shop"], ["Helper"])


def test_the_projects_that_conclusions_and_mentions_rest_on():
    assert _read(ConclusionLine, "projects", [" Shop ", "Docs"]) == ["shop", "docs"]
    for model in (SightingsLine, MentionLine):
        for named, read in (("Shop ", "shop"), ("DOCS", "docs"), ("", ""), (None, None)):
            assert _read(model, "project", named) == read


def _read(model, field, value):
    """A value as the field of a model reads it."""
    return TypeAdapter(model.model_fields[field].annotation).validate_python(value)
