"""Damaged pages of the local index are found by a check and replaced by a rebuild; rows are not touched."""

import os
import sqlite3

import pytest

from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from strata.services.search.filters import ObservationFilter
from support.memory import LOCAL, Memory, application

OTHER = Scope("acme")
TABLES = ["documents", "sqlite_autoindex_documents_1", "words_data", "words_idx", "vectors", "spaces"]


@pytest.fixture
def filled(tmp_path):
    """Two tenants with two projects each, indexed."""
    memory = Memory(application(tmp_path))
    for scope in (LOCAL, OTHER):
        for number in range(30):
            tenant = Memory(memory.app, scope)
            tenant.save(f"The heron stood in pond {number}", title=f"{number:02d}", project=f"p{number % 2}")
    memory.follow()
    memory.app.close()
    yield tmp_path
    memory.app.close()


def damage(folder, name):
    """Overwrite the first page of a table or an index."""
    file = folder / "strata.db"
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    query = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
    ((page,),) = connection.execute(query, (name,)).fetchall()
    ((size,),) = connection.execute("PRAGMA page_size").fetchall()
    connection.close()
    with file.open("r+b") as pages:
        pages.seek((page - 1) * size)
        pages.write(os.urandom(size))


def found(app, scope, project):
    answer = app.search.observations.search(scope, "heron", ObservationFilter(project=project), limit=50)
    return answer.degraded, sorted(hit.title for hit in answer.hits)


@pytest.mark.parametrize("table", TABLES)
def test_a_damaged_index_is_found_and_rebuilt_from_the_rows(filled, table):
    damage(filled, table)
    memory = Memory(application(filled))
    app = memory.app

    verdict = app.repair.verifier.verify(repair=True)
    assert verdict.damaged == verdict.differences == verdict.left > 0
    assert verdict.examples[0]["kind"] == "damaged"

    late = Memory(app).save("The heron chick hatched in the pond", title="late", project="p0")
    done = app.repair.reindexer.reindex()
    assert (done.indexed, done.failed) == (61, 0)
    memory.follow()
    for scope in (LOCAL, OTHER):
        extra = ["late"] if scope == LOCAL else []
        assert found(app, scope, "p0") == (False, [f"{number:02d}" for number in range(0, 30, 2)] + extra)
        assert found(app, scope, "p1") == (False, [f"{number:02d}" for number in range(1, 30, 2)])
    assert app.repair.verifier.verify().differences == 0
    assert app.stores.database.problems() == []
    assert memory.get(late.id).title == "late"
    app.close()


def test_nothing_is_damaged_in_a_sound_index_and_its_rebuild_keeps_it(filled):
    app = application(filled)
    before = app.stores.engine.create()
    assert app.stores.engine.problems() == []
    app.stores.index.begin_rebuild().finish()
    assert app.stores.engine.create() == before
    app.close()


def test_searches_go_by_the_rows_while_a_damaged_index_is_rebuilt(filled):
    damage(filled, "words_data")
    app = application(filled)
    rebuild = app.stores.index.begin_rebuild()
    assert found(app, OTHER, "p1") == (True, [f"{number:02d}" for number in range(1, 30, 2)])
    rebuild.finish()
    app.close()


def test_the_error_of_a_damaged_file_names_the_export_first(filled):
    damage(filled, "documents")
    app = application(filled)
    with pytest.raises(Unavailable, match=r"damaged.*Try `strata export` first.*`strata reindex`"):
        list(app.stores.index.catalog(LOCAL, "observation"))
    app.close()
