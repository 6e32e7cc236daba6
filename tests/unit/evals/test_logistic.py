import numpy as np
import pytest
from evals import logistic as regression
from evals.logistic import logistic

CHANCE = np.random.default_rng(1)
NUMBERS = CHANCE.random((200, 2))
TRUTH = (NUMBERS[:, 0] > CHANCE.random(200)).astype(float)
ONES = np.ones(len(TRUTH))


def test_a_weight_of_the_wrong_sign_is_held_at_zero():
    _, first, second = logistic(NUMBERS, TRUTH, ONES, ridge=2.0, signs=[1, 0])
    assert first > abs(second)
    assert logistic(NUMBERS, TRUTH, ONES, ridge=2.0, signs=[-1, 0])[1] == 0


def test_weights_that_do_not_settle_are_refused(monkeypatch):
    monkeypatch.setattr(regression, "STEPS", 2)
    with pytest.raises(ArithmeticError, match="do not settle in 2 steps"):
        logistic(NUMBERS, TRUTH, ONES, ridge=2.0, signs=[1, 0])
