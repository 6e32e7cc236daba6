"""Messages of a transcript, whose content comes in several shapes."""

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints

from strata.domain.text.strings import encodable

_WRITTEN = "text", "input_text", "output_text"
"""Parts of a message that hold its speaker's own words (Anthropic's, OpenAI's and MCP's names for them)."""


def _words(content: Any, kinds: tuple[str, ...] | None = None) -> str:
    """The texts of a content of any depth, in order; `kinds` selects parts by type."""
    texts, left = [], [content]
    while left:
        part = left.pop()
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict) and (kinds is None or part.get("type", kinds[0]) in kinds):
            left.append(part.get("text") or part.get("content"))
        elif isinstance(part, list):
            left += reversed(part)
    return " ".join(filter(None, texts))


def said(content: Any) -> str:
    """The texts of a content that was not validated as a message's; a lone surrogate becomes `?`."""
    return encodable(_words(content))


def _encodable(content: Any) -> Any:
    try:
        _words(content).encode()
    except UnicodeEncodeError:
        raise ValueError("must be Unicode text, without lone surrogates") from None
    return content


class Message(BaseModel):
    """One message of a transcript. Content in parts or blocks counts by its text."""

    model_config = ConfigDict(extra="ignore")

    role: Annotated[str, StringConstraints(min_length=1, max_length=50)]
    content: Annotated[Any, AfterValidator(_encodable)] = ""

    @property
    def text(self) -> str:
        """All text of the message."""
        return _words(self.content)

    @property
    def written(self) -> str:
        """The speaker's own text, without tool results, documents and other attached parts."""
        return _words(self.content, _WRITTEN)


class DatedMessage(Message):
    """A message whose time is known: `at`, in microseconds since 1970."""

    at: int
