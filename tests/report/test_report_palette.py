"""One palette: the colours of figures are those of the report page in light dress."""

import re
from pathlib import Path

import pytest

from snellen.report import palette

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
