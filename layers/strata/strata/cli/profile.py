"""profile, preferences and devices: what is kept of a person, and which devices are theirs."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from strata.cli import options, output
from strata.cli.connection import answered, connect
from strata.client.calls import profiles as calls

if TYPE_CHECKING:
    from strata.domain.wire.profiles import Provenance

OneUser = Annotated[str, typer.Option("--user", help="The user.")]
Device = Annotated[str, typer.Argument(help="The device's id.")]


class Field(StrEnum):
    """A field of a profile, by its name in the API."""

    NAME = "name"
    STYLE = "communicationStyle"
    PATTERNS = "patterns"
    PREFERENCES = "preferences"


profile = typer.Typer(
    help="A person's name, communication style, patterns and preferences.",
    invoke_without_command=True,
    epilog="Example: strata profile --user ann",
)
preferences = typer.Typer(
    help="A user's preferences, and whether what they say is stored.",
    invoke_without_command=True,
    epilog="Example: strata preferences --user ann",
)
devices = typer.Typer(
    help="The users of devices.", no_args_is_help=True, epilog="Example: strata devices set kitchen ann"
)


@profile.callback()
@options.of_person
def show_profile(
    context: typer.Context,
    *,
    url: options.Url = None,
    json: options.Json = False,
    whose: dict[str, Any],
) -> None:
    """Show a person's profile, and where each value is from."""
    if context.invoked_subcommand is not None:
        return
    reply = answered(context, url, calls.get_profile(**whose), json=json)
    if reply is None:
        return
    found = reply.value
    rows = [
        (name, output.plain(_text(value)), ", ".join(dict.fromkeys(map(_from, found.provenance[name]))))
        for name, value in found.profile.model_dump().items()
        if name in found.provenance
    ]
    output.print_table(("field", "value", "from"), rows, nothing=options.empty("Nothing is known.", whose))


@profile.command("set", epilog="Example: strata profile set --user ann --name Ann --preference units=metric")
def set_profile(
    context: typer.Context,
    *,
    user: options.Person = None,
    name: Annotated[str | None, typer.Option("--name", help="The name.")] = None,
    style: Annotated[str | None, typer.Option("--style", help="How to speak with them.")] = None,
    pattern: Annotated[list[str] | None, typer.Option("--pattern", help="A pattern; all of them.")] = None,
    preference: Annotated[
        list[str] | None, typer.Option("--preference", help="KEY=VALUE; all of them.")
    ] = None,
    clear: Annotated[
        list[Field] | None, typer.Option("--clear", help="Take away the value of this field.")
    ] = None,
    url: options.Url = None,
) -> None:
    """Set fields as the person states them; the others stay."""
    change = options.changed(
        {
            Field.NAME: name,
            Field.STYLE: style,
            Field.PATTERNS: pattern,
            Field.PREFERENCES: options.pairs(preference, option="--preference"),
        },
        clear,
        emptying="--clear",
        options="--name, --style, --pattern, --preference and --clear",
    )
    with connect(context, url) as client:
        updated = client.send(calls.put_profile(user, **change)).value
    if updated:
        output.say("The profile is changed.", "green")
    else:
        output.say("Nothing is kept: the person refuses it.", "yellow")


@profile.command(epilog="Example: strata profile history --user ann")
@options.of_person
def history(
    context: typer.Context,
    *,
    url: options.Url = None,
    json: options.Json = False,
    whose: dict[str, Any],
) -> None:
    """List the latest changes of a person's profile, newest first."""
    reply = answered(context, url, calls.profile_history(**whose), json=json)
    if reply is None:
        return
    output.print_table(
        ("at", "field", "value", "from"),
        [
            (past.at[:16], each.field, output.plain(_text(each.value)) or "taken away", _from(each))
            for past in reply.value
            for each in past.changes
        ],
        nothing="No change yet.",
    )


@preferences.callback()
def show_preferences(
    context: typer.Context, *, user: OneUser = "default", url: options.Url = None, json: options.Json = False
) -> None:
    """Show a user's preferences with their privacy settings."""
    if context.invoked_subcommand is not None:
        return
    reply = answered(context, url, calls.get_preferences(user), json=json)
    if reply is None:
        return
    rows = [(name, output.plain(_text(value))) for name, value in reply.value.items()]
    output.print_table(("preference", "value"), rows, nothing="None is set.")


@preferences.command("set", epilog="Example: strata preferences set theme=dark --user ann --no-transcripts")
def set_preferences(
    context: typer.Context,
    *,
    fields: Annotated[list[str] | None, typer.Argument(help="KEY=VALUE; KEY= takes one away.")] = None,
    transcripts: Annotated[
        bool | None, typer.Option(help="Whether anything that the user says is stored.")
    ] = None,
    user: OneUser = "default",
    url: options.Url = None,
) -> None:
    """Change the named preferences; the others stay."""
    change: dict[str, Any] = {
        name: value or None for name, value in (options.pairs(fields, option="KEY=VALUE") or {}).items()
    }
    if transcripts is not None:
        change["privacySettings"] = {"storeTranscripts": transcripts}
    with connect(context, url) as client:
        client.send(calls.put_preferences(user, **change))
    output.say("The preferences are changed.", "green")


@devices.command(epilog="Example: strata devices show kitchen")
def show(context: typer.Context, *, id: Device, url: options.Url = None, json: options.Json = False) -> None:
    """Show the user of a device."""
    reply = answered(context, url, calls.get_device(id), json=json)
    if reply is not None:
        output.say(f"{id} is {reply.value.userId}'s.")


@devices.command("set", epilog="Example: strata devices set kitchen ann")
def set_device(
    context: typer.Context,
    *,
    id: Device,
    user: Annotated[str, typer.Argument(help="The user.")],
    adopt: Annotated[bool, typer.Option("--adopt", help="With what it wrote before.")] = False,
    url: options.Url = None,
) -> None:
    """Give a device its user, whose its writes are from then on."""
    with connect(context, url) as client:
        adopted = client.send(calls.put_device(id, user, adopt=adopt)).value.adopted
        while adopted is not None and not adopted.complete:
            adopted = client.send(calls.put_device(id, user, adopt=adopt)).value.adopted
    output.say(f"{id} is {user}'s.", "green")


@devices.command(epilog="Example: strata devices delete kitchen")
def delete(context: typer.Context, *, id: Device, url: options.Url = None) -> None:
    """Take a device from its user; what it wrote stays theirs."""
    with connect(context, url) as client:
        client.send(calls.delete_device(id))
    output.say(f"{id} has no user any more.", "green")


def _text(value: Any) -> str:
    """A value of a profile on lines of text."""
    if isinstance(value, dict):
        return "\n".join(f"{name}: {each}" for name, each in value.items())
    return "\n".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)


def _from(stated: "Provenance") -> str:
    return f"agent {stated.agent}" if stated.agent else stated.by
