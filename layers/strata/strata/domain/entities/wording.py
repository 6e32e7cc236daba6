"""The kinds of relationships between entities, in the words of a page."""

KINDS = {
    "works-at": ("works at", "employs"),
    "lives-in": ("lives in", "is home to"),
    "part-of": ("is part of", "has as a part"),
    "belongs-to": ("belongs to", "has"),
    "located-in": ("is in", "is the place of"),
    "comes-from": ("comes from", "is the origin of"),
    "studies-at": ("studies at", "teaches"),
    "made-by": ("is made by", "makes"),
    "family": ("is family of", "is family of"),
    "knows": ("knows", "is known by"),
    "uses": ("uses", "is used by"),
}
"""The words in which the pages of a subject and of an object tell each kind; others are told as they are called."""


def words_of(kind: str, *, outward: bool = True) -> str:
    """The words in which a page of the subject, or (not `outward`) of the object, tells a relationship."""
    plain = kind.replace("-", " ")
    return KINDS.get(kind, (plain, f"{plain} (of)"))[not outward]
