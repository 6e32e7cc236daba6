"""API keys and the directory that knows them."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata import settings
from strata.bootstrap import Application, Overrides
from strata.domain import api_keys
from strata.domain.errors import Conflict, InvalidRequest, NotFound, Unauthenticated, Unavailable
from strata.domain.redaction.redact import redact
from strata.domain.scope import DIRECTORY, Scope
from strata.services.credentials.keys import REMEMBERED_SECONDS, ApiKeys

HOUR, DAY = 3600, 86400


@pytest.fixture
def app(tmp_path, clock):
    app = Application(settings.load({"STRATA_DATA": str(tmp_path)}), Overrides(clock=clock))
    yield app
    app.close()


@pytest.fixture
def keys(app):
    return app.credentials.keys


def refused(keys, key):
    try:
        keys.verify(key)
    except Unauthenticated:
        return True
    return False


# --- the key itself


def test_a_key_holds_256_bits_and_no_two_are_alike(keys):
    made = [keys.create("acme", scopes=["read"]) for _ in range(50)]
    assert len(api_keys.SECRET_ALPHABET) ** api_keys.SECRET_LENGTH >= 2**256
    assert len({new.key for new in made}) == len({new.info.id for new in made}) == 50
    assert all(api_keys.id_of(new.key) == new.info.id for new in made)


@given(
    st.text(max_size=100) | st.from_regex(r"strata_[a-z0-9]{14,18}_[A-Za-z0-9_-]{40,46}\n?", fullmatch=True)
)
def test_only_text_of_the_exact_form_has_an_id(text):
    well_formed = (
        text.startswith("strata_")
        and len(text) == len("strata_") + 16 + 1 + 43
        and text[7:23].isalnum()
        and text[23] == "_"
        and text[24:].isalnum()
        and text.isascii()
        and text[7:23] == text[7:23].lower()
    )
    assert (api_keys.id_of(text) is not None) == well_formed


def test_a_key_inside_a_memory_is_redacted(keys):
    key = keys.create("acme", scopes=["read"]).key
    assert key not in redact(f"the agent uses {key} for now")[0]


# --- the directory


def test_what_is_stored_does_not_open_anything(keys, tmp_path):
    key = keys.create("acme", scopes=["read"]).key
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert key.encode() not in stored
    assert key.rpartition("_")[2].encode() not in stored
    assert api_keys.digest(key).encode() in stored


def test_a_key_opens_its_tenant_with_its_scopes_for_its_user(keys):
    new = keys.create("acme", scopes=["write", "read"], name="laptop", identity="maria")
    found = keys.verify(new.key)
    assert (found.tenant, found.scopes, found.name, found.identity) == (
        "acme",
        ("read", "write"),
        "laptop",
        "maria",
    )


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda key: key[:-1],
        lambda key: key + "a",
        lambda key: key[:-1] + ("a" if key[-1] != "a" else "b"),
        lambda key: key.upper(),
        lambda key: "",
        lambda key: "strata__",
        lambda key: key.replace("strata_", "strata_0", 1),
    ],
)
def test_a_key_that_differs_in_anything_opens_nothing(keys, spoilt):
    key = keys.create("acme", scopes=["read"]).key
    assert refused(keys, spoilt(key))
    assert not refused(keys, key)


def test_the_id_of_one_key_with_the_secret_of_another_opens_nothing(keys):
    mine, yours = (keys.create(tenant, scopes=["admin"]) for tenant in ("mine", "yours"))
    assert refused(keys, api_keys.compose(yours.info.id, mine.key.rpartition("_")[2]))


def test_an_expired_key_opens_nothing_and_is_listed_for_a_while(keys, clock):
    new = keys.create("acme", scopes=["read"], lifetime=HOUR)
    clock.forward(HOUR - 1)
    assert not refused(keys, new.key)
    clock.forward(2)
    assert refused(keys, new.key)
    assert [key.state(clock.now_us()) for key in keys.list()] == ["expired"]
    clock.forward(REMEMBERED_SECONDS)
    assert keys.list() == []


def test_a_revoked_key_opens_nothing_ever_again(keys, clock):
    new = keys.create("acme", scopes=["read"])
    first = keys.revoke(new.info.id)
    assert refused(keys, new.key)
    clock.forward(DAY)
    assert keys.revoke(new.info.id).revoked_at == first.revoked_at
    assert [key.state(clock.now_us()) for key in keys.list()] == ["revoked"]
    clock.forward(REMEMBERED_SECONDS)
    assert keys.list() == []
    with pytest.raises(NotFound):
        keys.revoke(new.info.id)


def test_keys_are_listed_by_tenant(keys):
    for tenant in ("b", "a", "a.b", "a"):
        keys.create(tenant, scopes=["read"])
    assert [key.tenant for key in keys.list()] == ["a", "a", "a.b", "b"]
    assert [key.tenant for key in keys.list("a")] == ["a", "a"]
    assert keys.list("nobody") == []


def test_the_list_goes_on_after_a_page(keys):
    made = {keys.create("acme", scopes=["read"]).info.id for _ in range(205)}
    assert {key.id for key in keys.list("acme")} == made


@pytest.mark.parametrize(
    "wrong",
    [
        {"tenant": DIRECTORY},
        {"tenant": "a#b"},
        {"tenant": ""},
        {"scopes": []},
        {"scopes": ["read", "root"]},
        {"name": "n" * 201},
        {"identity": "i" * 201},
        {"lifetime": 0},
    ],
)
def test_a_key_of_another_form_is_not_made(keys, wrong):
    asked = {"tenant": "acme", "scopes": ["read"]} | wrong
    with pytest.raises(InvalidRequest):
        keys.create(asked.pop("tenant"), **asked)
    assert not keys.any()


# --- rotation


def test_both_keys_work_until_the_time_of_grace_is_over(keys, clock):
    old = keys.create("acme", scopes=["read", "write"], name="ci", identity="bot")
    new = keys.rotate(old.info.id, grace=HOUR)
    assert (new.info.tenant, new.info.scopes, new.info.name, new.info.identity) == (
        "acme",
        ("read", "write"),
        "ci",
        "bot",
    )
    assert not refused(keys, old.key)
    assert not refused(keys, new.key)
    clock.forward(HOUR + 1)
    assert refused(keys, old.key)
    assert not refused(keys, new.key)


def test_rotation_never_lengthens_the_old_key(keys, clock):
    old = keys.create("acme", scopes=["read"], lifetime=HOUR)
    keys.rotate(old.info.id, grace=DAY)
    clock.forward(HOUR + 1)
    assert refused(keys, old.key)


def test_the_new_key_lasts_as_long_as_the_old_one_was_made_for(keys, clock):
    old = keys.create("acme", scopes=["read"], lifetime=DAY)
    clock.forward(DAY / 2)
    new = keys.rotate(old.info.id, grace=0)
    again = keys.rotate(new.info.id, grace=HOUR)
    clock.forward(DAY - 1)
    assert not refused(keys, again.key)
    clock.forward(2)
    assert refused(keys, again.key)


def test_without_grace_the_old_key_ends_at_once(keys):
    old = keys.create("acme", scopes=["read"])
    keys.rotate(old.info.id, grace=0)
    assert refused(keys, old.key)


def test_a_key_that_no_longer_works_is_not_rotated(keys, clock):
    revoked = keys.create("acme", scopes=["read"]).info.id
    expired = keys.create("acme", scopes=["read"], lifetime=1).info.id
    keys.revoke(revoked)
    clock.forward(2)
    for key_id in (revoked, expired):
        with pytest.raises(Conflict):
            keys.rotate(key_id, grace=HOUR)
    with pytest.raises(NotFound):
        keys.rotate("nobody", grace=HOUR)
    assert len(keys.list()) == 2


def test_rotations_of_one_key_at_once_leave_no_key_that_nobody_was_given(keys):
    old = keys.create("acme", scopes=["read"]).info.id
    start = threading.Barrier(4)

    def rotate(grace):
        start.wait()
        try:
            return keys.rotate(old, grace=grace)
        except Conflict:
            return None

    with ThreadPoolExecutor(4) as pool:
        made = [new for new in pool.map(rotate, range(100, 104)) if new]
    assert len(keys.list()) == 1 + len(made)
    assert made


# --- use


def test_the_last_use_is_noted_once_an_hour(app, clock):
    writes = []

    class Counting:
        def __init__(self, table):
            self._table = table

        def __getattr__(self, name):
            return getattr(self._table, name)

        def update(self, scope, update):
            writes.append(update)
            return self._table.update(scope, update)

    keys = ApiKeys(Counting(app.stores.table), clock)
    new = keys.create("acme", scopes=["read"])
    assert keys.list()[0].last_used_at is None
    for _ in range(20):
        keys.verify(new.key)
    assert len(writes) == 1
    used = keys.list()[0].last_used_at
    clock.forward(HOUR + 1)
    keys.verify(new.key)
    assert len(writes) == 2
    assert keys.list()[0].last_used_at > used


def test_a_key_works_although_its_use_cannot_be_noted(app, clock):
    class ReadOnly:
        def __getattr__(self, name):
            return getattr(app.stores.table, name)

        def update(self, scope, update):
            raise Unavailable("no writes at the moment")

    new = app.credentials.keys.create("acme", scopes=["read"])
    assert ApiKeys(ReadOnly(), clock).verify(new.key).tenant == "acme"


# --- the directory is out of reach


@given(st.text(max_size=20).map(lambda text: DIRECTORY + text) | st.text(max_size=3).map("_".__add__))
def test_no_name_from_outside_is_the_directorys(name):
    with pytest.raises(InvalidRequest):
        Scope(name)


def test_the_directorys_scope_may_do_nothing(app):
    for permission in ("read", "write", "admin"):
        with pytest.raises(Exception, match="lack"):
            Scope.directory().require(permission)
