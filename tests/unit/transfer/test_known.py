"""Exports and imports of conclusions and entities: nothing counts twice, nothing deleted comes back."""

import json

import pytest

from compatibility.store import NOW, Store
from strata.domain.scope import Scope
from strata.services.entities.book import Book
from support.random_store import imported, lines

ACME = "acme"
SISTER, BAKER = "My sister Ana Ruiz works at Globex.", "My friend Tom Baker lives in Madrid."
DELETED = "it was deleted here"
UNDONE = "the run that drew it was undone here"
UNLEARNT = "this person refuses that anything is learnt about them"


class Home(Store):
    """A store in which people speak and ask."""

    def says(self, *said, user="ann", session=None, project="demo"):
        """An ended session, and what follows from it."""
        self.clock.forward(86_400)
        session = session or f"of-{user}-{self.clock.now_us()}"
        about = {"id": session, "project": project, "user_id": user}
        spoken = [{"role": "user", "content": each} for each in said]
        self(ACME, "POST", "/sessions", json=about)
        self(ACME, "POST", f"/sessions/{session}/end", json={"messages": spoken})
        self.follow()
        self.work()
        return session

    def tells(self, *summaries, user="ann"):
        """An episode of each summary, followed by the stream; their ids."""
        ids = []
        for each in summaries:
            self.clock.forward(60)
            body = {"conversation_id": f"of-{user}", "agent_id": "a1", "user_id": user, "summary": each}
            ids.append(self(ACME, "POST", "/episodic/store", json=body)["id"])
        self.follow()
        return ids

    def known(self, user="ann"):
        found = self(ACME, "GET", "/api/memory/conclusions", params={"userId": user})["conclusions"]
        return {each["text"]: each["id"] for each in found}

    def entities(self, user="ann", **params):
        asked = {"userId": user, "limit": 100} | params
        return self(ACME, "GET", "/api/entities", params=asked)["entities"]

    def counts(self, user="ann"):
        return {each["name"]: each["mention_count"] for each in self.entities(user)}

    def named(self, name, user="ann"):
        return next(each["id"] for each in self.entities(user) if each["name"] == name)

    def person(self, method, path, user="ann", **sent):
        return self(ACME, method, path, params={"userId": user}, **sent)

    def exported(self, **asked):
        return [json.loads(line) for line in lines(self, ACME, **asked)[1:]]

    def loads(self, rows, **asked):
        return imported(self, ACME, "\n".join(map(json.dumps, rows)), **asked)

    def skips(self, rows, **asked):
        return {(each["kind"], each["reason"]) for each in self.loads(rows, **asked).get("skipped", [])}


@pytest.fixture
def source(tmp_path):
    home = Home(tmp_path / "source")
    yield home
    home.app.close()


@pytest.fixture
def copy(tmp_path):
    home = Home(tmp_path / "copy", NOW + 30 * 86_400_000_000)
    yield home
    home.app.close()


def of_kind(rows, *kinds):
    return [row for row in rows if row["kind"] in kinds]


def test_imported_conclusions_are_not_drawn_twice_and_go_on_with_what_is_said_since(source, copy):
    source.says("I live in Valencia.", "I love jazz.")
    source.says("I live in Oslo now.", user="bob")
    copy.loads(source.exported())
    copy.follow()
    copy.work()
    assert (copy.known(), copy.known("bob")) == (source.known(), source.known("bob"))
    copy.says("I love jazz.")
    assert copy.known().keys() == source.known().keys()
    copy.says("I live in Oslo now.")
    assert copy.known().keys() == {"Lives in Oslo", "Likes jazz"}
    assert copy.known("bob") == source.known("bob")


def test_a_deleted_conclusion_is_not_drawn_again_in_a_fresh_store(source, copy):
    source.says("I live in Valencia.", "I love jazz.")
    source.person("DELETE", f"/api/memory/conclusions/{source.known()['Lives in Valencia']}")
    copy.loads(source.exported())
    copy.says("I love green tea.")
    assert "Lives in Valencia" not in copy.known()


def test_a_run_can_be_undone_in_a_fresh_store(source, copy):
    source.says("I live in Valencia.")
    source.says("I live in Oslo now.")
    copy.loads(source.exported())
    newest = copy.person("GET", "/api/memory/consolidations")["consolidations"][0]["id"]
    copy.person("POST", f"/api/memory/consolidations/{newest}/undo")
    assert copy.known().keys() == {"Lives in Valencia"}


