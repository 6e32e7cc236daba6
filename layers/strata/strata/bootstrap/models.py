"""The models that the settings choose: embedder, language model, tokenizer."""

from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room
from strata.settings import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from strata.adapters.static_embeddings import StaticEmbeddings
    from strata.domain.assembly.budget import Tokenizer
    from strata.domain.knowledge.links import Compare
    from strata.domain.knowledge.patterns import Grouping
    from strata.domain.knowledge.statements import Said, Sighting
    from strata.domain.scope import Scope
    from strata.ports.entailment import Entailment
    from strata.ports.language import Embedder, EmbeddingModel, Lexicon
    from strata.ports.models import LanguageModel
    from strata.ports.reranker import Reranker
    from strata.services.models.ask import BudgetedModel
    from strata.settings.models import LanguageSettings


class Models(Room):
    """Embedder, lexicon, tokenizer, and the language model within its budget."""

    @cached_property
    def static_embeddings(self) -> "StaticEmbeddings":
        """The table of vectors."""
        from strata.adapters.static_embeddings import StaticEmbeddings

        return StaticEmbeddings()

    @property
    def embedding_model(self) -> "EmbeddingModel":
        """Name and dimensions of the embedder, without loading the table that the static one reads."""
        from strata.ports.language import EmbeddingModel

        if self._settings.embedding.provider == "static" and self._app.overrides.embedder is None:
            from strata.adapters.static_embeddings import StaticEmbeddings

            return EmbeddingModel(StaticEmbeddings.model, StaticEmbeddings.dimensions)
        return EmbeddingModel(self.embedder.model, self.embedder.dimensions)

    @cached_property
    def embedder(self) -> "Embedder":
        """Text to vectors."""
        from strata.bootstrap.providers import embedder

        return embedder(self._settings.embedding) or self.static_embeddings

    @cached_property
    def comparing(self) -> "Embedder":
        """Makes vectors that are not stored: the embedder, or the table in place of a slow one."""
        slow = self._settings.embedding.provider == "e5" and self._app.overrides.embedder is None
        return self.static_embeddings if slow and find_spec("wordllama") else self.embedder

    @cached_property
    def grouping(self) -> "Grouping | None":
        """Groups messages by sentence vectors, loaded at the first use; None where words do."""
        from strata.adapters.e5_embeddings import E5Embeddings, lacking

        chosen = self._settings
        if chosen.knowledge.reading == "words" or lacking():
            return None
        from strata.adapters.knowledge.patterns.model import SentencePatterns

        other = chosen.embedding.provider != "e5" or self._app.overrides.embedder is not None
        return SentencePatterns(E5Embeddings() if other else self.embedder)

    @cached_property
    def statements(self) -> "Callable[[Sequence[Said]], list[Sighting]]":
        """Reads messages for what people state of themselves; loaded at the first use."""
        if self._settings.knowledge.reading == "words" or not self.has_sentence_model:
            from strata.adapters.knowledge.statements import read_messages

            return read_messages
        from strata.adapters.knowledge.sentence_statements import SentenceStatements

        return SentenceStatements()

    @cached_property
    def links(self) -> "Compare | None":
        """Reads statements of a person together, loaded at the first use; None where words decide."""
        if self._settings.knowledge.reading == "words" or not self.has_sentence_model:
            return None
        from strata.adapters.knowledge.sentence_links import SentenceLinks

        return SentenceLinks()

    @cached_property
    def lexicon(self) -> "Lexicon":
        """Rarity and meaning of words; neither where another embedder is chosen and the table left out."""
        if self._settings.embedding.provider != "static" and find_spec("wordllama") is None:
            from strata.adapters.no_word_vectors import NoWordVectors

            return NoWordVectors()
        return self.static_embeddings

    def rarity(self, words: "Sequence[str]") -> list[float]:
        """The rarity of words; the lexicon is loaded by the first call."""
        return [float(each) for each in self.lexicon.rarity(words)]

    @cached_property
    def tokenizer(self) -> "Tokenizer":
        """Counts tokens: a quarter of the characters, or by the file that the settings name."""
        from strata.domain.assembly.budget import by_characters

        if self._settings.tokenizer is None:
            return by_characters
        from strata.adapters.tokenizer import FileTokenizer

        try:
            return FileTokenizer(self._settings.tokenizer)
        except ValueError as error:
            raise SettingsError(f"STRATA_TOKENIZER: {error}") from None

    @cached_property
    def language_model(self) -> "LanguageModel | None":
        """The language model, without a budget; None where none was chosen."""
        from strata.bootstrap.providers import language_model

        return language_model(self._settings.language)

    @cached_property
    def budgeted(self) -> "BudgetedModel | None":
        """The language model within the tenant's budget; None where none was chosen."""
        return self._within_budget(self.language_model, self._settings.language)

    @cached_property
    def consolidating(self) -> "BudgetedModel | None":
        """The same for the model that draws conclusions, which may be another one."""
        return self._of_task(self._settings.consolidation)

    @cached_property
    def judging(self) -> "BudgetedModel | None":
        """The same for the model that judges contradictions."""
        return self._of_task(self._settings.judge)

    @property
    def reads_pairs(self) -> bool:
        """Whether a model may read pairs of conclusions, which takes long: here, or where the sweep runs."""
        chosen = self._settings
        return chosen.knowledge.nli or self.entailment is not None or chosen.judge.provider != "none"

    @cached_property
    def entailment(self) -> "Entailment | None":
        """The cross-encoder for contradictions, not loaded yet; None where it is off or nothing runs it.

        One that was installed, else that of the package.
        """
        chosen = self._settings
        if not chosen.knowledge.nli:
            return None
        if find_spec("onnxruntime") is not None and self.has_cross_encoder:
            from strata.adapters.onnx_entailment import OnnxEntailment

            return OnnxEntailment(chosen.model_place("nli"), chosen.model_cache)
        if not self.has_sentence_model:
            return None
        from strata.adapters.fitted_entailment import FittedEntailment

        return FittedEntailment()

    @cached_property
    def reranker(self) -> "Reranker | None":
        """Reads messages and memories together, not loaded yet; None where it is off or nothing runs it."""
        if not self._settings.rerank or not self.has_sentence_model:
            return None
        from strata.adapters.fitted_reranker import WEIGHTS, FittedReranker

        return FittedReranker() if WEIGHTS.is_file() else None

    @property
    def has_sentence_model(self) -> bool:
        """Whether the model's file is there; its engine is not needed."""
        from strata.adapters.e5_file import model_file

        return model_file() is not None

    @property
    def has_cross_encoder(self) -> bool:
        """Whether a bucket is named for it, or it is installed where models are kept."""
        place = self._settings.model_place("nli")
        return place.startswith("s3://") or (Path(place) / "nli.json").is_file()

    def _of_task(self, chosen: "LanguageSettings") -> "BudgetedModel | None":
        if self._app.overrides.language_model is not None or chosen == self._settings.language:
            return self.budgeted
        from strata.bootstrap.providers import language_model

        return self._within_budget(language_model(chosen), chosen)

    def _within_budget(
        self, model: "LanguageModel | None", chosen: "LanguageSettings"
    ) -> "BudgetedModel | None":
        if model is None:
            return None
        from strata.domain.model_costs import Prices
        from strata.services.models.ask import BudgetedModel
        from strata.services.models.budget import Caps, ModelBudget

        limits = self._app.tenants.limits

        def caps(scope: "Scope") -> Caps:
            found = limits.of(scope)
            return Caps(found.daily_tokens, found.daily_dollars)

        prices = Prices(chosen.input_price, chosen.output_price)
        budget = ModelBudget(self._app.stores.table, self._app.clock, caps, prices)
        require = self._app.people.agreements.require if self._settings.require_dpa else None
        return BudgetedModel(model, budget, require)
