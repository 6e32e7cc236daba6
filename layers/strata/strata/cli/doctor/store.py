"""Checks of this machine's store. None of them changes anything."""

import os
import shutil
import tempfile
from urllib.parse import urlsplit

from strata.cli.doctor.finding import Finding, State
from strata.settings import Settings

# Each check brings in what it looks at: one broken part does not keep the others from being looked at.

MB = 1_000_000
LITTLE_SPACE, NO_SPACE = 1_000 * MB, 50 * MB
QUICK_CHECK_UP_TO = 500 * MB


def folder(settings: Settings) -> Finding:
    """Check that the data folder can be written to, or be created."""
    data = settings.data_dir
    place = next(place for place in (data, *data.absolute().parents) if place.exists())
    advice = "Choose a folder that this user may write to with STRATA_DATA."
    if not place.is_dir():
        return Finding(State.FAIL, "data folder", f"{place} is not a folder", advice)
    if place is data:
        try:
            tempfile.TemporaryFile(dir=data).close()
        except OSError as error:
            return Finding(State.FAIL, "data folder", f"can't write to {data}: {error.strerror}", advice)
        return Finding(State.OK, "data folder", str(data))
    if not os.access(place, os.W_OK | os.X_OK):
        return Finding(State.FAIL, "data folder", f"can't make {data} in {place}", advice)
    return Finding(State.OK, "data folder", f"{data}, which the first save will make")


def space(settings: Settings) -> Finding:
    """Check the free disk space."""
    data = settings.data_dir
    place = next(place for place in (data, *data.absolute().parents) if place.exists())
    free = shutil.disk_usage(place).free
    found = f"{free / 1e9:.1f} GB free"
    advice = "Make room, or move the data folder to a larger disk and name it in STRATA_DATA."
    if free < NO_SPACE:
        return Finding(State.FAIL, "disk", found, advice)
    return (
        Finding(State.WARN, "disk", found, advice)
        if free < LITTLE_SPACE
        else Finding(State.OK, "disk", found)
    )


def store(settings: Settings) -> Finding:
    """Check that the database opens, is sound, and has a known schema, or that the table answers."""
    from strata.bootstrap import application

    if settings.store == "dynamodb":
        return _table(settings)
    if not _has_store(settings):
        return Finding(State.OK, "store", "empty; the first save will make it")
    database = application().stores.database
    path = database.path
    size = path.stat().st_size
    problems = database.problems() if size <= QUICK_CHECK_UP_TO else []
    if problems:
        advice = "Stop the server, keep a copy of the data folder, and restore a backup or an export."
        return Finding(State.FAIL, "store", f"{path} is damaged: {'; '.join(problems[:3])}", advice)
    checked = "sound" if size <= QUICK_CHECK_UP_TO else "too large to check in full here"
    return Finding(State.OK, "store", f"{path}, {size / MB:.1f} MB, {checked}")


def _table(settings: Settings) -> Finding:
    """Check that DynamoDB, or what speaks its protocol, has the table and gives a row of it."""
    from strata.bootstrap import application
    from strata.domain.errors import Unavailable
    from strata.domain.scope import Scope
    from strata.ports.rows import Key
    from strata.ports.table import NoTable

    chosen = settings.dynamodb
    named = f"{chosen.table} at {_server(chosen.endpoint) if chosen.endpoint else 'DynamoDB'}"
    advice = "Check STRATA_TABLE, STRATA_DYNAMODB_ENDPOINT and _REGION, the credentials, and that it runs."
    try:
        application().stores.table.get(Scope(settings.tenant), Key("HEALTH", "PROBE"))
    except NoTable as error:
        if chosen.endpoint:
            return Finding(State.OK, "store", f"no table {named} yet; the first save will make it")
        return Finding(State.FAIL, "store", f"{named}: {error.message}", advice)
    except Unavailable as error:
        return Finding(State.FAIL, "store", f"{named}: {error.message}", advice)
    return Finding(State.OK, "store", f"{named} answers")


def index(settings: Settings) -> Finding:
    """Check that the index answers, and holds as many memories as the table."""
    from strata.bootstrap import application
    from strata.services.search.marked_index import MarkedIndex

    app, counted = application(), _counted(settings)
    if isinstance(counted, Finding):
        return counted
    stored, indexed = counted
    found = f"{indexed} of {stored} memories can be searched"
    if not app.stores.index.fits():
        found += f", by their words alone: their vectors are not those of {app.models.embedding_model.name}"
        return Finding(State.WARN, "index", found, "Run strata reindex.")
    if isinstance(app.stores.index, MarkedIndex) and not app.stores.index.filters():
        found += "; filtered searches see the newest memories only: the index has no filters yet"
        return Finding(State.WARN, "index", found, "Run strata reindex.")
    if stored != indexed:
        return Finding(State.WARN, "index", found, "Run strata verify --repair.")
    return Finding(State.OK, "index", found)


def _counted(settings: Settings) -> tuple[int, int] | Finding:
    """The memories of table and index; what keeps them from being counted, if anything does."""
    from strata.bootstrap import application
    from strata.domain.errors import Unavailable
    from strata.domain.scope import Scope
    from strata.ports.search import NoIndex
    from strata.ports.table import NoTable

    scope, stores, indexed = Scope(settings.tenant), application().stores, 0
    if settings.index == "opensearch":
        try:
            indexed = stores.engine.count(scope, "observation")
        except NoIndex:
            indexed = 0  # the first save will make it
        except Unavailable as error:
            advice = "Check the settings STRATA_OPENSEARCH_..., and that the engine runs."
            found = f"OpenSearch at {_server(settings.opensearch.url)}: {error.message}"
            return Finding(State.FAIL, "index", found, advice)
    nothing = Finding(State.OK, "index", "nothing to find yet")
    if "sqlite" in {settings.store, settings.index} and not _has_store(settings):
        return nothing
    try:
        stored = application().stream.totals.stats(scope, None).total_observations
    except NoTable:
        return nothing
    if settings.index == "sqlite":
        indexed = sum(1 for _ in stores.index.catalog(scope, "observation"))
    return stored, indexed


def _server(url: str) -> str:
    """The server of a URL, without a name and password in it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _has_store(settings: Settings) -> bool:
    """Whether there is a database: a check must not create one."""
    return any(settings.data_dir.glob("*.db"))
