"""Optotypes and the coverage below them: exact areas, letters that are what they are called, greys as asked for."""

from collections.abc import Callable
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from snellen.draw.coverage import FINE, band, cover, disc
from snellen.draw.sheet import BLACK, ChartPage, InkTone, picture, tone
from snellen.errors import UserError
from snellen.tasks.acuity.draw.optotypes import DIRECTIONS, LETTERS, Optotype, OptotypePage, aligned, painted, words
from support.lengths import examples, some_of

Mask = NDArray[np.bool_]
Reals = NDArray[np.float64]
SMALL = ChartPage(256, 256)


# What the letters are, said once more and differently: by which points lie in them, not by their outlines.


def stroke(x: Reals, y: Reals, a: tuple[float, float], b: tuple[float, float]) -> Mask:
    """Within half a unit of the straight line through two points."""
    across, down = b[0] - a[0], b[1] - a[1]
    return np.asarray(np.abs((x - a[0]) * down - (y - a[1]) * across) <= 0.5 * np.hypot(across, down))


def ring(x: Reals, y: Reals, middle: tuple[float, float], radius: float) -> Mask:
    return np.asarray(np.abs(np.hypot(x - middle[0], y - middle[1]) - radius) <= 0.5)


def box(x: Reals, y: Reals, left: float, top: float, right: float, bottom: float) -> Mask:
    return np.asarray((x >= left) & (x < right) & (y >= top) & (y < bottom))


def level_width(height: float, run: Callable[[float], float]) -> float:
    """How wide along the level a slanted stroke is that is one across: by halving."""
    low, high = 0.5, 3.0
    for _ in range(60):
        middle = (low + high) / 2
        one_across = middle * height / np.hypot(run(middle), height)
        low, high = (middle, high) if one_across < 1 else (low, middle)
    return low


def letter(name: str, x: Reals, y: Reals) -> Mask:
    """Whether points (in units from the upper left) lie in a letter."""
    return np.asarray(PARTS[name](x, y) & box(x, y, 0, 0, 5, 5))


def stem(x: Reals, y: Reals) -> Mask:
    return box(x, y, 0, 0, 1, 5)


def o(x: Reals, y: Reals) -> Mask:
    return ring(x, y, (2.5, 2.5), 2)


def k(x: Reals, y: Reals) -> Mask:
    arm = stroke(x, y, (5 - 2**0.5 / 2, 0), (1, 4 - 2**0.5 / 2)) & (x >= 1)
    leg = stroke(x, y, (4.375, 5), (4.375 - 3, 1)) & (x + y >= 5 - 2**0.5 / 2)
    return stem(x, y) | arm | leg


def r(x: Reals, y: Reals) -> Mask:
    bowl = box(x, y, 0, 0, 3.5, 1) | box(x, y, 0, 2, 3.5, 3) | (ring(x, y, (3.5, 1.5), 1) & (x >= 3.5))
    return stem(x, y) | bowl | (stroke(x, y, (2.875, 3), (4.375, 5)) & (y >= 3))


def s(x: Reals, y: Reals) -> Mask:
    bars = [box(x, y, 1.5, top, 3.5, top + 1) for top in (0, 2, 4)]
    bends = [
        ring(x, y, (3.5, 1.5), 1) & (x >= 3.5) & (y <= 1.5),
        ring(x, y, (1.5, 1.5), 1) & (x <= 1.5),
        ring(x, y, (3.5, 3.5), 1) & (x >= 3.5),
        ring(x, y, (1.5, 3.5), 1) & (x <= 1.5) & (y >= 3.5),
    ]
    return np.asarray(np.logical_or.reduce(bars + bends))


def v(x: Reals, y: Reals) -> Mask:
    wide = level_width(5, lambda w: 2.5 - w / 2)
    return stroke(x, y, (wide / 2, 0), (2.5, 5)) | stroke(x, y, (5 - wide / 2, 0), (2.5, 5))


def z(x: Reals, y: Reals) -> Mask:
    wide = level_width(3, lambda w: 5 - w)
    slanted = stroke(x, y, (5 - wide / 2, 1), (wide / 2, 4)) & (y >= 1)
    return box(x, y, 0, 0, 5, 1) | box(x, y, 0, 4, 5, 5) | slanted


PARTS: dict[str, Callable[[Reals, Reals], Mask]] = {
    "C": lambda x, y: o(x, y) & ~((x > 2.5) & (np.abs(y - 2.5) < 0.5)),
    "D": lambda x, y: stem(x, y) | box(x, y, 0, 0, 2.5, 1) | box(x, y, 0, 4, 2.5, 5) | (o(x, y) & (x >= 2.5)),
    "H": lambda x, y: stem(x, y) | box(x, y, 4, 0, 5, 5) | box(x, y, 0, 2, 5, 3),
    "K": k,
    "N": lambda x, y: stem(x, y) | box(x, y, 4, 0, 5, 5) | stroke(x, y, (0.625, 0), (4.375, 5)),
    "O": o,
    "R": r,
    "S": s,
    "V": v,
    "Z": z,
}


