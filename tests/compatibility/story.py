"""The history of the fixtures' stores: two days of two tenants, with every kind of row."""

from typing import Any

from compatibility.store import Store
from support.memory import dialogue, observation
from support.model_server import OpenAi, model_server

TENANTS = ("acme", "globex")
PEOPLE = {"ann": ("helper", "demo", "Valencia"), "bob": ("scout", "web", "Lisbon")}
"""Each person's agent, project and town."""
ERASED, BEING_ERASED, TO_BE_ERASED = "cleo", "dora", "emil"

HOUR, DAY = 3600, 86_400


def tell(store: Store) -> dict[str, Any]:
    """Live through everything; by tenant, the API keys that were made and the erasures, by person."""
    for tenant in TENANTS:
        store.app.tenants.limits.set(tenant, {"requests": 1000, "items": None, "daily_dollars": 2.5})
        for person in PEOPLE:
            _yesterday(store, tenant, person)
        _unkept(store, tenant)
    store.work()
    for tenant in TENANTS:
        for person in PEOPLE:
            _facts_change(store, tenant, person)
    store.work()
    store.app.queues.named("extraction", max_deliveries=3).send([{"tenant": "acme"}, {"tenant": "globex"}])
    store.work(seconds=HOUR, rounds=6)  # both end among the dead letters
    store.work(seconds=DAY)  # the schedule of maintenance fires
    store.work(seconds=60, rounds=3)
    for tenant in TENANTS:
        for person in PEOPLE:
            _today(store, tenant, person)
            _fact_deleted(store, tenant, person)
            _conclusion_deleted(store, tenant, person)
        store(tenant, "POST", "/api/memory/maintain")
    _models(store)
    keys = {tenant: _keys(store, tenant) for tenant in TENANTS}
    erasures = _erasures(store)
    store.clock.forward(600)
    for tenant in TENANTS:
        for person in PEOPLE:
            _ended(store, tenant, person)
    store.follow()
    for tenant in TENANTS:
        for person in PEOPLE:
            _not_indexed_yet(store, tenant, person)
    row = {"pk": "acme#PROJECT#demo", "sk": "OBS#0000000000000001", "reason": "ValueError"}
    store.app.queues.named("redrive").send([row, row | {"pk": "globex#PROJECT#web"}])
    return {"keys": keys, "erasures": erasures}


