"""Finds conclusions about a person that contradict each other, and keeps the one that is superseded as such.

Three stages: pairs that are worth a look, a cross-encoder (optional), a language model (optional). Without
the last two the rules of `domain/contradictions` decide. Stages read only; what is confirmed is written by
the sweep, under its caps and the version of the person's rows, with the events that are still to be sent.
"""

from collections.abc import Mapping, Sequence

from strata.domain.contradictions.candidates import candidates
from strata.domain.errors import AgreementMissing, BudgetSpent
from strata.domain.scope import Scope
from strata.domain.times import rfc3339
from strata.ports.announcements import Announcer
from strata.ports.clock import Clock
from strata.ports.entailment import Entailment
from strata.ports.language import Embedder
from strata.ports.rows import Item
from strata.ports.table import Table
from strata.services.knowledge.compared import Compared, pair_name, text_name
from strata.services.knowledge.confirmed import Confirmed, superseded
from strata.services.knowledge.contradiction_events import ContradictionEvents
from strata.services.knowledge.judging import Judge
from strata.services.knowledge.person import KnowledgeRows
from strata.services.knowledge.sweeping import CONTRADICTIONS, KnowledgeSweep
from strata.services.knowledge.upkeep import Rows, Tended, Thresholds, border_group
from strata.services.people.consent import refused
from strata.services.records.erasures import tombstone_key
from strata.services.records.people import consent_key

LEAST = 0.5
"""The likelihood from which the cross-encoder's verdict lets a pair through to the judge."""


