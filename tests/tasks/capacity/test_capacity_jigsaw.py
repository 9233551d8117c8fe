"""Jigsaws: two solvers of their own, one by edges and one by the pixels of the pictures, agree with every key."""

import io
import re
from collections import Counter
from functools import cache
from hashlib import sha256
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw
from scipy.ndimage import binary_dilation, binary_erosion, find_objects, label

from snellen.draw.canvas import indexed
from snellen.rng import stream
from snellen.tasks.capacity.draw import paintings
from snellen.tasks.capacity.draw.jigsaws import (
    BORDER,
    FINE,
    HOLE,
    KNOBS,
    STEP,
    STRAIGHT,
    TABLE,
    JigsawSide,
    margin,
    samples,
)
from snellen.tasks.capacity.kinds.jigsaw import KIND
from snellen.tasks.capacity.kinds.jigsaw.making import GRIDS, make, plan
from support.lengths import some_of

CASES = (("standard", 2), ("standard", 7), ("tiny", 3), ("large", 8))


@cache
def truth_of(size, index):
    return make(stream(5, "jigsaw", size, index), size, index)


@cache
def files(size, index):
    return [picture.data for picture in KIND.show(truth_of(size, index))]


def shown(size, index):
    return [np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int) for data in files(size, index)]


def answer_of(truth):
    parts = (part.split(": ") for part in KIND.ask(truth).key.split("; "))
    return {int(name.removeprefix("slot ")): value for name, value in parts}


def letters_of(truth):
    return "ABCDEFGHI"[: len(truth["order"])]


def wanted_sides(truth, column, row):
    """What a piece at a place must have on each side, from the seams alone."""

    def side(seam, mine):
        knob, place, owner = seam
        return ("tab" if owner == mine else "blank", knob, place)

    straight = ("straight", "", 0)
    return (
        side(truth["level"][row - 1][column], "second") if row else straight,
        side(truth["upright"][row][column], "first") if column + 1 < truth["columns"] else straight,
        side(truth["level"][row][column], "first") if row + 1 < truth["rows"] else straight,
        side(truth["upright"][row][column - 1], "second") if column else straight,
    )


def sides_of_pieces(truth):
    for number in truth["order"]:
        if number > 0:
            yield wanted_sides(truth, *truth["holes"][number - 1])
        else:
            yield tuple((kind, knob, place) for kind, knob, place in truth["extras"][-number]["sides"])


def extras_of(truth):
    """The extra pieces by their letters."""
    return {
        letter: truth["extras"][-number]
        for letter, number in zip(letters_of(truth), truth["order"], strict=True)
        if number <= 0
    }


@pytest.mark.soak
@pytest.mark.parametrize("case", CASES)
def test_edges_alone_leave_only_the_key_and_at_most_the_lures(case):
    truth = truth_of(*case)
    pieces = dict(zip(letters_of(truth), sides_of_pieces(truth), strict=True))
    key = answer_of(truth)
    for slot, hole in enumerate(truth["holes"], 1):
        fitting = {letter for letter, sides in pieces.items() if sides == wanted_sides(truth, *hole)}
        lures = {letter for letter, one in extras_of(truth).items() if (one["lure"], one["slot"]) == ("shape", slot)}
        assert fitting == {key[slot], *lures}


