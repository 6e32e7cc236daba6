"""tenants limit, list: limits of tenants.

Commands for operators, on the store that the settings name; no server needs to run.
"""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from strata.cli import options, output

if TYPE_CHECKING:
    from strata.services.tenants.limits import Limits, TenantLimits

NO_LIMIT, DEFAULT = "none", "default"

tenants = typer.Typer(help="Set and list the limits of tenants.", no_args_is_help=True)


@tenants.command(
    epilog="Example: strata tenants limit acme --requests 20 --items 100000 --daily-tokens default"
)
def limit(
    tenant: Annotated[str, typer.Argument(help="The tenant.", show_default=False)],
    *,
    requests: Annotated[str | None, typer.Option(help="Requests a second.")] = None,
    items: Annotated[str | None, typer.Option(help="Stored observations and sessions.")] = None,
    daily_tokens: Annotated[str | None, typer.Option(help="Tokens of language models a day.")] = None,
    daily_dollars: Annotated[str | None, typer.Option(help="US dollars for them a day.")] = None,
    json: options.Done = False,
) -> None:
    """Set limits of a tenant, each a number, none for no limit, or default for what the settings say.

    Servers go by them within a minute.
    """
    given = {
        "requests": requests,
        "items": items,
        "daily_tokens": daily_tokens,
        "daily_dollars": daily_dollars,
    }
    named = {name: value for name, value in given.items() if value is not None}
    changed = {name: _number(name, value) for name, value in named.items() if value != DEFAULT}
    _show({tenant: _limits().set(tenant, changed, tuple(named.keys() - changed.keys()))}, json)


@tenants.command("list", epilog="Example: strata tenants list --json")
def list_tenants(json: options.Done = False) -> None:
    """List the tenants that have limits of their own."""
    _show(_limits().list(), json)


def _limits() -> "TenantLimits":
    from strata.bootstrap import application

    return application().tenants.limits


def _number(name: str, text: str) -> float | None:
    if text == NO_LIMIT:
        return None
    try:
        return int(text) if name in ("items", "daily_tokens") else float(text)
    except ValueError:
        option = f"--{name.replace('_', '-')}"
        raise typer.BadParameter("must be a number, none or default", param_hint=option) from None


def _show(found: "dict[str, Limits]", json: bool) -> None:
    if json:
        output.print_document([{"tenant": tenant} | asdict(limits) for tenant, limits in found.items()])
        return
    rows = [
        (tenant, *("none" if value is None else f"{value:.15g}" for value in asdict(limits).values()))
        for tenant, limits in found.items()
    ]
    output.print_table(
        ("tenant", "requests a second", "items", "tokens a day", "dollars a day"),
        rows,
        nothing="No tenant has limits of its own; strata tenants limit sets them.",
    )
