"""Questions about what one asks of a person first, and the statements that tell it."""

import pytest

from strata.domain.relevance.personal import asked_for, names_somebody, reworded, told_by
from strata.domain.relevance.personal_forms import Aspect

ASKED = [
    ("What is her job?", Aspect.ROLE),
    ("What's his profession?", Aspect.ROLE),
    ("What does she do?", Aspect.ROLE),
    ("What does Ann do for a living?", Aspect.ROLE),
    ("What do I do for work?", Aspect.ROLE),
    ("What's the user's occupation?", Aspect.ROLE),
    ("What kind of work does she do?", Aspect.ROLE),
    ("¿En qué trabaja?", Aspect.ROLE),
    ("¿A qué se dedica?", Aspect.ROLE),
    ("¿Cuál es su profesión?", Aspect.ROLE),
    ("¿A qué se dedica Ann?", Aspect.ROLE),
    ("¿De qué trabaja el usuario?", Aspect.ROLE),
    ("¿Qué trabajo tiene?", Aspect.ROLE),
    ("Where does she live?", Aspect.HOME),
    ("Where do I live?", Aspect.HOME),
    ("Where is the user based?", Aspect.HOME),
    ("Which city does she live in?", Aspect.HOME),
    ("In what town does he live?", Aspect.HOME),
    ("¿Dónde vive?", Aspect.HOME),
    ("¿En qué ciudad vive?", Aspect.HOME),
    ("¿Dónde vive Ann?", Aspect.HOME),
    ("¿Dónde vivo?", Aspect.HOME),
    ("donde vive ella", Aspect.HOME),
    ("Where is she from?", Aspect.ORIGIN),
    ("Where does he come from?", Aspect.ORIGIN),
    ("¿De dónde es?", Aspect.ORIGIN),
    ("Where was she born?", Aspect.ORIGIN),
    ("Where does she work?", Aspect.WORKPLACE),
    ("Who does she work for?", Aspect.WORKPLACE),
    ("¿Dónde trabaja?", Aspect.WORKPLACE),
    ("¿Para quién trabaja?", Aspect.WORKPLACE),
    ("What is the user's name?", Aspect.NAME),
    ("What's her name?", Aspect.NAME),
    ("What is she called?", Aspect.NAME),
    ("¿Cómo se llama?", Aspect.NAME),
    ("¿Cuál es su nombre?", Aspect.NAME),
    ("What's my name?", Aspect.NAME),
    ("¿Cómo me llamo?", Aspect.NAME),
    ("Who is the user?", Aspect.NAME),
    ("What does she like to do?", Aspect.LIKES),
    ("What does she like?", Aspect.LIKES),
    ("What are her hobbies?", Aspect.LIKES),
    ("What are his interests?", Aspect.LIKES),
    ("What does Ann enjoy?", Aspect.LIKES),
    ("¿Qué le gusta?", Aspect.LIKES),
    ("¿Qué le gusta hacer?", Aspect.LIKES),
    ("¿Cuáles son sus aficiones?", Aspect.LIKES),
    ("What does she dislike?", Aspect.DISLIKES),
    ("What doesn't he like?", Aspect.DISLIKES),
    ("What does she avoid?", Aspect.DISLIKES),
    ("What can't she eat?", Aspect.DISLIKES),
    ("Is she allergic to anything?", Aspect.DISLIKES),
    ("¿Qué no le gusta?", Aspect.DISLIKES),
    ("¿Qué odia?", Aspect.DISLIKES),
    ("¿Qué no come?", Aspect.DISLIKES),
]
OTHERS = [
    "What is her sister's name?",
    "Where does her brother live?",
    "What is the name of her dog?",
    "Where does Tom live?",
    "What does her job pay?",
    "Which tea does she like?",
    "Where does she like bouldering?",
    "What is her favourite food?",
    "Where did she live in 2019?",
    "What does she do on Sundays?",
    "¿Dónde vive su hermana?",
    "¿Cómo se llama su perro?",
    "¿En qué trabaja su marido?",
    "¿Qué le gusta comer?",
    "What is the job queue called?",
    "Where does the kitten live?",
    "Who is her dentist?",
    "What is called every night?",
    "Does she like olives?",
    "¿Cómo se llama la tabla?",
    # of the assistant
    "Who are you?",
    "What is your name?",
    "What's your job?",
    "What do you do?",
    "Where do you live?",
    "Where are you from?",
    "What do you like?",
    "What should I call you?",
    "What can't you eat?",
    "¿Cómo te llamas?",
    "¿Quién eres?",
    "¿Cuál es tu nombre?",
    "¿Dónde vives?",
    "¿Dónde vive usted?",
    "¿Cómo se llama usted?",
    "¿A qué te dedicas?",
    "¿Qué te gusta?",
    "¿Qué prefieres?",
    "¿Cuáles son tus aficiones?",
    # of several others
    "Who are they?",
    "Where do they live?",
    "What are their names?",
    "What are their hobbies?",
]
STATEMENTS = [
    ("Works as architect", "role", {Aspect.ROLE}),
    ("Works at a hospice", "role", {Aspect.ROLE, Aspect.WORKPLACE}),
    ("Trabaja de enfermera en un hospital", "role", {Aspect.ROLE, Aspect.WORKPLACE}),
    ("Works in Leeds", "place", {Aspect.WORKPLACE}),
    ("Lives in Hull", "place", {Aspect.HOME}),
    ("Vive en Gijón", "place", {Aspect.HOME}),
    ("Comes from Cork", "place", {Aspect.ORIGIN}),
    ("Likes surfing", "preference", {Aspect.LIKES}),
    ("No le gusta el ruido", "dislike", {Aspect.DISLIKES}),
    ("Is called Ana", "name", {Aspect.NAME}),
    ("She likes tea and lives in Hull", "", {Aspect.LIKES, Aspect.HOME}),
    ('Says: "I live in Hull"', "explicit", {Aspect.HOME}),
    ("Dice: «Vivo en Gijón»", "explicit", {Aspect.HOME}),
    ("Wants in every answer: metric units", "preference", set()),
    ("Wants in no answer: emojis", "dislike", set()),
    ("Uses Emacs", "preference", set()),
    ("Goes to a dentist in Leeds", "place", set()),
    ("14 March: birthday", "date", set()),
]


