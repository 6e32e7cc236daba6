"""Save, change and delete observations."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from strata.domain.scope import WRITE, Scope
from strata.domain.wire.observations import NewObservation, Observation, ObservationChange, SavedObservation
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.http.api.parameters import ObservationPath
from strata.entrypoints.observing import Observing
from strata.services.observations.change import Editor
from strata.services.observations.save import Saver


def save_handler(identify: Caller, observing: Observing, saver: Saver, editor: Editor) -> Handler:
    """Routes to save, change and delete observations."""
    api = Api(identify, observing)

    @api.route("POST", "/observations", WRITE, answer=SavedObservation, status=201)
    def save_observation(caller: Scope, new: Annotated[NewObservation, Body()]) -> SavedObservation:
        """Save an observation: created, updated by its topic key, or counted as a duplicate."""
        with observing.operation("add_observation", project=new.project) as operation:
            saved = saver.save(caller, new)
            operation.saved(saved.action)
        return saved

    @api.route("PATCH", "/observations/<id>", WRITE, answer=Observation, errors=(404,))
    def change_observation(
        caller: Scope, id: ObservationPath, change: Annotated[ObservationChange, Body()]
    ) -> Observation:
        """Change an observation's type, title, content, tags or metadata.

        `superseded: false` gives back an observation that a newer one superseded.
        """
        return editor.change(caller, id, change)

    @api.route("DELETE", "/observations/<id>", WRITE, status=204, errors=(404,))
    def delete_observation(
        caller: Scope, id: ObservationPath, hard: Annotated[bool, Query()] = False
    ) -> None:
        """Delete an observation; `hard=true` erases it."""
        editor.delete(caller, id, hard=hard)

    return api
