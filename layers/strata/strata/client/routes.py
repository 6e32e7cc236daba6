"""The methods that every client has, one for each route."""

from strata.client import calls
from strata.client.method import method


class Routes:
    """What a client can ask for. On `Client` these wait for the answer, on `AsyncClient` they are awaited."""

    create_session = method(calls.create_session)
    end_session = method(calls.end_session)
    recent_sessions = method(calls.recent_sessions)

    save = method(calls.save)
    recent = method(calls.recent)
    get = method(calls.get)
    change = method(calls.change)
    delete = method(calls.delete)

    search = method(calls.search)
    context = method(calls.context)
    context_text = method(calls.context_text)
    timeline = method(calls.timeline)

    stats = method(calls.stats)
    import_ = method(calls.import_)
    health = method(calls.health)