def _yesterday(store: Store, tenant: str, person: str) -> None:
    agent, project, town = PEOPLE[person]

    def call(method: str, path: str, **sent: Any) -> Any:
        return store(tenant, method, path, **sent)

    def save(content: str, **fields: Any) -> int:
        body = observation(session_id=talk, user_id=person, project=project, content=content, **fields)
        return int(call("POST", "/observations", json=body)["id"])

    retention = {"transcript_retention_days": 7} if agent == "helper" else {"fact_retention_days": 365}
    call(
        "PUT",
        f"/api/agents-config/{agent}",
        json={"memory_enabled": True, "name": "Helper", "tools_scope": {"trips": ["query"]}, **retention},
    )
    for consent in ({"ai_consent": False}, {"ai_consent": True}):
        call("PUT", f"/api/rgpd/users/{person}/consent", json=consent)
    profile = {"userId": person, "name": person.title(), "preferences": {"units": "metric", "rounds": 2}}
    call("PUT", "/api/memory/profile", json=profile)
    style = {"userId": person, "agent_id": agent, "project": project, "communicationStyle": "in brief"}
    call("PUT", "/api/memory/profile", json=style | {"patterns": [f"asks of {town}", "ñandú"]})
    settings = {"theme": "dark", "sizes": [1, 2.5], "privacySettings": {"storeAudio": True}}
    call("PUT", f"/api/users/{person}/preferences", json={"preferences": settings})
    call("PUT", f"/api/devices/phone-{person}", json={"userId": person})
    talk = f"talk-{person}"
    session = {"id": talk, "project": project, "user_id": person, "agent_id": agent}
    call("POST", "/sessions", json=session)
    call("POST", f"/api/rgpd/sessions/{talk}/consent", json={"consent": True})
    call("POST", f"/api/rgpd/sessions/refused-{person}/consent", json={"ai_consent": False})
    call("POST", f"/api/auth/tenants/{tenant}/dpa-accept")
    call("POST", "/sessions", json={"id": f"quiet-{person}", "project": project, "persist": False})
    call("POST", "/sessions", json=session | {"id": f"brief-{person}", "autoSummarize": False})

    save(f"{person} deploys to {town} on Mondays", topic_key="deploys", title="Deploys")
    save(
        f"{person} deploys to {town} on Fridays", topic_key="deploys", title="Deploys", tags=["ops", "ñandú"]
    )
    for _ in range(2):
        save(f"The tests of {person} need a database", type="learning", title="Tests")
    save(f"Everyone of {tenant} follows the rule of {person}: names are nouns", scope="global", title="Rule")
    changed = save(f"{person} drinks tea", type="preference", title="Drinks")
    call("PATCH", f"/observations/{changed}", json={"content": f"{person} drinks coffee", "tags": ["drinks"]})
    call("DELETE", f"/observations/{save(f'{person} was mistaken about the moon')}")
    call("DELETE", f"/observations/{save(f'{person} was wrong about the sun')}", params={"hard": "true"})

    call("POST", "/memory/sessions", json={"session_id": talk, "app_name": f"app-{agent}", "user_id": person})
    events = [
        {"event_type": "user_message", "content": f"Where is {town}?", "event_id": f"{person}-1"},
        {
            "event_type": "tool_call",
            "content": {"tool": "map", "asked": [town, 1, None]},
            "metadata": {"n": 1},
        },
        {
            "event_type": "agent_response",
            "content": f"{town} is by the sea.",
            "timestamp": "2099-12-31T10:00:00Z",
        },
    ]
    call("POST", f"/memory/sessions/{talk}/events", json=events)

    episode = {
        "conversation_id": talk,
        "agent_id": agent,
        "user_id": person,
        "summary": f"{person} planned a trip to {town}",
        "key_decisions": ["go by train", {"what": "book early", "sure": True}],
        "entities": [{"name": town, "kind": "town"}, "train"],
        "tools_used": ["map"],
        "keywords": ["trip", "train"],
        "topic": "travel",
        "importance": 0.75,
    }
    call("POST", "/episodic/store", json=episode)
    call(
        "POST", "/episodic/store", json=episode | {"summary": f"{person} may go to the hills", "ttl_days": 30}
    )
    about = f"My sister Marta Gil of {town} called {person}."
    call("POST", "/episodic/store", json=episode | {"summary": about})
    gone = call("POST", "/episodic/store", json=episode | {"summary": f"{person} planned nothing"})["id"]
    call("DELETE", f"/api/memory/episodes/{gone}", params={"userId": person})
    answer = f"Compared to the bus, the train to {town} is simpler for {person}."
    ingest = {"session_id": talk, "response": answer, "tool_calls": 4, "steps": 2, "user_id": person}
    assert call("POST", "/api/memory/ingest", json=ingest)["ingested"]

    call("PUT", f"/working-memory/{talk}", params={"user_id": person}, json={"yesterday": True})
    call("POST", f"/ledger/{talk}/mark", json={"item": "doc:yesterday"})
    said = dialogue(
        f"I live in {town}.", "Noted.", "I love jazz.", "Nice.", "I am vegetarian.", "Sure.",
        f"I decided to use the train for {town} because it works.", "Good.",
    )  # fmt: skip
    call("POST", f"/sessions/{talk}/end", json={"messages": said, "agent_id": agent})


def _unkept(store: Store, tenant: str) -> None:
    """Sessions of nobody's in which somebody speaks of whom nothing is kept."""
    store(tenant, "PUT", "/api/rgpd/users/nina/consent", json={"ai_consent": False, "persist": False})
    store(tenant, "POST", "/sessions", json={"id": "open", "project": "demo"})
    store(tenant, "POST", "/observations", json=observation(session_id="open", content="said by nobody"))
    for session in ("open", "unstarted"):
        unkept = observation(session_id=session, content="said by nina", user_id="nina")
        assert store(tenant, "POST", "/observations", json=unkept)["action"] == "skipped"


