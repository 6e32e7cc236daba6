"""Counts tokens with a model's own tokenizer file."""

from pathlib import Path


class FileTokenizer:
    """Counts tokens with a `tokenizer.json` of the `tokenizers` library (Hugging Face).

    Raises:
        ValueError: the file is missing, or not a tokenizer.
    """

    def __init__(self, file: Path) -> None:
        from tokenizers import Tokenizer  # noqa: PLC0415 - who counts characters must not pay for it

        try:
            self._tokenizer = Tokenizer.from_file(str(file))
        except Exception as error:  # the library raises nothing more precise
            raise ValueError(f"{file} is no tokenizer: {error}") from None

    def __call__(self, text: str) -> int:
        """The number of tokens of the text, without special tokens."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)
