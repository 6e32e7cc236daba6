"""The chats on this machine and their import, in the shapes of agtOS."""

from collections.abc import Callable, Collection

from strata.domain.scope import Scope
from strata.domain.wire.chats import ImportedChats, Source, Sources
from strata.ports.chats import ChatSource
from strata.ports.clock import Clock
from strata.services.chats.importer import ChatImporter, ChatStore

SECONDS = 20.0
"""Seconds after which a call stops; the next one goes on."""

_NOBODYS = "this service reads nobody's disk: `strata chats import --url` reads yours and sends it here"


class ChatImports:
    """Lists and imports.

    Args:
        sources: makes the sources of this machine; None for a service that reads nobody's disk.
        store: makes what takes conversations, for a scope.
    """

    def __init__(
        self,
        sources: Callable[[], list[ChatSource]] | None,
        store: Callable[[Scope], ChatStore],
        clock: Clock,
    ) -> None:
        self._sources = sources
        self._store = store
        self._clock = clock

    def available(self) -> Sources:
        """List the sources, and how many conversations and notes each holds."""
        return Sources(
            sources=[
                Source(
                    name=source.name,
                    available=bool(places := source.places()),
                    memory_count=sum(1 for each in (source.conversations, source.notes) for _ in each()),
                    path=str(places[0]) if places else "",
                )
                for source in (self._sources() if self._sources else ())
            ]
        )

    def run(self, scope: Scope, names: Collection[str] | None) -> ImportedChats:
        """Import from the named sources, or from all, for some seconds."""
        if self._sources is None:
            return ImportedChats(imported=0, skipped=0, errors=0, message=_NOBODYS)
        end = self._clock.monotonic() + SECONDS
        importer = ChatImporter(self._store(scope), stop=lambda: self._clock.monotonic() > end)
        chosen = [source for source in self._sources() if not names or source.name in names]
        report = importer.run(chosen)
        errors = report.refused.total() + sum(source.unread.total() for source in chosen)
        told = f"{report.conversations} conversations and {report.notes} notes were imported"
        return ImportedChats(
            imported=report.conversations + report.notes,
            skipped=report.unchanged,
            errors=errors,
            message=told if report.whole else f"{told}; there is more: call again",
        )
