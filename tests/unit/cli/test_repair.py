"""What an operator is told to do."""

from typer.testing import CliRunner

from strata.bootstrap import application
from strata.cli.app import app
from support.memory import Memory
from support.memory import application as memory_application


def test_an_index_that_is_gone_is_not_to_be_mended_but_made_anew(monkeypatch, tmp_path):
    monkeypatch.setenv("STRATA_DATA", str(tmp_path / "data"))
    memory = Memory(memory_application(tmp_path / "data"))
    memory.save()
    memory.follow()
    with memory.app.stores.database.writing() as connection:
        for table in ("documents", "words", "vectors", "spaces", "index_identities"):
            connection.execute(f"DELETE FROM {table}")
    memory.app.stores.engine.create()
    memory.app.close()
    application.cache_clear()
    said = CliRunner().invoke(app, ["verify"]).stdout
    application.cache_clear()
    assert "1 memories are not in the index" in said
    assert "the search index is gone: strata reindex makes it anew" in said
    assert "--repair" not in said
