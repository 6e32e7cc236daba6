"""The `strata` command: runs a server, and works with memories in a terminal."""

import sys

from strata.installation import adding


def main() -> None:
    """Run the command line of this process."""
    try:
        from strata.cli.app import app
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("strata"):
            raise
        sys.exit(f"strata: {missing.name} is not installed; {adding('local')} brings it")
    app()
