"""Checks of this machine's store. None of them changes anything."""

import os
import shutil
import tempfile

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
    """Check that the database opens, is sound, and has a known schema."""
    from strata.bootstrap import application

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


def index(settings: Settings) -> Finding:
    """Check that the index holds as many memories as the table."""
    if not _has_store(settings):
        return Finding(State.OK, "index", "nothing to find yet")
    from strata.bootstrap import application
    from strata.domain.scope import Scope
    from strata.services.search.marked_index import MarkedIndex

    scope, app = Scope(settings.tenant), application()
    stored = app.stream.totals.stats(scope, None).total_observations
    indexed = sum(1 for _ in app.stores.index.catalog(scope, "observation"))
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


def _has_store(settings: Settings) -> bool:
    """Whether there is a database: a check must not create one."""
    return any(settings.data_dir.glob("*.db"))
