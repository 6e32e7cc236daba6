"""The port `SearchIndex` over OpenSearch 2.9 or later: a managed domain, a serverless collection, or a
server of one's own.

Only operations that all of them have are used: create and delete an index, aliases, `_bulk`, `_search`,
`_msearch`, and on everything but serverless collections `GET /`.
"""
