"""Processor time of an operator's repairs for each memory, by one process. `python -m benchmarks.repairs`

Over DynamoDB Local and OpenSearch, whose own time is not counted: what a process of `--workers` spends.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

from benchmarks.server import ROOT
from benchmarks.text import Writer

MEMORIES = 1_000


def main() -> None:
    """Print milliseconds of processor time a memory."""
    sys.path.insert(0, str(ROOT / "tests"))
    from servers.dynamodb import dynamodb
    from servers.opensearch import opensearch
    from servers.tables import CREDENTIALS, table_settings
    from strata import settings
    from strata.bootstrap import Application
    from strata.domain.scope import Scope
    from strata.domain.wire.observations import NewObservation
    from strata.local.template.dynamodb import create_table

    os.environ.update(CREDENTIALS)
    with dynamodb() as tables, opensearch() as engine, tempfile.TemporaryDirectory() as folder:
        given = table_settings(tables, "strata-repairs") | {
            "DATA": str(Path(folder)),
            "INDEX": "opensearch",
            "OPENSEARCH_URL": engine,
            "OPENSEARCH_ALIAS": f"repairs-{uuid4().hex[:8]}",
            "OPENSEARCH_REFRESH": "true",
            "OPENSEARCH_REPLICAS": "0",
            "OPENSEARCH_WRITE_TIMEOUT": "300",
            "OPENSEARCH_PAUSE": "0",
        }
        app = Application(settings.load({f"STRATA_{name}": value for name, value in given.items()}))
        app.stores.make_table(create_table)
        for number, body in enumerate(Writer(7).observations("repairs", MEMORIES)):
            app.observations.saver.save(Scope(f"tenant{number % 2}"), NewObservation(**body))
        app.repair.verifier.verify(repair=True)
        _tell("reindex", app.repair.reindexer.reindex)
        _tell("verify", app.repair.verifier.verify)
        app.close()


def _tell(name: str, work: Callable[[], object]) -> None:
    started = time.process_time()
    work()
    print(f"{name:8} {(time.process_time() - started) / MEMORIES * 1000:5.2f} ms a memory")


if __name__ == "__main__":
    main()
