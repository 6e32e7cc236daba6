"""The words around a name decide its type, whatever type the weights give it."""

import re
from typing import Any

import pytest

from strata.domain.entities.animals import hints_at_pet
from strata.domain.entities.name_lists import brands, first_names
from strata.domain.entities.reading import Word, words
from strata.domain.entities.tags import OUTSIDE, spans_of
from strata.domain.entities.telling import told


class Reading(list[Word]):
    """Words that count how many of them are read."""

    read = 0

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        self.read += len(found) if isinstance(at, slice) else 1
        return found


def marked(text: str) -> tuple[list[Word], int, int]:
    """The words of a text, and the first and last one of the name in brackets."""
    start, end = text.index("["), text.index("]") - 1
    read = words(re.sub(r"[\[\]]", "", text))
    inside = [at for at, word in enumerate(read) if start <= word.start < end]
    return read, inside[0], inside[-1]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("We stayed in [Orlwick], a sleepy little town in the hills.", ("place", "town")),
        ("[Orlwick] is a lovely village near the coast", ("place", "town")),
        ("They grew up in the village of [Orlwick].", ("place", "town")),
        ("I miss my hometown, [Orlwick]", ("place", "town")),
        ("Nos mudamos a [Valdeorna], un pueblo de la sierra", ("place", "town")),
        ("She drove to [Brackenhaven] on Friday", ("place", "")),
        ("The studio has [Corvel] flooring", ("organization", "brand")),
        ("He plays a [Corvel] guitar", ("organization", "brand")),
        ("They work with brands like [Corvel]", ("organization", "brand")),
        ("Me compré unas zapatillas [Corvel]", ("organization", "brand")),
        ("We drank [Powerade] after the match", ("organization", "")),
        ("Tengo un puesto en [Black & Decker]", ("organization", "")),
        ("The teddy bear from you is here. I named him [Bruno].", ("thing", "toy")),
        ("Mi peluche [Bruno] duerme conmigo", ("thing", "toy")),
        ("We got a kitten! Her name's [Nala].", ("thing", "pet")),
        ("Tenemos un gato nuevo. Lo llamamos [Simba].", ("thing", "pet")),
    ],
)
def test_what_a_text_tells_plainly_is_the_type_of_a_name(text, kind):
    assert told(*marked(text), "person") == kind


@pytest.mark.parametrize(
    "text",
    [
        "[Anna], a small town girl, called",
        "[Anna] is the town mayor",
        "In [Anna]'s town it rains",
        "El pueblo de [Breogan] tiene museo",
        "I bought [Ruth] shoes",
        "[Corvel]'s guitar is out of tune",
        "The band has [Tom] boots and all",
        "My sister had a baby and has a dog. She named her [Tilda].",
        "I met a man with a dog. His name is [Tom].",
        "I drove to [Clifton]'s place",
        "Thanks, [Carlton]",
        "[Corvel] boots his laptop every morning",
        "[Grace] carpet is soft",
        "The brand [Elena] works for is known",
        "No company is like [Marcos] said",
        "[Zoraya], una chica de pueblo, vino",
        "[Zoraya], a girl from town, called",
        "Dr. [Toyota] called",
        "I met [Braun] and she laughed",
        "Me ha escrito [Ibáñez]",
        "[Fred Perry] came to dinner",
        "[Wendy]'s house",
    ],
)
def test_somebody_stays_a_person(text):
    assert told(*marked(text), "person") == ("person", "")


def test_the_names_of_brands_are_nobodys():
    assert len(brands()) > 500
    assert brands().isdisjoint(first_names())
    assert brands().isdisjoint(
        ["braun", "bosch", "ferrari", "honda", "ibanez", "carbonell", "o'neill", "evian"]
    )


def test_every_brand_of_the_list_is_told():
    for brand in brands():
        assert told(*marked(f"At [{brand.title()}]"), "person") == ("organization", ""), brand


@pytest.mark.parametrize(
    "text",
    [
        "I keep thinking about [Rufus]. Losing a pet is so hard.",
        "You and [Rufus] looked happy. Pets make everything better!",
        "He took [Rufus] for a walk",
        "We said goodbye to [Rufus]. I miss him wagging his tail.",
        "[Rufus] barked all night",
        "[Rufus]'s leash broke",
        "Llevamos a [Rufus] al veterinario",
    ],
)
def test_some_words_hint_at_a_pet(text):
    read, at, _ = marked(text)
    assert hints_at_pet(read, at)


@pytest.mark.parametrize(
    "text",
    [
        "Thanks, [Laura]! Pets make everything better.",
        "Good point [Laura]. Pets are the best.",
        "Hey [Laura], losing a pet is hard",
        "[Laura] has a dog. Dogs are the best.",
        "I met [Laura] and her cat. Pets are the best.",
        "[Laura] walked home",
        "[Laura]'s dog wags its tail",
        "I had lunch with [Laura]. My pets were asleep.",
    ],
)
def test_talk_of_animals_beside_somebody_hints_at_nothing(text):
    read, at, _ = marked(text)
    assert not hints_at_pet(read, at)


def test_a_long_sentence_is_not_read_for_each_of_its_names():
    read = Reading(words("we saw Max and his name is Anna " * 500))
    for at, word in enumerate(read):
        if word.capital:
            told(read, at, at, "person")
            hints_at_pet(read, at)
    assert read.read < 300 * len(read)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The [person sturdy] table came. Ask [person Marek].", ["Marek"]),
        ("my cousin [person ruben] lives in [place oslo]", ["ruben", "oslo"]),
        ("I met my cousin [person ruben] in [place leeds]", ["ruben", "leeds"]),
        ("Hi! [person Where're] you going?", []),
        ("[person Tough] week. [person Grace] called.", ["Grace"]),
        ("We need [thing ladders] and [thing spotify]", ["spotify"]),
    ],
)
def test_plain_words_are_no_names_where_names_have_capitals(text, names):
    plain = re.sub(r"\[\w+ ([^]]+)\]", r"\1", text)
    types = {mark[2]: mark[1] for mark in re.finditer(r"\[(\w+) ([^]]+)\]", text)}
    read = words(plain)
    tags = [f"B-{types[word.text]}" if word.text in types else OUTSIDE for word in read]
    found = spans_of(read, tags, [0.9] * len(read))
    assert [plain[each.start : each.end] for each in found] == names
