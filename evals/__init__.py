"""How well memories are found (on public questions, through the HTTP API) and facts are taken from talk."""
