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
    timeline = method(calls.timeline)

    context = method(calls.context)
    context_text = method(calls.context_text)
    assemble_context = method(calls.assemble_context)

    call_tool = method(calls.call_tool)

    stats = method(calls.stats)
    import_ = method(calls.import_)
    health = method(calls.health)

    maintain = method(calls.maintain)
    maintenance_history = method(calls.maintenance_history)
    maintenance_report = method(calls.maintenance_report)

    get_working_memory = method(calls.get_working_memory)
    put_working_memory = method(calls.put_working_memory)
    delete_working_memory = method(calls.delete_working_memory)
    get_scratchpad = method(calls.get_scratchpad)
    set_scratchpad = method(calls.set_scratchpad)
    get_entities = method(calls.get_entities)
    set_entities = method(calls.set_entities)

    get_ledger = method(calls.get_ledger)
    check_ledger = method(calls.check_ledger)
    mark_ledger = method(calls.mark_ledger)
    evict_ledger = method(calls.evict_ledger)

    create_event_session = method(calls.create_event_session)
    event_sessions = method(calls.event_sessions)
    get_event_session = method(calls.get_event_session)
    delete_event_session = method(calls.delete_event_session)
    add_event = method(calls.add_event)
    add_events = method(calls.add_events)
    session_events = method(calls.session_events)
    recent_events = method(calls.recent_events)
    conversation_text = method(calls.conversation_text)
    event_stats = method(calls.event_stats)
    clean_up_events = method(calls.clean_up_events)

    store_episode = method(calls.store_episode)
    similar_episodes = method(calls.similar_episodes)
    conversation_episodes = method(calls.conversation_episodes)
    recent_episodes = method(calls.recent_episodes)
    search_episodes = method(calls.search_episodes)
    delete_episode = method(calls.delete_episode)
    ingest = method(calls.ingest)

    get_agent_config = method(calls.get_agent_config)
    put_agent_config = method(calls.put_agent_config)
    facts = method(calls.facts)
    delete_fact = method(calls.delete_fact)
    erase_personal_data = method(calls.erase_personal_data)
    erasure = method(calls.erasure)
    get_consent = method(calls.get_consent)
    personal_data = method(calls.personal_data)
    put_consent = method(calls.put_consent)
