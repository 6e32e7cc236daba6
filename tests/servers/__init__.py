"""The real servers that tests run against, from Maven Central, on the loopback: see `fixtures`.

By hand: `PYTHONPATH=tests python -m servers dynamodb --port 8000` (or `opensearch`), until Ctrl-C;
`python -m servers build` only builds both, into `.servers/`.
"""
