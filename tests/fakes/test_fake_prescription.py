"""The prescription is held to what happens when it is followed: small print, enlarged as many times as it says, is
asked of eyes with planted limits. Lookers from outside shrink or blur the file they get and match what is left to
letters; they know nothing of thresholds and slopes."""

from functools import cache
from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageFilter

import snellen
from fakes.lessons import lesson
from fakes.lookers import Looker, long_edge
from fakes.server import served
from snellen.item import Condition
from snellen.prompts import load

SEEDS = range(20)
ENOUGH = 19
"""Of 20 seeds."""


def blurred(radius):
    return lambda picture: picture.convert("L").filter(ImageFilter.GaussianBlur(radius))


OUTSIDE = {
    "shrunk to 128 px": (long_edge(128), 0.9),
    "shrunk to 96 px": (long_edge(96), 0.9),
    "blurred by 5 px": (blurred(5), 0.8),
}
"""With how many of all charts must be right: who blurs takes one letter of ten for another up to twice the size at
which it reads the others, and no curve of one threshold has that."""
SIMULATED = {"sim/eyes:blur=6": 0.9, "sim/eyes:blur=8,lapse=0.03": 0.87}


def card_of(subject, folder, seed):
    found = snellen.exam(subject, tasks="acuity", levels={"test": ("letters",)}, store=folder / f"{seed}", seed=seed)
    (card,) = found.cards()
    return card


def outside(shrink, folder, seeds):
    with served({"who": Looker(lesson(), shrink)}) as address:
        return [card_of({"who": f"openai/who@{address}"}, folder, seed) for seed in seeds]


def held_to(cards):
    """Every prediction's interval against what was observed when asked again, and 95 % against all of it together."""
    checks = [card.enlarge.checked for card in cards if card.enlarge is not None and card.enlarge.checked is not None]
    assert len(checks) >= 0.9 * len(cards), [card.prescription for card in cards]
    kept = sum(check.predicted.least <= check.right <= check.predicted.most for check in checks)
    assert kept >= len(checks) * ENOUGH / len(SEEDS), [(check.right, check.predicted) for check in checks]
    return sum(check.right for check in checks) / sum(check.read for check in checks)


@pytest.mark.soak
def test_what_is_prescribed_to_a_looker_from_outside_holds(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    cards = outside(OUTSIDE["shrunk to 128 px"][0], tmp_path, range(1))
    held_to(cards)
    (card,) = cards
    assert card.enlarge.times.low <= card.enlarge.times.value <= card.enlarge.times.high
    told = " ".join(card.prescription).replace("\u00a0", " ")
    assert "Enlarge small print (letters 10 px high)" in told
    assert f"Checked: {card.enlarge.checked.right} of 20 right at" in told


@pytest.mark.soak
@pytest.mark.parametrize("name", OUTSIDE)
def test_predictions_hold_for_lookers_from_outside(name, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    shrink, least = OUTSIDE[name]
    assert least <= held_to(outside(shrink, tmp_path, SEEDS)) <= 0.995


@pytest.mark.soak
@pytest.mark.parametrize("name", SIMULATED)
def test_predictions_hold_for_planted_eyes(name, tmp_path):
    assert SIMULATED[name] <= held_to([card_of(name, tmp_path, seed) for seed in SEEDS]) <= 0.995


@cache
def charts(times):
    known = snellen.task("acuity")
    pack = load(known.prompts, "acuity")
    usual = {factor.name: factor.levels[0] for factor in known.factors if not factor.of_item}
    items = [known.item({"test": "letters", "level": "2"}, index, 3) for index in range(10)]
    return [known.stimulus(item, Condition({**usual, "enlarged": times}), pack) for item in items]


@pytest.mark.parametrize("times", ["1.41", "4", "12.6", "25.1"])
def test_small_print_is_enlarged_as_many_times_as_it_says_and_stays_on_the_page(times):
    for plain, large in zip(charts("1"), charts(times), strict=True):
        heights = []
        for stimulus in (plain, large):
            grey = np.asarray(Image.open(BytesIO(stimulus.pictures[0].data)).convert("L"))
            assert grey.shape == (512, 512)
            rows = np.flatnonzero((grey < 128).any(axis=1))
            assert grey[[0, -1]].min() > 200, "it stands inside"
            heights.append(rows[-1] + 1 - rows[0])
        assert large.question.key == plain.question.key
        assert heights[1] / heights[0] == pytest.approx(float(times), rel=0.08)
        assert "enlarged" in large.twin
        assert "enlarged" not in plain.twin
