"""Questions about a person, answered from everything that is known of them.

The layers are asked side by side, each behind its own borders, and all that they give is ranked as one. The
best supported statements are the answer, or what a language model writes from them (`answers`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from strata.domain.assembly.items import Remembered
from strata.domain.assembly.likeness import distinct, values_once
from strata.domain.filters import Filters
from strata.domain.ranking.dialogue import talk
from strata.domain.ranking.params import RankingParams
from strata.domain.ranking.rank import rank
from strata.domain.relevance.floors import ANSWER_FLOOR
from strata.domain.relevance.model import Calibration
from strata.domain.relevance.personal import asked_for, names_somebody, reworded, told_by
from strata.domain.relevance.personal_forms import Aspect
from strata.domain.retrieval import Candidate
from strata.domain.scope import Scope
from strata.domain.times import day
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.ports.language import Embedder, Lexicon
from strata.ports.table import Table
from strata.services.context.layers.layer import ContextQuery, Layer
from strata.services.people.consent import refused
from strata.services.records.erasures import tombstone_key
from strata.services.records.people import consent_key
from strata.services.search.unindexed import embedded
from strata.services.table.parallel import Parallel

MOST_STATEMENTS = 12
"""The most statements that an answer is made from."""

OF_PERSON = frozenset(("profile", "facts", "conclusions"))
"""The layers whose statements say what one asks of a person first."""

_ANSWERS, _BESIDE = 0.9, 0.05
"""The least relevance of a statement of what is asked for, and the most of one that tells another thing."""

_SHORT = 2
_NO_NAMES = frozenset(("device", "user", "default", "agent", "me"))
"""Ids of people that are no names."""

_HITS = 20
_COMPARED = 40


@dataclass(frozen=True, slots=True)
class About:
    """The person whom a question is about, and who asks it: an agent in a project, where they are named."""

    owner: str
    agent_id: str | None = None
    project: str | None = None


@dataclass(frozen=True, slots=True)
class Statements:
    """The statements that a question asks about, best first, each with the probability that it answers.

    `degraded` is true if only the newest rows were searched, or by words alone.
    """

    items: Sequence[Remembered]
    degraded: bool = False

    @property
    def confidence(self) -> float:
        """The probability that they hold the answer."""
        return max((each.relevance for each in self.items), default=0.0)


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds the statements about a person that a question asks about.

    Attributes:
        layers: what is searched, each behind the port `Layer`.
        table: holds people's consent.
        parallel: asks the layers at once.
        embedder, lexicon: the meaning of texts and words.
        params: the weights of the ranking.
        calibration: tells how likely a statement answers.
    """

    layers: Sequence[Layer]
    table: Table
    parallel: Parallel
    embedder: Embedder
    lexicon: Lexicon
    params: RankingParams
    calibration: Calibration

    def find(self, scope: Scope, about: About, question: str, *, repeats: bool = False) -> Statements:
        """The best statements; none about a person who refuses, or is being erased.

        What says the same is given once, unless `repeats` asks for all of it.

        Raises:
            Unavailable: a store does not answer.
        """
        keys = consent_key(about.owner), tombstone_key(about.owner)
        rows = self.table.get_many(scope, keys)
        if refused(rows.get(keys[0])) or keys[1] in rows:
            return Statements([])
        query = query_of(about, question)
        answers = self.parallel.each([partial(each.recall, scope, own(each, query)) for each in self.layers])
        found = {item.key: item for answer in answers for item in answer.items if item.content.strip()}
        best = self._ranked(reworded(question), found)
        if (asked := asked_for(question, _names(about, best))) is not None:
            best = sorted((_weighed(each, asked) for each in best), key=lambda each: -each.relevance)
        best = best[:_COMPARED]
        best = best if repeats else distinct(values_once(best), self.lexicon)[:MOST_STATEMENTS]
        return Statements(best, any(answer.degraded for answer in answers))

    def fetch(self, scope: Scope, about: About, ids: Sequence[str]) -> list[Remembered]:
        """The statements with these ids, as answers name them, that still exist and may be seen."""
        query = query_of(about)
        found: list[Remembered] = []
        for layer in self.layers:
            prefix = f"{layer.name}:"
            if mine := [each.removeprefix(prefix) for each in ids if each.startswith(prefix)]:
                found += layer.fetch(scope, own(layer, query), mine)
        return found

    def _ranked(self, question: str, found: dict[str, Remembered]) -> list[Remembered]:
        if not found:
            return []
        ranked = rank(
            question,
            self._candidates(question, list(found.values())),
            lexicon=self.lexicon,
            params=self.params,
            calibration=self.calibration,
            turns=talk,
        )
        return [replace(found[each.key], relevance=each.relevance) for each in ranked]

    def _candidates(self, question: str, items: Sequence[Remembered]) -> list[Candidate]:
        texts = [told(each) for each in items]
        vectors = None
        if len(texts) < self.embedder.at_once:
            vectors = embedded(lambda: self.embedder.embed([question, *texts], soon=True))
        cosines = None if vectors is None else vectors[1:] @ vectors[0]
        last: dict[str, str] = {}
        found = []
        for place, (item, text) in enumerate(zip(items, texts, strict=True)):
            session = item.title if item.layer == "events" else None
            found.append(
                Candidate(
                    key=item.key,
                    title="",
                    text=text,
                    order=item.order,
                    session_id=session,
                    previous=last.get(session) if session else None,
                    cosine=None if cosines is None else float(cosines[place]),
                )
            )
            if session:
                last[session] = item.key
        return found


def _names(about: About, items: Sequence[Remembered]) -> list[str]:
    """What the person is called: as it is told, else by their id, where it may be a name."""
    told_of = [each.title for each in items if each.layer in OF_PERSON and each.type == "name"]
    named = about.owner.isalpha() and len(about.owner) > _SHORT and about.owner.lower() not in _NO_NAMES
    return told_of or ([about.owner] if named else [])


def _weighed(item: Remembered, asked: Aspect) -> Remembered:
    """What is told of the person answers where it is what is asked for, and else does not.

    A name is told by who says it only: other memories share no more than the words of the question with it.
    """
    told_of = told_by(item.content, item.type) if item.layer in OF_PERSON else frozenset()
    if asked in told_of:
        return replace(item, relevance=max(item.relevance, _ANSWERS))
    other = bool(told_of) and item.layer != "profile"  # a preference there may say anything: "town: Hull"
    unnamed = asked is Aspect.NAME and item.relevance >= ANSWER_FLOOR and not names_somebody(item.text)
    return replace(item, relevance=min(item.relevance, _BESIDE)) if other or unnamed else item


def query_of(about: About, question: str = "") -> ContextQuery:
    """The request to the layers."""
    return ContextQuery(
        question, about.project, None, about.agent_id, about.owner, owner=about.owner, limit=_HITS
    )


def own(layer: Layer, query: ContextQuery) -> ContextQuery:
    """The query for a layer: of observations those of the person alone; nobody's are the `default` user's."""
    if layer.name != "observations" or query.owner == DEFAULT_OWNER:
        return query
    return replace(query, only=Filters(user_id=query.owner))


def told(item: Remembered) -> str:
    """A statement as it is ranked and given: a message with its day."""
    return f"[{day(item.order)}] {item.text}" if item.layer == "events" else item.text
