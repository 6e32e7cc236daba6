"""Roles of people to a speaker, and which of them can't be those of one person."""

from collections.abc import Iterable

_KIN = (
    "mother mom mum mama madre",
    "father dad papa padre",
    "brother hermano",
    "sister hermana",
    "son hijo",
    "daughter hija",
    "husband marido esposo",
    "wife esposa mujer",
    "uncle tio",
    "aunt auntie tia",
    "cousin primo prima",
    "nephew sobrino",
    "niece sobrina",
    "grandmother grandma granny gran abuela",
    "grandfather grandpa granddad abuelo",
    "grandson nieto",
    "granddaughter nieta",
    "mother-in-law suegra",
    "father-in-law suegro",
    "brother-in-law cunado",
    "sister-in-law cunada",
)
_KIN_CLASS = {word: group.split()[0] for group in _KIN for word in group.split()}
_SAME = {
    word: group.split()[0]
    for group in (
        "friend amigo amiga bestie buddy pal mate",
        "neighbour neighbor vecino vecina",
        "colleague colega coworker co-worker workmate companero companera",
        "boss jefe jefa manager supervisor encargado encargada",
        "doctor medico medica",
    )
    for word in group.split()
}
_LOOSE = frozenset(("friend", "neighbour", "colleague", "boss"))
"""Roles that one person may well have beside another."""


def role_class(role: str) -> str:
    """One word for the roles that mean the same in both languages."""
    return _KIN_CLASS.get(role) or _SAME.get(role, role)


def apart(mine: Iterable[str], yours: Iterable[str], *, full_name: bool) -> bool:
    """Whether people with these roles are two, though they have one name.

    A first name alone is told apart by two roles of which one is close: "my sister Ana" is not "my dentist
    Ana", nor "my colleague Ana". A full name takes two different relatives.
    """
    ours, theirs = {role_class(each) for each in mine}, {role_class(each) for each in yours}
    if not ours or not theirs or ours & theirs:
        return False
    both = ours | theirs
    if full_name:
        kin = {*_KIN_CLASS.values()}
        return bool(ours & kin and theirs & kin)
    return not both <= _LOOSE
