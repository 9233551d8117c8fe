"""One palette, on light and on dark paper: what is told apart by colour can be, and the page's ink is the charts'."""

from itertools import combinations
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from snellen.charts import palette
from snellen.charts.blocks import Verdict
from snellen.faculties import ENTRIES, NAMES, family

STYLE = Path(__file__).parents[2] / "web" / "src" / "style"


def css(name: str) -> str:
    return (STYLE / name).read_text(encoding="utf-8")


def test_ink_and_lines_of_charts_are_those_of_the_page_on_light_and_on_dark_paper() -> None:
    base = css("base.css")
    names = {"ink": palette.INK, "soft": palette.SOFT, "line": palette.LINE, "edge": palette.EDGE}
    for name, tone in {**names, "sheet": palette.PAPER}.items():
        assert f"--{name}: light-dark({tone}, {tone.dark});" in base


def test_the_page_has_no_colours_of_its_own_for_what_is_in_the_registry() -> None:
    files = [path for kind in ("css", "ts", "tsx") for path in STYLE.parent.rglob(f"*.{kind}")]
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    for name, entry in ENTRIES.items():
        assert not [colour for colour in (*entry.fill, *entry.ink) if colour and colour in source], name


@pytest.mark.parametrize(
    ("strength", "expected"),
    [(0.0, "#f1f4f6"), (1.0, "#06427a"), (0.5, "#7d98b9")],
)
def test_mixing_is_that_of_the_browser(strength: float, expected: str) -> None:
    """The middle one is what Chromium makes of color-mix(in oklab, #06427a 50%, #f1f4f6)."""
    assert palette.mix(palette.COLD, palette.HOT["more"], strength) == expected


def on_papers(name: str, scheme: int) -> tuple[str, str]:
    """Colour and letters of right or of a faculty on light (0) or dark (1) paper."""
    look = palette.FACULTIES[name]
    return (look.colour.dark, look.letters.dark) if scheme else (look.colour, look.letters)


def test_every_verdict_and_faculty_has_its_look_everywhere() -> None:
    assert tuple(ENTRIES) == NAMES
    kinds, faculties = map(get_args, get_args(Verdict))
    assert set(palette.VERDICTS) == {*kinds, *map(family, faculties)}
    assert {*NAMES, "right", palette.NOT_TOLD_APART} == set(palette.FACULTIES)
    assert set(palette.TERMINAL) == {*palette.FACULTIES, *palette.VERDICTS}
    shades = [palette.TERMINAL[name][1] for name in palette.FACULTIES]
    assert len(set(shades)) == len(shades)
    hatches = [look.hatch for look in palette.FACULTIES.values()]
    assert len(set(hatches)) == len(hatches)
    assert all(words and len(ink) == len(ink.dark) == 7 for ink, words in palette.VERDICTS.values())


def contrast(one: str, other: str) -> float:
    dark, light = sorted(map(palette.luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def test_verdicts_can_be_read_on_both_papers() -> None:
    for name, (ink, _) in palette.VERDICTS.items():
        assert contrast(ink, palette.PAPER) > 4.5, name
        assert contrast(ink.dark, palette.PAPER.dark) > 4.5, name


def test_thin_lines_show_on_both_papers() -> None:
    for name, look in {**palette.FACULTIES, **dict(enumerate(palette.PARTS))}.items():
        assert contrast(look.pen, palette.PAPER) > 3, name
        assert contrast(look.pen.dark, palette.PAPER.dark) > 3, name


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
    colours = {name: looks_like(on_papers(name, scheme)[0], eyes) for name in palette.FACULTIES}
    pairs = {(a, b): float(np.linalg.norm(colours[a] - colours[b])) for a, b in combinations(colours, 2)}
    nearest = min(pairs, key=lambda pair: pairs[pair])
    assert pairs[nearest] > 0.065, nearest


@pytest.mark.parametrize("scheme", [0, 1])
def test_letters_on_faculties_can_be_read(scheme: int) -> None:
    for name in palette.FACULTIES:
        assert contrast(*on_papers(name, scheme)) > 4.4, name


def test_charts_of_faculties_take_their_colours_and_others_keep_theirs() -> None:
    assert palette.looks(("right", "eyes", "thinking or eyes")) == [
        palette.FACULTIES[name] for name in ("right", "eyes", palette.NOT_TOLD_APART)
    ]
    assert palette.looks(("right", "wrong"))[0] == palette.PARTS[0]
