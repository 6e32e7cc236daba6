"""keys create, list, revoke, rotate: API keys.

Commands for operators, on the store that the settings name; no server needs to run.
"""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from strata.cli import options, output
from strata.domain.api_keys import ApiKey
from strata.domain.scope import DEFAULT_TENANT
from strata.domain.times import rfc3339

if TYPE_CHECKING:
    from strata.services.credentials.keys import ApiKeys, NewKey

KeyId = Annotated[str, typer.Argument(help="The key's id, as the list shows it.", show_default=False)]
Expires = Annotated[
    str | None,
    typer.Option("--expires", help="How long it works: 90d, 12h, 30m.", show_default="until it is revoked"),
]

keys = typer.Typer(help="Create, list, rotate and revoke API keys.", no_args_is_help=True)


@keys.command(epilog="Example: strata keys create --name laptop --scopes read,write --expires 90d")
def create(
    *,
    tenant: Annotated[
        str, typer.Option("--tenant", envvar="STRATA_TENANT", help="The tenant that it gives access to.")
    ] = DEFAULT_TENANT,
    scopes: Annotated[str, typer.Option("--scopes", help="Some of read, write, admin.")] = "read,write",
    name: Annotated[str, typer.Option("--name", help="What it is for.")] = "",
    identity: Annotated[
        str | None, typer.Option("--identity", help="The default end user of its calls.")
    ] = None,
    expires: Expires = None,
    json: options.Done = False,
) -> None:
    """Create a key. It is shown only once."""
    wanted = [scope.strip() for scope in scopes.split(",") if scope.strip()]
    made = _directory().create(
        tenant, scopes=wanted, name=name, identity=identity, lifetime=_seconds("--expires", expires)
    )
    _show(made, json)


@keys.command("list", epilog="Example: strata keys list --tenant acme")
def list_keys(
    tenant: Annotated[
        str | None, typer.Option("--tenant", help="Of this tenant only.", show_default="all tenants")
    ] = None,
    json: options.Done = False,
) -> None:
    """List the keys, including those that ended in the last 90 days."""
    rows = [_known(key) for key in _directory().list(tenant)]
    if json:
        output.print_document(rows)
        return
    output.print_table(
        ("id", "tenant", "name", "scopes", "state", "expires", "last used"),
        [
            (
                row["id"],
                row["tenant"],
                row["name"],
                " ".join(row["scopes"]),
                row["state"],
                row.get("expires_at", "never")[:16],
                row.get("last_used_at", "never")[:16],
            )
            for row in rows
        ],
        nothing="There is no key; strata keys create makes one.",
    )


@keys.command(epilog="Example: strata keys revoke k3j5h2g9f8d7s6a1")
def revoke(key_id: KeyId, json: options.Done = False) -> None:
    """Revoke a key. Cached authorizations may admit it for up to 60 seconds more."""
    ended = _known(_directory().revoke(key_id))
    if json:
        output.print_document(ended)
    else:
        output.say(f"revoked {key_id}; it may work for up to 60 seconds more", "green")


@keys.command(epilog="Example: strata keys rotate k3j5h2g9f8d7s6a1 --grace 24h")
def rotate(
    key_id: KeyId,
    grace: Annotated[str, typer.Option("--grace", help="How long the old one works beside the new.")] = "24h",
    expires: Annotated[
        str | None,
        typer.Option("--expires", help="How long the new one works.", show_default="as long as the old one"),
    ] = None,
    json: options.Done = False,
) -> None:
    """Replace a key: the new one works at once, the old one until the grace period is over."""
    made = _directory().rotate(
        key_id, grace=_seconds("--grace", grace) or 0, lifetime=_seconds("--expires", expires)
    )
    _show(made, json)


def _directory() -> "ApiKeys":
    from strata.bootstrap import application

    return application().credentials.keys


def _seconds(option: str, span: str | None) -> int | None:
    if span is None:
        return None
    from pydantic import TypeAdapter, ValidationError

    from strata.settings.values import Seconds

    try:
        return int(TypeAdapter(Seconds).validate_python(span))
    except ValidationError:
        raise typer.BadParameter(
            "must be seconds, or a span such as 90d, 12h or 30m", param_hint=option
        ) from None


def _show(made: "NewKey", json: bool) -> None:
    if json:
        output.print_document({"key": made.key} | _known(made.info))
        return
    typer.echo(made.key)  # alone on the standard output, so that a script can take it
    typer.echo("Keep it now, it is not stored. Clients read it from STRATA_API_KEY.", err=True)


def _known(key: ApiKey) -> dict[str, Any]:
    """A key as a document, without unset fields."""
    from strata.bootstrap import application

    times = {
        "created_at": key.created_at,
        "expires_at": key.ends_at,
        "last_used_at": key.last_used_at,
        "revoked_at": key.revoked_at,
    }
    known = {
        "id": key.id,
        "tenant": key.tenant,
        "name": key.name,
        "scopes": list(key.scopes),
        "state": key.state(application().clock.now_us()),
    }
    if key.identity is not None:
        known["identity"] = key.identity
    return known | {name: rfc3339(at) for name, at in times.items() if at is not None}
