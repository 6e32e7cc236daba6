"""LoCoMo's file is read as its protocol says, on invented conversations."""

import json

import pytest
from evals.dataset import conversation, evidence, load
from evals.recall import Asked, by_category, recall


def turn(turn_id: str, text: str = "The kiln is hot", speaker: str = "Ida", **more: str) -> dict[str, str]:
    return {"dia_id": turn_id, "speaker": speaker, "text": text} | more


def sample(qa=(), **sessions):
    return {"sample_id": "c1", "conversation": {"speaker_a": "Ida"} | sessions, "qa": list(qa)}


def asked(category: int = 4, *gold: str, text: str = "When is the kiln hot?"):
    return {"question": text, "category": category, "evidence": list(gold)}


@pytest.mark.parametrize(
    ("written", "turns"),
    [
        (["D1:3"], {(1, 3)}),
        (["D01:03"], {(1, 3)}),
        (["D8:6; D9:17"], {(8, 6), (9, 17)}),
        (["D2:1 D2:2", "D3:1"], {(2, 1), (2, 2), (3, 1)}),
        (["D:4:2"], {(4, 2)}),
        (["D"], set()),
        ([], set()),
    ],
)
def test_evidence_is_read_however_it_is_written(written, turns):
    assert evidence(written) == turns


def test_a_turn_becomes_a_memory_with_its_date_and_its_picture():
    spoken = {
        "session_1": [turn("D1:1"), turn("D1:2", blip_caption="a red kiln")],
        "session_1_date_time": "noon",
    }
    first, second = conversation(sample(**spoken)).turns
    assert first.memory == "[noon] Ida: The kiln is hot"
    assert second.memory == "[noon] Ida: The kiln is hot [shares image: a red kiln]"


def test_sessions_follow_each_other_by_number():
    spoken = {f"session_{number}": [turn(f"D{number}:1")] for number in (10, 2, 1)}
    assert [each.id for each in conversation(sample(**spoken)).turns] == [(1, 1), (2, 1), (10, 1)]


def test_only_questions_with_evidence_that_exists_are_asked():
    qa = [
        asked(4, "D1:1", text="kept"),
        asked(1, "D1:1", "D7:7", text="kept without what is missing"),
        asked(4, "D7:7", text="nothing there"),
        asked(4, text="nothing named"),
        asked(5, "D1:1", text="never said"),
        {"question": "no list", "category": 2},
    ]
    questions = conversation(sample(qa, session_1=[turn("D1:1")])).questions
    assert [(each.text, each.gold) for each in questions] == [
        ("kept", {(1, 1)}),
        ("kept without what is missing", {(1, 1)}),
    ]


def test_a_file_of_conversations_is_read(tmp_path):
    path = tmp_path / "data.json"
    path.write_text(json.dumps([sample([asked(4, "D1:1")], session_1=[turn("D1:1")])]))
    (found,) = load(path)
    assert (found.name, len(found.turns), len(found.questions)) == ("c1", 1, 1)


def questions(*qa):
    turns = [turn(f"D1:{number}") for number in range(1, 9)]
    return conversation(sample(qa, session_1=turns)).questions


def test_recall_is_the_share_of_the_evidence_among_the_first_hits():
    (question,) = questions(asked(1, "D1:1", "D1:2", "D1:3", "D1:4"))
    answer = Asked(question, [[(1, 8)], [(1, 2)], [], [(1, 1), (1, 3)]], 0.0)
    assert [recall(answer, depth) for depth in (1, 2, 4)] == [0.0, 0.25, 0.75]


def test_the_mean_is_over_questions_and_names_only_categories_that_were_asked():
    one, other, third = questions(asked(1, "D1:1"), asked(4, "D1:2", "D1:3"), asked(4, "D1:4"))
    answers = [Asked(one, [[(1, 1)]], 0.0), Asked(other, [[(1, 2)]], 0.0), Asked(third, [], 0.0)]
    found = {name: recalls[5] for name, recalls in by_category(answers).items()}
    assert found == {"multi-hop": 1.0, "single-hop": 0.25, "overall": 0.5}
