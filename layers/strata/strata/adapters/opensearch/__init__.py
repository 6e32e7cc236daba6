"""The port `SearchIndex` over OpenSearch 2.9 or later: a managed domain, a serverless collection, or a
server of one's own.

Only operations that all of them have are used: create and delete an index, aliases, `_bulk`, `_search`,
`_msearch`, and on everything but serverless collections `GET /`.
"""

from strata.adapters.opensearch.connection import Connection, signed
from strata.adapters.opensearch.dialect import Dialect
from strata.adapters.opensearch.errors import UnusableEndpoint
from strata.adapters.opensearch.opening import open_index
from strata.adapters.opensearch.rebuild import Rebuild
from strata.adapters.opensearch.search_index import OpenSearchIndex

__all__ = ["Connection", "Dialect", "OpenSearchIndex", "Rebuild", "UnusableEndpoint", "open_index", "signed"]
