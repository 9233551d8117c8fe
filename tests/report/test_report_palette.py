"""One palette: the colours of figures are those of the report page in light dress."""

import re
from itertools import combinations
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from snellen.charts import palette
from snellen.charts.blocks import Verdict
from snellen.ladder import FACULTIES

STYLE = Path(__file__).parents[2] / "web" / "src" / "style"


def css(name: str) -> str:
    return (STYLE / name).read_text(encoding="utf-8")


def light(value: str) -> str:
    """The light one of `light-dark(a, b)`, or the only one; in six digits."""
    colour = re.match(r"(?:light-dark\()?(#[0-9a-f]+)", value)
    assert colour is not None, value
    digits = colour[1][1:]
    return f"#{digits if len(digits) == 6 else ''.join(2 * d for d in digits)}"


def variable(name: str) -> str:
    found = re.search(rf"--{name}: ([^;]+);", css("base.css"))
    assert found is not None, name
    return light(found[1])


def test_words_and_lines() -> None:
    names = {"ink": palette.INK, "soft": palette.SOFT, "line": palette.LINE, "edge": palette.EDGE}
    assert {name: variable(name) for name in names} == names
    assert variable("sheet") == palette.PAPER


def test_outcomes_and_verdicts() -> None:
    for colours in (palette.OUTCOMES, palette.VERDICTS):
        assert {name: variable(name) for name in colours} == colours


def test_parts_and_the_letters_on_them() -> None:
    found = re.findall(r"\.part\d \{ --part: ([^;]+); --on: ([^;]+); \}", css("charts.css"))
    assert tuple(light(part) for part, _ in found) == palette.PARTS
    assert tuple(light(on) for _, on in found) == palette.ON_PARTS


def test_heat() -> None:
    charts = css("charts.css")
    for kind, colour in palette.HOT.items():
        found = re.search(rf"\.{kind} \{{ --hot: ([^;]+);", charts)
        assert found is not None
        assert light(found[1]) == colour
    cold = re.search(r"color-mix\(in oklab, var\(--hot\) var\(--t\), (light-dark\([^)]*\))", charts)
    assert cold is not None
    assert light(cold[1]) == palette.COLD
    letters = dict(re.findall(r"^\.(heat|pale|deep) \{ --on: ([^;]+); \}", charts, re.MULTILINE))
    told = [light(letters[name]) for name in ("pale", "heat", "deep")]
    assert told == [palette.ON_PALE, palette.ON_MIDDLE, palette.ON_DEEP]


@pytest.mark.parametrize(
    ("strength", "expected"),
    [(0.0, "#f1f4f6"), (1.0, "#06427a"), (0.5, "#7d98b9")],
)
def test_mixing_is_that_of_the_browser(strength: float, expected: str) -> None:
    """The middle one is what Chromium makes of color-mix(in oklab, #06427a 50%, #f1f4f6)."""
    assert palette.mix(palette.COLD, palette.HOT["more"], strength) == expected


def both(value: str) -> tuple[str, str]:
    """The light and the dark colour of a value; one colour is both."""
    found = re.findall(r"#[0-9a-f]{3,6}", value)
    return found[0], found[-1]


def faculties() -> dict[str, tuple[str, str]]:
    """Colour and letters of right and of each faculty, as the page's style has them."""
    names = {"apart": palette.NOT_TOLD_APART}
    found = re.findall(r"\.is-(\w+) \{ --part: ([^;]+); --on: ([^;]+); \}", css("charts.css"))
    return {names.get(name, name): (part, on) for name, part, on in found}


def test_faculties_and_the_letters_on_them() -> None:
    told = {name: (light(part), light(on)) for name, (part, on) in faculties().items()}
    assert told == {name: (look.colour, look.letters) for name, look in palette.FACULTIES.items()}


def test_every_verdict_and_faculty_has_its_colour_everywhere() -> None:
    assert set(palette.VERDICTS) == set(get_args(Verdict))
    assert {*FACULTIES, "right", palette.NOT_TOLD_APART} == set(palette.FACULTIES)
    assert set(palette.TERMINAL) == {*palette.FACULTIES, *palette.VERDICTS}
    assert set(re.findall(r"\.tone-(\w+) \{", css("diagnosis.css"))) == set(palette.VERDICTS)
    shades = [palette.TERMINAL[name][1] for name in palette.FACULTIES]
    assert len(set(shades)) == len(shades)
    hatches = [look.hatch for look in palette.FACULTIES.values()]
    assert len(set(hatches)) == len(hatches)


_SEEN_BY = {
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopes": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopes": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopes": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""What is left of linear red, green and blue (Machado, Oliveira and Fernandes 2009)."""
_TO_LAB = (
    (0.2104542553, 0.793617785, -0.0040720468),
    (1.9779984951, -2.428592205, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.808675766),
)


def looks_like(colour: str, eyes: str) -> np.ndarray:
    """The colour in Oklab, where distances are what they look like."""
    channels = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(_SEEN_BY[eyes]) @ linear, 0, 1)
    return np.array(_TO_LAB) @ np.cbrt(np.array(palette._TO_CONES) @ seen)


@pytest.mark.parametrize("scheme", [0, 1])
@pytest.mark.parametrize("eyes", _SEEN_BY)
def test_faculties_stay_apart_for_every_kind_of_colour_vision(eyes: str, scheme: int) -> None:
    colours = {name: looks_like(both(part)[scheme], eyes) for name, (part, _) in faculties().items()}
    pairs = {(a, b): float(np.linalg.norm(colours[a] - colours[b])) for a, b in combinations(colours, 2)}
    nearest = min(pairs, key=lambda pair: pairs[pair])
    assert pairs[nearest] > 0.065, nearest


@pytest.mark.parametrize("scheme", [0, 1])
def test_letters_on_faculties_can_be_read(scheme: int) -> None:
    for name, (part, on) in faculties().items():
        dark, pale = sorted(palette.luminance(both(value)[scheme]) for value in (part, on))
        assert (pale + 0.05) / (dark + 0.05) > 4.4, name


def test_charts_of_faculties_take_their_colours_and_others_keep_theirs() -> None:
    assert palette.looks(("right", "eyes", "thinking or eyes")) == [
        palette.FACULTIES[name] for name in ("right", "eyes", palette.NOT_TOLD_APART)
    ]
    assert palette.looks(("right", "wrong"))[0].colour == palette.PARTS[0]
