"""Observations and sessions over the adapters, and what every kind of memory stands on."""

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.adapters import Adapters

if TYPE_CHECKING:
    from strata.domain.ranking.params import RankingParams
    from strata.services.context.plain import PlainContext
    from strata.services.credentials.admission import Admission
    from strata.services.credentials.keys import ApiKeys
    from strata.services.models.ask import BudgetedModel
    from strata.services.observations.change import Editor
    from strata.services.observations.read import Reader
    from strata.services.observations.save import Saver
    from strata.services.people.ownership import Ownership
    from strata.services.search.change_notes import ChangeNotes
    from strata.services.search.expansion import Expansion
    from strata.services.search.filters import ObservationFilter
    from strata.services.search.kinds import Kind
    from strata.services.search.search import Newest, Searcher, W
    from strata.services.sessions.catalog import SessionCatalog
    from strata.services.stream.indexer import Indexer
    from strata.services.stream.totals import Totals
    from strata.services.table.parallel import Parallel

_ROUND_WIDTH = 16
_INDEXING_WIDTH = 8


class Memories(Adapters):
    """Saving, reading, finding; who may enter."""

    @cached_property
    def totals(self) -> "Totals":
        """How much there is."""
        from strata.services.stream.totals import Totals

        return Totals(self.table)

    @cached_property
    def ownership(self) -> "Ownership":
        """Decides what may be kept, by whose it is."""
        from strata.services.people.ownership import Ownership

        return Ownership(self.table, self.clock)

    @cached_property
    def rounds(self) -> "Parallel":
        """Calls side by side where a call is a round trip."""
        from strata.services.table.parallel import Parallel

        return Parallel(_ROUND_WIDTH if self.settings.remote else 0)

    @cached_property
    def freshness(self) -> "ChangeNotes":
        """What the index does not show yet."""
        from strata.services.search.change_notes import ChangeNotes

        return ChangeNotes(
            self.table, self.clock, self.rounds, refresh_seconds=self.settings.index_refresh_seconds
        )

    @cached_property
    def indexing(self) -> "Indexer":
        """Keeps the index true."""
        from strata.services.stream.indexer import Indexer
        from strata.services.table.parallel import Parallel

        # threads of its own: a server that indexes beside its requests must not keep these waiting
        rounds = Parallel(_INDEXING_WIDTH if self.settings.store == "dynamodb" else 0)
        return Indexer(self.table, self.index, self.embedder, rounds)

    @cached_property
    def saving(self) -> "Saver":
        """Saves observations."""
        from strata.domain.ids import IdSource
        from strata.services.observations.save import Saver

        return Saver(
            self.table,
            self.clock,
            IdSource(),
            self.ownership,
            dedupe_window=self.settings.dedupe_window,
            redacting=self.settings.redact,
        )

    @cached_property
    def changing(self) -> "Editor":
        """Changes and deletes observations."""
        from strata.services.observations.change import Editor

        return Editor(
            self.table, self.clock, dedupe_window=self.settings.dedupe_window, redacting=self.settings.redact
        )

    @cached_property
    def reading(self) -> "Reader":
        """Reads observations."""
        from strata.services.observations.read import Reader

        return Reader(self.table, self.totals, self.rounds)

    @cached_property
    def searching(self) -> "Searcher[ObservationFilter]":
        """Finds observations."""
        from strata.services.search.kinds import OBSERVATIONS

        return self._finder(OBSERVATIONS, self.reading.newest_wanted)

    def _finder(self, kind: "Kind", newest: "Newest[W]") -> "Searcher[W]":
        from strata.services.search.search import Searcher

        return Searcher(
            kind,
            newest,
            self.table,
            self.index,
            self.freshness,
            self.rounds,
            self.embedder,
            self.lexicon,
            params=self._ranking(),
            candidates=min(self.settings.candidates, kind.proposed),
            expansion=self._expansion,
        )

    @cached_property
    def _expansion(self) -> "Expansion | None":
        if not self.settings.language.query_expansion or self.asking is None:
            return None
        from strata.services.search.expansion import Expansion

        return Expansion(self.asking)

    def _ranking(self) -> "RankingParams":
        from strata.domain.ranking.params import RankingParams

        measured = RankingParams()
        given = {name: type(getattr(measured, name))(value) for name, value in self.settings.ranking.items()}
        return replace(measured, **given)

    @cached_property
    def asking(self) -> "BudgetedModel | None":
        """Asks a language model inside the tenant's budget; None where none was chosen."""
        if self.language_model is None:
            return None
        from strata.domain.model_costs import Prices
        from strata.services.models.ask import BudgetedModel
        from strata.services.models.budget import Caps, ModelBudget

        chosen = self.settings.language
        caps = Caps(chosen.daily_tokens, chosen.daily_dollars)
        prices = Prices(chosen.input_price, chosen.output_price)
        return BudgetedModel(self.language_model, ModelBudget(self.table, self.clock, caps, prices))

    @cached_property
    def sessions(self) -> "SessionCatalog":
        """Starts and lists sessions."""
        from strata.services.sessions.catalog import SessionCatalog

        return SessionCatalog(self.table, self.clock, self.totals, self.ownership, self.rounds)

    @cached_property
    def assembly(self) -> "PlainContext":
        """Assembles contexts."""
        from strata.services.context.plain import PlainContext

        return PlainContext(self.sessions, self.searching, self.reading, self.rounds)

    @cached_property
    def keys(self) -> "ApiKeys":
        """The directory of API keys."""
        from strata.services.credentials.keys import ApiKeys

        return ApiKeys(self.table, self.clock)

    @cached_property
    def admission(self) -> "Admission":
        """Decides who may enter."""
        from strata.services.credentials.admission import Admission, ClaimNames

        names = self.settings
        claims = ClaimNames(names.jwt_tenant_claim, names.jwt_scopes_claim, names.jwt_identity_claim)
        return Admission(self.keys, self.tokens, claims)