def turned(direction: str, x: Reals, y: Reals) -> Mask:
    angle = DIRECTIONS.index(direction) * np.pi / 4
    right, up = x - 2.5, 2.5 - y
    along, off = right * np.cos(angle) + up * np.sin(angle), up * np.cos(angle) - right * np.sin(angle)
    return letter("C", along + 2.5, 2.5 - off)


def sampled(sign: Optotype, side: int, fine: int) -> Reals:
    """Each pixel's share by sampling it fine x fine times."""
    at = (np.arange(side * fine) + 0.5) / fine
    x = (at[None, :] - sign.x) / sign.stroke + 2.5 + np.zeros((side * fine, 1))
    y = (at[:, None] - sign.y) / sign.stroke + 2.5 + np.zeros((1, side * fine))
    hit = letter(sign.name, x, y) if sign.name in LETTERS else turned(sign.name, x, y)
    return hit.reshape(side, fine, side, fine).mean(axis=(1, 3))


def shares(sign: Optotype, side: int) -> Reals:
    return cover(sign.outlines).on(side, side) / FINE


@pytest.mark.parametrize("name", [*LETTERS, *DIRECTIONS])
@pytest.mark.parametrize("at", [(0.7, 3.13, 3.31), (1.37, 5.2, 4.9)])
def test_a_grey_is_the_share_of_the_pixel_that_is_covered(name: str, at: tuple[float, float, float]) -> None:
    sign = Optotype(name, *at)
    assert np.abs(shares(sign, 10) - sampled(sign, 10, 48)).max() <= 1 / 64


@some_of("name", [*LETTERS, *DIRECTIONS], 6)
def test_a_large_optotype_has_its_exact_shares_too(name: str) -> None:
    """Upright and level edges lie between two samples here, so that 16 a side miss nothing of them."""
    sign = Optotype(name, 11.25, 31.625, 30.9375)
    away = np.abs(shares(sign, 64) - sampled(sign, 64, 16))
    assert away.max() <= 1 / 32  # an edge at 45 degrees takes or leaves a whole diagonal of samples
    assert away.mean() <= 1 / 2000


@pytest.mark.parametrize("name", LETTERS)
@pytest.mark.parametrize("width", [1, 3, 8])
def test_straight_edges_are_sharp_at_whole_strokes(name: str, width: int) -> None:
    """Rows and columns of the grid: a pixel is plain wherever no slanted or round edge can pass."""
    drawn = shares(Optotype(name, width, 2.5 * width, 2.5 * width), 5 * width)
    plain = (drawn == 0) | (drawn == 1)
    if name == "H":
        assert plain.all()
    if name in "DHKNR":
        assert (drawn[:, :width] == 1).all() or name == "N"
        assert plain[:, :width].all()
    if name == "Z":
        assert (drawn[:width] == 1).all()
        assert (drawn[-width:] == 1).all()


@given(st.sampled_from([1, 2, 3, 7]), st.floats(50, 200), st.floats(50, 200))
def test_an_aligned_letter_has_no_grey_at_straight_edges(width: int, x: float, y: float) -> None:
    sign = aligned("H", width, x, y)
    assert max(abs(sign.x - x), abs(sign.y - y)) <= 0.5
    assert set(np.unique(painted(OptotypePage((sign,), SMALL)).numbers).tolist()) == {0, 255}


@given(
    st.sampled_from([*LETTERS, *DIRECTIONS]),
    st.floats(0.5, 60),
    st.floats(0, 1),
    st.floats(0, 1),
)
@examples(25, 60)
def test_the_ink_is_the_letters_area_at_any_size_and_place(name: str, width: float, x: float, y: float) -> None:
    sign = Optotype(name, width, 160 + x, 160 + y)
    area = sum(
        float((o[:, 0] * np.roll(o[:, 1], -1) - o[:, 1] * np.roll(o[:, 0], -1)).sum()) / 2 for o in sign.outlines
    )
    drawn = shares(sign, 320)
    assert drawn.sum() == pytest.approx(abs(area), abs=0.02 + width / 100)
    assert drawn.min() >= 0
    assert drawn.max() <= 1
    rows, columns = np.nonzero(drawn)
    half = 2.5 * width + 1
    assert max(abs(rows - 160).max(), abs(columns - 160).max()) <= half + 1


@pytest.mark.parametrize("width", [0.5, 0.8, 1, 2.4, 6])
@pytest.mark.parametrize("names", [tuple(LETTERS), DIRECTIONS])
def test_a_reader_of_the_pixels_tells_them_apart(width: float, names: tuple[str, ...]) -> None:
    middle = 128 + 0.25
    window = slice(128 - int(3 * width) - 1, 128 + int(3 * width) + 3)
    side = window.stop - window.start
    known = {}
    for name in names:
        at = middle - window.start
        known[name] = 255 * (1 - sampled(Optotype(name, width, at, at), side, 16))
    for name in names:
        seen = painted(OptotypePage((Optotype(name, width, middle, middle),), SMALL)).numbers[window, window]
        assert min(known, key=lambda other: float(((known[other] - seen) ** 2).sum())) == name


