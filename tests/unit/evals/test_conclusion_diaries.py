"""The diaries keep the rules of their format, and a file that breaks one is refused with the line."""

from collections import Counter

import pytest
from evals.conclusions.diaries import diary, read

HEAD = """person: Nora Feld
lang: en
p1 habit: waters the ferns | terms: fern, ferns
p2 topic: asks about bees | terms: bee
p3 tool: works with a lathe | terms: lathe
p4 time: swims at seven | terms: swim
p5 preference: prefers tea | terms: tea
c1 city | old: Leeds | new: York
c2 car | old: Polo; Golf | new: Jazz
c3 gym | old: Atlas | new: Forum
c4 diet | old: vegan | new: vegetarian
c5 phone | old: Pixel 7 | new: Fairphone 5
"""
LABELS = (
    *("c1-", "c2-", "c3-", "c4-", "c5-", "c2-", "c1+", "c2+", "c3+", "c4+", "c5+"),
    *("p1", "p2", "p3", "p4", "p5") * 4,
    "p1x",
    *("n",) * 13,
    "s",
)
WORDS = {
    **{"p1": "ferns", "p2": "Bees", "p3": "lathe", "p4": "swim", "p5": "tea"},
    **{"c1-": "Leeds", "c2-": "Polo or Golf", "c3-": "Atlas", "c4-": "Vegan", "c5-": "Pixel 7"},
    **{"c1+": "York", "c2+": "Jazz", "c3+": "Forum", "c4+": "vegetarian", "c5+": "Fairphone 5"},
}


def written() -> str:
    days = [f"2026-03-{day:02}" for day in range(1, 31)]
    lines: dict[str, list[str]] = {day: [] for day in days}
    for at, label in enumerate(LABELS):
        here = lines[days[at % 30]]
        here.append(f"{10 + len(here)}:00 {label} | {WORDS.get(label, 'so')} {at}\n")
    return HEAD + "".join(f"day {day}\n{''.join(lines[day])}" for day in days)


@pytest.fixture
def file(tmp_path):
    (tmp_path / "dev").mkdir()
    return tmp_path / "dev" / "en01.txt"


def test_a_diary_is_read(file):
    file.write_text(written(), encoding="utf-8")
    found = diary(file)
    assert (found.id, found.person, found.language) == ("en01", "Nora Feld", "en")
    assert found.patterns[0].terms == ("fern", "ferns")
    assert found.conflicts[1].old == ("Polo", "Golf")
    assert found.labelled("p1")[0].number == 47
    assert len(found.lines) == len(LABELS)


@pytest.mark.parametrize(
    ("was", "becomes", "line"),
    [
        ("lang: en", "lang: es", 2),
        ("p2 topic", "p3 topic", 4),
        ("p2 topic", "p2 theme", 4),
        ("terms: tea", "terms: tea, coffee", 7),
        ("terms: tea", "terms: tea, Tea", 7),
        ("old: vegan | new: vegetarian", "old: vegan | new: Vegan", 11),
        ("new: York", "new: Bath", 32),
        ("10:00 p4 | swim 29", "13:00 p4 | swim 29", 6),
        ("old: Polo; Golf", "old: Polo", 9),
        ("day 2026-03-02", "day 2026-03-01", 16),
        ("day 2026-03-02", "day 2026-02-30", 16),
        ("10:00 p2 |", "10.00 p2 |", 50),
        ("10:00 p2 |", "25:00 p2 |", 50),
        ("10:00 p2 |", "10:00 p7 |", 50),
        ("10:00 p2 |", "10:00 c1+ |", 8),
        ("10:00 p1 |", "10:00 p1x |", 47),
        ("11:00 n |", "10:00 n |", 21),
    ],
)
def test_a_broken_rule_is_refused_with_its_line(file, was, becomes, line):
    text = written()
    assert was in text
    file.write_text(text.replace(was, becomes, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=rf"en01\.txt:{line}: "):
        diary(file)


def test_a_file_of_another_part_is_refused(file):
    other = file.with_name("en21.txt")
    other.write_text(written(), encoding="utf-8")
    with pytest.raises(ValueError, match="belongs to another part"):
        diary(other)


@pytest.mark.parametrize(("part", "each"), [("dev", 20), ("kept", 10)])
def test_the_diaries_are_as_many_and_as_full_as_the_guide_says(part, each):
    """Totals only: what the kept diaries say is never printed."""
    diaries = read(part)
    assert Counter(diary.language for diary in diaries) == {"en": each, "es": each}
    labels = Counter(line.label for diary in diaries for line in diary.lines)
    assert sum(len(diary.patterns) for diary in diaries) == 10 * each
    assert sum(len(diary.conflicts) for diary in diaries) == 10 * each
    assert labels["n"] >= 33 * each
    assert labels["c1+"] == labels["c5+"] == 2 * each