def test_what_an_undone_run_drew_comes_back_by_resurrection_only(source):
    for user in ("ann", "bob"):
        source.says("I live in Valencia.", user=user)
        source.says("I live in Oslo now.", "I love jazz.", user=user)
    rows, known = source.exported(), source.known()
    newest = source.person("GET", "/api/memory/consolidations")["consolidations"][0]["id"]
    undo = f"/api/memory/consolidations/{newest}/undo"
    source.person("POST", undo)
    assert source.skips(rows) == {(kind, UNDONE) for kind in ("conclusion", "sightings")}
    assert source.person("POST", undo)["already"] is True
    assert source.known().keys() == {"Lives in Valencia"}
    assert source.known("bob").keys() == known.keys()
    source.says("I love green tea.")
    assert source.known().keys() == {"Lives in Valencia", "Likes green tea"}
    source.loads(rows, resurrect="true")
    assert {*known} <= {*source.known()}


def test_a_conclusion_that_was_deleted_here_comes_back_by_resurrection_only(source):
    source.says("I live in Valencia.", "I love jazz.")
    rows, known = source.exported(), source.known()
    source.person("DELETE", f"/api/memory/conclusions/{known['Lives in Valencia']}")
    assert source.skips(rows) == {("conclusion", DELETED)}
    assert source.known().keys() == {"Likes jazz"}
    source.loads(rows, resurrect="true")
    assert source.known() == known


def test_one_that_was_drawn_again_from_another_session_is_taken_beside_its_mark(source, copy):
    source.says("I live in Valencia.")
    source.person("DELETE", f"/api/memory/conclusions/{source.known()['Lives in Valencia']}")
    source.says("I live in Valencia.")
    rows = source.exported()
    marks = of_kind(rows, "deleted_conclusion")
    assert len(marks) == 1
    copy.loads(marks)
    assert "skipped" not in copy.loads(rows)
    assert copy.known() == source.known() != {}


def test_nothing_comes_back_that_rests_on_an_episode_that_was_deleted_here(source):
    source.says("I live in Valencia. My sister Ana Ruiz works at Globex.")
    source.says("I love jazz.")
    rows = source.exported()
    (ruiz,) = {row["source"] for row in of_kind(rows, "mention")}
    source.person("DELETE", f"/api/memory/episodes/{ruiz}")
    source.follow()
    assert source.known().keys() == {"Likes jazz"}
    kinds = {kind for kind, reason in source.skips(rows) if reason == DELETED}
    assert kinds == {"episode", "conclusion", "sightings", "mention"}
    source.follow()
    assert source.known().keys() == {"Likes jazz"}
    assert source.entities() == []


def test_nothing_is_taken_of_who_refuses_or_of_a_session_that_was_refused(source, copy):
    session = source.says("I live in Valencia. My sister Ana Ruiz works at Globex.")
    source.says("I live in Oslo. My brother Tom Baker works at Initech.", user="bob")
    rows = source.exported(kinds="conclusions,entities")
    copy(ACME, "PUT", "/api/rgpd/users/bob/consent", json={"ai_consent": False})
    copy(ACME, "POST", f"/api/rgpd/sessions/{session}/consent", json={"consent": False})
    skipped = copy.skips(rows)
    assert {kind for kind, reason in skipped if reason == UNLEARNT} >= {"conclusion", "sightings", "entity"}
    assert copy.known() == copy.known("bob") == {}
    assert copy.entities() == copy.entities("bob") == []


def test_mentions_are_counted_once_whichever_comes_first(source, copy):
    source.tells(SISTER, "Ana Ruiz came to dinner.", BAKER)
    source.tells(SISTER, user="bob")
    rows = source.exported()
    episodes = of_kind(rows, "episode", "session")
    copy.loads(episodes)
    copy.follow()
    assert copy.counts() == source.counts()
    copy.loads(rows)
    copy.loads(reversed(rows))
    copy.follow()
    assert (copy.counts(), copy.counts("bob")) == (source.counts(), source.counts("bob"))
    copy.tells("Ana Ruiz called.")
    assert copy.counts()["Ana Ruiz"] == source.counts()["Ana Ruiz"] + 1