@given(st.floats(0.001, 1), st.sampled_from(["dark", "light"]))
def test_a_contrast_is_met_to_half_a_grey_level_and_never_vanishes(contrast: float, polarity: str) -> None:
    greys = tone(contrast, polarity)
    assert greys.polarity == polarity
    assert abs(greys.contrast - max(contrast, 1 / 255)) <= 0.5 / 255 + 1e-9
    ground, ink = OptotypePage((), SMALL, greys), OptotypePage((Optotype("H", 9, 128, 128),), SMALL, greys)
    assert np.unique(painted(ground).numbers).tolist() == [greys.ground]
    drawn = painted(ink).numbers
    assert drawn[128, 128] == greys.ink
    assert set(np.unique(drawn).tolist()) <= set(range(min(greys.ink, greys.ground), max(greys.ink, greys.ground) + 1))


def test_polarity_exchanges_the_greys() -> None:
    sign = Optotype("S", 3.3, 100.2, 99.7)
    dark, light = (painted(OptotypePage((sign,), SMALL, tone(1, polarity))).numbers for polarity in ("dark", "light"))
    assert np.abs(dark.astype(int) + light - 255).max() <= 1  # a grey half way between two levels rounds up in both


def test_the_picture_holds_the_drawn_pixels() -> None:
    chart = OptotypePage((Optotype("R", 2.7, 200.3, 60.1),), ChartPage(384, 256))
    drawn = painted(chart)
    with Image.open(BytesIO(picture(drawn, "a chart", words(chart)).data)) as image:
        assert np.array_equal(np.asarray(image.convert("RGB")), drawn.rgb)
        assert image.size == (384, 256)


def test_the_largest_page_is_drawn() -> None:
    drawn = painted(OptotypePage((Optotype("K", 60, 3900, 3900),), ChartPage(4096, 4096))).numbers
    assert drawn.shape == (4096, 4096)
    assert drawn[3900, 3760] == 0
    assert (drawn[:3700] == 255).all()


def test_the_twin_names_what_is_drawn() -> None:
    signs = (Optotype("K", 5, 256, 256), Optotype("upper left", 2.5, 100, 90))
    assert words(OptotypePage(signs)) == (
        "A page of 512 x 512 px, grey 0 on grey 255, showing the letter K, 25 px high, strokes 5 px, its middle at"
        " (256, 256); a ring with its gap pointing upper left, 12.5 px high, strokes 2.5 px, its middle at (100, 90)."
    )
    assert words(OptotypePage(())).endswith("showing nothing at all.")


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(ValueError, match="neither a Sloan letter"):
        Optotype("A", 5, 100, 100)
    with pytest.raises(ValueError, match=r"strokes are 0\.5 to 60 px wide, not 0\.4"):
        Optotype("K", 0.4, 100, 100)
    with pytest.raises(ValueError, match="leaves the page"):
        OptotypePage((Optotype("K", 5, 10, 100),))
    with pytest.raises(ValueError, match="256 to 4096"):
        ChartPage(255, 512)
    with pytest.raises(ValueError, match="greys go from 0 to 255"):
        InkTone(256, 0)
    with pytest.raises(ValueError, match="contrast goes from above 0"):
        tone(0)
    with pytest.raises(UserError, match="unknown polarity"):
        tone(1, "green")
    assert tone(1) == BLACK


@given(st.lists(st.tuples(st.floats(-5, 25), st.floats(-5, 25)), min_size=3, max_size=3))
@examples(30, 100)
def test_any_triangle_has_its_area(corners: list[tuple[float, float]]) -> None:
    points = np.rint(np.array(corners) * FINE) / FINE
    (ax, ay), (bx, by), (cx, cy) = points.tolist()
    area = abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2
    drawn = cover([points])
    assert drawn.amount.sum() / FINE == pytest.approx(area, abs=0.1)
    shifted = cover([points + np.array([7.0, -3.0])])
    assert np.array_equal(shifted.amount, drawn.amount)
    assert (shifted.left, shifted.top) == (drawn.left + 7, drawn.top - 3)


def test_discs_and_lines_have_their_areas_and_pages_cut_them_off() -> None:
    assert cover([disc(20.3, 19.9, 9.7)]).amount.sum() / FINE == pytest.approx(np.pi * 9.7**2, rel=0.002)
    bent = band(np.array([(0.0, 0.0), (10.0, 0.0), (20.0, 10.0)]), 2.0)
    assert cover([bent]).amount.sum() / FINE == pytest.approx(2 * (10 + 10 * 2**0.5), rel=0.001)
    half = cover([disc(0.0, 50.0, 10.0)]).on(100, 100)
    assert half.sum() / FINE == pytest.approx(np.pi * 50, rel=0.002)
    assert cover([]).on(3, 4).shape == (3, 4)
