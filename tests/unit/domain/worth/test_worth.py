"""Conversations that are worth an episode."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.domain.wire.messages import Message
from strata.domain.worth import KEPT_FROM, judge

ANSWER = "Here is what I found about it."


def said(*texts: str) -> list[Message]:
    """User and assistant in turn; a text that begins with `tool:` is a tool's."""
    messages, user = [], True
    for text in texts:
        if text.startswith("tool:"):
            messages.append(Message(role="tool", content=text.removeprefix("tool:")))
            continue
        messages.append(Message(role="user" if user else "assistant", content=text))
        user = not user
    return messages


CORRECTIONS = [
    "No, that's not right.",
    "No, it's on Tuesday.",
    "No. It's port 8080.",
    "Nope, the flight leaves at nine.",
    "That's wrong, the capital is Canberra.",
    "That isn't what I asked.",
    "You're mistaken, it was 2019.",
    "You misunderstood, the second file.",
    "You got the date wrong.",
    "I meant the staging cluster.",
    "Sorry, I meant the blue one",
    "Actually, it's spelled with a k.",
    "I said Tuesday, not Thursday.",
    "I asked for a list instead of a table.",
    "My name is spelled Ann, not Anne.",
    "It should be 15 rather than 50.",
    "No, es el lunes.",
    "No, eso está mal.",
    "Eso no es correcto.",
    "Te equivocas, fue en 2019.",
    "Quise decir el segundo archivo.",
    "Me refería al otro servidor.",
    "En realidad es a las nueve.",
    "Dije martes, no jueves.",
    "Hmm no, it's the other branch.",
    "Nah, it's the second option",
    "Your answer is wrong.",
    "Wrong file",
    "That's not my email address.",
    "You forgot the second part.",
    "I said 10, you wrote 12.",
    "Not the red one, the blue one.",
    "I was asking about Java, not JavaScript.",
    "No quise decir eso.",
]
PREFERENCES = [
    "I prefer dark mode.",
    "I'd prefer short answers, please",
    "Thanks, but I prefer metric units.",
    "I really hate long emails.",
    "I don't like it when you use emojis.",
    "I love spicy food, find me a restaurant.",
    "Always answer in Spanish.",
    "Please never use semicolons.",
    "From now on, write the tests first.",
    "My favourite editor is Helix.",
    "Call me Bea.",
    "Remember that I leave at five.",
    "Can you remember that my meetings are in the morning",
    "Stop apologising so much.",
    "Prefiero el té.",
    "No me gusta el café frío",
    "Siempre responde en castellano.",
    "De ahora en adelante, sin emojis.",
    "Mi color favorito es el verde.",
    "Recuerda que salgo a las cinco.",
    "Please use tabs instead of spaces in all my files",
    "Don't ever call me Mr. Smith",
    "I'd rather you were brief.",
    "I'm more of a tea person.",
    "I usually get up at six.",
    "No uses emojis nunca.",
    "Me gustaría que siempre hables de tú.",
]
FACTS = [
    "My name is Ann.",
    "I live in Lisbon.",
    "I work for a bank.",
    "I'm allergic to peanuts.",
    "My wife's name is Eva.",
    "My birthday is on the third of May.",
    "Me llamo Lucía.",
    "Vivo en Sevilla.",
    "Soy alérgica a las nueces.",
    "I can't eat gluten.",
    "I'm a software engineer at a bank.",
    "We use Python 3.12 at work.",
    "Soy ingeniera.",
]
DECISIONS = [
    "Let's go with Postgres.",
    "We decided to drop the old API.",
    "OK, we'll stick with SQLite",
    "Decision: ship on Monday.",
    "Vamos con la segunda opción.",
    "Hemos decidido esperar.",
]
OUTCOMES = [
    "Done.",
    "Done: the table is reserved for eight.",
    "I've deployed version 2 to production.",
    "I fixed the import and all tests pass.",
    "I have booked your flight for Friday.",
    "Your appointment has been cancelled.",
    "All 214 tests pass now.",
    "The migration failed because the disk is full.",
    "I couldn't install the package: the index is unreachable.",
    "The service is now running on port 80.",
    "Listo, la mesa está reservada.",
    "He corregido el error y desplegado la versión.",
    "Ya está instalado.",
    "Todas las pruebas pasan.",
    "No pude reservar la mesa.",
    "Deployed to staging.",
    "The meeting with Ann is booked.",
    "PR #42 is merged.",
    "Reminder set for 9.",
    "Your order was placed successfully.",
    "Build failed with 3 errors.",
    "I've run the tests and they all pass.",
    "Se envió el correo.",
]
CONFIRMED = [
    "Great, it works now!",
    "That fixed it.",
    "That didn't work.",
    "It still fails.",
    "Perfecto, ahora sí funciona.",
    "Sigue sin funcionar.",
]


@pytest.mark.parametrize("text", CORRECTIONS)
def test_a_correction_is_always_kept(text):
    worth = judge(said("When is it?", ANSWER, text))
    assert worth.kept
    assert "correction" in worth.reasons