def drawn(sides, cell):
    """A piece's mask, drawn with Pillow's polygons rather than ours."""
    edge, scale = margin(cell), 4
    image = Image.new("1", ((cell + 2 * edge) * scale,) * 2)
    pen = ImageDraw.Draw(image)
    low, high = edge * scale, (edge + cell) * scale - 1
    pen.rectangle((low, low, high, high), fill=1)
    for number, (kind, knob, place) in enumerate(sides):
        if kind == "straight":
            continue
        sign = 1 if kind == "tab" else -1
        points = []
        for along, out in KNOBS[knob]:
            far, off = cell * (50 + STEP * place + along) / 100, sign * cell * out / 100
            x, y = {0: (far, -off), 1: (cell + off, far), 2: (far, cell + off), 3: (-off, far)}[number]
            points.append(((x + edge) * scale, (y + edge) * scale))
        pen.polygon(points, fill=int(kind == "tab"))
    return np.asarray(image)[scale // 2 :: scale, scale // 2 :: scale]


def loose_pieces(tray, masks, cell):
    """The pixels of each loose piece's window, found by looking for things that lie on the table."""
    things, _ = label(np.abs(tray - np.array(TABLE)).max(axis=2) > 40)
    large = [box for box in find_objects(things) if all(part.stop - part.start >= cell * 0.9 for part in box)]
    rows = sorted(large, key=lambda box: (round((box[0].start + box[0].stop) / cell / 1.5), box[1].start))
    for (down, across), mask in zip(rows, masks, strict=True):
        top, left = np.argwhere(mask.any(axis=1))[0, 0], np.argwhere(mask.any(axis=0))[0, 0]
        padded = np.pad(tray, ((cell, cell), (cell, cell), (0, 0)), mode="edge")
        y, x = down.start - top + cell, across.start - left + cell
        yield padded[y : y + len(mask), x : x + len(mask)]


class Laid:
    """A piece ready to be laid into holes. A pixel or two along its outline may go either way."""

    def __init__(self, pixels, mask):
        self.mask, self.core, self.halo = mask, binary_erosion(mask, iterations=2), binary_dilation(mask, iterations=2)
        last, inner, outer = len(mask) - 1, [], []
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            edge = np.argwhere(mask & ~np.roll(mask, (-down, -right), (0, 1)))
            way = np.array((down, right))
            inner.append(edge - 3 * way)
            outer.append(np.clip(edge + 4 * way, 0, last))
        self.outer = tuple(np.concatenate(outer).T)
        self.colours = pixels[tuple(np.concatenate(inner).T)]


def cost(board, hole, piece, cell):
    """How badly a piece fits a hole of a padded board: what it covers or leaves open, jumps of colour at its edge."""
    y, x = hole[1] * cell + BORDER, hole[0] * cell + BORDER
    around = board[y : y + len(piece.mask), x : x + len(piece.mask)]
    empty = np.abs(around - np.array(HOLE)).max(axis=2) < 9
    inked = np.abs(around - np.array((38, 40, 52))).max(axis=2) < 60  # the outline and the number
    wrong = np.count_nonzero(piece.core & ~empty & ~inked) + np.count_nonzero(empty & ~piece.halo)
    beyond = around[piece.outer]
    outside = ~piece.mask[piece.outer] & (np.abs(beyond - np.array(TABLE)).max(axis=1) > 6)
    steps = np.abs(piece.colours - beyond).mean(axis=1)[outside]
    return wrong * 400 / cell**2 + steps.mean()


@pytest.mark.soak
@pytest.mark.parametrize("case", CASES)
def test_the_best_of_all_assignments_by_pixels_is_the_key(case):
    truth = truth_of(*case)
    board, tray = shown(*case)
    cell = truth["cell"]
    edge = margin(cell)
    board = np.pad(board, ((edge, edge), (edge, edge), (0, 0)), mode="edge")
    masks = [drawn(sides, cell) for sides in sides_of_pieces(truth)]
    pieces = [Laid(*piece) for piece in zip(loose_pieces(tray, masks, cell), masks, strict=True)]
    table = [[cost(board, hole, piece, cell) for piece in pieces] for hole in truth["holes"]]
    totals = {
        chosen: sum(row[piece] for row, piece in zip(table, chosen, strict=True))
        for chosen in permutations(range(len(masks)), len(table))
    }
    best, second = sorted(totals, key=totals.__getitem__)[:2]
    assert {slot: letters_of(truth)[piece] for slot, piece in enumerate(best, 1)} == answer_of(truth)
    assert totals[second] - totals[best] > 5


def sides_in_words(text):
    found = {}
    for name, words in re.findall(r"(top|right|bottom|left): ([^;.]+)", text):
        kind, *rest = words.split(", ")
        found[name] = (kind, *rest[:2], [int(value) for value in rest[2].split()[1:]]) if rest else None
    return found


def solved_by_words(twin):
    """The answer from the twin alone: edges first, colours where two pieces have the same."""
    slots = {m[1]: sides_in_words(m[2]) for m in re.finditer(r"^Slot (\d) \([^)]*\): (.*)$", twin, re.M)}
    pieces = {m[1]: sides_in_words(m[2]) for m in re.finditer(r"^Piece (\w): (.*)$", twin, re.M)}
    answer = {}
    for slot, around in slots.items():
        fitting = {}
        for letter, sides in pieces.items():
            pairs = [(sides[name], around[name]) for name in around]
            if all(
                (own is None) == (other is None)
                and (own is None or ({own[0], other[0]} == {"tab", "blank"} and own[1:3] == other[1:3]))
                for own, other in pairs
            ):
                steps = [abs(a - b) for own, other in pairs if own for a, b in zip(own[3], other[3], strict=True)]
                fitting[letter] = sum(steps)
        answer[int(slot)] = min(fitting, key=fitting.__getitem__)
    return answer


@some_of("case", CASES, 4)
def test_the_twin_says_enough(case):
    assert solved_by_words(KIND.ask(truth_of(*case)).twin) == answer_of(truth_of(*case))


@pytest.mark.parametrize("case", CASES[:2])
def test_every_wrong_letter_has_a_mechanism(case):
    truth = truth_of(*case)
    asked, key = KIND.ask(truth), answer_of(truth)
    wrong = {f"slot {slot}={letter}" for slot in key for letter in letters_of(truth) if letter != key[slot]}
    assert set(asked.mechanisms) == wrong
    for letter, extra in extras_of(truth).items():
        named = {slot: asked.mechanisms[f"slot {slot}={letter}"] for slot in key}
        assert named.pop(extra["slot"]) == f"fits by {extra['lure']} only"
        assert {*named.values()} == {"an extra piece"}


def test_same_stream_same_bytes():
    first = files("tiny", 3)
    paintings.paint.cache_clear()
    again = make(stream(5, "jigsaw", "tiny", 3), "tiny", 3)
    assert again == truth_of("tiny", 3)
    assert [picture.data for picture in KIND.show(again)] == first


@pytest.mark.parametrize("size", GRIDS)
def test_numbers_letters_and_lures_take_turns(size):
    plans = [plan(GRIDS[size], index) for index in range(840)]
    for many in GRIDS[size].holes:
        letters = Counter((letter, lure) for pieces, letter, lure in plans if pieces == many)
        assert len(letters) == 2 * (many + GRIDS[size].extras)
        assert max(letters.values()) - min(letters.values()) <= 2


@pytest.mark.parametrize("case", CASES)
def test_holes_are_apart_and_as_planned(case):
    size, index = case
    truth = truth_of(size, index)
    many, letter, lure = plan(GRIDS[size], index)
    assert (len(truth["holes"]), truth["order"].index(0), truth["extras"][0]["lure"]) == (many, letter, lure)
    gaps = [abs(a - c) + abs(b - d) for a, b in truth["holes"] for c, d in truth["holes"] if (a, b) != (c, d)]
    assert min(gaps) > 1


@pytest.mark.parametrize("case", CASES)
def test_extra_pieces_have_no_knob_of_their_own(case):
    truth = truth_of(*case)
    known = {knob for row in (*truth["level"], *truth["upright"]) for knob, _, _ in row}
    assert {knob for extra in truth["extras"] for _, knob, _ in extra["sides"] if knob} <= known


@pytest.mark.parametrize(("size", "extras"), [("tiny", 1), ("standard", 2), ("large", 3)])
def test_larger_puzzles_have_more_extra_pieces_each_with_a_hole_of_its_own(size, extras):
    found = truth_of(size, 8)["extras"]
    assert len(found) == len({extra["slot"] for extra in found}) == extras
    lures = [extra["lure"] for extra in found]
    assert all(one != other for one, other in pairwise(lures))


def colours(board, place, cell):
    """How often which colour is seen at a place of the board, in coarse steps."""
    column, row = place
    seen = board[BORDER + row * cell : BORDER + (row + 1) * cell, BORDER + column * cell : BORDER + (column + 1) * cell]
    return np.histogramdd(seen.reshape(-1, 3), bins=4, range=[(0, 256)] * 3)[0] / cell**2


@pytest.mark.soak
def test_a_lure_by_shape_has_the_colours_of_what_is_missing():
    """By colour it is nearer to the missing piece than most other parts of the painting are."""
    ranks = []
    for index in range(6):
        truth = truth_of("standard", index)
        board = np.asarray(paintings.paint(truth["painter"], truth["seed"], 7 * 96, 8 * 96))
        board = np.pad(board, ((BORDER, BORDER), (BORDER, BORDER), (0, 0)))
        lure = next(extra for extra in truth["extras"] if extra["lure"] == "shape")
        hole = truth["holes"][lure["slot"] - 1]
        places = [[c, r] for c in range(8) for r in range(7) if [c, r] not in truth["holes"]]
        own = colours(board, hole, 96)
        away = sorted(places, key=lambda place: np.abs(colours(board, place, 96) - own).sum())
        ranks.append(away.index(lure["place"]) / len(away))
    assert np.mean(ranks) < 0.3


SIDE = st.builds(
    JigsawSide, st.sampled_from(("tab", "blank")), st.sampled_from(sorted(KNOBS)), st.sampled_from((-1, 0, 1))
)


@settings(max_examples=12, deadline=None)
@given(SIDE, st.integers(0, 3))
def test_a_side_and_its_mate_share_every_sample_once(side, number):
    cell, opposite = 60, (number + 2) % 4
    outlines = [[STRAIGHT] * 4, [STRAIGHT] * 4]
    outlines[0][number], outlines[1][opposite] = side, side.mate
    first, second = (samples(tuple(outline), cell) for outline in outlines)
    down, right = ((-1, 0), (0, 1), (1, 0), (0, -1))[number]
    room = np.zeros((3 * len(first), 3 * len(first)), int)
    for mask, steps in ((first, 0), (second, 1)):
        top, left = (len(first) + steps * cell * FINE * way for way in (down, right))
        room[top : top + len(mask), left : left + len(mask)] += mask
    assert room.max() == 1
    assert room.sum() == 2 * (cell * FINE) ** 2


PAINTED = {
    "hills": "e36ba168fb6a0cf8",
    "seaside": "6e7602685318a805",
    "balloons": "af03ddea158c6d21",
    "flowers": "25c0414275c44bc5",
    "night": "dbc95bc4523a0216",
    "street": "22e23dd3437e8369",
    "circles": "d37f9f621ce2aaac",
    "tiles": "34f7e77d94c5d565",
}
"""On every machine."""


@some_of("painter", paintings.PAINTERS, 4)
def test_paintings_follow_from_their_seed(painter):
    first = paintings.paint(painter, 1, 150, 200)
    assert sha256(first.tobytes()).hexdigest()[:16] == PAINTED[painter]
    assert first.shape == (150, 200, 3)
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 60
    assert (paintings.paint(painter, 2, 150, 200) != first).any()


def test_a_palette_of_its_own_keeps_a_painting_close():
    painted = paintings.paint("flowers", 1, 150, 200)
    numbers, palette = indexed(painted)
    steps = np.abs(palette[numbers].astype(int) - painted)
    assert len(palette) <= 256
    assert steps.mean() < 4
    assert np.quantile(steps, 0.99) < 24
