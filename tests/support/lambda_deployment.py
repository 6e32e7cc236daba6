"""The template as `sam build` leaves it, its functions in containers as Lambda runs them, on real stores."""

import hashlib
import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import yaml

from servers.debian import run
from servers.java import ServerError, free_port
from strata.local.template import cloudformation

ROOT = Path(__file__).parents[2]
SAM = ROOT / ".venv-tools" / "sam" / "bin" / "sam"
BUILD = ROOT / ".aws-sam" / "build"
EVENTS = ROOT / "events"
TABLE = "strata-tested"
REGION = "eu-west-1"
RUNTIME = "python3.11"

# Without credentials: none of a developer's own get into a container, and the SAM CLI asks nobody who it is.
_ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")} | {
    "SAM_CLI_TELEMETRY": "0",
    "AWS_DEFAULT_REGION": REGION,
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
}
_START_SECONDS = 60


def missing() -> str | None:
    """A sentence that says what is not installed, or None."""
    if SAM.is_file():
        return None
    return "the SAM CLI is not installed: `make .venv-tools/.sam .servers/lambda/runtime` does that"


def transformed(stage: str) -> dict[str, Any]:
    """template.yaml as CloudFormation gets it for this stage, made by the SAM CLI's own translator.

    Raises:
        ServerError: it could not be transformed.
    """
    script = Path(__file__).with_name("sam_transform.py")
    made: dict[str, Any] = json.loads(
        run(str(SAM.with_name("python")), str(script), str(ROOT / "template.yaml"), stage)
    )
    return made


def build() -> Path:
    """The layer and the functions, built from the real template for Python 3.11; the folder they are in.

    The stand-in for Lambda's image has that Python, and template.yaml's default is a later one.

    Raises:
        ServerError: `sam build` failed.
    """
    run("make", "-s", "-C", str(ROOT), "build", f"RUNTIME={RUNTIME}")
    return BUILD


@contextmanager
def images_removed() -> Iterator[None]:
    """Leaves none of the images behind that the SAM CLI makes from the layers."""
    listing = ("docker", "image", "ls", "-q", "samcli/lambda*")
    before = set(run(*listing).split())
    yield
    for made in run(*listing).split():  # the newest first: those that it is made from come after it
        if made not in before:
            run("docker", "image", "rm", "--force", made)


@dataclass(frozen=True)
class Deployment:
    """A built template over a DynamoDB and an OpenSearch, by their URLs as containers see them."""

    image: str
    dynamodb: str
    opensearch: str

    def invoke(self, function: str, event: dict[str, Any]) -> Any:
        """The answer of a new instance of a function to an event.

        Raises:
            ServerError: it could not be run, or it raised; the message ends with its log.
        """
        command = [*self._command("invoke"), function, "--event", "-"]
        done = subprocess.run(
            command,
            input=json.dumps(event).encode(),
            capture_output=True,
            env=_ENVIRONMENT,
            cwd=BUILD,
            check=False,
        )
        log, told = done.stderr.decode(errors="replace"), done.stdout.decode().strip()
        if done.returncode or not told:
            raise ServerError(f"{function} was not run, or did not answer:\n{log[-2000:]}")
        answer = json.loads(told.splitlines()[-1])
        if isinstance(answer, dict) and "errorMessage" in answer:
            raise ServerError(f"{function} raised {answer['errorMessage']}:\n{log[-3000:]}")
        return answer

    @contextmanager
    def api(self) -> Iterator[httpx.Client]:
        """The HTTP API; its functions stay warm."""
        port, log = free_port(), BUILD / "api.log"
        command = [*self._command("start-api"), "--port", str(port), "--warm-containers", "LAZY"]
        with log.open("wb") as out:
            process = subprocess.Popen(command, stdout=out, stderr=out, env=_ENVIRONMENT, cwd=BUILD)
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
                deadline = time.monotonic() + _START_SECONDS
                while not _answers(client):
                    if process.poll() is not None or time.monotonic() > deadline:
                        said = log.read_text(errors="replace")[-3000:]
                        raise ServerError(f"the API did not start:\n{said}")
                    time.sleep(0.2)
                yield client
        finally:
            process.terminate()  # it removes its containers on SIGTERM
            process.wait(60)

    def _command(self, action: str) -> list[str]:
        given = ["--template", str(self._template()), "--layer-cache-basedir", str(BUILD / "layers")]
        return [str(SAM), "local", action, *given, "--invoke-image", self.image, "--skip-pull-image"]

    def _template(self) -> Path:
        """The built template, told what a deployment knows: the layers' ARNs and where the stores are."""
        document = cloudformation.read(BUILD / "template.yaml")
        document["Parameters"]["Runtime"]["Default"] = RUNTIME
        for authorizer in document["Resources"]["Api"]["Properties"]["Auth"]["Authorizers"].values():
            authorizer["FunctionArn"] = {"Fn::GetAtt": ["Authorizer", "Arn"]}  # it knows no alias
        shared = document["Globals"]["Function"]
        shared["Layers"] = [_as_published("StrataLayer")]
        shared["Environment"]["Variables"] |= {
            "STRATA_TABLE": TABLE,
            "STRATA_DYNAMODB_ENDPOINT": self.dynamodb,
            "STRATA_OPENSEARCH_URL": self.opensearch,
            "STRATA_OPENSEARCH_SERVICE": "none",
        }
        for resource in document["Resources"].values():
            properties = resource.get("Properties", {})
            if "SentencesLayer" in str(properties.get("Layers")):  # a condition: the SAM CLI skips it
                properties["Layers"] = [_as_published("SentencesLayer")]
            own = properties.get("Environment", {}).get("Variables", {})
            for name in own:
                if name.endswith("_QUEUE_URL"):
                    own[name] = "https://queue.invalid/123456789012/queue"
        path = BUILD / "tested.yaml"
        path.write_text(yaml.safe_dump(document, sort_keys=False))
        return path


def _as_published(layer: str) -> str:
    """The ARN of a built layer, as if it were published and fetched.

    A layer of the template itself is put into an image at every call; a published one once for all calls.
    """
    built = BUILD / layer
    state = [f"{path} {path.stat().st_mtime_ns}" for path in sorted(built.rglob("*.*"))]
    version = int(hashlib.sha256("\n".join(state).encode()).hexdigest()[:8], 16)
    arn = f"arn:aws:lambda:{REGION}:123456789012:layer:{layer}:{version}"
    fetched = BUILD / "layers" / f"{layer}-{version}-{hashlib.sha256(arn.encode()).hexdigest()[:10]}"
    fetched.parent.mkdir(exist_ok=True)
    if not fetched.exists():
        fetched.symlink_to(built)
    return arn


def _answers(client: httpx.Client) -> bool:
    try:
        client.get("/nowhere")
    except httpx.TransportError:
        return False
    return True