@pytest.mark.parametrize("text", PREFERENCES)
def test_a_preference_is_always_kept(text):
    worth = judge(said(text, ANSWER))
    assert (worth.kept, worth.type) == (True, "preference")


@pytest.mark.parametrize("text", FACTS)
def test_what_the_user_tells_of_themselves_is_kept(text):
    worth = judge(said(text))
    assert (worth.kept, worth.type) == (True, "fact")


@pytest.mark.parametrize(
    "text",
    [
        "Remember that the staging database listens on port 6543.",
        "Please note that the office is closed on Mondays.",
        "Recuerda que la base de pruebas escucha en el puerto 6543.",
    ],
)
def test_what_is_to_be_remembered_of_something_else_is_no_preference(text):
    worth = judge(said(text))
    assert (worth.kept, worth.reasons) == (True, ("fact",))


@pytest.mark.parametrize("text", DECISIONS)
def test_a_decision_is_kept(text):
    worth = judge(said(text))
    assert (worth.kept, worth.type) == (True, "decision")


@pytest.mark.parametrize("text", OUTCOMES)
def test_what_became_of_a_task_is_always_kept(text):
    worth = judge(said("Please see to it", text))
    assert (worth.kept, worth.type) == (True, "task_outcome")


@pytest.mark.parametrize("text", CONFIRMED)
def test_what_the_user_says_became_of_it_is_kept(text):
    worth = judge(said("How do I restart it?", "Run the command.", text))
    assert (worth.kept, worth.type) == (True, "task_outcome")


TRIVIAL = [
    ("Hi!",),
    ("Hello there", "Hello! How can I help?"),
    ("Good morning, how are you?", "Fine, and you?", "I'm good, thanks!", "Glad to hear it."),
    ("hey 👋", "Hi!", "thanks, bye!", "Bye!"),
    ("Thank you so much for your help!", "You're welcome."),
    ("ok cool", "Anything else?", "no thanks, that's all", "Bye."),
    ("Hola, ¿qué tal?", "¡Hola! ¿En qué te ayudo?", "Nada, gracias", "De nada."),
    ("Buenos días", "Buenos días", "muchas gracias por todo", "Hasta luego"),
    ("What's the weather in Lisbon?", "tool:18 degrees", "18 degrees and sunny."),
    ("¿Qué tiempo hace en Madrid?", "Hace sol."),
    ("What is the capital of Australia?", "Canberra.", "thanks!", "You're welcome."),
    ("Convert 5 miles to kilometres", "8.05 km"),
    ("What's the weather?", "Sunny.", "And tomorrow?", "Rain."),
    ('Translate "I prefer tea" into French', "« Je préfère le thé »"),
    ("> I prefer tea\nWho said this?", "Nobody knows."),
    ("What does `I've deployed it` mean?", "It means that something is live."),
    (),
    ("",),
    ("...", "?"),
]


@pytest.mark.parametrize("texts", TRIVIAL)
def test_greetings_thanks_and_single_look_ups_are_not_kept(texts):
    assert not judge(said(*texts)).kept


ORDINARY = [
    # what looks like a correction
    ("Do you want the long form?", "No, that's all, thanks."),
    ("Shall I go on?", "No, it's fine."),
    ("Is this the last one?", "No, I'm good."),
    ("Do you have a dog?", "No, my sister has one"),
    ("It is ready.", "Actually, what time is it?"),
    ("It is ready.", "Actually, that's great"),
    ("It is ready.", "What's wrong with my code?"),
    ("It is ready.", "How do I tell right from wrong?"),
    ("¿Algo más?", "No, eso es todo"),
    ("¿Algo más?", "No, es todo"),
    ("It is ready.", "I meant no offence"),
    # what looks like a preference
    ("It is ready.", "What do you prefer, tea or coffee?"),
    ("It is ready.", "Do most people prefer tea?"),
    ("It is ready.", "I'd like to know the time"),
    ("It is ready.", "I like it"),
    ("It is ready.", "I'd prefer not to say"),
    ("It is ready.", "Never mind"),
    ("It is ready.", "I never heard of it"),
    ("It is ready.", "Do you remember that film?"),
    ("It is ready.", "Call me back later"),
    ("It is ready.", "Me gusta eso"),
    ("It is ready.", "¿Qué prefieres?"),
    ("It is ready.", "In the future, will cars fly?"),
    # what looks like a fact or a decision
    ("It is ready.", "Is my name long?"),
    ("It is ready.", "Who decided to build it?"),
    ("It is ready.", "I'll go with you"),
    ("It is ready.", "How do I use tabs instead of spaces?"),
    ("It is ready.", "It's not my problem"),
    ("It is ready.", "You missed me?"),
    ("It is ready.", "No me gusta nada"),
    ("It is ready.", "I was born ready"),
    ("It is ready.", "I'm a bit tired"),
    # what looks like an outcome, said by the user
    ("It is ready.", "Have you deployed it?"),
    ("It is ready.", "Is it done?"),
]


