"""The line of a session: what was decided, learnt or left open, in the session's own words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.domain.wire.messages import Message
from strata.domain.worth import judge
from strata.domain.worth.gist import LONGEST, Note, chosen, gist


def line(said: list[str], notes: list[tuple[str, str]] = ()) -> str:  # type: ignore[assignment]
    """The line of a session in which the user and the assistant speak in turn."""
    messages = [
        Message(role="assistant" if place % 2 else "user", content=text) for place, text in enumerate(said)
    ]
    return gist(judge(messages).points, [Note(kind, title) for kind, title in notes])


LABELLED = [
    # --- English
    (
        [
            "Morning! Can you look at why the nightly export is so slow?",
            "Sure. The root cause is a missing index on the invoices table.",
            "Nice find. Let's go with a partial index on unpaid invoices.",
            "Done. I added the partial index in migration 42. The old reports still have to be rebuilt.",
            "Thanks, that's all for today!",
        ],
        [],
        "The root cause is a missing index on the invoices table. "
        "Let's go with a partial index on unpaid invoices. "
        "The old reports still have to be rebuilt.",
    ),
    (
        [
            "We need a queue for the webhooks. Redis or SQS?",
            "Redis is simpler to run, SQS costs less at your volume.",
            "We decided to use SQS for webhooks because nobody wants to run Redis.",
            "All right.",
        ],
        [],
        "We decided to use SQS for webhooks because nobody wants to run Redis.",
    ),
    (
        [
            "Hi, I'm new here. I'm allergic to peanuts and I live in Ghent.",
            "Welcome! What would you like to eat?",
            "Something with rice, please.",
            "Here are three recipes with rice.",
        ],
        [],
        "I'm allergic to peanuts and I live in Ghent.",
    ),
    (
        [
            "Did the tests of the billing service pass?",
            "No. It turns out that the clock of the build server is an hour ahead.",
            "Who can change that?",
            "We are waiting for the operations team to set it.",
        ],
        [],
        "It turns out that the clock of the build server is an hour ahead. "
        "We are waiting for the operations team to set it.",
    ),
    (
        ["Please end here.", "Fine."],
        [("decision", "Deploys take the lock of the region"), ("bugfix", "Fixed the race of two imports")],
        "Deploys take the lock of the region. Fixed the race of two imports.",
    ),
    # --- Spanish
    (
        [
            "Buenas. ¿Qué base de datos usamos para los pedidos?",
            "Postgres o MySQL, las dos valen.",
            "Hemos decidido usar Postgres para los pedidos.",
            "Perfecto. Queda pendiente migrar los clientes antiguos.",
        ],
        [],
        "Hemos decidido usar Postgres para los pedidos. Queda pendiente migrar los clientes antiguos.",
    ),
    (
        [
            "El horno de la panadería no llega a 240 grados.",
            "El problema era el termostato de la puerta izquierda.",
            "Qué bien, gracias.",
        ],
        [],
        "El problema era el termostato de la puerta izquierda.",
    ),
    (
        ["Hola", "¡Hola! ¿En qué te ayudo?", "Prefiero los informes en PDF y sin gráficos.", "Anotado."],
        [],
        "Prefiero los informes en PDF y sin gráficos.",
    ),
    # --- German
    (
        [
            "Guten Morgen! Welche Schrift nehmen wir für die Speisekarte?",
            "Die Garamond liest sich gut, die Futura wirkt moderner.",
            "Wir nehmen die Garamond für alle Speisekarten.",
            "Gut. Die Preise der Getränke sind noch offen.",
        ],
        [],
        "Wir nehmen die Garamond für alle Speisekarten. Die Preise der Getränke sind noch offen.",
    ),
    (
        [
            "Warum fällt die Heizung im Lager ständig aus?",
            "Ich habe die Protokolle gelesen. Die Ursache war ein defekter Fühler am Rücklauf.",
            "Danke dir!",
        ],
        [],
        "Die Ursache war ein defekter Fühler am Rücklauf.",
    ),
    (
        [
            "Kannst du mir beim Brief an die Versicherung helfen?",
            "Gern. Hier ist ein Entwurf.",
            "Ich bevorzuge kurze Sätze ohne Fremdwörter.",
            "Verstanden, hier ist die neue Fassung.",
        ],
        [],
        "Ich bevorzuge kurze Sätze ohne Fremdwörter.",
    ),
    # --- Chinese
    (
        [
            "早上好！新的网站用哪家的服务器？",  # noqa: RUF001
            "两家都可以，价格差不多。",  # noqa: RUF001
            "我们决定用上海的机房。",
            "好的。域名的备案还没有做完。",
        ],
        [],
        "我们决定用上海的机房。域名的备案还没有做完。",
    ),
    (
        ["打印机为什么总是卡纸？", "我查了一下。原因是纸盒里的滚轮磨损了。", "谢谢！"],  # noqa: RUF001
        [],
        "原因是纸盒里的滚轮磨损了。",
    ),
    (["你好", "你好！有什么可以帮你？", "我对花生过敏，做菜的时候请注意。", "记住了。"], [],  # noqa: RUF001
     "我对花生过敏，做菜的时候请注意。"),  # noqa: RUF001
    # --- without worth
    (["Hi", "Hello!", "What's the capital of Australia?", "Canberra.", "thanks"], [], ""),
    (["ok", "Anything else?", "no, that's all", "Bye!"], [], ""),
    (["What time is it in Lima?", "Half past nine.", "And in Oslo?", "Half past four."], [], ""),
    (["Write a poem about the sea", "The sea is wide and blue.", "Nice", "Glad you like it."], [], ""),
    (["Hola", "¡Buenas!", "¿Cuánto es 12 por 12?", "Son 144.", "gracias"], [], ""),
    (["Hallo", "Hallo! Was kann ich tun?", "Wie hoch ist der Brocken?", "1141 Meter.", "Danke"], [], ""),
    (["你好", "你好！", "长城有多长？", "两万多公里。", "谢谢"], [], ""),  # noqa: RUF001
    (["It works now", "Great.", "Done?", "Done."], [], ""),
    ([], [], ""),
    ([], [("discovery", "Ann"), ("discovery", "Bo")], ""),
]  # fmt: skip


@pytest.mark.parametrize(("said", "notes", "about"), LABELLED)
def test_a_line_says_what_was_decided_learnt_or_left_open(said, notes, about):
    assert line(said, notes) == about


def test_of_much_the_latest_decision_what_was_learnt_and_what_is_open_are_given_in_their_order():
    said = []
    for n, place in enumerate(("cellar", "attic", "barn", "garage")):
        said += [f"We decided to store the harvest of year {n} in the {place}.", "Noted."]
    said += ["Why is it wet there?", "The cause was a broken pipe behind the garage wall."]
    said += ["I see.", "The insurance of the garage still has to be called."]
    assert line(said) == (
        "We decided to store the harvest of year 3 in the garage. "
        "The cause was a broken pipe behind the garage wall. "
        "The insurance of the garage still has to be called."
    )


def test_what_is_said_twice_is_given_once():
    said = [
        "We decided to use Postgres for orders.",
        "ok",
        "So: we decided to use Postgres for orders!",
        "ok",
    ]
    assert line(said).count("Postgres") == 1


@pytest.mark.parametrize(
    ("said", "notes", "about"),
    [
        (
            ["Remember that the staging database listens on port 6543."],
            [("discovery", "The staging database listens on port 6543")],
            "The staging database listens on port 6543.",
        ),
        (
            ["Recuerda que la base de pruebas escucha en el puerto 6543."],
            [("discovery", "La base de pruebas escucha en el puerto 6543")],
            "La base de pruebas escucha en el puerto 6543.",
        ),
        (
            ["We decided to use Postgres.", "ok", "We decided to use Postgres for the orders of Oslo."],
            [],
            "We decided to use Postgres for the orders of Oslo.",
        ),
        (
            ["我们决定用上海的机房。", "好的", "说好了，我们决定用上海的机房。"],  # noqa: RUF001
            [],
            "说好了，我们决定用上海的机房。",  # noqa: RUF001
        ),
    ],
)
def test_what_another_sentence_says_word_by_word_is_not_said_twice(said, notes, about):
    assert line(said, notes) == about


def test_a_model_that_chooses_a_sentence_and_a_part_of_it_is_taken_at_the_longer():
    said = "We decided to use Postgres for the orders of Oslo."
    assert chosen(["We decided to use Postgres", said], [said]) == said


def test_sentences_that_share_only_some_words_are_both_given():
    said = ["We decided to use Postgres for orders.", "ok", "We decided to use Postgres for invoices."]
    assert line(said).count("Postgres") == 2


def test_recalled_memory_code_and_quotations_are_not_its_own_words():
    recalled = "<memory:context>\n- We decided to use Postgres for orders.\n</memory:context>\n"
    quoted = '> We decided to use Oracle for orders.\nHe wrote "we decided to use Redis for orders".'
    assert line([recalled + quoted + "\n```\n# we decided to use MySQL for orders\n```", "I see."]) == ""


@given(st.lists(st.text(max_size=300), max_size=8))
def test_a_line_is_short_whatever_was_said(said):
    assert len(line(said)) <= LONGEST


@pytest.mark.parametrize(
    "whole",
    [
        "We decided to rename `Order` to `Purchase` in the API.",
        'We decided to use "ruff" instead of "black" as the formatter.',
        "We decided to drop «legacy» mode.",
        "We decided to pay approx. 3 percent to Acme Inc. for hosting.",
        "Wir haben beschlossen, die Rechnungen z. B. per Post an die Firma Müller zu schicken.",
        "Decidimos llamar al Sr. García el lunes por la tarde.",
        "We decided to meet the auditors at 10 a.m. in room 4.",
        "Done: the grid is cached; inference went from 22 to 9 minutes.",
        "We decided to host the docs at https://docs.example/index.html?v=2 from now on.",
        "Still open: what happens when Kafka is down?",
    ],
)
def test_a_sentence_of_the_line_is_whole_with_its_quotations_and_abbreviations(whole: str) -> None:
    assert line(["hello", f"{whole} Lovely weather."]) == whole


@pytest.mark.parametrize(
    "said",
    [
        "If we decided to use Oracle it would be expensive.",
        "Wenn wir beschlossen hätten, Oracle zu nehmen, wäre es teuer.",
        "Si hubiéramos decidido usar Oracle, sería caro.",
    ],
)
def test_what_is_supposed_is_no_decision(said: str) -> None:
    assert line(["hello", said]) == ""
