"""Observations and sessions over the adapters, and what every kind of memory stands on."""

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.adapters import Adapters

if TYPE_CHECKING:
    from strata.domain.ranking.params import RankingParams
    from strata.services.admission import Admission
    from strata.services.asking import Asking
    from strata.services.changing import Changing
    from strata.services.context import ContextAssembly
    from strata.services.expanding import Expansion
    from strata.services.freshness import Freshness
    from strata.services.indexing import Indexing
    from strata.services.keys import Keys
    from strata.services.kinds import Kind
    from strata.services.ownership import Ownership
    from strata.services.reading import Reading
    from strata.services.rounds import Rounds
    from strata.services.saving import Saving
    from strata.services.searching import Newest, Searching, W
    from strata.services.sessions import Sessions
    from strata.services.totals import Totals
    from strata.services.wanted import WantedObservations

_ROUND_WIDTH = 16
_INDEXING_WIDTH = 8


class Memories(Adapters):
    """Saving, reading, finding; who may enter."""

    @cached_property
    def totals(self) -> "Totals":
        """How much there is."""
        from strata.services.totals import Totals

        return Totals(self.table)

    @cached_property
    def ownership(self) -> "Ownership":
        """Decides what may be kept, by whose it is."""
        from strata.services.ownership import Ownership

        return Ownership(self.table, self.clock)

    @cached_property
    def rounds(self) -> "Rounds":
        """Calls side by side where a call is a round trip."""
        from strata.services.rounds import Rounds

        return Rounds(_ROUND_WIDTH if self.settings.remote else 0)

    @cached_property
    def freshness(self) -> "Freshness":
        """What the index does not show yet."""
        from strata.services.freshness import Freshness

        return Freshness(
            self.table, self.clock, self.rounds, refresh_seconds=self.settings.index_refresh_seconds
        )

    @cached_property
    def indexing(self) -> "Indexing":
        """Keeps the index true."""
        from strata.services.indexing import Indexing
        from strata.services.rounds import Rounds

        # threads of its own: a server that indexes beside its requests must not keep these waiting
        rounds = Rounds(_INDEXING_WIDTH if self.settings.store == "dynamodb" else 0)
        return Indexing(self.table, self.index, self.embedder, rounds)

    @cached_property
    def saving(self) -> "Saving":
        """Saves observations."""
        from strata.domain.ids import IdSource
        from strata.services.saving import Saving

        return Saving(
            self.table,
            self.clock,
            IdSource(),
            self.ownership,
            dedupe_window=self.settings.dedupe_window,
            redacting=self.settings.redact,
        )

    @cached_property
    def changing(self) -> "Changing":
        """Changes and deletes observations."""
        from strata.services.changing import Changing

        return Changing(
            self.table, self.clock, dedupe_window=self.settings.dedupe_window, redacting=self.settings.redact
        )

    @cached_property
    def reading(self) -> "Reading":
        """Reads observations."""
        from strata.services.reading import Reading

        return Reading(self.table, self.totals, self.rounds)

    @cached_property
    def searching(self) -> "Searching[WantedObservations]":
        """Finds observations."""
        from strata.services.kinds import OBSERVATIONS

        return self._finder(OBSERVATIONS, self.reading.newest_wanted)

    def _finder(self, kind: "Kind", newest: "Newest[W]") -> "Searching[W]":
        from strata.services.searching import Searching

        return Searching(
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
        from strata.services.expanding import Expansion

        return Expansion(self.asking)

    def _ranking(self) -> "RankingParams":
        from strata.domain.ranking.params import RankingParams

        measured = RankingParams()
        given = {name: type(getattr(measured, name))(value) for name, value in self.settings.ranking.items()}
        return replace(measured, **given)

    @cached_property
    def asking(self) -> "Asking | None":
        """Asks a language model inside the tenant's budget; None where none was chosen."""
        if self.language_model is None:
            return None
        from strata.domain.model_costs import Prices
        from strata.services.asking import Asking
        from strata.services.model_budget import Caps, ModelBudget

        chosen = self.settings.language
        caps = Caps(chosen.daily_tokens, chosen.daily_dollars)
        prices = Prices(chosen.input_price, chosen.output_price)
        return Asking(self.language_model, ModelBudget(self.table, self.clock, caps, prices))

    @cached_property
    def sessions(self) -> "Sessions":
        """Starts and lists sessions."""
        from strata.services.sessions import Sessions

        return Sessions(self.table, self.clock, self.totals, self.ownership, self.rounds)

    @cached_property
    def assembly(self) -> "ContextAssembly":
        """Assembles contexts."""
        from strata.services.context import ContextAssembly

        return ContextAssembly(self.sessions, self.searching, self.reading, self.rounds)

    @cached_property
    def keys(self) -> "Keys":
        """The directory of API keys."""
        from strata.services.keys import Keys

        return Keys(self.table, self.clock)

    @cached_property
    def admission(self) -> "Admission":
        """Decides who may enter."""
        from strata.services.admission import Admission, ClaimNames

        names = self.settings
        claims = ClaimNames(names.jwt_tenant_claim, names.jwt_scopes_claim, names.jwt_identity_claim)
        return Admission(self.keys, self.tokens, claims)
