"""Entities that an agent's memories named before it was configured are shown to that agent only."""

import pytest

NOBODY, OTHER, OWN = {}, {"agent_id": "a2"}, {"agent_id": "a1"}


@pytest.fixture
def told(entities, ask):
    """Two people of two tenants tell two agents, of which one is configured afterwards in one tenant."""
    for tenant in ("local", "acme"):
        for user in ("ann", "bob"):
            told_by = {"user": user, "tenant": tenant}
            entities.tell("[person Ana Ruiz] lives in [place Lima].", session=f"{user}-1", **told_by)
            entities.tell("[person Leo Ruiz] paints.", session=f"{user}-2", **told_by | {"agent_id": "a2"})
    ask("local", "PUT", "/api/agents-config/a1", json={"memory_enabled": True})
    return entities


@pytest.mark.parametrize("user", ["ann", "bob"])
def test_only_the_agent_itself_is_shown_them(told, user):
    assert told.names(user, **NOBODY) == ["Leo Ruiz"]
    assert told.names(user, **OTHER) == ["Leo Ruiz"]
    assert {*told.names(user, **OWN)} == {"Ana Ruiz", "Lima"}
    assert {*told.names(user, "acme", **NOBODY)} == {"Ana Ruiz", "Lima", "Leo Ruiz"}, "not configured there"


def test_no_other_way_leads_to_them(told):
    ana = next(each["id"] for each in told.listed(**OWN) if each["name"] == "Ana Ruiz")
    assert told.ask("/stats")["total"] == 1
    assert told.names(q="ana") == []
    for path in ("", "/episodes", "/conclusions", "/relationships", "/graph", "/page"):
        assert told.ask(f"/{ana}{path}", status=404)["error"] == "no such entity"
        assert told.ask(f"/{ana}", params=OWN)["name"] == "Ana Ruiz"
    told.ask(f"/{ana}", method="DELETE", status=404)
    told.ask(f"/{ana}", method="DELETE", params=OWN)
    assert told.names(deleted=True) == []
    assert told.names(deleted=True, **OWN) == ["Ana Ruiz"]


def test_what_both_agents_name_is_counted_for_who_may_see_it(told):
    told.tell("[person Leo Ruiz] sails.", session="ann-3")
    (leo,) = [each for each in told.listed(**NOBODY) if each["name"] == "Leo Ruiz"]
    assert leo["mention_count"] == 1
    assert len(told.ask(f"/{leo['id']}/episodes")["episodes"]) == 1
