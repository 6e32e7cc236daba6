"""Asking a language model: inside the tenant's budget, and counted whatever comes of it."""

import pytest
from pydantic import BaseModel

from strata.bootstrap import Overrides
from strata.domain.errors import BudgetSpent, Forbidden, ModelFailed, Throttled, Unavailable
from strata.domain.model_costs import Prices, Usage, likely_tokens, most_tokens
from strata.domain.retrieval import Mode
from strata.domain.scope import Scope
from strata.entrypoints.http.api.errors import status_of
from strata.ports.models import Question
from strata.services.records.spending import spending_key
from strata.services.search.filters import ObservationFilter
from support.clocks import HandClock
from support.memory import LOCAL, Memory, application

DEMO = ObservationFilter(project="demo")
QUESTION = Question("Sum up.", "a text", most_tokens=50)


class Answer(BaseModel):
    text: str


class Scripted:
    """A language model that answers as it is told and remembers what it was asked."""

    name = "scripted"

    def __init__(self, answer, usage=(100, 20)):
        self.answer = answer
        self.usage = usage
        self.asked = []

    def ask(self, question, shape, usage):
        self.asked.append(question)
        usage.add(*self.usage)
        if isinstance(self.answer, Exception):
            raise self.answer
        return shape.model_validate(self.answer)


def memory_with(model, folder, **environment):
    named = {"MODEL": "ollama", "MODEL_NAME": "scripted"} | environment
    return Memory(application(folder, HandClock(), Overrides(language_model=model), **named))


def spent(memory, scope=LOCAL):
    row = memory.app.stores.table.get(scope, spending_key("2026-01-01")) or {}
    return row.get("tokens", 0), row.get("calls", 0)


def test_no_model_is_the_default(tmp_path):
    app = application(tmp_path)
    assert (app.models.language_model, app.models.budgeted) == (None, None)


def test_an_answer_counts_its_tokens_and_its_price(tmp_path):
    model = Scripted({"text": "short"}, usage=(1000, 100))
    memory = memory_with(model, tmp_path, MODEL_INPUT_PRICE="0.15", MODEL_OUTPUT_PRICE="0.6")
    assert memory.app.models.budgeted.ask(LOCAL, QUESTION, Answer) == Answer(text="short")
    assert spent(memory) == (1100, 1)
    assert memory.row(spending_key("2026-01-01"))["micro_dollars"] == 210


@pytest.mark.parametrize("failure", [ModelFailed("no"), Unavailable("away"), ValueError("a bug")])
def test_a_failed_question_counts_what_it_used_and_gives_back_the_rest(tmp_path, failure):
    memory = memory_with(Scripted(failure, usage=(70, 0)), tmp_path)
    with pytest.raises(type(failure)):
        memory.app.models.budgeted.ask(LOCAL, QUESTION, Answer)
    assert spent(memory) == (70, 1)


def test_a_spent_budget_asks_nothing_and_says_when_it_begins_anew(tmp_path):
    model = Scripted({"text": "x"}, usage=(3000, 0))
    memory = memory_with(model, tmp_path, MODEL_DAILY_TOKENS="4000")
    memory.app.models.budgeted.ask(LOCAL, QUESTION, Answer)
    with pytest.raises(BudgetSpent) as raised:
        memory.app.models.budgeted.ask(LOCAL, QUESTION, Answer)
    assert raised.value.retry_after == 86_400
    assert len(model.asked) == 1
    memory.app.models.budgeted.ask(Scope("other"), QUESTION, Answer)
    memory.app.clock.forward(86_400)
    memory.app.models.budgeted.ask(LOCAL, QUESTION, Answer)


def test_a_tenant_may_use_more_or_less_than_the_others(tmp_path):
    model = Scripted({"text": "x"}, usage=(10, 0))
    memory = memory_with(model, tmp_path, MODEL_DAILY_TOKENS="0")
    memory.app.tenants.limits.set("other", {"daily_tokens": None})
    memory.app.models.budgeted.ask(Scope("other"), QUESTION, Answer)
    with pytest.raises(BudgetSpent):
        memory.app.models.budgeted.ask(LOCAL, QUESTION, Answer)
    memory.app.tenants.limits.set("other", {"daily_tokens": 9})
    with pytest.raises(BudgetSpent):
        memory.app.models.budgeted.ask(Scope("other"), QUESTION, Answer)
    assert len(model.asked) == 1


