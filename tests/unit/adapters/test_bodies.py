"""The store of bodies that the settings choose, and S3's refusals as the bucket's adapter gives them."""

import io
from pathlib import Path

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError

from strata.adapters.bodies.folder import FolderBodies
from strata.adapters.bodies.names import path_of
from strata.adapters.bodies.s3 import S3Bodies
from strata.bootstrap import Application
from strata.domain.errors import Throttled, Unavailable
from strata.domain.scope import Scope
from strata.settings import load
from support.scripted_client import ScriptedClient

SCOPE = Scope("acme")
ON_AWS = {"STRATA_STORE": "dynamodb", "STRATA_TABLE": "rows"}


def bucket(*answers):
    client = ScriptedClient(*answers)
    return S3Bodies("bodies", client=lambda: client), client


def refused(code):
    return ClientError({"Error": {"Code": code, "Message": "no"}}, "Operation")


def test_bodies_are_in_the_bucket_that_is_named(tmp_path):
    chosen = ON_AWS | {"STRATA_BODIES_BUCKET": "bodies", "STRATA_DATA": str(tmp_path)}
    assert isinstance(Application(load(chosen)).stores.bodies, S3Bodies)


@pytest.mark.parametrize(
    "chosen", [{"STRATA_DATA": "{data}"}, {"STRATA_DATA": "{data}", "STRATA_DYNAMODB_ENDPOINT": "http://db"}]
)
def test_else_they_are_in_the_folder_of_this_machine(tmp_path, chosen):
    given = {name: value.format(data=tmp_path) for name, value in chosen.items()}
    bodies = Application(load(ON_AWS | given)).stores.bodies
    assert isinstance(bodies, FolderBodies)
    bodies.put(SCOPE, "a", b"1")
    assert [path.relative_to(tmp_path) for path in tmp_path.rglob("a")] == [Path("bodies/acme/a")]


def test_a_function_without_a_bucket_has_no_place_for_bodies():
    assert Application(load(ON_AWS)).stores.bodies is None


def test_every_object_is_under_its_tenant():
    bodies, client = bucket()
    bodies.put(SCOPE, "a", b"1")
    bodies.delete_many(Scope("acme:x@y"), ["b"])
    assert client.asked == [
        ("put_object", {"Bucket": "bodies", "Key": "acme/a", "Body": b"1"}),
        (
            "delete_objects",
            {"Bucket": "bodies", "Delete": {"Objects": [{"Key": "acme%3Ax%40y/b"}], "Quiet": True}},
        ),
    ]


def test_no_two_tenants_share_a_folder_even_where_capitals_mean_nothing():
    tenants = ["acme", "Acme", "ACME", "a:cme", "a@cme", "a.cme", "a_cme", "a-cme", "a3acme"]
    places = {path_of(scope, "a").casefold() for scope in [*map(Scope, tenants), Scope.directory()]}
    assert len(places) == len(tenants) + 1


@pytest.mark.parametrize(
    ("refusal", "error"),
    [
        (refused("SlowDown"), Throttled),
        (refused("AccessDenied"), Unavailable),
        (refused("NoSuchBucket"), Unavailable),
        (ConnectTimeoutError(endpoint_url="https://s3"), Unavailable),
    ],
    ids=str,
)
def test_a_refusal_is_told_as_what_it_means(refusal, error):
    bodies, client = bucket(refusal, refusal, refusal)
    with pytest.raises(error):
        bodies.put(SCOPE, "a", b"1")
    with pytest.raises(error):
        bodies.get_many(SCOPE, ["a"])
    with pytest.raises(error):
        bodies.delete_many(SCOPE, ["a"])
    assert len(client.asked) == 3


def test_a_body_whose_transfer_breaks_off_is_not_taken_for_a_body():
    class Broken(io.BytesIO):
        def read(self, *_):
            raise ConnectTimeoutError(endpoint_url="https://s3")

    bodies, _ = bucket({"Body": Broken()})
    with pytest.raises(Unavailable):
        bodies.get_many(SCOPE, ["a"])


def test_more_than_a_thousand_are_deleted_in_several_calls_and_a_kept_one_is_told():
    names = [f"n{number}" for number in range(1001)]
    bodies, client = bucket({}, {"Errors": [{"Key": "acme/n1000", "Code": "InternalError"}]})
    with pytest.raises(Unavailable, match="InternalError"):
        bodies.delete_many(SCOPE, names)
    assert [len(arguments["Delete"]["Objects"]) for _, arguments in client.asked] == [1000, 1]


def test_a_folder_that_cannot_be_written_is_unavailable_and_keeps_nothing_half(tmp_path, monkeypatch):
    bodies = FolderBodies(tmp_path)
    bodies.put(SCOPE, "a", b"1")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(Unavailable, match="No space left"):
        bodies.put(SCOPE, "b", b"2")
    assert [path.name for path in (tmp_path / "acme").iterdir()] == ["a"]
