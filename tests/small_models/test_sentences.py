"""Vectors of sentences by the real engine and its model: `make small-models-test`."""

import subprocess
import sys

import numpy as np

from strata.adapters.e5_embeddings import MOST_CHARACTERS, E5Embeddings
from strata.domain.relevance.model import CALIBRATED
from strata.services.search.filters import ObservationFilter
from support.memory import LOCAL, Memory, application

EMBEDDER = E5Embeddings()


def test_a_question_is_nearest_to_its_answer_in_other_words_and_languages():
    texts = [
        "The landlord inspects the damp wall on Friday.",
        "We moved the database to a larger disk.",
        "Ana es alérgica a los cacahuetes.",
        "我们把会议改到了星期四。",
    ]
    vectors = EMBEDDER.embed(texts)
    asked = ["When does the owner look at the moisture?", "What can't Ana eat?", "Wann ist die Besprechung?"]
    found = [int(np.argmax(vectors @ EMBEDDER.embed_query(each))) for each in asked]
    assert found == [0, 2, 3]


def test_strangers_have_cosines_around_zero():
    vectors = EMBEDDER.embed(["The cat sleeps on the warm stove.", "Quarterly taxes are due in March."])
    assert abs(float(vectors[0] @ vectors[1])) < 0.3


def test_only_the_beginning_of_a_long_text_counts():
    text = "the river rises " * 400
    assert np.array_equal(*EMBEDDER.embed([text, text[:MOST_CHARACTERS] + " and a tax form"]))


def test_what_c_strings_cannot_hold_ends_no_text():
    whole, cut = EMBEDDER.embed(["river\0tax form", "river"])
    assert not np.allclose(whole, cut, atol=1e-3)


def test_a_process_that_is_forked_after_the_first_use_embeds_too():
    code = (
        "import os, sys; from strata.adapters.e5_embeddings import E5Embeddings as E;"
        "e = E(); e.embed(['a']); pid = os.fork();"
        "e.embed(['b']) if pid == 0 else sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, timeout=60)


def test_stored_vectors_find_and_a_search_embeds_its_query_and_a_few_new_memories_at_most(tmp_path):
    memory = Memory(application(tmp_path, EMBEDDER="e5"))
    texts = [
        "The landlord inspects the damp wall on Friday.",
        *(f"Batch {n} of jam is ready." for n in range(6)),
    ]
    ids = [memory.save(text, project="p").id for text in texts]
    searcher = memory.app.search.observations
    wanted = ObservationFilter(project="p")

    before = searcher.search(LOCAL, "When is the moisture looked at?", wanted, limit=3)
    memory.follow()
    after = searcher.search(LOCAL, "When is the moisture looked at?", wanted, limit=3)

    assert before.degraded
    assert not after.degraded
    assert after.hits[0].id == ids[0]
    assert memory.app.search.calibration is CALIBRATED[E5Embeddings.model]
    assert memory.app.models.comparing is memory.app.models.static_embeddings