def test_while_the_table_is_away_nothing_is_asked(tmp_path, monkeypatch):
    model = Scripted({"text": "x"})
    memory = memory_with(model, tmp_path)

    def away(*_):
        raise Unavailable("gone")

    monkeypatch.setattr(memory.app.stores.table, "update", away)
    with pytest.raises(Unavailable):
        memory.app.models.budgeted.ask(LOCAL, QUESTION, Answer)
    assert model.asked == []


def test_an_answer_is_not_lost_because_it_can_not_be_counted(tmp_path, monkeypatch):
    memory = memory_with(Scripted({"text": "x"}), tmp_path)
    update, calls = memory.app.stores.table.update, []

    def once(*arguments):
        calls.append(arguments)
        if len(calls) > 1:
            raise Unavailable("gone")
        return update(*arguments)

    monkeypatch.setattr(memory.app.stores.table, "update", once)
    assert memory.app.models.budgeted.ask(LOCAL, QUESTION, Answer).text == "x"
    assert spent(memory)[0] > 1000, "what was set aside stays counted"


def test_errors_of_models_have_a_status_of_their_own():
    assert status_of(ModelFailed("no")) == 502
    assert status_of(BudgetSpent("no")) == status_of(Throttled("no")) == 429
    assert status_of(Forbidden("no")) == 403


@pytest.mark.parametrize("text", ["plain English words", "Größe", "記憶", "🚀" * 10, "\ud800", ""])
def test_what_is_set_aside_is_never_less_than_what_is_likely(text):
    assert most_tokens(text) >= likely_tokens(text)
    assert most_tokens(text) <= len(text.encode(errors="replace"))


def test_a_price_is_rounded_up():
    assert Prices(0.15, 0.6).of(Usage(1, 1)) == 1
    assert Prices().of(Usage(10**9, 1)) == 0
    assert Prices(3, 15).of(Usage(1_000_000, 1_000_000)) == 18_000_000


# --- further words for a query


def search(memory, query, mode=Mode.BM25):
    found = memory.app.search.observations.search(LOCAL, query, DEMO, limit=10, mode=mode)
    return [each.title for each in found.hits], found.degraded


def expanding(folder, answer, **environment):
    model = Scripted(answer)
    memory = memory_with(model, folder, QUERY_EXPANSION="true", **environment)
    memory.save("the dinghy leaks", title="Dinghy")
    memory.save("the parser drops a token", title="Parser")
    memory.follow()
    return model, memory


def test_a_models_words_find_what_the_querys_own_do_not(tmp_path):
    model, memory = expanding(tmp_path, {"words": ["Dinghy", "boat", "ship's"]})
    assert search(memory, "which vessel") == (["Dinghy"], False)
    assert (model.asked[0].text, model.asked[0].seconds) == ("which vessel", 1.5)


def test_the_querys_own_words_rank_first(tmp_path):
    _, memory = expanding(tmp_path, {"words": ["dinghy"]})
    assert search(memory, "parser")[0] == ["Parser", "Dinghy"]


@pytest.mark.parametrize(
    "answer",
    [
        ModelFailed("no"),
        Unavailable("away"),
        {"words": []},
        {"words": ["x" * 10_000, "\0", "title:*", '"'] * 9},
    ],
    ids=["failed", "away", "none", "odd"],
)
def test_without_words_of_use_the_plain_query_goes_its_way(tmp_path, answer):
    _, memory = expanding(tmp_path, answer)
    assert search(memory, "parser") == (["Parser"], False)


def test_a_spent_budget_does_not_stop_a_search(tmp_path):
    model, memory = expanding(tmp_path, {"words": ["dinghy"]}, MODEL_DAILY_TOKENS="10")
    assert search(memory, "parser") == (["Parser"], False)
    assert model.asked == []


def test_searches_by_vector_alone_and_by_default_ask_no_model(tmp_path):
    model, memory = expanding(tmp_path / "on", {"words": ["dinghy"]})
    search(memory, "parser", Mode.VECTOR)
    assert model.asked == []
    model = Scripted({"words": ["dinghy"]})
    off = memory_with(model, tmp_path / "off")
    off.save("the dinghy leaks")
    assert search(off, "vessel", Mode.HYBRID)[1] is False
    assert model.asked == []
