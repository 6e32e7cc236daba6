"""The methods of both clients, one for each route."""

from strata.client.calls import (
    agents,
    episodes,
    events,
    ledger,
    maintenance,
    mcp,
    observations,
    privacy,
    profiles,
    questions,
    sessions,
    transfer,
    working_memory,
)
from strata.client.calls import conclusions as conclusion_calls
from strata.client.calls import context as context_calls
from strata.client.calls import entities as entity_calls
from strata.client.calls import health as health_calls
from strata.client.calls import search as search_calls
from strata.client.method import method


class Routes:
    """Methods that wait for the response on `Client` and are awaited on `AsyncClient`."""

    create_session = method(sessions.create_session)
    end_session = method(sessions.end_session)
    read_session = method(sessions.read_session)
    recent_sessions = method(sessions.recent_sessions)

    save = method(observations.save)
    recent = method(observations.recent)
    get = method(observations.get)
    change = method(observations.change)
    delete = method(observations.delete)

    search = method(search_calls.search)
    timeline = method(search_calls.timeline)

    context = method(context_calls.context)
    context_text = method(context_calls.context_text)
    assemble_context = method(context_calls.assemble_context)

    call_tool = method(mcp.call_tool)

    stats = method(health_calls.stats)
    export_lines = method(transfer.export_lines)
    import_ = method(transfer.import_)
    health = method(health_calls.health)

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

    get_agent_config = method(agents.get_agent_config)
    put_agent_config = method(agents.put_agent_config)
    facts = method(agents.facts)
    delete_fact = method(agents.delete_fact)
    conclusions = method(conclusion_calls.conclusions)
    delete_conclusion = method(conclusion_calls.delete_conclusion)
    delete_conclusions = method(conclusion_calls.delete_conclusions)
    consolidations = method(conclusion_calls.consolidations)
    undo_consolidation = method(conclusion_calls.undo_consolidation)
    entities = method(entity_calls.entities)
    entity_stats = method(entity_calls.entity_stats)
    merge_proposals = method(entity_calls.merge_proposals)
    get_entity = method(entity_calls.get_entity)
    put_entity = method(entity_calls.put_entity)
    delete_entity = method(entity_calls.delete_entity)
    restore_entity = method(entity_calls.restore_entity)
    merge_entities = method(entity_calls.merge_entities)
    undo_merge = method(entity_calls.undo_merge)
    entity_episodes = method(entity_calls.entity_episodes)
    entity_conclusions = method(entity_calls.entity_conclusions)
    entity_relationships = method(entity_calls.entity_relationships)
    entity_graph = method(entity_calls.entity_graph)
    entity_page = method(entity_calls.entity_page)
    ask = method(questions.ask)
    forget = method(questions.forget)
    get_profile = method(profiles.get_profile)
    put_profile = method(profiles.put_profile)
    profile_history = method(profiles.profile_history)
    get_preferences = method(profiles.get_preferences)
    put_preferences = method(profiles.put_preferences)
    get_device = method(profiles.get_device)
    put_device = method(profiles.put_device)
    delete_device = method(profiles.delete_device)
    erase_personal_data = method(privacy.erase_personal_data)
    erasure = method(privacy.erasure)
    get_consent = method(privacy.get_consent)
    personal_data = method(privacy.personal_data)
    put_consent = method(privacy.put_consent)
    put_session_consent = method(privacy.put_session_consent)
    audit_log = method(privacy.audit_log)
    accept_dpa = method(privacy.accept_dpa)
    dpa_status = method(privacy.dpa_status)
