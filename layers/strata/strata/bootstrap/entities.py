"""Entities that memories name."""

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.recognizers import entity_recognizer
from strata.bootstrap.room import Room
from strata.services.entities.following import EntityFollowing
from strata.services.entities.recording import Recorder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from strata.domain.scope import Scope
    from strata.domain.wire.conclusions import Conclusion
    from strata.ports.entities import EntityRecognizer
    from strata.services.entities.catalog import EntityCatalog
    from strata.services.entities.editing import EntityEditor
    from strata.services.entities.graph import EntityGraphs
    from strata.services.entities.importing import EntityImport
    from strata.services.entities.upkeep import EntityUpkeep
    from strata.services.entities.view import Sight


class Entities(Room):
    """Entities, their relationships and pages."""

    @cached_property
    def recorder(self) -> Recorder:
        return Recorder(self._app.stores.table, self._app.clock)

    @cached_property
    def following(self) -> EntityFollowing:
        from strata.domain.entities.relations import relationships

        return EntityFollowing(self._app.stores.table, self.recorder, self._recognizer, relationships)

    @cached_property
    def _recognizer(self) -> "EntityRecognizer":
        return self._app.overrides.entity_recognizer or entity_recognizer(self._settings)

    @cached_property
    def wiki(self) -> "Callable[[Scope, str, bool], Mapping[str, int]] | None":
        """Has the model that draws conclusions read what names a person's entities; None without one."""
        model = self._app.models.consolidating
        if model is None:
            return None
        from strata.services.entities.describing import ModelProse
        from strata.services.entities.relating import ModelRelations

        table = self._app.stores.table
        relations = ModelRelations(table, model.ask, self._recognizer)
        prose = ModelProse(table, self._app.clock, model.ask)

        def read(scope: "Scope", owner: str, dry: bool) -> "Mapping[str, int]":
            counts = Counter(relations.read(scope, owner, dry=dry))
            counts.update(prose.write(scope, owner, dry=dry))
            return counts

        return read

    @cached_property
    def upkeep(self) -> "EntityUpkeep":
        from strata.services.entities.upkeep import EntityUpkeep

        table, clock = self._app.stores.table, self._app.clock
        return EntityUpkeep(table, clock, self.recorder, self._app.models.comparing)

    @cached_property
    def catalog(self) -> "EntityCatalog":
        from strata.services.entities.catalog import EntityCatalog

        return EntityCatalog(self._app.stores.table, self._conclusions)

    @cached_property
    def graphs(self) -> "EntityGraphs":
        from strata.services.entities.graph import EntityGraphs

        return EntityGraphs(self._app.stores.table, self.catalog)

    @cached_property
    def editor(self) -> "EntityEditor":
        from strata.services.entities.editing import EntityEditor

        return EntityEditor(self._app.stores.table, self._app.clock, self._clean)

    @cached_property
    def importing(self) -> "EntityImport":
        from strata.services.entities.importing import EntityImport

        return EntityImport(self._app.stores.table, self._app.clock, self._clean)

    @property
    def _clean(self) -> "Callable[[str], str]":
        from strata.domain.redaction.texts import redacted_text

        return redacted_text if self._settings.redact else str

    def _conclusions(self, scope: "Scope", owner: str, sight: "Sight") -> "list[Conclusion]":
        from strata.services.knowledge.conclusions import Wanted

        return self._app.knowledge.conclusions.listed(scope, owner, Wanted(sight.agent_id, sight.project))
