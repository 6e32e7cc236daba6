"""Run a command and say so in one line that moves: step.py LABEL COMMAND...

On a terminal the line shows how long the command has run and its last words, and disappears at the end;
elsewhere the label is printed once. The output is shown only if the command fails.
"""

import signal
import subprocess
import sys
import time
from shutil import get_terminal_size
from threading import Thread


def run(label: str, command: list[str]) -> int:
    """Run the command; its exit code."""
    said: list[str] = []
    moving = sys.stderr.isatty()
    if not moving:
        print(f"{label} ...", file=sys.stderr, flush=True)
    began = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        reader = Thread(target=lambda: said.extend(iter(process.stdout.readline, "")), daemon=True)
        reader.start()
        while reader.is_alive():
            if moving:
                now = " ".join(said[-1].split()[:2]) if said else ""
                line = f"{label} ({time.monotonic() - began:.0f} s) {now}"
                print(
                    f"\r\033[K{line[: get_terminal_size().columns - 1]}", end="", file=sys.stderr, flush=True
                )
            reader.join(0.2)
    if moving:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    if process.returncode:
        print(f"{label} failed:", *said, sep="\n", file=sys.stderr)
    return process.returncode


if __name__ == "__main__":
    try:
        sys.exit(run(sys.argv[1], sys.argv[2:]))
    except KeyboardInterrupt:
        sys.exit(130)
