"""Texts as servers take them."""


def whole(text: str) -> str:
    """The text with every half of a surrogate pair replaced: JSON's readers want whole characters."""
    return text if text.isascii() else text.encode(errors="replace").decode()


def beginning(text: str, most: int) -> str:
    """As much of the text as `most` bytes of UTF-8 hold."""
    encoded = text.encode(errors="replace")
    return encoded[:most].decode(errors="ignore")
