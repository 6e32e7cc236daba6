"""A deployment in one process: an application for each function, which is watched in what it asks for."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from strata.adapters.bodies.folder import FolderBodies
from strata.adapters.sqlite.queue import SqliteQueue
from strata.bootstrap import Application, Overrides
from strata.settings import queue_setting
from support.clocks import HandClock
from support.iam_policies import Asked
from support.memory import Memory, application
from support.template import declared

SPEC = declared()
FUNCTIONS = SPEC.functions.items()
QUEUES = {queue.name: queue.logical_id for queue in SPEC.queues.values()}
IN_TRANSACTIONS = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem"}
OF_BODIES = {
    "put": {("s3:PutObject", "Bodies/*")},
    "get_many": {("s3:GetObject", "Bodies/*"), ("s3:ListBucket", "Bodies")},
    "list": {("s3:ListBucket", "Bodies")},
    "delete_many": {("s3:DeleteObject", "Bodies/*")},
}
OF_INDEX = {"write": "write", "search": "read", "fits": "read", "catalog": "read"}


class Asking:
    """The actions that each function asked for, by partition of the table; and the routes that succeeded."""

    def __init__(self) -> None:
        self.asked: dict[str, set[tuple[Asked, str | None]]] = defaultdict(set)
        self.answered: set[str] = set()
        self._running: list[str] = []

    @contextmanager
    def running(self, function: str) -> Iterator[None]:
        """While it does, what is asked for is the function's. Pools of threads ask for whoever runs."""
        self._running.append(function)
        try:
            yield
        finally:
            self._running.pop()

    def note(self, *asked: Asked, partition: str | None = None) -> None:
        if self._running:
            self.asked[self._running[-1]] |= {(each, partition) for each in asked}

    def of(self, function: str) -> set[Asked]:
        return {asked for asked, _ in self.asked[function]}

    def request(self, params: Mapping[str, Any], model: Any, **_: object) -> None:
        """A hook of DynamoDB's client: the request as IAM judges it."""
        if model.name == "TransactWriteItems":
            for action in params["TransactItems"]:
                ((kind, one),) = action.items()
                self._row(IN_TRANSACTIONS.get(kind, "ConditionCheckItem"), one.get("Key") or one["Item"])
        elif model.name == "BatchGetItem":
            for request in params["RequestItems"].values():
                for key in request["Keys"]:
                    self._row(model.name, key)
        elif model.name == "BatchWriteItem":
            for requests in params["RequestItems"].values():
                for each in requests:
                    self._row(model.name, each["DeleteRequest"]["Key"])
        elif model.name == "Query":
            index = params.get("IndexName")
            partition = params["ExpressionAttributeValues"][":pk"]["S"]
            table = f"Table/index/{index}" if index else "Table"
            self.note(("dynamodb:Query", table), partition=partition)
        else:
            self._row(model.name, params.get("Key") or params.get("Item"))

    def _row(self, operation: str, key: Mapping[str, Any] | None) -> None:
        self.note((f"dynamodb:{operation}", "Table"), partition=key["pk"]["S"] if key else None)


class Watched:
    """A port; each call of a method notes what it asks for."""

    def __init__(self, port: Any, note: Callable[[str], None]) -> None:
        self._port = port
        self._note = note

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._port, name)
        if callable(found):
            self._note(name)
        return found


class Functions(Application):
    """An application whose handlers are those of the functions' own applications."""

    def __init__(self, app: Application, makers: Mapping[str, Callable[[], Any]]) -> None:
        super().__init__(app.settings, app.overrides)
        self._makers = SimpleNamespace(**makers)

    @property
    def handlers(self) -> Any:  # type: ignore[override]  # the rooms are found in another way here
        return self._makers


class Deployed(Memory):
    """The template's functions, each with an application of its own, over one table, index and set of queues.

    `app` is what runs them: it reads the stream, and has the functions' handlers.
    """

    def __init__(self, folder: Path, client: Any, clock: HandClock, **settings: str) -> None:
        self.asking = Asking()
        self._made = folder, clock, settings, client
        client.meta.events.register("provide-client-params.dynamodb", self.asking.request)
        super().__init__(self._application({}))
        makers = {each.code_dir.name: self._maker(name, each.code_dir.name) for name, each in FUNCTIONS}
        self.app = Functions(self.app, makers)

    def follow(self) -> None:
        self.app.stores.change_log.fetch()
        super().follow()

    def close(self) -> None:
        self._made[3].meta.events.unregister("provide-client-params.dynamodb", self.asking.request)
        self.app.stores.database.close()

    def _maker(self, name: str, method: str) -> Callable[[], Any]:
        app = self._application(SPEC.functions[name].environment)
        app = app.with_overrides(
            queues=self._queues_of(name),
            bodies=Watched(
                FolderBodies(self._made[0] / "bodies"), lambda done: self.asking.note(*OF_BODIES[done])
            ),
            index=Watched(
                self.app.stores.index,
                lambda done: self.asking.note((f"index:{OF_INDEX[done]}", "Engine")),
            ),
            embedder=Watched(
                app.models.embedder, lambda done: self.asking.note((f"model:{done}", "Embedder"))
            ),
            lexicon=app.models.lexicon,
        )

        def made() -> Any:
            with self.asking.running(name):
                handler = getattr(app.handlers, method)()

            def handle(event: Any, context: Any) -> Any:
                with self.asking.running(name):
                    answer = handler(event, context)
                if "routeKey" in event and answer.get("statusCode", 500) < 400:
                    self.asking.answered.add(event["routeKey"])
                return answer

            return handle

        return made

    def _queues_of(self, function: str) -> Callable[..., Any]:
        """The queues of a function, which needs to be told where they are."""

        def queue(name: str, max_deliveries: int | None) -> Any:
            told = SPEC.functions[function].environment
            assert queue_setting(name) in told, f"{function} is not told of the queue {name}"
            asked = {
                "send": ("sqs:SendMessage", QUEUES[name]),
                "depth": ("sqs:GetQueueAttributes", QUEUES[name]),
            }
            return Watched(
                SqliteQueue(self.app.stores.database, name, self.app.clock),
                lambda done: self.asking.note(asked[done]),
            )

        return queue

    def _application(self, environment: Mapping[str, Any]) -> Application:
        folder, clock, settings, client = self._made
        urls = {name: "https://sqs.example.com/1/q" for name in environment if name.endswith("_QUEUE_URL")}
        named = {name.removeprefix("STRATA_"): url for name, url in urls.items()}
        overrides = Overrides(dynamodb=client)
        return application(folder, clock, overrides, AUTH="required", **named, **settings)
