"""The declarations of this installation's template, for tests."""

import functools

from strata.local.template import declarations
from strata.local.template.declarations import Template


@functools.cache
def declared() -> Template:
    """Read once in a process: it takes longer than most of what is tested. Nobody changes it."""
    return declarations.load()
