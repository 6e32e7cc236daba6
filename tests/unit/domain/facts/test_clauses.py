"""Clauses that follow a list without their subject, and lists whose items look like verbs."""

import pytest

from strata.domain.facts.patterns.finder import extract

TOLD = [
    # what follows "and" says something else of the speaker
    ("I love cheese and hate blue cheese.", [("preference", "cheese"), ("dislike", "blue cheese")]),
    ("I hate beetroot and adore radishes.", [("dislike", "beetroot"), ("preference", "radishes")]),
    ("I like cats and live in Cork.", [("preference", "cats"), ("place", "Cork")]),
    ("I love baking and run a small bakery.", [("preference", "baking"), ("role", "run a small bakery")]),
    ("I like sushi but can't stand wasabi.", [("preference", "sushi"), ("dislike", "wasabi")]),
    ("I like jazz and prefer vinyl.", [("preference", "jazz"), ("preference", "vinyl")]),
    ("I love skiing a lot, and hate olives.", [("preference", "skiing"), ("dislike", "olives")]),
    ("I'm allergic to nuts and live in Leeds.", [("dislike", "nuts"), ("place", "Leeds")]),
    ("I'm a nurse and love opera.", [("role", "nurse"), ("preference", "opera")]),
    (
        "I like tea, coffee and hate fizzy drinks.",
        [("preference", "tea"), ("preference", "coffee"), ("dislike", "fizzy drinks")],
    ),
    (
        "I love tea, hate coffee and live in Cork.",
        [("preference", "tea"), ("dislike", "coffee"), ("place", "Cork")],
    ),
    ("Me gusta el cine y detesto el teatro.", [("preference", "cine"), ("dislike", "teatro")]),
    ("Me gusta el cine e intento evitar el teatro.", [("preference", "cine"), ("dislike", "teatro")]),
    ("No me gusta el ruido y evito los bares.", [("dislike", "ruido"), ("dislike", "bares")]),
    ("Adoro los gatos y vivo en Vigo.", [("preference", "gatos"), ("place", "Vigo")]),
    (
        "Odio madrugar y prefiero el turno de tarde.",
        [("dislike", "madrugar"), ("preference", "turno de tarde")],
    ),
    ("Me gusta leer y trabajo de bibliotecaria.", [("preference", "leer"), ("role", "bibliotecaria")]),
    # or something that is no fact
    ("I enjoy chess and play every Sunday.", [("preference", "chess")]),
    ("I prefer trains and seldom fly.", [("preference", "trains")]),
    ("I love opera and often go to the Liceu.", [("preference", "opera")]),
    ("I like to cook and hate to clean.", [("preference", "cook")]),
    ("Me encanta nadar y nado cada mañana.", [("preference", "nadar")]),
    ("Me gusta el ajedrez y juego los jueves.", [("preference", "ajedrez")]),
    ("Me encanta el senderismo y suelo ir a la sierra.", [("preference", "senderismo")]),
    ("Me gusta la pintura y casi siempre pinto paisajes.", [("preference", "pintura")]),
    ("I love chess and work for the NHS.", [("preference", "chess"), ("role", "NHS")]),
    ("I love tea and hate people who are late.", [("preference", "tea"), ("dislike", "people")]),
    (
        "I love pasta and hate olives, can you help?",
        [("preference", "pasta"), ("dislike", "olives")],
    ),
    # or another subject, whose name begins as a verb does
    ("I love jazz, and hate speech is a problem.", [("preference", "jazz")]),
    ("I love jazz, and hate groups worry me.", [("preference", "jazz")]),
    ("I love films, but love stories bore me.", [("preference", "films")]),
    ("I love letters, but hate mail is awful.", [("preference", "letters")]),
    ("I work at Acme, and love island is on tonight.", [("role", "Acme")]),
    ("I love cooking, but dislike buttons are broken.", [("preference", "cooking")]),
    ("I like tea and work at the office is dull.", [("preference", "tea")]),
    # or a signature, a question, a place that is no employer
    ("I love pizza, love Ann", [("preference", "pizza")]),
    ("I love jazz - love Ann", [("preference", "jazz")]),
    ("I love pasta, and enjoy cooking shows?", [("preference", "pasta")]),
    ("I love chess and work in the garden.", [("preference", "chess")]),
    # words that are things here
    ("I like tea and study groups.", [("preference", "tea"), ("preference", "study groups")]),
    ("I dislike gossip and hate speech.", [("dislike", "gossip")]),
    ("I love wine and kimono fabrics.", [("preference", "wine"), ("preference", "kimono fabrics")]),
    ("I like hiking boots and work boots.", [("preference", "hiking boots"), ("preference", "work boots")]),
    ("I like festivals and live music.", [("preference", "festivals"), ("preference", "live music")]),
    ("I like love songs and love stories.", [("preference", "love songs"), ("preference", "love stories")]),
    ("I enjoy theatre and dance.", [("preference", "theatre"), ("preference", "dance")]),
    ("Me gusta el vino y el kimono.", [("preference", "vino"), ("preference", "kimono")]),
    ("Me gusta el queso y vino de Rioja.", [("preference", "queso"), ("preference", "vino de Rioja")]),
    ("Me encantan el baile y el juego.", [("preference", "baile"), ("preference", "juego")]),
    # denied as a whole, and no more
    ("I like neither football nor rugby.", [("dislike", "football"), ("dislike", "rugby")]),
    ("No me gusta ni el té ni el café.", [("dislike", "té"), ("dislike", "café")]),
    ("I don't eat meat any more.", [("dislike", "meat")]),
    ("Ya no bebo leche.", [("dislike", "leche")]),
]

NOT_THEIRS = [
    "If I hate olives and love cheese, what should I cook?",
    "My sister loves tea and hates coffee.",
    "My parents love tea and hate coffee.",
    "I know people who love tea and hate coffee.",
    "Do I love skiing and hate running?",
    "He says I love tea and hate coffee.",
    "¿Y si odio el té y adoro el café?",
    "Mi hermano adora el té y odia el café.",
    "Neither tea nor coffee helps me sleep.",
    "The critics love the film and hate the book.",
]


@pytest.mark.parametrize(("turn", "facts"), TOLD)
def test_a_clause_after_a_list_is_read_for_itself(turn: str, facts: list[tuple[str, str]]) -> None:
    assert extract(turn) == facts


@pytest.mark.parametrize("turn", NOT_THEIRS)
def test_a_clause_without_subject_is_not_of_the_speaker_where_the_clause_before_is_not(turn: str) -> None:
    assert extract(turn) == []


def test_an_order_passes_no_subject_on() -> None:
    assert extract("Always answer in Welsh and use metric units.") == [("contact_language", "Welsh")]
    assert ("dislike", "golf") not in extract("I love people who play tennis and hate golf.")
