"""The control of conclusions: people who change half of their values."""

from evals.conclusions.examples import sighting
from evals.conclusions.linking import CHANGED, TOLD, people, rows, steady
from evals.conclusions.stated import parts


def test_people_tell_ten_attributes_and_change_five_of_them():
    english, *_ = parts()
    first, second = people(english, sighting, 2, seed=1)
    assert first != second
    for told in (first, second):
        about = [attribute.split()[0] for _, attribute in told]
        assert len(set(about[:TOLD])) == TOLD
        assert about[TOLD:] == about[:CHANGED]
        assert [each.at for each, _ in told] == list(range(TOLD + CHANGED))
    assert [first, second] == list(people(english, sighting, 2, seed=1))


def test_each_newer_value_has_one_older_one_whose_place_it_takes():
    english, *_ = parts()
    for told in people(english, sighting, 2, seed=1):
        assert sum(right for _, right in rows(told)) <= CHANGED
        assert not any(right for _, right in rows(told[:TOLD]))


def test_what_stands_is_counted():
    english, *_ = parts()
    told = list(people(english, sighting, 2, seed=1))
    lines = steady(told).splitlines()
    assert [line.rsplit("of", 1)[1] for line in lines] == [" 10)"] * 3