class ContradictionPipeline:
    """Carries out the step for one person.

    Args:
        table, clock: the store and the time.
        sweep: writes the changes.
        embedder: makes the vectors of the first stage.
        announcer: sends the events.
        limit: of pairs that are looked at.
        entailment: the second stage.
        judge: the third stage.
    """

    def __init__(
        self,
        table: Table,
        clock: Clock,
        sweep: KnowledgeSweep,
        embedder: Embedder,
        announcer: Announcer,
        *,
        limit: int = 500,
        entailment: Entailment | None = None,
        judge: Judge | None = None,
    ) -> None:
        self._table = table
        self._clock = clock
        self._sweep = sweep
        self._embedder = embedder
        self._events = ContradictionEvents(table, clock, announcer)
        self._limit = limit
        self._entailment = entailment
        self._judge = judge
        self._rows = KnowledgeRows(table)

    def run(self, scope: Scope, owner: str, run: int, *, dry: bool = False) -> Mapping[str, int]:
        """Look for contradictions, supersede what falls, announce what was confirmed; numbers for the report.

        Announcements that an earlier delivery wrote but did not send are sent first.

        Args:
            scope: the tenant.
            owner: the person.
            run: the start of the sweep's run (µs).
            dry: only count; nothing is written or announced.

        Raises:
            Unavailable, ModelFailed: a stage does not answer; nothing was changed by this call.
            Conflict: concurrent writers did not let this one settle.
        """
        announced = 0 if dry else self._events.send(scope, owner)
        rows = self._rows.read(scope, owner, sightings=False).conclusions
        shown = sorted((row for row in rows.values() if "hidden" not in row), key=lambda row: str(row["id"]))
        compared = Compared(
            self._table, self._clock, scope, owner, self._by, [text_name(row) for row in shown]
        )
        counts, confirmed = self._decide(scope, owner, shown, compared, dry=dry)

        def plan(now_there: Rows, now: int, _: Thresholds) -> Tended:
            return superseded(now_there, confirmed, now)

        counts |= self._sweep.tend(scope, owner, CONTRADICTIONS, run, dry=dry, plan=plan)
        if not dry and not counts["unjudged"] and len(confirmed) == counts["removed"]:
            compared.keep(done=True)
        return counts | {"announced": announced + (0 if dry else self._events.send(scope, owner))}

    @property
    def _by(self) -> str:
        """The models that compare; what others compared is compared again."""
        return (
            f"{self._entailment.model if self._entailment else ''} {self._judge.name if self._judge else ''}"
        )

    def _decide(
        self, scope: Scope, owner: str, shown: Sequence[Item], compared: Compared, *, dry: bool
    ) -> tuple[dict[str, int], list[Confirmed]]:
        took = _Stopwatch(self._clock)
        groups: dict[object, list[int]] = {}
        for place, row in enumerate(shown):
            groups.setdefault(border_group(row), []).append(place)
        texts = [row["text"] for row in shown] if compared.new else []
        found = candidates(
            texts,
            [row["subject"] for row in shown],
            self._embedder.embed(texts),
            [group for group in groups.values() if len(group) > 1 and texts],
            self._limit,
            new=compared.new,
        )
        pairs = [(shown[one], shown[other]) for one, other in found.pairs]
        by_rules = [pair in found.by_rules for pair in found.pairs]
        counts = {"candidatePairs": len(pairs), "candidateMs": took()}
        likely, more = self._entailed(pairs, compared, dry=dry)
        counts |= more | {"nliMs": took()}
        decided, more = self._judged(scope, owner, pairs, likely, by_rules)
        counts |= more | {"judgeMs": took(), "confirmed": sum(decided)}
        free = [
            pair for pair, yes in zip(pairs, decided, strict=True) if yes and "kept" not in pair[0] | pair[1]
        ]
        return counts, [Confirmed.of(*pair) for pair in free]

    def _entailed(
        self, pairs: Sequence[tuple[Item, Item]], compared: Compared, *, dry: bool
    ) -> tuple[list[float] | None, dict[str, int]]:
        """The cross-encoder's probability that each pair contradicts; None without one."""
        counts = {"nliEvaluated": 0, "nliCacheHits": 0, "nliContradictions": 0}
        if self._entailment is None or not pairs:
            return None, counts
        told = compared.verdicts(self._entailment.model)
        names = [pair_name(*pair) for pair in pairs]
        new = [place for place, name in enumerate(names) if name not in told]
        asked = [(pairs[place][0]["text"], pairs[place][1]["text"]) for place in new]
        verdicts = self._entailment.judge([*asked, *((other, one) for one, other in asked)]) if asked else []
        for number, place in enumerate(new):
            both = verdicts[number].contradicts, verdicts[number + len(new)].contradicts
            told[names[place]] = round(sum(both) / 2, 4)
        if new and not dry:
            compared.keep(self._entailment.model, {name: told[name] for name in names})
        likely = [told[name] for name in names]
        return likely, {
            "nliEvaluated": len(new),
            "nliCacheHits": len(pairs) - len(new),
            "nliContradictions": sum(each >= LEAST for each in likely),
        }

    def _judged(
        self,
        scope: Scope,
        owner: str,
        pairs: Sequence[tuple[Item, Item]],
        likely: Sequence[float] | None,
        by_rules: Sequence[bool],
    ) -> tuple[list[bool], dict[str, int]]:
        """The pairs that contradict; by the rules and the cross-encoder alone where no model may be asked."""
        surely = self._entailment.sure if self._entailment else 1.0
        decided = [
            sure or (likely is not None and likely[place] >= surely) for place, sure in enumerate(by_rules)
        ]
        counts = {"judgeEvaluated": 0, "unjudged": 0}
        asked = [
            place
            for place in range(len(pairs))
            if likely is None or likely[place] >= LEAST or by_rules[place]
        ]
        if self._judge is None or not asked or not self._may_ask(scope, owner):
            return decided, counts
        shown = [
            (one["text"], rfc3339(one["last"])[:10], other["text"], rfc3339(other["last"])[:10])
            for one, other in (pairs[place] for place in asked)
        ]
        try:
            answers = self._judge.contradicts(scope, shown)
        except (BudgetSpent, AgreementMissing):
            return decided, counts | {"unjudged": len(asked)}
        unjudged = sum(each is None for each in answers)
        by_judge = dict(zip(asked, answers, strict=True))
        return [by_judge.get(place) is True for place in range(len(pairs))], {
            "judgeEvaluated": len(asked) - unjudged,
            "unjudged": unjudged,
        }

    def _may_ask(self, scope: Scope, owner: str) -> bool:
        """Whether the person lets their words be sent to a model."""
        rows = self._table.get_many(scope, [consent_key(owner), tombstone_key(owner)])
        return not refused(rows.get(consent_key(owner))) and tombstone_key(owner) not in rows


class _Stopwatch:
    """Milliseconds since it was asked before."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since = clock.monotonic()

    def __call__(self) -> int:
        since, self._since = self._since, self._clock.monotonic()
        return round((self._since - since) * 1000)
