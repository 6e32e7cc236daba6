"""The methods that every client has, one for each route."""

from strata.client.calls import (
    contexts,
    episodes,
    events,
    finding,
    ledger,
    maintenance,
    observations,
    people,
    sessions,
    tools,
    whole,
    working_memory,
)
from strata.client.method import method


class Routes:
    """What a client can ask for. On `Client` these wait for the answer, on `AsyncClient` they are awaited."""

    create_session = method(sessions.create_session)
    end_session = method(sessions.end_session)
    recent_sessions = method(sessions.recent_sessions)

    save = method(observations.save)
    recent = method(observations.recent)
    get = method(observations.get)
    change = method(observations.change)
    delete = method(observations.delete)

    search = method(finding.search)
    timeline = method(finding.timeline)

    context = method(contexts.context)
    context_text = method(contexts.context_text)
    assemble_context = method(contexts.assemble_context)

    call_tool = method(tools.call_tool)

    stats = method(whole.stats)
    import_ = method(whole.import_)
    health = method(whole.health)

    maintain = method(maintenance.maintain)
    maintenance_history = method(maintenance.maintenance_history)
    maintenance_report = method(maintenance.maintenance_report)

    get_working_memory = method(working_memory.get_working_memory)
    put_working_memory = method(working_memory.put_working_memory)
    delete_working_memory = method(working_memory.delete_working_memory)
    get_scratchpad = method(working_memory.get_scratchpad)
    set_scratchpad = method(working_memory.set_scratchpad)
    get_entities = method(working_memory.get_entities)
    set_entities = method(working_memory.set_entities)

    get_ledger = method(ledger.get_ledger)
    check_ledger = method(ledger.check_ledger)
    mark_ledger = method(ledger.mark_ledger)
    evict_ledger = method(ledger.evict_ledger)

    create_event_session = method(events.create_event_session)
    event_sessions = method(events.event_sessions)
    get_event_session = method(events.get_event_session)
    delete_event_session = method(events.delete_event_session)
    add_event = method(events.add_event)
    add_events = method(events.add_events)
    session_events = method(events.session_events)
    recent_events = method(events.recent_events)
    conversation_text = method(events.conversation_text)
    event_stats = method(events.event_stats)
    clean_up_events = method(events.clean_up_events)

    store_episode = method(episodes.store_episode)
    similar_episodes = method(episodes.similar_episodes)
    conversation_episodes = method(episodes.conversation_episodes)
    recent_episodes = method(episodes.recent_episodes)
    search_episodes = method(episodes.search_episodes)
    delete_episode = method(episodes.delete_episode)
    ingest = method(episodes.ingest)

    get_agent_config = method(people.get_agent_config)
    put_agent_config = method(people.put_agent_config)
    facts = method(people.facts)
    delete_fact = method(people.delete_fact)
    erase_personal_data = method(people.erase_personal_data)
    erasure = method(people.erasure)
    get_consent = method(people.get_consent)
    personal_data = method(people.personal_data)
    put_consent = method(people.put_consent)
