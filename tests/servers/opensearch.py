"""OpenSearch 2.19.1 with its k-NN plugin, one node: about 560 MB, up in some ten seconds.

In a `knn_vector` mapping name `"engine": "lucene"`: the default engine's native library is not on Maven
Central, and its first use ends the server.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from servers.java import answers, built, free_port, running

_VERSION = "2.19.1"

# What the distribution ships as modules: the plugin's class, what it extends, and which jars are its own.
_MODULES = {
    "transport-netty4": (
        "org.opensearch.transport.Netty4Plugin",
        "",
        ("transport-netty4-client-*", "netty-*"),
    ),
    "lang-painless": (
        "org.opensearch.painless.PainlessPlugin",
        "",
        ("lang-painless-*", "opensearch-scripting-painless-spi-*", "antlr4-*", "asm-*"),
    ),
    "analysis-common": (
        "org.opensearch.analysis.common.CommonAnalysisPlugin",
        "lang-painless",
        ("analysis-common-*",),
    ),
}

_LOGGING = """\
status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{ISO8601} %-5p %c{1.} %m%n
rootLogger.level = warn
rootLogger.appenderRef.console.ref = console
"""


@contextmanager
def opensearch(port: int | None = None, heap: str = "512m", data: Path | None = None) -> Iterator[str]:
    """The URL of a running OpenSearch, empty unless it is given a folder with data. It ends by being killed.

    Raises:
        ServerError: it could not be built or started.
    """
    home = built("opensearch", arrange)
    port = port or free_port()
    url = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory(prefix="strata-opensearch-", ignore_cleanup_errors=True) as folder:
        Path(folder, "log4j2.properties").write_text(_LOGGING)
        options = [f"-Xms{heap}", f"-Xmx{heap}", "-XX:+ExitOnOutOfMemoryError", "-Dlog4j2.disable.jmx=true"]
        options += ["-Dio.netty.noUnsafe=true", "-Djava.locale.providers=SPI,CLDR"]
        settings = {
            "path.home": home,
            "path.data": data or f"{folder}/data",
            "path.logs": f"{folder}/logs",
            "cluster.name": "strata-tests",
            "node.name": "one",
            "network.host": "127.0.0.1",
            "http.port": port,
            "transport.port": 0,
            "discovery.type": "single-node",
            # a nearly full disk must not turn indices read-only
            "cluster.routing.allocation.disk.threshold_enabled": "false",
        }
        arguments = [folder, *(f"{name}={value}" for name, value in settings.items())]
        health = f"{url}/_cluster/health"
        with running(
            home, options, arguments, Path(folder, "log"), lambda: answers(health, '"status":"green"')
        ):
            yield url


def arrange(home: Path) -> None:
    """Lay the jars of each module and plugin out as the node looks for them."""
    for name, (plugin, extends, patterns) in _MODULES.items():
        module = home / "modules" / name
        module.mkdir(parents=True)
        for pattern in patterns:
            for jar in (home / "lib").glob(f"{pattern}.jar"):
                shutil.move(jar, module)
        descriptor = {
            "name": name,
            "description": name,
            "version": _VERSION,
            "opensearch.version": _VERSION,
            "java.version": "11",
            "classname": plugin,
            "extended.plugins": extends,
            "has.native.controller": "false",
        }
        lines = [f"{key}={value}\n" for key, value in descriptor.items()]
        (module / "plugin-descriptor.properties").write_text("".join(lines))
    (home / "plugins").mkdir()
    for plugin_folder in (home / "zips").iterdir():
        shutil.move(plugin_folder, home / "plugins" / "opensearch-knn")