@pytest.mark.parametrize(("before", "text"), ORDINARY)
def test_what_only_looks_like_a_sign_is_none(before, text):
    assert set(judge(said("Well then", before, text)).reasons) <= {"look_up", "small_talk"}


NO_OUTCOMES = [
    "I will deploy it tomorrow.",
    "I can fix that for you.",
    "Once I've deployed it, you will see a message.",
    "Have you installed it?",
    "It was fixed in 3.11.",
    "The bug has been fixed in version 3.2.",
    "Apollo 11 was launched in 1969.",
    "I've completed the search: there are four results.",
    "I couldn't find anything about it.",
    "I prefer not to answer that.",
    "Should I have deleted it?",
    "Te lo puedo arreglar.",
    "No he encontrado nada.",
    "He terminado la búsqueda.",
    "SQLite is now running everywhere.",
    "I have added links below.",
    "All tests pass or fail.",
    "Deployed by Bob.",
    "Se creó en 1991.",
    "The report is sent every Monday.",
]


@pytest.mark.parametrize("text", NO_OUTCOMES)
def test_what_the_assistant_plans_offers_or_looked_up_is_no_outcome(text):
    assert not judge(said("What about it", text)).kept


def test_a_first_no_corrects_nobody():
    assert not judge(said("No, it's on Tuesday.")).kept


def test_the_assistant_has_no_preferences():
    assert not judge(said("Which is better?", "I prefer the first one.")).kept


def test_an_exchange_of_several_turns_is_kept_as_a_conversation():
    worth = judge(
        said("Who wrote it?", "Cervantes.", "When?", "In 1605.", "Was there a second part?", "Yes.")
    )
    assert (worth.kept, worth.type, worth.reasons) == (True, "conversation", ("exchange",))


def test_two_turns_with_much_to_say_are_kept():
    assert judge(said("Explain the plan", "word " * 400, "And the costs", "word " * 100)).kept


def test_a_request_that_took_several_tools_is_work():
    worth = judge(said("Compare these", "tool:1", "tool:2", "tool:3", "The second is cheaper."))
    assert (worth.kept, worth.reasons) == (True, ("work",))


def test_results_of_tools_in_the_users_name_are_not_the_users_words():
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "I prefer tea. My name is Ann."}
    worth = judge([Message(role="user", content="Read the file"), Message(role="user", content=[result])])
    assert not worth.kept


def test_recalled_memory_is_not_learnt_again():
    recalled = "<memory:context>\n- [preference] Tea: I prefer tea\n</memory:context>\nWhat time is it?"
    assert not judge(said(recalled, "Noon.")).kept
    assert not judge(said("<memory:sessions>\n- I prefer tea", "Noon.")).kept


def test_the_weightiest_sign_gives_the_type_and_others_add_to_the_importance():
    alone = judge(said("I prefer tea."))
    both = judge(said("I prefer tea. My name is Ann."))
    assert both.type == alone.type == "preference"
    assert both.reasons == ("preference", "fact")
    assert alone.importance < both.importance <= 1


def test_the_words_that_tell_it_are_kept_as_they_were_said():
    words = judge(
        said("I prefer Té, not café.", ANSWER, "word. " * 100 + "My name is Ann. " + "word. " * 100)
    )
    assert words.highlights == ("I prefer Té, not café.", "My name is Ann.")


ANY_SAID = st.lists(
    st.builds(
        Message,
        role=st.sampled_from(["user", "assistant", "tool", "system"]),
        content=st.one_of(
            st.text(max_size=80),
            st.sampled_from(CORRECTIONS + PREFERENCES + FACTS + DECISIONS + OUTCOMES + [ANSWER]),
        ),
    ),
    max_size=8,
)


@given(ANY_SAID)
def test_importance_lies_on_the_scale_and_the_judgement_is_always_the_same(messages):
    worth = judge(messages)
    assert 0 <= worth.importance <= 1
    assert worth == judge(list(messages))
    assert worth.kept == (worth.importance >= KEPT_FROM)


@given(ANY_SAID)
def test_courtesy_at_the_end_changes_nothing(messages):
    polite = [
        Message(role="assistant", content="You're welcome."),
        Message(role="user", content="Thanks, bye!"),
    ]
    assert judge([*messages, *polite]) == judge(messages)


@given(
    st.lists(st.sampled_from(["hi", "Thanks!", "ok", "good morning", "hola", "gracias", "bye"]), max_size=10)
)
def test_any_amount_of_courtesy_is_never_kept(texts):
    assert not judge(said(*texts)).kept


@pytest.mark.parametrize(
    "text",
    ["a" * 200_000, "no, " * 50_000, "i prefer " * 20_000, "<memory:" * 20_000, "`" * 50_000, '"' * 50_001],
)
def test_hostile_text_takes_no_time(text):
    assert 0 <= judge(said(text, text, text)).importance <= 1
