"""Readers of charts that share nothing with those who draw them: each goes by the pixels alone, and by what a letter, a
stripe or a crossing is in plain words. They read what is drawn well; that is enough to prove keys."""

from functools import cache
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from scipy import ndimage

from snellen.draw.letters import FONT
from snellen.item import Picture

Grey = NDArray[np.float64]

SIGNS = {
    "C": (".###.", "#...#", "#....", "#...#", ".###."),
    "D": ("####.", "#...#", "#...#", "#...#", "####."),
    "H": ("#...#", "#...#", "#####", "#...#", "#...#"),
    "K": ("#..#?", "#.#?.", "###..", "#?.#.", "#..?#"),
    "N": ("#?..#", "##?.#", "#.#.#", "#.?##", "#..?#"),
    "O": (".###.", "#...#", "#...#", "#...#", ".###."),
    "R": ("####?", "#...#", "####?", "#.??.", "#..?#"),
    "S": ("?###?", "#...?", "?###?", "?...#", "?###?"),
    "V": ("#...#", "?#.#?", ".#.#.", ".#?#.", "..#.."),
    "Z": ("#####", "...#.", "..#..", ".#...", "#####"),
}
"""Ink (#) or none (.) in the middles of the 5 x 5 cells; ? where a slanted edge passes."""


def grey(picture: Picture) -> Grey:
    with Image.open(BytesIO(picture.data)) as image:
        return np.asarray(image.convert("L"), np.float64)


def rgb(picture: Picture) -> NDArray[np.int64]:
    with Image.open(BytesIO(picture.data)) as image:
        return np.asarray(image.convert("RGB")).astype(np.int64)


def ink(picture: Picture, polarity: str = "dark") -> NDArray[np.bool_]:
    """Where the page is nearer to its darkest grey than to its lightest, or the other way round; none if it is even."""
    page = grey(picture) if polarity == "dark" else -grey(picture)
    return np.asarray(page < (page.min() + page.max()) / 2)


def box(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The part of a page that has ink."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def letter(mask: NDArray[np.bool_]) -> str:
    """The one letter whose cells have ink where they should."""
    side = max(mask.shape)
    square = np.zeros((side, side), bool)
    top, left = (side - mask.shape[0]) // 2, (side - mask.shape[1]) // 2
    square[top : top + mask.shape[0], left : left + mask.shape[1]] = mask
    at = ((np.arange(5) + 0.5) * side / 5).astype(int)
    cells = square[np.ix_(at, at)]
    (strays, found), (more, _) = sorted((_strays(rows, cells), name) for name, rows in SIGNS.items())[:2]
    assert strays <= 1 < more - strays + 1, (found, strays, more)  # one slanted edge may be a pixel off
    return found


def _strays(rows: tuple[str, ...], cells: NDArray[np.bool_]) -> int:
    """In how many cells there is ink where there should be none, or none where there should be."""
    signs = zip("".join(rows), cells.ravel(), strict=True)
    return sum(sign not in ("?", "#" if cell else ".") for sign, cell in signs)


def gap(mask: NDArray[np.bool_]) -> str:
    """Where a ring is open: along its middle circle, the one stretch without ink."""
    names = ("right", "upper right", "up", "upper left", "left", "lower left", "down", "lower right")
    height, width = mask.shape
    side = max(height, width)
    points = np.argwhere(mask)
    # The box of a ring whose gap lies on an axis is cut short there; its middle is that of its outer circle.
    middle = _circle(points)
    angles = np.radians(np.arange(0, 360, 3))
    y = np.clip(np.rint(middle[0] - 0.4 * side * np.sin(angles)), 0, height - 1).astype(int)
    x = np.clip(np.rint(middle[1] + 0.4 * side * np.cos(angles)), 0, width - 1).astype(int)
    empty = ~mask[y, x]
    across, up = (empty * np.cos(angles)).sum(), (empty * np.sin(angles)).sum()
    return names[round(np.degrees(np.arctan2(up, across)) / 45) % 8]


def _circle(points: NDArray[np.intp]) -> NDArray[np.float64]:
    """The middle of the circle on which the outermost points lie: the mean of opposite ends over many directions."""
    ends = []
    for angle in np.radians(np.arange(0, 180, 15) + 7.5):
        along = points @ np.array([np.sin(angle), np.cos(angle)])
        ends.append(((along.max() + along.min()) / 2, np.sin(angle), np.cos(angle)))
    values, sines, cosines = np.array(ends).T
    solved, *_ = np.linalg.lstsq(np.stack((sines, cosines), axis=1), values, rcond=None)
    return np.asarray(solved)


def stripes(picture: Picture) -> str:
    """How stripes run, by the direction in which the grey changes."""
    page = grey(picture)
    down, across = np.gradient(page)
    upright, level, leaning = (across**2).sum(), (down**2).sum(), 2 * (across * down).sum()
    turn = np.degrees(np.arctan2(leaning, upright - level)) / 2 % 180
    return ("upright", "leaning right", "level", "leaning left")[round(turn / 45) % 4]


def digit(picture: Picture) -> str:
    """The digit that coloured dots form, held against the font's digits as Pillow draws them."""
    pixels = rgb(picture)
    coloured = (pixels.max(axis=2) - pixels.min(axis=2) > 20).astype(np.float64)
    seen = ndimage.gaussian_filter(coloured, 8)
    fits = {digit: float(np.corrcoef(seen.ravel(), _printed(digit).ravel())[0, 1]) for digit in "0123456789"}
    return max(fits, key=lambda digit: fits[digit])


@cache
def _printed(digit: str) -> Grey:
    page = Image.new("L", (512, 512))
    font = ImageFont.truetype(str(FONT), 440)
    ImageDraw.Draw(page).text((256, 256), digit, fill=255, font=font, anchor="mm")
    return np.asarray(ndimage.gaussian_filter(np.asarray(page, np.float64), 8))


def odd_pair(picture: Picture) -> str:
    """The quarter of the page in which lower bar and upper bar are furthest from being in line."""
    dark = 255 - grey(picture)
    height, width = dark.shape
    off = {}
    for down, rows in (("upper", dark[: height // 2]), ("lower", dark[height // 2 :])):
        for across, quarter in (("left", rows[:, : width // 2]), ("right", rows[:, width // 2 :])):
            lines = np.flatnonzero(quarter.sum(axis=1) > 0)
            split = lines[np.argmax(np.diff(lines))]
            places = np.arange(quarter.shape[1])
            above, below = (part.sum(axis=0) for part in (quarter[: split + 1], quarter[split + 1 :]))
            off[f"{down} {across}"] = abs((above @ places) / above.sum() - (below @ places) / below.sum())
    return max(off, key=lambda corner: off[corner])


def dots(picture: Picture) -> int:
    """Separate patches of ink."""
    return int(ndimage.label(ink(picture), np.ones((3, 3)))[1])


def crossings(picture: Picture) -> int:
    """How often the order of red and blue changes from left to right, where the two are apart."""
    pixels = rgb(picture)
    red = pixels[:, :, 0] - pixels[:, :, 2] > 100
    blue = pixels[:, :, 2] - pixels[:, :, 0] > 100
    order = []
    for column in range(pixels.shape[1]):
        reds, blues = np.flatnonzero(red[:, column]), np.flatnonzero(blue[:, column])
        if len(reds) and len(blues) and (reds.max() < blues.min() or blues.max() < reds.min()):
            order.append(bool(reds.max() < blues.min()))
    return int(np.count_nonzero(np.diff(np.array(order, np.int8))))
