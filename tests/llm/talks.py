"""The words of two people, and the question that a model is asked about them."""

import json
from typing import Annotated

from pydantic import BaseModel, Field

from strata.adapters.models.openai import OpenAiChat
from strata.adapters.models.structured import StructuredModel
from strata.domain.errors import ModelFailed
from strata.domain.model_costs import Usage
from strata.ports.models import Question

TALKS = {
    "ann": ["My name is Ann and I live in Valencia.", "I love jazz."],
    "bob": ["I'm a nurse in Leeds.", "I am vegetarian."],
}
_MOST_TOKENS = 220
_PATIENCE = 800.0

Short = Annotated[str, Field(min_length=1, max_length=40)]


class Noted(BaseModel):
    """One fact about the writer, and the words that it rests on."""

    fact: Short
    basis: Short


class Notes(BaseModel):
    """The answer: bounded, since a small model rambles on."""

    facts: list[Noted] = Field(min_length=1, max_length=2)


def model(url: str, name: str) -> StructuredModel:
    """A model behind a server of OpenAI's protocol, with patience for a slow machine."""
    return StructuredModel(OpenAiChat(url, name), seconds=_PATIENCE, deadline=_PATIENCE)


def asked(of: StructuredModel, person: str) -> list[str]:
    """The facts that the model notes of what a person said; none where its answer was cut off twice."""
    instructions = "Note up to two facts about the writer of these messages, each with the words it rests on."
    question = Question(instructions, json.dumps(TALKS[person]), most_tokens=_MOST_TOKENS)
    try:
        return [each.fact for each in of.ask(question, Notes, Usage()).facts]
    except ModelFailed:
        return []
