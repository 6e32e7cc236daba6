"""Relevance over labelled stores and queries.

`python -m evals.relevance` measures what a real server gives over HTTP, `--part kept` on the part kept apart,
of which only totals are shown. `python -m evals.relevance fit` fits the weights to the development part and
the messages, and `authors` tells how well small talk of authors is told that the table does not know.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.server import running

from evals.relevance import messages
from evals.relevance.examples import APART, LANGUAGES, load
from evals.relevance.measure import ask, prompts, report


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.relevance", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("task", nargs="?", choices=("measure", "fit", "authors"), default="measure")
    parser.add_argument(
        "--part",
        choices=("dev", "dev2", "own", "long", "kept", "kept2"),
        default="dev",
        help="which examples are asked",
    )
    parser.add_argument(
        "--embedder", choices=("static", "e5"), default="static", help="which embedder is measured or fitted"
    )
    parser.add_argument("--language", action="append", choices=LANGUAGES, help="only this one")
    parser.add_argument("--rules", action="store_true", help="by the rules alone, without the reranker")
    parser.add_argument("--floor", type=float, help="the least relevance in contexts; the server's own")
    parser.add_argument("--budget", type=int, help="the tokens of a context; none")
    parser.add_argument("--prompts", type=int, default=0, help="print what so many queries were given")
    options = parser.parse_args()
    if options.task == "fit":
        from evals.relevance.fit import write, write_sentences

        print(write_sentences() if options.embedder == "e5" else write())
        return 0
    if options.task == "authors":
        written = [*messages.messages(), *messages.of_queries()]
        print(messages.told_apart(written, messages.left_out(written)))
        return 0
    if options.part in APART and options.prompts:
        parser.error("the part that is kept apart is not to be read")
    settings = {} if options.floor is None else {"MIN_RELEVANCE": str(options.floor)}
    settings |= {"EMBEDDER": options.embedder, "RERANK": str(not options.rules).lower()}
    with (
        tempfile.TemporaryDirectory(prefix="strata-evals-") as folder,
        running(Path(folder), **settings) as server,
    ):
        examples, languages = load((options.part,)), options.language or LANGUAGES
        reads = not options.rules and options.embedder == "static"
        asked = list(ask(server.url, examples, languages, options.budget, reads=reads))
    print(report(asked))
    if options.prompts:
        print("\n" + prompts(asked, options.prompts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
