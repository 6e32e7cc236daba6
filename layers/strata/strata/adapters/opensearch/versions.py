"""The indices behind the alias: `strata-v1`, `strata-v2`, … of which `strata` names one.

Each has an alias of its own besides, `strata-` and a random part: the identity that no other index ever has.
"""

import re
import secrets
from collections.abc import Iterable, Mapping
from typing import Any

from strata.adapters.opensearch.bulk import NO_CUSTOM_IDS
from strata.adapters.opensearch.connection import Connection
from strata.adapters.opensearch.dialect import Dialect
from strata.adapters.opensearch.errors import Missing, Rejected, UnusableEndpoint
from strata.adapters.opensearch.mapping import index_body
from strata.ports.language import EmbeddingModel

_ASKING, _CHANGING = 3.0, 30.0  # seconds to wait; a change takes the agreement of a whole cluster


class Versions:
    """Creates, switches and deletes the versions of one index.

    Every step is idempotent and safe for concurrent processes.

    Raises (every method): `UnusableEndpoint` when the endpoint does not match the dialect, `Unavailable` when
    it does not respond.
    """

    def __init__(self, connection: Connection, dialect: Dialect, alias: str) -> None:
        self._connection = connection
        self._dialect = dialect
        self.alias = alias
        self._checked = False

    def current(self) -> str | None:
        """The version that the alias names, or None."""
        return max(self._named(self.alias), key=self._number, default=None)

    def ensure(self, model: EmbeddingModel) -> str:
        """The identity of the current version; the first one is created if there is none."""
        current = self.current()
        if current is None:
            current = f"{self.alias}-v1"
            self.create(current, model)
            self._point(self.alias, current)
        return self.identify(current)

    def identify(self, name: str) -> str:
        """The identity of a version, which is given one if it has none."""
        known = self.identities().get(name)
        if known is None:
            known = f"{self.alias}-{secrets.token_hex(8)}"
            self._point(known, name)
        return known

    def identities(self) -> dict[str, str]:
        """The identities of all versions that have one, by name."""
        try:
            named = self._connection.request("GET", f"/_alias/{self.alias}-*", timeout=_ASKING)
        except Missing:
            return {}
        own = re.compile(re.escape(self.alias) + r"-[0-9a-f]{16}")
        found = {
            name: sorted(filter(own.fullmatch, about["aliases"]))
            for name, about in named.items()
            if self._number(name)
        }
        return {name: identities[0] for name, identities in found.items() if identities}

    def next(self, *, resume: bool) -> str:
        """The name of the version after all others, or with `resume` of the one that was begun last."""
        current, numbers = self.current(), {self._number(name): name for name in self.identities()}
        live = 0 if current is None else self._number(current)
        newest = max(numbers, default=0)
        if resume and newest > live:
            return numbers[newest]
        return f"{self.alias}-v{max(live, newest) + 1}"

    def create(self, name: str, model: EmbeddingModel) -> bool:
        """Create an index; False when it existed already."""
        self._check()
        try:
            body = index_body(self._dialect, model)
            self._connection.request("PUT", f"/{name}", body, timeout=_CHANGING)
        except Rejected as error:
            if error.kind == "resource_already_exists_exception":
                return False
            raise UnusableEndpoint(
                f"the search engine refuses an index with engine '{self._dialect.engine}' and space"
                f" '{self._dialect.space}': {error.told}"
            ) from error
        if self._dialect.serverless:
            self._try_an_id(name)
        return True

    def add_fields(self, fields: Mapping[str, Any]) -> None:
        """Add fields to the mapping; the documents that are there have none of them."""
        self._connection.request(
            "PUT", f"/{self.alias}/_mapping", {"properties": dict(fields)}, timeout=_CHANGING
        )

    def switch(self, name: str) -> None:
        """Point the alias to this version atomically, and delete all others."""
        before = {each for each in self._named(self.alias) if each != name}
        self._point(self.alias, name, before)
        for each in sorted(before | set(self.identities()) - {name}):
            self.drop(each)

    def _named(self, alias: str) -> list[str]:
        try:
            return list(self._connection.request("GET", f"/_alias/{alias}", timeout=_ASKING))
        except Missing:
            return []

    def _point(self, alias: str, name: str, away: Iterable[str] = ()) -> None:
        """Let an alias name this index, and these no more, in one step."""
        actions = [{"remove": {"index": each, "alias": alias}} for each in sorted(away)]
        add = {"add": {"index": name, "alias": alias}}
        try:
            self._connection.request("POST", "/_aliases", {"actions": [*actions, add]}, timeout=_CHANGING)
        except Rejected as error:
            raise UnusableEndpoint(f"the alias '{alias}' cannot be set: {error.told}") from error

    def drop(self, name: str) -> None:
        """Delete an index, if it exists."""
        try:
            self._connection.request("DELETE", f"/{name}", timeout=_CHANGING)
        except Missing:
            return

    def _number(self, name: str) -> int:
        number = name.removeprefix(f"{self.alias}-v")
        return int(number) if number.isdecimal() else 0

    def _check(self) -> None:
        """Check once that the endpoint matches the dialect."""
        if self._checked or self._dialect.serverless:
            return
        try:
            about = self._connection.request("GET", "/", timeout=_ASKING)
        except Missing:
            raise UnusableEndpoint(
                "the search engine does not say its version, as serverless collections don't:"
                " set STRATA_OPENSEARCH_SERVICE=aoss"
            ) from None
        version = about.get("version") or {}
        major, _, minor = str(version.get("number", "0")).partition(".")
        at_least = (int(major or 0), int(minor.partition(".")[0] or 0)) >= (2, 9)
        if version.get("distribution") != "opensearch" or not at_least:
            raise UnusableEndpoint("the search engine must be OpenSearch 2.9 or later with its k-NN plugin")
        self._checked = True

    def _try_an_id(self, name: str) -> None:
        try:
            self._connection.request("PUT", f"/{name}/_doc/probe", {"tenant": "#"}, timeout=_CHANGING)
            self._connection.request("DELETE", f"/{name}/_doc/probe", timeout=_CHANGING)
        except (Missing, Rejected) as error:
            self.drop(name)
            raise UnusableEndpoint(NO_CUSTOM_IDS) from error
