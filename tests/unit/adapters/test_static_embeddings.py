from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.adapters.static_embeddings import StaticEmbeddings

EMBEDDINGS = StaticEmbeddings()


@given(st.lists(st.text(), max_size=4))
@settings(max_examples=50)
def test_every_text_becomes_a_unit_vector_or_zeros(texts: list[str]) -> None:
    vectors = EMBEDDINGS.embed(texts)
    assert vectors.shape == (len(texts), EMBEDDINGS.dimensions)
    assert vectors.dtype == np.float32
    norms = np.linalg.norm(vectors, axis=1)
    assert np.all((norms == 0) | np.isclose(norms, 1, atol=1e-5))


def test_a_text_without_words_is_all_zeros() -> None:
    assert not EMBEDDINGS.embed(["", "…!?"]).any()


def test_a_text_does_not_depend_on_what_it_is_embedded_with() -> None:
    alone = EMBEDDINGS.embed(["we painted the fence"])[0]
    assert np.array_equal(EMBEDDINGS.embed(["other", "we painted the fence"])[1], alone)


def test_texts_of_one_subject_are_nearer_than_others() -> None:
    query, near, far = EMBEDDINGS.embed(
        ["a trip on the river", "they went boating on a lake", "the tax form is late"]
    )
    assert query @ near > query @ far + 0.1


def test_stop_words_leave_a_vector_as_it_is_but_are_better_than_nothing() -> None:
    with_stop_words, without, only = EMBEDDINGS.embed(["it was the river", "river", "it was the"])
    assert np.allclose(with_stop_words, without, atol=1e-6)
    assert only.any()


def test_words_that_mean_nearly_the_same_are_near() -> None:
    car, automobile, carrot = EMBEDDINGS.word_vectors(["car", "automobile", "carrot"])
    assert car @ automobile > car @ carrot


def test_rare_words_weigh_more_and_every_weight_is_above_0() -> None:
    weights = EMBEDDINGS.rarity(["time", "archaeology", "", "…", "猫"])
    assert weights[1] > weights[0]
    assert (weights > 0).all()


def test_words_come_back_right_when_the_memory_for_them_is_full() -> None:
    small = StaticEmbeddings(cached_words=4)
    words = ["river", "boat", "green", "car", "tax", "form", "lake"]
    for part in (words[:3], words[2:5], words, words[::-1]):
        assert np.array_equal(small.word_vectors(part), EMBEDDINGS.word_vectors(part))


def test_threads_get_the_same_vectors_as_one_alone() -> None:
    shared = StaticEmbeddings(cached_words=50)
    texts = [f"word{number} river {number * 7} boat" for number in range(60)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: shared.embed([text])[0], texts))
    assert np.array_equal(np.array(found), EMBEDDINGS.embed(texts))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="install 'wordllama' again"):
        StaticEmbeddings(tmp_path)
