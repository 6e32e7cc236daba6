"""The `strata` command: runs a server, and works with memories in a terminal."""

import sys


def main() -> None:
    """Run the command line of this process."""
    if sys.argv[1:2] == ["hook"]:
        from strata.cli.hook import run  # an agent waits for it: nothing else is imported

        sys.exit(run(sys.argv[2:]))
    try:
        from strata.cli.app import app
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("strata"):
            raise
        from strata.installation import adding

        sys.exit(f"strata: {missing.name} is not installed; {adding('local')} brings it")
    app()
