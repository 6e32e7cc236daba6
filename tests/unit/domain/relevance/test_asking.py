import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.domain.relevance.asking import asks_something, read, telling_words


@pytest.mark.parametrize(
    "message",
    [
        *(
            "ok",
            "thanks!",
            "go on",
            "2+2?",
            "👍",
            "🎉 great, thank you so much!",
            "Good morning, how are you?",
        ),
        *("Thanks, Melanie!", "hi Ann", "haha ok", "what?", ""),
        *("vale, gracias", "¿qué tal?", "Buenos días", "sí, por favor"),
        *("Guten Tag!", "ja, mach weiter", "Danke, Herr Meier"),
        *("你好", "好的 谢谢", "继续", "嗯嗯"),
        *("the weather is lovely, back in a few", "translate that into Spanish", "how old are you?"),
        *("what is 250 minus 75", "bórralo ya", "korrigier die Rechtschreibung", "把它翻译成英文"),
    ],
)
def test_small_talk_asks_nothing(message):
    assert telling_words(message) == frozenset()


@pytest.mark.parametrize(
    ("message", "word"),
    [
        ("how do we deploy?", "deploy"),
        ("WAL", "wal"),
        ("issue 4711", "4711"),
        ("🚀", "rocket"),
        ("Where does Melanie live?", "melanie"),
        ("what did they say about the war?", "war"),
        ("her hat", "hat"),
        ("¿dónde guardamos las copias?", "copias"),
        ("Wie lange behalten wir die Sicherungen?", "sicherungen"),
        ("thanks, now restart the indexer", "indexer"),
        ("银行的会议地址", "银行"),
        ("what does the dog eat?", "dog"),
        ("remind me about the meeting", "meeting"),
        ("the dog of Melanie", "dog"),
        ("4711", "4711"),
        ("my wife's birthday", "wife"),
        ("我女儿的生日", "女儿"),
        ("where do I work?", "work"),
        ("let's work on the importer again", "importer"),
    ],
)
def test_what_names_a_subject_asks_for_it(message, word):
    assert word in telling_words(message)


def test_words_that_german_and_english_share_go_by_the_rest_of_the_message():
    assert asks_something("the die and the bin")
    assert not asks_something("wer war das, und wer hat es?")


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_is_read_and_its_words_are_its_own(one, other):
    assert all(word for word in telling_words(one))
    assert asks_something(one + " kubernetes " + other)


@pytest.mark.parametrize("message", ["job", "work", "time", "next step", "Arbeit", "trabajo", "时间", "问题"])
def test_common_words_alone_may_be_a_search(message):
    assert read(message).bare
    assert asks_something(message)


@pytest.mark.parametrize("message", ["ok", "thanks", "the job", "my next step is here", "Guten Tag"])
def test_what_says_more_or_less_than_common_words_is_none(message):
    assert not read(message).bare
