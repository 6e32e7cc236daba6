"""People and agents: who owns a session, consent, configuration of agents."""
