"""The quality of search (on public questions, through the HTTP API) and of what is learnt from talk."""
