"""The promises of every adapter of the port `Bodies`."""

import time

import pytest

from strata.domain.scope import Scope
from strata.ports.bodies import Bodies


def test_a_body_comes_back_byte_by_byte_and_an_unknown_one_is_left_out(bodies: Bodies, scope: Scope) -> None:
    content = bytes(range(256)) * 4096
    bodies.put(scope, "large", content)
    bodies.put(scope, "empty", b"")
    assert bodies.get_many(scope, ["empty", "none", "large"]) == {"large": content, "empty": b""}
    assert bodies.get_many(scope, ["large"]) == {"large": content}
    assert bodies.get_many(scope, []) == {}


def test_keeping_a_body_again_changes_nothing(bodies: Bodies, scope: Scope) -> None:
    for _ in range(2):
        bodies.put(scope, "a", b"1")
    assert bodies.get_many(scope, ["a"]) == {"a": b"1"}


def test_an_erased_body_is_gone_and_the_others_stay(bodies: Bodies, scope: Scope) -> None:
    for name in ("a", "b", "c"):
        bodies.put(scope, name, name.encode())
    bodies.delete_many(scope, ["a", "c", "never"])
    bodies.delete_many(scope, ["a"])
    bodies.delete_many(scope, [])
    assert bodies.get_many(scope, ["a", "b", "c"]) == {"b": b"b"}


def test_nothing_is_there_before_the_first_body(bodies: Bodies, scope: Scope) -> None:
    assert bodies.get_many(scope, ["a"]) == {}
    bodies.delete_many(scope, ["a"])


def test_a_tenant_reaches_none_of_another_tenants_bodies(bodies: Bodies, scope: Scope) -> None:
    bodies.put(scope, "a", b"mine")
    for other in (Scope("acme2"), Scope("acme:x"), Scope("acme..x"), Scope.directory()):
        assert bodies.get_many(other, ["a"]) == {}
        bodies.delete_many(other, ["a"])
        bodies.put(other, "b", b"theirs")
    assert bodies.get_many(scope, ["a", "b"]) == {"a": b"mine"}


@pytest.mark.parametrize("name", ["", "../acme/a", "acme/a", ".", "..", "a" * 65, "a\n", "\u00e4"], ids=repr)
def test_a_name_of_another_form_is_refused(bodies: Bodies, scope: Scope, name: str) -> None:
    with pytest.raises(ValueError, match="named"):
        bodies.put(scope, name, b"1")
    with pytest.raises(ValueError, match="named"):
        bodies.get_many(scope, [name])
    with pytest.raises(ValueError, match="named"):
        bodies.delete_many(scope, [name])


def test_bodies_are_listed_by_name_in_pages_with_the_time_they_were_kept_at(
    bodies: Bodies, scope: Scope
) -> None:
    before = time.time_ns() // 1000 - 2_000_000
    assert bodies.list(scope, None, 10) == []
    for name in ("c", "a", "b", "B"):
        bodies.put(scope, name, b"1")
    bodies.put(Scope("acme2"), "d", b"1")

    pages = [bodies.list(scope, None, 3), bodies.list(scope, "b", 3), bodies.list(scope, "c", 3)]

    assert [[name for name, _ in page] for page in pages] == [["B", "a", "b"], ["c"], []]
    assert all(before <= at <= time.time_ns() // 1000 for page in pages for _, at in page)
