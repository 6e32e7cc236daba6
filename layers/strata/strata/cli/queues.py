"""queues: messages and dead letters of the background functions.

Commands for operators, on the queues that the settings name; no server needs to run.
"""

from typing import TYPE_CHECKING, Annotated

import typer

from strata.cli import options, output
from strata.cli.failures import CommandError
from strata.domain.times import rfc3339

if TYPE_CHECKING:
    from strata.ports.queue import DeadLetter, Queue

_LISTED = 20

queues = typer.Typer(
    help="Background queues and their dead letters.",
    invoke_without_command=True,
    epilog="Example: strata queues --json",
)


@queues.callback()
def list_queues(context: typer.Context, json: options.Done = False) -> None:
    """Count the messages of every queue, and list dead letters with their reasons."""
    if context.invoked_subcommand is not None:
        return
    found = _queues()
    counts = {name: queue.counts() for name, queue in found.items()}
    letters = {name: queue.dead_letters(_LISTED) for name, queue in found.items() if counts[name].dead}
    if json:
        documents = [
            {
                "queue": name,
                "waiting": count.waiting,
                "in_flight": count.in_flight,
                "dead": count.dead,
                "dead_letters": [_shown(letter) for letter in letters.get(name, ())],
            }
            for name, count in counts.items()
        ]
        output.print_document(documents)
        return
    output.print_table(
        ("queue", "#waiting", "#in flight", "#dead"),
        [(name, str(count.waiting), str(count.in_flight), str(count.dead)) for name, count in counts.items()],
        nothing="The template has no queue.",
    )
    rows = [
        (name, letter.id, str(letter.deliveries), rfc3339(letter.died_at)[:16], letter.reason)
        for name, each in letters.items()
        for letter in each
    ]
    if rows:
        output.print_table(("dead letter of", "id", "#deliveries", "given up", "reason"), rows, nothing="")
        output.say("strata queues redrive NAME puts those of a queue back")


@queues.command(epilog="Example: strata queues redrive extraction")
def redrive(
    name: Annotated[str, typer.Argument(help="The queue, as the list shows it.", show_default=False)],
    json: options.Done = False,
) -> None:
    """Redeliver the dead letters of a queue as if they were new.

    SQS moves all messages of its dead letter queue, each to its source queue.
    """
    found = _queues()
    if name not in found:
        raise CommandError(f"there is no queue {name}; there are {', '.join(found)}")
    count = found[name].revive()
    if json:
        output.print_document({"queue": name, "revived": count})
    else:
        output.say(f"{count} dead letters of {name} wait again", "green")


@queues.command(epilog="Example: strata queues work")
def work(json: options.Done = False) -> None:
    """Process waiting messages now, if no server is running."""
    from strata import settings
    from strata.local.runtime import on_this_machine

    done = on_this_machine(settings.load()).work_off()
    if done is None:
        raise CommandError("a server over this store is at it already")
    if json:
        output.print_document({"delivered": done})
    else:
        output.say(f"{done} messages were delivered", "green")


def _queues() -> "dict[str, Queue]":
    """All queues of the template and its schedules, by name."""
    from strata import settings
    from strata.bootstrap import application
    from strata.local.template import declarations

    app = application()
    spec = declarations.load(parameters=settings.load().parameters)
    dead = {queue.dead_letters for queue in spec.queues.values()}  # kept with the queue they died in
    names = [queue.name for name, queue in spec.queues.items() if name not in dead]
    names += [schedule.name for function in spec.functions.values() for schedule in function.schedules]
    return {name: app.queues.named(name) for name in names}


def _shown(letter: "DeadLetter") -> dict[str, object]:
    """A dead letter without its body, which may hold personal data."""
    return {
        "id": letter.id,
        "deliveries": letter.deliveries,
        "died_at": rfc3339(letter.died_at),
        "reason": letter.reason,
    }
