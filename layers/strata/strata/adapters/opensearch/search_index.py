"""The port `SearchIndex` over OpenSearch."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from strata.adapters.opensearch.bulk import Bulk, Operation
from strata.adapters.opensearch.connection import Connection, compact
from strata.adapters.opensearch.dialect import Dialect
from strata.adapters.opensearch.documents import document_id, source
from strata.adapters.opensearch.errors import Missing
from strata.adapters.opensearch.queries import page_of_versions, sides
from strata.adapters.opensearch.responses import hits, merged, version_of
from strata.adapters.opensearch.versions import Versions
from strata.domain.errors import Unavailable
from strata.domain.retrieval import Candidate
from strata.domain.scope import Scope
from strata.ports import Document, SearchQuery

_PAGE = 1000

Dimensions = Callable[[], int]


class OpenSearchIndex:
    """Every tenant's documents in the index that an alias names.

    A document's id is made of tenant and key, every request filters by tenant inside the engine, and where
    the dialect routes, each tenant's documents share a shard.

    Args:
        connection: to the engine.
        dimensions: of the vectors, asked for when an index is made.
        dialect: what the engine wants to be told.
        alias: of the live index; the indices are `<alias>-v1` and so on.
        search_seconds, write_seconds: how long to wait for a search, and for a whole write.
        one_version: `alias` is one index by its own name, which nobody but its maker makes.
    """

    def __init__(
        self,
        connection: Connection,
        dimensions: Dimensions,
        *,
        dialect: Dialect | None = None,
        alias: str = "strata",
        search_seconds: float = 1.0,
        write_seconds: float = 10.0,
        one_version: bool = False,
    ) -> None:
        self._connection = connection
        self._dimensions = dimensions
        self._dialect = dialect or Dialect()
        self._alias = alias
        self._search_seconds = search_seconds
        self._write_seconds = write_seconds
        self._bulk = Bulk(connection, self._dialect, seconds=write_seconds)
        self._versions = Versions(connection, self._dialect, alias)
        self._made = self._one_version = one_version

    def ensure_index(self) -> None:
        """Make the first index and the alias when there are none; any number of processes may at once.

        Raises:
            UnusableEndpoint: the endpoint can't hold the index; the message says what to set or make instead.
        """
        if self._one_version:
            raise Unavailable(f"the index '{self._alias}' is gone")
        self._versions.ensure(self._dimensions())
        self._made = True

    def write(self, scope: Scope, documents: Sequence[Document], deleted: Sequence[str] = ()) -> None:
        """Index the documents and drop the deleted keys. Of one key the last counts, and a deletion most.

        Raises:
            DocumentsRefused: the engine refuses some for what they hold; all others are written.
        """
        newest = {document.key: document for document in documents}
        for key in deleted:
            newest.pop(key, None)
        tenant = scope.tenant
        operations = [
            Operation(key, document_id(tenant, key), source(tenant, document))
            for key, document in newest.items()
        ]
        operations += [Operation(key, document_id(tenant, key)) for key in dict.fromkeys(deleted)]
        if not operations:
            return
        if not self._made:
            self.ensure_index()
        try:
            self._bulk.send(self._alias, tenant, operations)
        except Missing:
            self.ensure_index()
            self._bulk.send(self._alias, tenant, operations)

    def search(self, scope: Scope, query: SearchQuery) -> list[Candidate]:
        """The candidates of both sides, in no particular order, in one round trip."""
        asked = sides(self._dialect, scope.tenant, query)
        if not asked:
            return []
        about = compact({"routing": scope.tenant} if self._dialect.routing else {})
        lines = "".join(f"{about}\n{compact(body)}\n" for _, body in asked)
        try:
            answer = self._request("_msearch", lines)
            found = {
                side: hits(response) for (side, _), response in zip(asked, answer["responses"], strict=True)
            }
            return merged(found, self._dialect.cosine)
        except Missing:
            self.ensure_index()
            raise Unavailable(
                "the search index was not there; what it held comes back by `strata reindex`"
            ) from None
        except (AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError) as error:
            raise Unavailable("the search engine's answer is not one of OpenSearch's") from error

    def catalog(
        self, scope: Scope, kind: str, keys: Sequence[str] | None = None
    ) -> Iterator[tuple[str, int]]:
        """Key and version of documents, by key and in pages. What is written meanwhile may be missing."""
        params = {"routing": scope.tenant} if self._dialect.routing else {}
        after: str | None = None
        while True:
            body = page_of_versions(scope.tenant, kind, keys, after, _PAGE)
            try:
                page = [
                    version_of(hit)
                    for hit in hits(self._request("_search", body, params, self._write_seconds))
                ]
            except Missing:
                self.ensure_index()
                if after is None:
                    return
                raise Unavailable("the search index was replaced") from None
            yield from page
            if len(page) < _PAGE:
                return
            after = page[-1][0]

    def clear(self) -> None:
        """Switch to a new, empty index and drop the old one."""
        self.begin_rebuild().finish()

    def drop(self) -> None:
        """Delete the index for good."""
        if (current := self._versions.current()) is not None:
            self._versions.drop(current)

    def close(self) -> None:
        """Close this process's sockets."""
        self._connection.close()

    def begin_rebuild(self, *, dimensions: Dimensions | None = None, resume: bool = False) -> "Rebuild":
        """Make the next version of the index, empty, beside the live one.

        `dimensions` is given when another model's vectors go into it. With `resume` what an interrupted
        rebuild has written is kept.
        """
        dimensions = dimensions or self._dimensions
        name = self._versions.next()
        if not self._versions.create(name, dimensions()) and not resume:
            self._versions.drop(name)
            self._versions.create(name, dimensions())
        beside = OpenSearchIndex(
            self._connection,
            dimensions,
            dialect=replace(self._dialect, require_alias=False),
            alias=name,
            search_seconds=self._search_seconds,
            write_seconds=self._write_seconds,
            one_version=True,
        )
        return Rebuild(beside, name, self._versions)

    def _request(
        self,
        what: str,
        body: str | dict[str, Any],
        params: dict[str, str] | None = None,
        timeout: float | None = None,
    ) -> Any:
        path = f"/{self._alias}/{what}"
        wait = timeout or self._search_seconds
        return self._connection.request("POST", path, body, params=params, timeout=wait)


@dataclass(frozen=True, slots=True)
class Rebuild:
    """The next version of an index while it is filled, through `index`, beside the live one.

    What changes in the table meanwhile goes to the live index only: its keys are to be followed again
    after `finish`.
    """

    index: OpenSearchIndex
    name: str
    _versions: Versions

    def finish(self) -> None:
        """Let every search and write take this version, in one step, and drop the one before.

        What was written within the engine's refresh interval shows when that is over.
        """
        self._versions.switch(self.name)

    def abandon(self) -> None:
        """Drop what was written."""
        self._versions.drop(self.name)
