"""The port `LanguageModel` over any chat: answers are validated by a schema, and corrected once."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from strata.adapters.models.errors import Unanswered
from strata.adapters.models.trying import tried
from strata.domain.errors import ModelFailed
from strata.domain.model_costs import Usage, likely_tokens
from strata.domain.text.strings import encodable
from strata.ports.models import Question

Shape = TypeVar("Shape", bound=BaseModel)

_TOLD = 10
_LONGEST_TOLD = 2_000
_ECHOED = 8_000
_MOST_COUNTED = 100_000_000

_FORMAT = (
    "Answer with one JSON object and nothing else: no introduction, no code fence."
    " It must fit this JSON schema:"
)


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a chat."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Completion:
    """A chat's answer, with its tokens if the server counts them."""

    text: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    was_cut: bool = False
    was_refused: bool = False


class Chat(Protocol):
    """One model on one server; every failure is one of `strata.adapters.models.errors`."""

    @property
    def name(self) -> str:
        """The model's name."""

    def complete(
        self,
        instructions: str,
        said: Sequence[Said],
        schema: Mapping[str, Any],
        most_tokens: int,
        seconds: float,
    ) -> Completion:
        """Request one answer, without retries."""


class StructuredModel:
    """Asks a chat until its answer has the requested shape.

    Args:
        chat: the model.
        seconds: time limit of one attempt.
        deadline: time limit of a question with all its attempts, unless the question sets less.
    """

    def __init__(self, chat: Chat, *, seconds: float = 30.0, deadline: float = 60.0) -> None:
        self._chat = chat
        self._seconds = seconds
        self._deadline = deadline

    @property
    def name(self) -> str:
        """The model's name."""
        return self._chat.name

    def ask(self, question: Question, shape: type[Shape], usage: Usage) -> Shape:
        """A validated instance; see `LanguageModel`."""
        allowed = self._deadline if question.seconds is None else min(question.seconds, self._deadline)
        until = time.monotonic() + allowed
        schema = shape.model_json_schema()
        instructions = "\n\n".join((encodable(question.instructions), _FORMAT, json.dumps(schema)))
        said = [Said("user", encodable(question.text))]
        done = self._complete(question, instructions, said, schema=schema, usage=usage, until=until)
        try:
            return shape.model_validate_json(_json_of(done.text))
        except ValidationError as error:
            said += [
                Said("assistant", encodable(done.text)[:_ECHOED] or "-"),
                Said("user", _mended(done, error)),
            ]
        done = self._complete(question, instructions, said, schema=schema, usage=usage, until=until)
        try:
            return shape.model_validate_json(_json_of(done.text))
        except ValidationError:
            raise ModelFailed("the model's answer was not of the form that it was asked for, twice") from None

    def _complete(
        self,
        question: Question,
        instructions: str,
        said: Sequence[Said],
        *,
        schema: Mapping[str, Any],
        usage: Usage,
        until: float,
    ) -> Completion:
        prompt = likely_tokens(instructions, *(each.text for each in said))

        def failed(error: Unanswered) -> None:
            if error.was_sent:
                usage.add(prompt, 0)

        done = tried(
            lambda seconds: self._chat.complete(instructions, said, schema, question.most_tokens, seconds),
            until,
            each=self._seconds,
            failed=failed,
        )
        given, made = done.input_tokens, done.output_tokens
        usage.add(prompt if given is None else given, likely_tokens(done.text) if made is None else made)
        if done.was_refused:
            raise ModelFailed("the model refuses to answer")
        return done


def count(value: object) -> int | None:
    """A server's number of tokens; None for an implausible value."""
    return value if type(value) is int and 0 <= value <= _MOST_COUNTED else None


def _json_of(text: str) -> str:
    """The JSON object in an answer, without the text that some models add."""
    first, last = text.find("{"), text.rfind("}")
    return encodable(text[first : last + 1]) if 0 <= first < last else ""


def _mended(done: Completion, error: ValidationError) -> str:
    """The prompt that asks the model to correct its invalid answer."""
    problems = [
        f"- {'.'.join(map(str, found['loc'])) or 'the whole'}: {found['msg']}"
        for found in error.errors(include_url=False, include_input=False, include_context=False)[:_TOLD]
    ]
    told = "\n".join(problems)[:_LONGEST_TOLD]
    shorter = "It was cut off because it was too long: be shorter.\n" if done.was_cut else ""
    return f"That answer does not fit the schema.\n{shorter}{told}\nGive the whole answer again, corrected."
