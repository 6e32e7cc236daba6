"""Asks a language model within the tenant's budget; services ask models in no other way."""

import json
import logging
from collections.abc import Callable
from typing import TypeVar

from pydantic import BaseModel

from strata.domain.model_costs import Usage, most_tokens
from strata.domain.scope import Scope
from strata.ports.models import LanguageModel, Question
from strata.services.models.budget import ModelBudget

Shape = TypeVar("Shape", bound=BaseModel)

_log = logging.getLogger("strata.models")

_TRIES = 2
_FRAME = 1_000
"""Tokens added to a question: about the form of the answer, and about mistakes in it."""


class BudgetedModel:
    """Asks a model for answers of a known shape.

    Args:
        model: the model.
        budget: the tenant's budget.
        require: raises where the tenant must accept something before a model is asked.
    """

    def __init__(
        self, model: LanguageModel, budget: ModelBudget, require: Callable[[Scope], None] | None = None
    ) -> None:
        self.name = model.name
        self._model = model
        self._budget = budget
        self._require = require

    def ask(self, scope: Scope, question: Question, shape: type[Shape]) -> Shape:
        """The model's answer.

        Raises:
            AgreementMissing: the tenant has not accepted the data processing agreement; nothing was asked.
            BudgetSpent: the tenant's day has no room for it; nothing was asked.
            ModelFailed: the model refuses, or gives an answer of another shape.
            Unavailable: the model or the table does not answer.
        """
        if self._require is not None:
            self._require(scope)
        reserved = self._budget.reserve(scope, _at_most(question, shape))
        usage = Usage()
        try:
            return self._model.ask(question, shape, usage)
        finally:
            self._budget.settle(scope, reserved, usage)
            _log.info(
                "%s was given %d tokens and made %d",
                self._model.name,
                usage.input_tokens,
                usage.output_tokens,
            )


def _at_most(question: Question, shape: type[BaseModel]) -> Usage:
    """The most that an answer and its correction may use."""
    asked = most_tokens(question.instructions, question.text, json.dumps(shape.model_json_schema()))
    return Usage(
        _TRIES * (asked + _FRAME) + question.most_tokens,
        _TRIES * question.most_tokens,
    )
