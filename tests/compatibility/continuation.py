"""Work that must go on in a store that an earlier version left."""

from compatibility.store import Store
from compatibility.story import BEING_ERASED, ERASED, HOUR, PEOPLE, TENANTS, TO_BE_ERASED
from support.memory import observation


def known_contents_and_items_are_told(store: Store) -> None:
    """Guards, ledgers and ids of events hold; sessions stay their owners'."""
    for tenant in TENANTS:
        for person, (_, project, town) in PEOPLE.items():
            late = {"session_id": f"due-{person}", "project": project, "user_id": person, "title": "Late"}
            again = observation(content=f"{person} saw a comet", **late)
            assert store(tenant, "POST", "/observations", json=again)["action"] == "deduplicated"
            topic = late | {"topic_key": "deploys", "content": f"{person} deploys to {town} at night"}
            saved = store(tenant, "POST", "/observations", json=observation(**topic))
            assert (saved["action"], saved["revision_count"]) == ("updated", 3)
            marked = store(tenant, "POST", f"/ledger/chat-{person}/mark", json={"item": "observations:1"})
            assert marked["marked"] is False
            path = f"/memory/sessions/chat-{person}/events"
            before = store(tenant, "GET", path)
            event = {"event_type": "user_message", "content": "sent again", "event_id": f"{person}-2"}
            store(tenant, "POST", path, json=event)
            assert store(tenant, "GET", path) == before
            other = observation(session_id=f"talk-{person}", user_id="somebody else")
            assert store.ask(tenant, "POST", "/observations", json=other).status_code == 409
            kept = store(tenant, "PUT", f"/working-memory/chat-{person}", json={"steps": 4})
            assert (kept["steps"], kept["plan"]) == (4, [town, {"by": "train"}])


def maintenance_runs(store: Store) -> None:
    store.follow()
    for tenant in TENANTS:
        before = store(tenant, "GET", "/api/memory/maintain/history")["reports"]
        report = store(tenant, "POST", "/api/memory/maintain")
        assert (report["status"], report["errors"]) == ("done", {})
        assert store(tenant, "GET", "/api/memory/maintain/history")["reports"] == [report, *before]


def erasures_end(store: Store, erasures: dict[str, dict[str, str]]) -> None:
    """Those under way and those asked for are done in the end; one that was done stays so."""
    store.follow()
    for tenant in TENANTS:
        store(tenant, "POST", "/api/memory/maintain")  # sends for those that no queue knows
    store.work(seconds=62, rounds=8)
    for tenant in TENANTS:
        for person in (ERASED, BEING_ERASED, TO_BE_ERASED):
            receipt = store(tenant, "GET", f"/api/rgpd/erasures/{erasures[tenant][person]}")
            assert (receipt["status"], receipt["erased"]["observations"]) == ("done", 2)
            assert store(tenant, "GET", f"/api/rgpd/users/{person}/ai-data")["items"] == {}
        listed = store(tenant, "GET", "/observations/recent", params={"limit": 100})
        assert not any("said" in each["content"] for each in listed if each["content"] != "said by nobody")
        assert len(listed) > 10


def extractions_end(store: Store) -> None:
    store.follow()
    store.work(seconds=HOUR, rounds=2)
    for tenant in TENANTS:
        for person, (agent, _, town) in PEOPLE.items():
            facts = store(tenant, "GET", f"/api/agents/{agent}/users/{person}/facts", params={"limit": 100})[
                "facts"
            ]
            places = [fact["fact"] for fact in facts if fact["category"] == "place"]
            assert places == [f"Lives in {town}"]
            sources = {fact["session_id"] for fact in facts}
            assert f"sent-{person}" in sources or f"due-{person}" in sources
