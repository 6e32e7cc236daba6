"""A transcript's messages, whose content comes in several shapes."""

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints

from strata.domain.text.strings import encodable

_WRITTEN = "text", "input_text", "output_text"
"""Parts of a message that hold its speaker's own words (Anthropic's, OpenAI's and MCP's names for them)."""


def _words(content: Any, kinds: tuple[str, ...] | None = None) -> str:
    """The texts in a content of any depth, in order; of parts of these kinds, or of no named one."""
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
    """The texts in a content that was not checked as a message's is: half a surrogate pair shows as `?`."""
    return encodable(_words(content))


def _encodable(content: Any) -> Any:
    try:
        _words(content).encode()
    except UnicodeEncodeError:
        raise ValueError("must be Unicode text, without lone surrogates") from None
    return content


class Message(BaseModel):
    """One message of a transcript. Content that is not a plain string (parts, blocks) counts by its text."""

    model_config = ConfigDict(extra="ignore")

    role: Annotated[str, StringConstraints(min_length=1, max_length=50)]
    content: Annotated[Any, AfterValidator(_encodable)] = ""

    @property
    def text(self) -> str:
        """The words of the message."""
        return _words(self.content)

    @property
    def written(self) -> str:
        """The words that its speaker wrote: no results of tools, documents or other parts that come along."""
        return _words(self.content, _WRITTEN)
