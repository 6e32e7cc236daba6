"""Observations: saving, changing and deleting them (`save`), reading and searching them (`search`)."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from strata.domain.models import (
    MAX_ROWS,
    NewObservation,
    Observation,
    ObservationChange,
    SavedObservation,
    SearchHit,
    TimelineEntry,
)
from strata.domain.retrieval import Mode
from strata.domain.scope import READ, WRITE, Scope
from strata.entrypoints.http.api import Api, Caller, Handler
from strata.entrypoints.http.parameters import KindQuery, ObservationPath, ProjectQuery, RowsQuery, TextQuery
from strata.services.changing import Changing
from strata.services.reading import Reading
from strata.services.saving import Saving
from strata.services.searching import Searching, Wanted


def saving_handler(caller: Caller, saving: Saving, changing: Changing) -> Handler:
    """POST, PATCH and DELETE of observations."""
    api = Api(caller)

    @api.route("POST", "/observations", WRITE, answer=SavedObservation, status=201)
    def save_observation(scope: Scope, new: Annotated[NewObservation, Body()]) -> SavedObservation:
        """Save an observation: created, updated by its topic key, or counted as a duplicate."""
        return saving.save(scope, new)

    @api.route("PATCH", "/observations/<id>", WRITE, answer=Observation)
    def change_observation(
        scope: Scope, id: ObservationPath, change: Annotated[ObservationChange, Body()]  # noqa: A002
    ) -> Observation:
        """Change an observation's type, title, content or tags."""
        return changing.change(scope, id, change)

    @api.route("DELETE", "/observations/<id>", WRITE, status=204)
    def delete_observation(scope: Scope, id: ObservationPath, hard: Annotated[bool, Query()] = False) -> None:  # noqa: A002
        """Delete an observation; `hard=true` erases it."""
        changing.delete(scope, id, hard=hard)

    return api


def searching_handler(caller: Caller, searching: Searching, reading: Reading, *, default_mode: Mode) -> Handler:
    """Search, and reads of single and recent observations."""
    api = Api(caller)

    @api.route("GET", "/search", READ, answer=list[SearchHit])
    def search_observations(
        scope: Scope,
        q: TextQuery,
        project: ProjectQuery = None,
        type: KindQuery = None,  # noqa: A002
        scope_name: Annotated[KindQuery, Query(alias="scope")] = None,
        limit: RowsQuery = 10,
        mode: Annotated[Mode, Query()] = default_mode,
        min_score: Annotated[float | None, Query(allow_inf_nan=False)] = None,
    ) -> list[SearchHit]:
        """Search observations, best first; the tenant's global ones are included."""
        wanted = Wanted(project=project, type=type, scope=scope_name)
        return searching.search(scope, q, wanted, limit=limit, mode=mode, min_score=min_score)

    @api.route("GET", "/observations/recent", READ, answer=list[Observation])
    def recent_observations(
        scope: Scope,
        project: ProjectQuery = None,
        type: KindQuery = None,  # noqa: A002
        scope_name: Annotated[KindQuery, Query(alias="scope")] = None,
        limit: RowsQuery = 20,
    ) -> list[Observation]:
        """The newest observations, newest first."""
        return reading.recent(scope, project=project, kind=type, scope_name=scope_name, limit=limit)

    @api.route("GET", "/observations/<id>", READ, answer=Observation)
    def get_observation(scope: Scope, id: ObservationPath) -> Observation:  # noqa: A002
        """One observation."""
        return reading.get(scope, id)

    @api.route("GET", "/timeline", READ, answer=list[TimelineEntry])
    def timeline(
        scope: Scope,
        observation_id: Annotated[int, Query(ge=1, le=2**53 - 1)],
        before: Annotated[int, Query(ge=0, le=MAX_ROWS)] = 3,
        after: Annotated[int, Query(ge=0, le=MAX_ROWS)] = 3,
    ) -> list[TimelineEntry]:
        """An observation among its neighbours in time, oldest first."""
        return reading.timeline(scope, observation_id, before=before, after=after)

    return api
