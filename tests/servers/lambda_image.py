"""A stand-in for Lambda's python3.11 base image: Debian 12, with the runtime's libraries where AWS has them.

Its glibc is newer than Amazon Linux 2's, so it does not show whether a library is too new: a test of the
layer does that.
"""

import hashlib
import shutil
from pathlib import Path

from servers.debian import run
from servers.java import BUILT, SOURCES

RUNTIME = BUILT / "lambda" / "runtime"
"""awslambdaric and boto3, put there by `make .servers/lambda/runtime`."""

_LOCK = SOURCES.parents[1] / "requirements" / "runtime.txt"

_BOOTSTRAP = """\
#!/bin/sh
# Started by the runtime interface emulator; the handler's name is in $_HANDLER.
export AWS_EXECUTION_ENV=AWS_Lambda_python3.11
export PYTHONPATH="/var/task:/opt/python"
cd /var/task || exit 1
exec /usr/bin/python3.11 -m awslambdaric "$_HANDLER"
"""

_ENTRY = """\
#!/bin/sh
export _HANDLER="$1"
[ -n "$AWS_LAMBDA_RUNTIME_API" ] && exec /var/runtime/bootstrap
exec /var/rapid/aws-lambda-rie /var/runtime/bootstrap
"""


def image() -> str:
    """The name of the image in the running Docker engine; made when it is not there (about a minute).

    Raises:
        ServerError: it could not be made.
    """
    recipe = Path(__file__).read_bytes() + _LOCK.read_bytes()
    name = f"strata-lambda-python3.11:{hashlib.sha256(recipe).hexdigest()[:12]}"
    if run("docker", "image", "ls", "-q", name):
        return name
    root, archive = BUILT / "lambda" / "root", BUILT / "lambda" / "root.tar"
    for mounted in filter(Path.is_mount, (root / "proc", root / "sys")):  # by one that was interrupted
        run("umount", str(mounted))
    shutil.rmtree(root, ignore_errors=True)
    run(
        "debootstrap",
        "--variant=minbase",
        "--include=python3.11,ca-certificates,libstdc++6",
        "bookworm",
        str(root),
    )
    for folder in ("var/lang/bin", "var/task", "var/rapid", "opt"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "var/lang/bin/python3.11").symlink_to("/usr/bin/python3.11")
    shutil.copytree(RUNTIME, root / "var/runtime")
    # last on the path, as there: what a layer brings wins
    (root / "usr/lib/python3/dist-packages/zz-runtime.pth").write_text("/var/runtime\n")
    for path, text in (("var/runtime/bootstrap", _BOOTSTRAP), ("lambda-entrypoint.sh", _ENTRY)):
        (root / path).write_text(text)
        (root / path).chmod(0o755)
    for folder in (
        "var/cache/apt",
        "var/lib/apt/lists",
        "usr/share/doc",
        "usr/share/locale",
        "usr/share/man",
    ):
        shutil.rmtree(root / folder, ignore_errors=True)
    run(
        "tar",
        "-C",
        str(root),
        "--numeric-owner",
        "--exclude=./proc/*",
        "--exclude=./sys/*",
        "-cf",
        str(archive),
        ".",
    )
    settings = ("ENV LANG=C.UTF-8", "ENV LAMBDA_TASK_ROOT=/var/task", "WORKDIR /var/task")
    changes = [
        part for setting in (*settings, 'ENTRYPOINT ["/lambda-entrypoint.sh"]') for part in ("-c", setting)
    ]
    run("docker", "import", *changes, str(archive), name)
    archive.unlink()
    shutil.rmtree(root)
    return name
