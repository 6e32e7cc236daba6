"""Groups of messages that become conclusions."""

from collections.abc import Sequence

from strata.adapters.knowledge.statements import read_messages
from strata.domain.knowledge.induction import conclude
from strata.domain.knowledge.patterns import FEWEST, MOST, Message, messages
from strata.domain.knowledge.statements import Proposal, Said

_DAY = 86_400_000_000
_RIVER = (
    "How cold is the river at Henley in May",
    "Is a tow float needed for open water",
    "Back from the river and my hands are numb",
    "Which wetsuit thickness for the river",
)


def _history(*texts: str, filler: int = FEWEST) -> list[Said]:
    said = [*texts, *(f"What does the word zyx{number} mean" for number in range(filler))]
    return [Said(text, day * _DAY, f"s{day}", 0) for day, text in enumerate(said)]


def _concluded(said: Sequence[Said], *groups: tuple[int, ...]) -> list[Proposal]:
    return [each for each in conclude(read_messages(said), lambda _: [*groups]) if each.type == "inductive"]


def test_a_group_is_a_conclusion_that_names_what_it_shares_and_quotes_all_of_it():
    (found,) = _concluded(_history(*_RIVER), (0, 1, 2, 3))
    assert found.subject == "mentions:river"
    assert found.text.startswith("Keeps coming back to river, ")
    assert all(each.quote in said for each, said in zip(found.support, _RIVER, strict=True))
    assert found.confidence == round(5 / 6, 3)


def test_groups_that_share_their_word_are_one_conclusion():
    more = ("The river was high", "Any river swims near Bath", "My river shoes are torn")
    (found,) = _concluded(_history(*_RIVER, *more), (0, 2, 3), (4, 5, 6))
    assert len(found.support) == 6


def test_what_speaks_against_counts_and_ends_a_pattern():
    against = "I never go to the river these days"
    (alone,) = _concluded(_history(*_RIVER), (0, 2, 3))
    (doubted,) = _concluded(_history(*_RIVER, against), (0, 2, 3))
    assert doubted.confidence < alone.confidence
    assert [each.quote for each in doubted.against] == [against]
    assert not _concluded(_history(*_RIVER, against, against + " either"), (0, 2, 3))


def test_a_group_of_two_days_is_none():
    said = [Said(text, min(day, 1) * _DAY + day, f"s{min(day, 1)}", 0) for day, text in enumerate(_RIVER)]
    rest = [Said(each.text, each.at + 9 * _DAY, f"r{each.source}", 0) for each in _history()]
    assert not _concluded([*said, *rest], (0, 1, 2, 3))


def test_few_messages_are_read_by_words_alone():
    def never(_: Sequence[Message]) -> list[tuple[int, ...]]:
        raise AssertionError

    found = conclude(read_messages(_history(*_RIVER, filler=10)), never)
    assert [each.text for each in found] == ["Often mentions river (3 days)"]


def test_the_newest_messages_are_compared():
    said = _history(filler=MOST + 9)
    found = messages(read_messages(said))
    assert (len(found), found[-1].at) == (MOST, said[-1].at)
    assert found[0].at == said[9].at


def test_what_only_addresses_somebody_is_no_message():
    assert not messages(read_messages([Said("Thanks, Clara!", 0, "s", 0)]))
