"""The port `SearchIndex` over OpenSearch."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from strata.adapters.opensearch.bulk import Bulk, Operation
from strata.adapters.opensearch.connection import Connection, compact
from strata.adapters.opensearch.dialect import Dialect
from strata.adapters.opensearch.documents import document_id, source
from strata.adapters.opensearch.errors import Missing
from strata.adapters.opensearch.mapping import TIMES, vector_field
from strata.adapters.opensearch.queries import any_vector, counting, page_of_versions, sides
from strata.adapters.opensearch.rebuild import Rebuild
from strata.adapters.opensearch.responses import hits, lacks_field, merged, version_of
from strata.adapters.opensearch.versions import Versions
from strata.domain.errors import Unavailable
from strata.domain.retrieval import Candidate
from strata.domain.scope import Scope
from strata.ports.language import EmbeddingModel
from strata.ports.search import Document, DocumentsRefused, NoIndex, SearchQuery

_PAGE = 1000
_MISFIT_SECONDS = 10.0
"""Seconds until an index of another model is checked again: it may have been rebuilt."""

Model = Callable[[], EmbeddingModel]


class OpenSearchIndex:
    """Every tenant's documents in the index that an alias names.

    A document's id is derived from tenant and key, every request filters by tenant inside the engine, and
    with routing each tenant's documents share a shard. The vectors' field is named after their model: the
    mapping rejects another model's, and then only the words of a document are written.

    Args:
        connection: to the engine.
        model: of the vectors; called when there are some or an index is created.
        dialect: the engine's options.
        alias: of the live index; the indices are `<alias>-v1` and so on.
        search_seconds, write_seconds: time limits of a search, and of a whole write.
    """

    def __init__(
        self,
        connection: Connection,
        model: Model,
        *,
        dialect: Dialect | None = None,
        alias: str = "strata",
        search_seconds: float = 1.0,
        write_seconds: float = 10.0,
    ) -> None:
        self._connection = connection
        self._model = model
        self._dialect = dialect or Dialect()
        self._alias = alias
        self._search_seconds = search_seconds
        self._write_seconds = write_seconds
        self._bulk = Bulk(connection, self._dialect, seconds=write_seconds)
        self._versions = Versions(connection, self._dialect, alias)
        self._fits: bool | None = None
        self._judged_at = 0.0

    def create(self) -> str:
        """The identity of the index that the alias names; the first one is created if there is none.

        Safe for concurrent processes.

        Raises:
            UnusableEndpoint: the endpoint cannot hold the index; the message says what to change.
        """
        return self._versions.ensure(self._model())

    def at(self, identity: str) -> "OpenSearchIndex":
        """The index of this identity, which is an alias of its own."""
        return OpenSearchIndex(
            self._connection,
            self._model,
            dialect=self._dialect,
            alias=identity,
            search_seconds=self._search_seconds,
            write_seconds=self._write_seconds,
        )

    @cached_property
    def _field(self) -> str:
        return vector_field(self._model().name)

    def write(self, scope: Scope, documents: Sequence[Document], deleted: Sequence[str] = ()) -> None:
        """Index the documents and delete the deleted keys. Of one key the last counts, and a deletion always.

        Raises:
            DocumentsRefused: the engine rejects some for their content; all others are written.
        """
        newest = {document.key: document for document in documents}
        for key in deleted:
            newest.pop(key, None)
        tenant = scope.tenant
        operations = self._operations(tenant, newest)
        operations += [Operation(key, document_id(tenant, key)) for key in dict.fromkeys(deleted)]
        if not operations:
            return
        try:
            self._send_whole(tenant, operations)
        except DocumentsRefused as error:
            misfits = {
                key
                for key, reason in error.reasons.items()
                if reason.startswith("strict_dynamic_mapping_exception") and f"[{self._field}]" in reason
            }
            if not misfits:
                raise
            self._judged(fits=False)
            # without the version that a whole document has: a check finds it, and so does a rebuild
            wordy = {key: replace(newest[key], vector=None, version=0) for key in misfits}
            self._send_whole(tenant, self._operations(tenant, wordy))
            if others := {key: reason for key, reason in error.reasons.items() if key not in misfits}:
                raise DocumentsRefused(others) from None

    def _send_whole(self, tenant: str, operations: Sequence[Operation]) -> None:
        """Send the operations; an index of an earlier version gets the fields that it lacks."""
        try:
            self._send(tenant, operations)
        except DocumentsRefused as error:
            lacking = {key for key, reason in error.reasons.items() if _lacks_times(reason)}
            if not lacking:
                raise
            others = {key: reason for key, reason in error.reasons.items() if key not in lacking}
            self._versions.add_fields(TIMES)
            try:
                self._send(tenant, [each for each in operations if each.key in lacking])
            except DocumentsRefused as again:
                others |= again.reasons
            if others:
                raise DocumentsRefused(others) from None

    def _operations(self, tenant: str, documents: dict[str, Document]) -> list[Operation]:
        return [
            Operation(key, document_id(tenant, key), source(tenant, each, lambda: self._field))
            for key, each in documents.items()
        ]

    def _send(self, tenant: str, operations: Sequence[Operation]) -> None:
        if not self._dialect.require_alias and self._versions.current() is None:
            raise self._gone()  # a write would create an index of the alias' name
        try:
            self._bulk.send(self._alias, tenant, operations)
        except Missing:
            raise self._gone() from None

    def _gone(self) -> NoIndex:
        return NoIndex(f"the search engine has no index '{self._alias}'; strata reindex makes it anew")

    def search(self, scope: Scope, query: SearchQuery) -> list[Candidate]:
        """The candidates of both sides, in no particular order, in one round trip."""
        asked = sides(self._dialect, scope.tenant, query, lambda: self._field)
        if not asked:
            return []
        about = compact({"routing": scope.tenant} if self._dialect.routing else {})
        lines = "".join(f"{about}\n{compact(body)}\n" for _, body in asked)
        try:
            answer = self._request("_msearch", lines)
            answers = dict(zip((side for side, _ in asked), answer["responses"], strict=True))
            if "knn" in answers:
                self._judged(fits=not lacks_field(answers["knn"], self._field))
                if not self._fits:
                    del answers["knn"]
            found = {side: hits(response) for side, response in answers.items()}
            return merged(found, self._dialect.cosine)
        except Missing:
            raise self._gone() from None
        except (AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError) as error:
            raise Unavailable("the search engine's answer is not one of OpenSearch's") from error

    def catalog(
        self, scope: Scope, kind: str, keys: Sequence[str] | None = None
    ) -> Iterator[tuple[str, int]]:
        """Keys and versions of documents, by key and in pages. Concurrent writes may be missing."""
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
                raise self._gone() from None
            yield from page
            if len(page) < _PAGE:
                return
            after = page[-1][0]

    def count(self, scope: Scope, kind: str) -> int:
        """The number of documents of a kind that searches see."""
        params = {"routing": scope.tenant} if self._dialect.routing else {}
        try:
            answer = self._request("_search", counting(scope.tenant, kind), params)
            hits(answer)
            return int(answer["hits"]["total"]["value"])
        except Missing:
            raise self._gone() from None
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise Unavailable("the search engine's answer is not one of OpenSearch's") from error

    def fits(self) -> bool:
        """Whether the index has a field for this process's vectors, as the last search found, if any."""
        if self._fits is None or (not self._fits and time.monotonic() - self._judged_at > _MISFIT_SECONDS):
            body = compact(any_vector(self._dialect, self._field, self._model().dimensions))
            try:
                (answer,) = self._request("_msearch", f"{{}}\n{body}\n")["responses"]
                fits = not lacks_field(answer, self._field)
                if fits:
                    hits(answer)
                self._judged(fits=fits)
            except Missing:
                raise self._gone() from None
            except (AttributeError, KeyError, TypeError, ValueError) as error:
                raise Unavailable("the search engine's answer is not one of OpenSearch's") from error
        return self._fits is not False

    def forget_fit(self) -> None:
        """Check the index again: the alias names another one."""
        self._fits = None

    def _judged(self, *, fits: bool) -> None:
        self._fits, self._judged_at = fits, time.monotonic()

    def problems(self) -> list[str]:
        """Nothing: the engine looks after its own storage."""
        return []

    def drop(self) -> None:
        """Delete the index."""
        if (current := self._versions.current()) is not None:
            self._versions.drop(current)

    def close(self) -> None:
        """Close this process's connections."""
        self._connection.close()

    def begin_rebuild(self, *, resume: bool = False) -> Rebuild:
        """Create the next version of the index, empty and for this process's model, beside the live one.

        `resume` keeps the documents of an interrupted rebuild, unless they are of another model.
        """
        name = self._versions.next(resume=resume)
        created = self._versions.create(name, self._model())
        index = self.at(identity := self._versions.identify(name))
        if not created and not (resume and index.fits()):
            self._versions.drop(name)
            self._versions.create(name, self._model())
            index = self.at(identity := self._versions.identify(name))
        return Rebuild(index, identity, name, self, self._versions)

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


def _lacks_times(reason: str) -> bool:
    """Whether an index of an earlier version refuses a document for its times."""
    strict = reason.startswith("strict_dynamic_mapping_exception")
    return strict and any(f"[{name}]" in reason for name in TIMES)