def test_what_a_person_did_to_entities_holds_when_their_sources_pass_the_stream(source, copy):
    source.tells(SISTER, BAKER, "Liz came.", "Elizabeth Stone came.", "Ana Ruiz lives in York.")
    liz, stone, tom = (source.named(each) for each in ("Liz", "Elizabeth Stone", "Tom Baker"))
    source.person("POST", f"/api/entities/{stone}/merge", json={"sourceId": liz})
    source.person(
        "PUT", f"/api/entities/{source.named('Ana Ruiz')}", json={"name": "Anita", "aliases": ["Nan"]}
    )
    source.person("DELETE", f"/api/entities/{tom}")
    source.person(
        "POST", f"/api/entities/{source.named('Anita')}/merge", json={"sourceId": source.named("York")}
    )
    split = {"sourceId": next(each for each in source.entities() if each["name"] == "Anita")["merged"][0]}
    source.person("POST", f"/api/entities/{source.named('Anita')}/merge/undo", json=split)
    copy.loads(source.exported(kinds="entities"))
    copy.loads(source.exported())
    copy.follow()
    assert copy.entities() == source.entities()
    assert copy.person("GET", f"/api/entities/{liz}")["id"] == stone
    assert copy.entities(deleted="true") == source.entities(deleted="true") != []
    copy.tells("Anita met Tom.", "Elizabeth Stone met Liz.")
    assert copy.counts()["Elizabeth Stone"] == source.counts()["Elizabeth Stone"] + 2


def test_two_that_a_person_split_stay_two_in_a_fresh_store(source, copy):
    source.tells("Liz came.", "Elizabeth Stone came.")
    liz, stone = source.named("Liz"), source.named("Elizabeth Stone")
    for path in ("merge", "merge/undo"):
        source.person("POST", f"/api/entities/{stone}/{path}", json={"sourceId": liz})
    copy.loads(source.exported())
    copy.person("PUT", f"/api/entities/{stone}", json={"aliases": ["Liz"]})  # rules would merge the two
    assert [copy.person("GET", f"/api/entities/{each}")["id"] for each in (liz, stone)] == [liz, stone]


def test_a_proposed_merge_that_a_person_rejected_is_not_proposed_after_an_import(source, copy):
    """Proposals are no part of an export: maintenance finds the others again."""
    source.tells(*(f"{name} called." for name in ("Ana Ruiz", "A. Ruiz", "Tom Baker", "T. Baker")))
    source.tells("Tom Baker called.", "T. Baker called.", user="bob")

    def proposed(store, user="ann"):
        store(ACME, "POST", "/api/memory/maintain")
        found = store.person("GET", "/api/entities/merge-proposals", user)["proposals"]
        return [(each["entity"]["name"], each["source"]["name"]) for each in found]

    assert sorted(proposed(source)) == [("Ana Ruiz", "A. Ruiz"), ("Tom Baker", "T. Baker")]
    ana, other = source.named("Ana Ruiz"), {"sourceId": source.named("A. Ruiz")}
    for path in ("merge", "merge/undo"):
        source.person("POST", f"/api/entities/{ana}/{path}", json=other)
    copy.loads(source.exported())
    copy.follow()
    for store in (source, copy):
        assert proposed(store) == proposed(store, "bob") == [("Tom Baker", "T. Baker")]


def test_a_deleted_entity_comes_back_by_resurrection_only(source):
    source.tells(SISTER)
    rows, before = source.exported(), source.entities()
    source.person("DELETE", f"/api/entities/{source.named('Ana Ruiz')}")
    assert source.skips(rows) == {("entity", DELETED)}
    assert "Ana Ruiz" not in source.counts()
    source.loads(rows, resurrect="true")
    assert source.entities() == before


def test_a_mention_without_its_entity_is_named(source, copy):
    source.tells(SISTER)
    mentions = of_kind(source.exported(), "mention")
    assert copy.skips(mentions) == {("mention", "the entity that it counts for is not here")}
    assert copy.entities() == []


def test_entities_that_claim_to_be_each_others_target_are_read_all_the_same(source, copy):
    source.tells(SISTER)
    rows = source.exported()
    one, other = of_kind(rows, "entity")
    one |= {"merged_into": other["id"], "members": [other["id"]]}
    other |= {"merged_into": one["id"], "members": [one["id"]]}
    copy.loads(rows)
    book = Book(copy.app.stores.table, Scope(ACME), "ann")
    book.load([one["id"]])
    assert len(book.tree(one["id"])) <= 2
    assert copy.counts().keys() <= {"Ana Ruiz", "Globex"}
