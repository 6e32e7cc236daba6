"""Reads the settings from the environment.

The client and the hooks of tools read variables of their own there: the server's address, a key, a project.
"""

import os
from collections.abc import Mapping

from pydantic import ValidationError

from strata.settings.settings import PARTS, TASKS, Settings


class SettingsError(ValueError):
    """Settings have invalid values; the message names each one."""


def load(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings of this process by their documented names: a variable `tenant` sets nothing.

    Raises:
        SettingsError: one or more values are invalid; the message names every one.
    """
    given = os.environ if environ is None else environ
    source = {
        name: value for name, value in given.items() if value != "" and name not in Settings.model_fields
    }
    try:
        return Settings.model_validate(source)
    except ValidationError as error:
        found = error.errors()
        if any("language" in each["loc"] for each in found):  # the models of tasks inherit it
            found = [each for each in found if TASKS.isdisjoint(map(str, each["loc"]))]
        problems = "; ".join(_problem(each["loc"], each["msg"]) for each in found)
        raise SettingsError(f"unusable settings: {problems}") from None


def _problem(place: tuple[int | str, ...], message: str) -> str:
    """One problem; one of several settings together has no location."""
    names = [str(part) for part in place if part not in (*PARTS, *TASKS, "queue_urls")]
    told = ": ".join([*names[:1], message.removeprefix("Value error, ")])
    task = next((each.upper() for each in place if each in TASKS), "")
    return told.replace("STRATA_MODEL", f"STRATA_{task}_MODEL") if task else told