@pytest.mark.parametrize(("question", "aspect"), ASKED)
def test_a_question_about_the_person_is_told_by_what_it_asks_for(question: str, aspect: Aspect) -> None:
    assert asked_for(question, ["ann"]) is aspect


@pytest.mark.parametrize("question", OTHERS)
def test_a_question_about_somebody_or_something_else_is_none(question: str) -> None:
    assert asked_for(question, ["ann"]) is None


def test_only_the_names_of_the_person_are_theirs() -> None:
    assert asked_for("Where does Marta live?", ["u-17", "Marta Ruiz"]) is Aspect.HOME
    assert asked_for("¿Dónde vive Marta?", ["u-17", "Ana"]) is None


@pytest.mark.parametrize(("text", "category", "aspects"), STATEMENTS)
def test_a_statement_tells_what_its_words_or_its_category_say(
    text: str, category: str, aspects: set[Aspect]
) -> None:
    assert told_by(text, category) == aspects


@pytest.mark.parametrize("text", ["My name is Ana", "me llamo Ana", "She is called Ana", "I'm Ana Pastor."])
def test_a_text_that_names_somebody(text: str) -> None:
    assert names_somebody(text)


def test_a_text_that_speaks_of_names_names_nobody() -> None:
    assert not names_somebody("Asked the user about a file without extension")


def test_to_do_something_for_a_living_is_no_place_to_live() -> None:
    assert "living" not in reworded("What does she do for a living?")
