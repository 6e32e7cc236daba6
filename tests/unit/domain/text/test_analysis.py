import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.domain.text.analysis import MAX_TERMS, query_terms, searchable, stem, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Café au lait, STRASSE und Straße", ["cafe", "au", "lait", "strasse", "und", "strasse"]),
        ("don't split_snake v2.0", ["don", "t", "split", "snake", "v2", "0"]),
        ("\uff26\uff55\uff4c\uff4c", ["full"]),
        ("東京都に住む", ["東京", "京都", "都に", "に住", "住む"]),
        ("猫", ["猫"]),
        ("API設計とTest", ["api", "設計", "計と", "test"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("שלום עולם", ["שלום", "עולם"]),
        ("", []),
        ("\x00 🎉 …", ["party", "popper"]),
        ("done🚀🚀", ["done", "rocket", "rocket"]),
        ("👍🏽", ["thumbs", "up", "sign"]),
    ],
)
def test_any_script_becomes_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_a_thai_vowel_sign_stays_with_its_consonant() -> None:
    assert words("ที่นี่") == ["ที่นี่"]


def test_stop_words_are_left_out_of_a_query_unless_nothing_else_is_there() -> None:
    assert query_terms("What did Ann say about the river?") == ("ann", "say", "river")
    assert query_terms("who are you") == ("who", "are", "you")


def test_a_query_names_each_term_once_and_not_more_than_the_limit() -> None:
    assert query_terms("river River RIVER boat") == ("river", "boat")
    assert len(query_terms(" ".join(f"w{n}" for n in range(1000)))) == MAX_TERMS


def test_forms_of_a_word_share_a_stem() -> None:
    assert len({stem(word) for word in ("paint", "paints", "painted", "painting")}) == 1


def test_english_reaches_the_engine_unchanged() -> None:
    assert searchable("It's 5 o'clock, Ann!") == "It's 5 o'clock, Ann!"


@given(st.text())
def test_every_term_of_a_text_stands_in_its_searchable_form(text: str) -> None:
    assert set(words(text)) <= set(words_as_an_engine_reads(searchable(text)))


@given(st.text(alphabet=st.sampled_from("猫が好きで東京に住む"), min_size=1))
def test_every_character_of_an_unspaced_run_is_found_alone(run: str) -> None:
    engine = set(words_as_an_engine_reads(searchable(run)))
    for char in run:
        assert set(words(char)) <= engine


def words_as_an_engine_reads(text: str) -> list[str]:
    """Tokens of an analysed text: what spaces part, or what `words` makes of such a part."""
    parts = text.split()
    return parts + [word for part in parts for word in words(part)]


def test_a_stop_word_that_is_a_name_in_the_query_is_a_term() -> None:
    assert query_terms("What happened in May?") == ("happened", "may")
    assert query_terms("¿Qué pasó con Will?") == ("que", "paso", "con", "will")
    assert query_terms("Did Will's sister call?") == ("will", "sister", "call")


def test_a_stop_word_with_a_capital_elsewhere_is_none() -> None:
    assert query_terms("May we call the sister?") == ("call", "sister")
    assert query_terms("Fine. Will the sister call?") == ("fine", "sister", "call")
    assert query_terms("How Will The Sister Call") == ("sister", "call")
