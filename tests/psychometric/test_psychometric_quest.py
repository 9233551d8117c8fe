"""What is asked next is what says most, in batches, and the same for the same answers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.answer import Outcome
from snellen.psychometric.quest import QuestSettings, believe, informative, is_catch, next_batch

LEVELS = tuple(round(0.1 * k, 1) for k in range(11))
TEN = QuestSettings(LEVELS, 0.1)

histories = st.lists(st.tuples(st.sampled_from(LEVELS), st.sampled_from(["right", "wrong"])), max_size=30)


def entropy_left(masses: np.ndarray, shares: np.ndarray) -> float:
    """The entropy expected after an answer, as Watson writes it: over both answers, each with its posterior."""
    left = 0.0
    for likelihood in (shares, 1 - shares):
        joint = masses * likelihood
        answer = joint.sum()
        after = joint / answer
        left -= answer * (after * np.log(after + 1e-300)).sum()
    return float(left)


@settings(max_examples=15)
@given(histories)
def test_the_first_choice_leaves_the_least_entropy(history: list[tuple[float, Outcome]]) -> None:
    masses = believe(TEN, history).masses
    left = {x: entropy_left(masses, shares) for x, shares in zip(LEVELS, TEN.grid.shares(LEVELS), strict=True)}
    (chosen,) = informative(TEN, masses, 1)
    assert left[chosen] == pytest.approx(min(left.values()), abs=1e-8)


def test_a_batch_is_spread_where_a_single_question_is_not() -> None:
    history: list[tuple[float, Outcome]] = [(0.3, "wrong"), (0.7, "right")]
    masses = believe(TEN, history).masses
    batch = informative(TEN, masses, 8)
    assert batch[0] == informative(TEN, masses, 1)[0]
    assert len(set(batch)) > 1


def test_a_batch_says_more_than_its_first_choice_over_and_over() -> None:
    """Against real answers of the batch, simulated from what is held likely: less entropy is left on average."""
    history: list[tuple[float, Outcome]] = [(0.3, "wrong"), (0.5, "right"), (0.5, "wrong"), (0.7, "right")]
    masses = believe(TEN, history).masses
    source, left = np.random.default_rng(0), {}
    batch = informative(TEN, masses, 8)
    points = source.choice(len(masses), 150, p=masses)
    for name, asked in (("batch", batch), ("over and over", batch[:1] * 8)):
        shares = TEN.grid.shares(LEVELS)[[LEVELS.index(x) for x in asked]]
        entropies = []
        for point in points:
            right = source.random(8) < shares[:, point]
            after = masses * np.where(right[:, None], shares, 1 - shares).prod(axis=0)
            after /= after.sum()
            entropies.append(-(after * np.log(after + 1e-300)).sum())
        left[name] = np.mean(entropies)
    assert left["batch"] < left["over and over"]


@settings(max_examples=10)
@given(histories, st.integers(0, 99))
def test_the_same_answers_get_the_same_batch(history: list[tuple[float, Outcome]], seed: int) -> None:
    batch = next_batch(TEN, history, seed)
    assert batch == next_batch(TEN, list(history), seed)
    assert len(batch) == 8
    assert set(batch) <= set(LEVELS)


def test_another_seed_gives_another_order_of_the_same_choice() -> None:
    assert len({next_batch(TEN, [], seed) for seed in range(8)}) > 1


@given(st.integers(0, 10_000), st.integers(0, 50))
def test_one_trial_in_ten_is_a_catch_trial(seed: int, block: int) -> None:
    assert sum(is_catch(TEN, 10 * block + place, seed) for place in range(10)) == 1


def test_catch_trials_come_anywhere_among_the_ten() -> None:
    assert {place for seed in range(200) for place in range(10) if is_catch(TEN, place, seed)} == set(range(10))


@pytest.mark.parametrize("falling", [False, True])
def test_catch_trials_are_easy(falling: bool) -> None:
    chosen = QuestSettings(LEVELS, 0.1, falling, batch=10)
    for seed in range(5):
        batch = next_batch(chosen, [], seed)
        (place,) = [k for k in range(10) if is_catch(chosen, k, seed)]
        assert batch[place] == (0.0 if falling else 1.0)


def test_the_last_batch_is_as_short_as_it_must_be() -> None:
    short = QuestSettings(LEVELS, 0.1, most=20)
    assert len(next_batch(short, [(0.5, "right")] * 16, 0)) == 4
    assert next_batch(short, [(0.5, "right")] * 20, 0) == ()


@pytest.mark.parametrize(
    "wrong", [{"levels": (1.0, 0.5)}, {"levels": (0.5, 0.5)}, {"batch": 0}, {"catch_every": 1}, {"most": 8}]
)
def test_settings_that_cannot_be_asked_are_refused(wrong: dict) -> None:
    with pytest.raises(ValueError, match="expected"):
        QuestSettings(**{"levels": LEVELS, "chance": 0.1, **wrong})
