"""What a person says has ended or changed, and what happens in the family: in the line of a session."""

import pytest

from strata.domain.wire.messages import Message
from strata.domain.worth import judge
from strata.domain.worth.gist import gist
from strata.domain.worth.points import point_of

CHANGED = [
    "I'm not training for the triathlon anymore.",
    "I no longer eat fish.",
    "We don't live in Bristol any more.",
    "I gave up sugar in January.",
    "I've stopped playing the cello.",
    "I changed schools last month.",
    "I left my job at the bank.",
    "We sold our house and moved in with my parents.",
    "We're not going to Iceland after all.",
    "We called off the wedding.",
    "I've quit smoking.",
    "I used to be a vegetarian.",
    "I broke up with Daniel.",
    "I changed my mind about the blue sofa.",
    "My brother Tom is getting married on 3 May in Cork.",
    "My best friend moved to Oslo in March.",
    "I got rid of my old bike.",
    "We switched from oat milk to soy milk.",
    "Ya no trabajo en el hospital.",
    "Ya no vivo con mis padres.",
    "Dejé de fumar en marzo.",
    "He dejado el gimnasio.",
    "Cambié de piso en otoño.",
    "Nos hemos mudado a Burgos.",
    "Vendí la moto y ahora voy en bici.",
    "Al final no vamos a Grecia.",
    "He cambiado de idea sobre el sofá.",
    "Antes era vegetariana.",
    "Mi prima Rosa se casa el 2 de julio en Lugo.",
    "Hemos cancelado el viaje a Roma.",
    "Ich esse nicht mehr bei meinen Eltern.",
    "Ich habe mit dem Rauchen aufgehört.",
    "Ich habe mein Auto verkauft.",
    "我不再吃肉了。",
    "我换了工作。",
    "我已经不住在上海了。",
    "I'm no longer vegetarian.",
    "Me cambié de trabajo.",
    "I'm married.",
    "I changed schools in March.",
    "I've cancelled my flight on Monday.",
    "We've moved to 12 Oak Street.",
    "I got engaged in June.",
    "Last year I quit smoking.",
    "Bad news: we can't come after all.",
    "I changed my mind in the end.",
    "I cancelled my subscription.",
    "I don't take dance classes any more.",
]
NOT_CHANGED = [
    "I don't want any more coffee.",
    "I gave up after an hour, can you look at the log?",
    "I stopped the container, how do I restart it?",
    "I changed the name of the variable, is that right?",
    "I quit the app and opened it again, what else can I try?",
    "Can you stop the timer?",
    "The file no longer opens.",
    "If I sold the car, what would I get?",
    "Should I change jobs?",
    "I don't have any more questions.",
    "How do I stop smoking?",
    "The train stopped in Leeds.",
    "I'm used to it.",
    "Ya no tengo más preguntas.",
    "Ya no funciona el enlace.",
    "¿Ya no vives en Soria?",
    "Si dejo de fumar, ¿cuánto ahorro?",
    "El coche dejó de arrancar.",
    "Cambié el color del botón, ¿se ve bien?",
    "Ich weiß nicht mehr weiter.",
    "我不知道了。",
    "不用了，谢谢。",  # noqa: RUF001
    "I'm not sure any more.",
    "We have separated the tests from the code.",
    "I switched from the main branch to the old one.",
    "Me pasé a la siguiente página.",
    "My friend has a question.",
    "I changed the name of the variable.",
    "I changed the phone number field.",
    "I changed our bank column.",
    "I cancelled the subscription in the test.",
    "I cancelled my lease in the test.",
    "I got rid of my old code.",
    "We've moved to Postgres.",
    "We've moved to the new API.",
    "My friend moved to Python.",
    "We retired in favour of v2.",
    "My partner got engaged with the API.",
    "I can't run the tests any longer.",
    'He said: "I quit smoking".',
    "He said: I quit smoking.",
    "My boss said I no longer work here.",
    "My sister wishes I quit smoking.",
    "If I quit smoking, would that help?",
]
NO_CHANGES = [
    'he said: "i quit smoking"',
    "if i quit smoking, i quit drinking",
    "suppose we move, i quit smoking",
]


def line(*said: str) -> str:
    """The line of a session in which the user says these."""
    messages = [Message(role="user", content=text) for text in said]
    return gist(judge([*messages, Message(role="assistant", content="All right.")]).points)


@pytest.mark.parametrize("said", CHANGED)
def test_what_has_ended_or_changed_is_in_the_line(said: str) -> None:
    assert line(said) == said


@pytest.mark.parametrize("said", [each for each in CHANGED if not each.startswith(("Ich", "我"))])
def test_in_english_and_spanish_it_makes_an_episode(said: str) -> None:
    worth = judge([Message(role="user", content=said)])
    assert (worth.kept, worth.type) == (True, "fact")


@pytest.mark.parametrize("said", NOT_CHANGED)
def test_what_only_sounds_so_is_not(said: str) -> None:
    assert line(said) == ""


@pytest.mark.parametrize("said", NO_CHANGES)
def test_what_is_supposed_or_quoted_has_not_changed(said: str) -> None:
    assert point_of("user", said) is None


def test_a_change_comes_before_weaker_sentences() -> None:
    said = [
        "I'm not going to run the Lisbon marathon any more.",
        "I prefer tea in the morning.",
        "I like long train journeys.",
        "I enjoy rain on tin roofs.",
        "I love detective novels from Iceland.",
    ]
    assert line(*said).startswith(said[0])


def test_the_assistant_changes_nothing() -> None:
    told = judge([Message(role="assistant", content="I no longer eat fish in Bristol.")])
    assert gist(told.points) == ""