def _facts_change(store: Store, tenant: str, person: str) -> None:
    """A second conversation contradicts the first one."""
    agent, project, _ = PEOPLE[person]
    session = {"id": f"later-{person}", "project": project, "user_id": person, "agent_id": agent}
    store(tenant, "POST", "/sessions", json=session)
    said = dialogue(
        "I live in Madrid now.", "Noted.", "I work as a nurse.", "Nice.", "I love opera.", "Sure."
    )
    store(tenant, "POST", f"/sessions/later-{person}/end", json={"messages": said})


def _fact_deleted(store: Store, tenant: str, person: str) -> None:
    path = f"/api/agents/{PEOPLE[person][0]}/users/{person}/facts"
    facts = store(tenant, "GET", path)["facts"]
    assert len(facts) > 2, f"too few facts were found: {facts}"
    assert any("Madrid" in fact["fact"] for fact in facts), facts
    store(tenant, "DELETE", f"{path}/{facts[0]['id']}")


def _conclusion_deleted(store: Store, tenant: str, person: str) -> None:
    path, about = "/api/memory/conclusions", {"userId": person, "agent_id": PEOPLE[person][0]}
    drawn = store(tenant, "GET", path, params=about)["conclusions"]
    assert len(drawn) > 1, f"too few conclusions were drawn: {drawn}"
    store(tenant, "DELETE", f"{path}/{drawn[0]['id']}", params={"userId": person})


def _today(store: Store, tenant: str, person: str) -> None:
    agent, project, town = PEOPLE[person]
    chat, owner = f"chat-{person}", {"user_id": person}
    store(tenant, "POST", "/sessions", json={"id": chat, "project": project, "agent_id": agent, **owner})
    body = observation(
        session_id=chat, project=project, content=f"{person} asked about {town} today", title="Today"
    )
    store(tenant, "POST", "/observations", json=body)
    fields = {
        "plan": [town, {"by": "train"}],
        "steps": 3,
        "done": False,
        "note": None,
        "ñ": "ü",
        "ratio": 0.5,
    }
    store(tenant, "PUT", f"/working-memory/{chat}", params=owner, json=fields)
    store(
        tenant,
        "PUT",
        f"/working-memory/long-{person}",
        params=owner,
        json={"kept": "long", "ttl_seconds": 5 * DAY},
    )
    short = {"forgotten": person, "ttl_seconds": 300}
    store(tenant, "PUT", f"/working-memory/short-{person}", params=owner, json=short)
    for item in ("observations:1", f"doc:{town}"):
        store(tenant, "POST", f"/ledger/{chat}/mark", json={"item": item, "value": f"shown to {person}"})
    store(tenant, "POST", f"/ledger/short-{person}/mark", json={"item": "forgotten"})
    store(tenant, "POST", "/memory/sessions", json={"session_id": chat, "app_name": f"app-{agent}", **owner})
    event = {"event_type": "user_message", "content": f"Is {town} far?", "event_id": f"{person}-2"}
    store(tenant, "POST", f"/memory/sessions/{chat}/events", json=event)
    params = {
        "query": town,
        "conversation_id": chat,
        "agent_id": agent,
        "project": project,
        "turn_id": "t1",
        **owner,
    }
    assert store(tenant, "GET", "/context", params=params)["items"]


def _models(store: Store) -> None:
    """A model adds words to a search, so that its use is counted."""
    with model_server() as server:
        server.script(OpenAi().says('{"words": ["train"]}'))
        chosen = {"MODEL": "openai", "MODEL_NAME": "m", "MODEL_URL": server.url, "QUERY_EXPANSION": "true"}
        asking = Store(store.folder, store.clock.us, **store.settings, **chosen)
        for tenant in TENANTS:
            asking(tenant, "GET", "/search", params={"q": "vehicle", "project": "demo"})
        asking.app.close()
        assert len(server.asked) >= len(TENANTS)


