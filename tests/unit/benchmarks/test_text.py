"""The benchmarks' invented memories have the shape that the figures are stated for."""

from collections import Counter

from benchmarks.text import SESSION, Writer


def test_a_seed_stands_for_its_memories():
    assert Writer(1).observations("p", 5) == Writer(1).observations("p", 5)
    assert Writer(1).observations("p", 5) != Writer(2).observations("p", 5)


def test_a_memory_has_25_to_40_words():
    writer = Writer(1)
    lengths = {len(writer.memory().split()) for _ in range(200)}
    assert min(lengths) >= 25
    assert max(lengths) <= 40


def test_sessions_are_of_one_size_and_every_other_one_is_a_talk_of_two():
    observations = Writer(1).observations("p", 4 * SESSION)
    sessions = Counter(each["session_id"] for each in observations)
    assert set(sessions.values()) == {SESSION}
    titles = [len({each["title"] for each in observations[n : n + SESSION]}) for n in (0, SESSION)]
    assert titles[0] == 2
    assert titles[1] > SESSION // 2


def test_questions_are_distinct():
    assert len(set(Writer(1).questions(500))) == 500


def test_few_words_are_frequent_and_most_are_rare():
    writer = Writer(3)
    words = Counter(word for _ in range(500) for word in writer.memory().split())
    counts = sorted(words.values(), reverse=True)
    assert sum(counts[: len(counts) // 10]) > sum(counts[len(counts) // 10 :])
