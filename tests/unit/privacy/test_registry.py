"""Every kind of row is somebody's, to be found and erased, or nobody's for a reason."""

from typing import get_type_hints

import pytest

from strata.ports.rows import Delete, Key
from strata.services.privacy.erasure.remove import Remover
from strata.services.privacy.registry import GO_WITH, HOLDINGS, NOBODYS, OTHER, holding_of
from support.record_keys import MADE


def made(name: str) -> Key:
    hints = {each: hint for each, hint in get_type_hints(MADE[name]).items() if each != "return"}
    return MADE[name](
        **{each: 7 if hint is int else "PROJECT#x" if each == "pk" else "x" for each, hint in hints.items()}
    )


@pytest.mark.parametrize("name", sorted(MADE))
def test_every_key_is_held_by_one_kind_or_by_nobody(name):
    held = [each for each in HOLDINGS if name in each.made_by]
    assert len(held) + (name in GO_WITH) + (name in NOBODYS) == 1, f"say in the registry whose {name} is"
    if held:
        assert holding_of(made(name)) is held[0]


@pytest.mark.parametrize(
    "name", sorted({name for each in HOLDINGS for name in each.made_by} | {*GO_WITH, *NOBODYS})
)
def test_the_registry_names_keys_that_there_are(name):
    assert name in MADE


def test_a_row_of_an_unknown_kind_among_a_persons_is_given_out_and_erased_too():
    kind = holding_of(Key("SESSION#s1", "SOMETHING_NEW"))
    assert kind is OTHER
    assert kind.shown is not None
    assert kind.counted
    assert not kind.kept


@pytest.mark.parametrize("kind", [each for each in HOLDINGS if each.counted], ids=lambda each: each.name)
def test_what_is_counted_is_given_out_too(kind):
    assert kind.shown is not None


@pytest.mark.parametrize("kind", [*HOLDINGS, OTHER], ids=lambda each: each.name)
def test_an_erasure_knows_how_to_erase_every_kind_but_those_it_keeps(kind):
    key = made(kind.made_by[0]) if kind.made_by else Key("SESSION#s1", "SOMETHING_NEW")
    names = "id owner user_id updated_at normalized_hash project app life topic_key scope type"
    item = dict.fromkeys(names.split(), "x") | {"id": 7, "external_ref": "x", "metadata": {}}
    if kind.kept:
        with pytest.raises(NotImplementedError, match=kind.name):
            Remover("e1", 0).removal(key, item)
        return
    first, *others = Remover("e1", 0).removal(key, item).actions
    assert first.key == key
    emptied = kind.name in ("sessions", "pointers_of_episodes", "audit_entries")
    assert isinstance(first, Delete) is not emptied
    beside = kind.name in ("observations", "deleted_observations", "episodes", "event_logs")
    assert bool(others) is beside