def _keys(store: Store, tenant: str) -> list[dict[str, str]]:
    """Keys of every state: good, for one person, ended."""
    made = [
        store.app.credentials.keys.create(tenant, scopes=["read", "write"], name="laptop"),
        store.app.credentials.keys.create(
            tenant, scopes=["read"], name="ann's", identity="ann", lifetime=400 * DAY
        ),
        store.app.credentials.keys.create(tenant, scopes=["admin"], name="lost"),
    ]
    store.app.credentials.keys.revoke(made[2].info.id)
    return [{"id": each.info.id, "key": each.key} for each in made]


def _erasures(store: Store) -> dict[str, dict[str, str]]:
    """One that is done, one that is under way, one that is only asked for."""
    people = (ERASED, BEING_ERASED, TO_BE_ERASED)
    for tenant in TENANTS:
        for person in people:
            session = f"talk-{person}"
            store(tenant, "PUT", f"/api/devices/tablet-{person}", json={"userId": person})
            store(tenant, "POST", "/sessions", json={"id": session, "project": "demo", "user_id": person})
            for number in range(2):
                body = observation(session_id=session, user_id=person, content=f"{person} said {number}")
                store(tenant, "POST", "/observations", json=body)
            store(tenant, "PUT", f"/working-memory/{session}", json={"of": person})
            store(tenant, "POST", "/memory/sessions", json={"session_id": session})
            event = {"event_type": "user_message", "content": person}
            store(tenant, "POST", f"/memory/sessions/{session}/events", json=event)
            said = dialogue(f"I live in Oslo, says {person}.", "Noted.", "My name is Kim.", "Yes.")
            store(tenant, "POST", f"/sessions/{session}/end", json={"messages": said, "agent_id": "helper"})
    store.work()
    begun: dict[str, dict[str, str]] = {tenant: {} for tenant in TENANTS}
    for person, rounds in ((ERASED, 8), (BEING_ERASED, 1), (TO_BE_ERASED, 0)):
        for tenant in TENANTS:
            started = store(tenant, "DELETE", f"/api/rgpd/users/{person}/ai-data")
            begun[tenant][person] = started["erasure_id"]
        for number in range(rounds):
            store.work(seconds=62 if number else 0)
    store.follow()
    return begun


def _ended(store: Store, tenant: str, person: str) -> None:
    """A conversation that has ended: its facts are ordered from the queue, which nobody works at."""
    agent, project, town = PEOPLE[person]
    start = {"id": f"sent-{person}", "project": project, "user_id": person, "agent_id": agent}
    store(tenant, "POST", "/sessions", json=start)
    store(tenant, "POST", "/sessions", json=start | {"id": f"due-{person}"})
    said = dialogue(f"I live in {town}.", "Yes.", "I love opera.", "Nice.", "My name is Kim.", "Hello.")
    store(tenant, "POST", f"/sessions/sent-{person}/end", json={"messages": said})
    rule = f"Everyone of {tenant} hears of the opera from {person}"
    body = observation(content=rule, session_id=start["id"], user_id=person, project=project, scope="global")
    store(tenant, "POST", "/observations", json=body)


def _not_indexed_yet(store: Store, tenant: str, person: str) -> None:
    """Written a moment ago: the notes of these changes are open, the facts are not even ordered.

    The conversation is so long that its transcript has no room in a row of DynamoDB.
    """
    _, project, town = PEOPLE[person]
    session, memory = f"due-{person}", store.of(tenant)
    long = [f"{'and so on, ' * 4200}{number}" for number in range(16)]
    memory.end(
        session, f"I live in {town}.", "Yes.", "I decided to sail because it is quiet.", "Good.", *long
    )
    late = {"session_id": session, "project": project, "user_id": person}
    memory.save(f"{person} saw a comet", title="Late", **late)
    memory.save(f"{person} told all of {tenant} about the comet", scope="global", title="Late rule", **late)
