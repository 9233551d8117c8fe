"""Thinking of a jigsaw puzzle and proving that its pieces belong where they belong."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Any

import numpy as np

from snellen.rng import Stream
from snellen.tasks.capacity.draw.jigsaws import KNOBS, JigsawSide, Outline, Place, mask, window
from snellen.tasks.capacity.draw.paintings import PAINTERS
from snellen.tasks.capacity.kind import Truth
from snellen.tasks.capacity.kinds.jigsaw.fit import PLAIN_STEP, SMOOTH_STEP, Ints, Seams, apart, lopsided, seams, unlike
from snellen.tasks.capacity.kinds.jigsaw.puzzle import Extra, Jigsaw, Seam

LURES = ("colour", "shape")

_BROKEN = 55
"""At least so many per cent of a wrong piece's seam show a jump in colour."""
_JUMP = 24
_UNLIKE, _RICH = 16, 13
"""So far apart are two pieces' pixels on average; so much do a piece's own pixels vary."""


@dataclass(frozen=True, slots=True)
class JigsawSize:
    """A size of puzzle: columns, rows, pixels to a piece, how many may be taken out, and how many extra pieces lie
    among them."""

    columns: int
    rows: int
    cell: int
    holes: tuple[int, ...]
    extras: int


GRIDS = {
    "standard": JigsawSize(8, 7, 96, (3, 4, 5, 6), 2),
    "tiny": JigsawSize(4, 3, 152, (3, 4), 1),
    "small": JigsawSize(6, 5, 116, (3, 4, 5, 6), 1),
    "large": JigsawSize(10, 8, 84, (5, 6), 3),
}
"""The standard is the paper's: 56 slots, three to six of them empty."""


def make(rng: Stream, size: str, index: int) -> Truth:
    """A puzzle, proven to have one solution."""
    grid = GRIDS[size]
    many, letter, lure = plan(grid, index)
    for puzzle in _puzzles(rng, grid, many, lure):
        numbers = [number for number in range(1 - grid.extras, many + 1) if number]
        rng.shuffle(numbers)
        lettered = replace(puzzle, order=(*numbers[:letter], 0, *numbers[letter:]))
        return {"size": size, **lettered.told(), **_known(lettered)}
    raise AssertionError("puzzles never end")


def plan(grid: JigsawSize, index: int) -> tuple[int, int, str]:
    """How many pieces are out, which letter (from 0) the first extra one has, and its lure: all take turns."""
    many, round_ = grid.holes[index % len(grid.holes)], index // len(grid.holes)
    pieces = many + grid.extras
    # With an odd number of pieces every letter meets both lures anyway.
    skipped = 0 if pieces % 2 else round_ // pieces
    return many, round_ % pieces, LURES[(round_ + skipped) % 2]


def _puzzles(rng: Stream, grid: JigsawSize, many: int, lure: str) -> Iterator[Jigsaw]:
    """Puzzles that stand up to the proof, one after another."""
    painter = rng.choice(tuple(PAINTERS))
    while True:
        cut = _cut(rng, grid, painter, rng.below(1 << 30))
        for _ in range(6):
            holed = replace(cut, holes=_holes(rng, cut, many))
            if not holed.holes or not _holes_are_clear(holed):
                continue
            extras = _extras(rng, holed, grid.extras, LURES.index(lure))
            if len(extras) == grid.extras:
                yield replace(holed, extras=extras)


def _extras(rng: Stream, puzzle: Jigsaw, many: int, first: int) -> tuple[Extra, ...]:
    """Pieces that fit nowhere, their lures in turn, each with a hole of its own; fewer if these holes have no more."""
    extras: list[Extra] = []
    for slot in rng.sample(range(1, len(puzzle.holes) + 1), len(puzzle.holes)):
        lure = LURES[(first + len(extras)) % 2]
        candidates = _other_outlines(rng, puzzle, slot) if lure == "colour" else _other_parts(puzzle, slot)
        shown = {extra.place for extra in extras}
        extras += islice((extra for extra in candidates if extra.place not in shown and fits_nowhere(puzzle, extra)), 1)
        if len(extras) == many:
            break
    return tuple(extras)


def _cut(rng: Stream, grid: JigsawSize, painter: str, seed: int) -> Jigsaw:
    """A puzzle without holes yet."""
    knobs = rng.sample(tuple(KNOBS), 3)

    def seam() -> Seam:
        return rng.choice(knobs), rng.below(3) - 1, rng.choice(("first", "second"))

    level = tuple(tuple(seam() for _ in range(grid.columns)) for _ in range(grid.rows - 1))
    upright = tuple(tuple(seam() for _ in range(grid.columns - 1)) for _ in range(grid.rows))
    return Jigsaw(grid.columns, grid.rows, grid.cell, painter, seed, level, upright, (), (), ())


def _holes(rng: Stream, puzzle: Jigsaw, many: int) -> tuple[Place, ...]:
    """Places in random order, no two side by side (a hole shows its whole outline); empty if there was no room."""
    places = [(column, row) for row in range(puzzle.rows) for column in range(puzzle.columns)]
    rng.shuffle(places)
    holes: list[Place] = []
    for column, row in places:
        beside = any(abs(column - x) + abs(row - y) == 1 for x, y in holes)
        if len(holes) < many and not beside and lopsided(puzzle.cut.outline((column, row)), puzzle.cell):
            holes.append((column, row))
    rng.shuffle(holes)
    return tuple(holes) if len(holes) == many else ()


def _holes_are_clear(puzzle: Jigsaw) -> bool:
    """Whether the pieces taken out differ in outline and in what they show, go on beyond their seams, and show much."""
    numbers = range(1, len(puzzle.holes) + 1)
    pieces = [puzzle.piece(number) for number in numbers]
    masks = [mask(piece.outline, puzzle.cell) for piece in pieces]
    rich = all(_variety(piece.pixels[own]) >= _RICH for piece, own in zip(pieces, masks, strict=True))
    return (
        rich
        and all(apart(a.outline, b.outline, puzzle.cell) for a, b in combinations(pieces, 2))
        and all(
            unlike(pieces[a].pixels, pieces[b].pixels, masks[a] & masks[b]) >= _UNLIKE
            for a, b in combinations(range(len(pieces)), 2)
        )
        and all(_widest(_seams_in(puzzle, number, number)) <= SMOOTH_STEP for number in numbers)
    )


def _variety(pixels: "np.ndarray[Any, np.dtype[np.uint8]]") -> int:
    """The mean distance of pixels from their mean."""
    values = pixels.astype(np.int64)
    return int(np.abs(values - values.sum(axis=0) // len(values)).sum()) // (3 * len(values))


def _other_outlines(rng: Stream, puzzle: Jigsaw, slot: int) -> Iterator[Extra]:
    """What belongs into a hole, with one or two sides cut otherwise."""
    place = puzzle.holes[slot - 1]
    own = puzzle.cut.outline(place)
    free = [number for number, side in enumerate(own) if side.kind != "straight"]
    knobs = sorted({knob for row in (*puzzle.level, *puzzle.upright) for knob, _, _ in row})
    for _ in range(8):
        cut = {number: _otherwise(rng, own[number], knobs) for number in rng.sample(free, 1 + rng.below(2))}
        top, right, bottom, left = (cut.get(number, side) for number, side in enumerate(own))
        yield Extra("colour", slot, (top, right, bottom, left), place)


def _otherwise(rng: Stream, side: JigsawSide, knobs: Sequence[str]) -> JigsawSide:
    """A side that does not fit where this one does, with a knob as other pieces have: none is to give itself away."""
    change = rng.below(3)
    if change == 0:
        return side.mate
    if change == 1:
        return replace(side, knob=rng.choice([knob for knob in knobs if knob != side.knob]))
    return replace(side, place=rng.choice([place for place in (-1, 0, 1) if place != side.place]))


def _other_parts(puzzle: Jigsaw, slot: int) -> Iterator[Extra]:
    """Pieces that fit a hole but show another part of the painting, one that is not missing: those first that have the
    colours of what is missing, so that colours alone do not rule them out."""
    hole = puzzle.holes[slot - 1]
    picture = puzzle.picture()
    places = [(column, row) for row in range(puzzle.rows) for column in range(puzzle.columns)]
    seen = {place: _tints(window(picture, place, puzzle.cell)[::4, ::4].reshape(-1, 3)) for place in places}
    away = {place: int(np.abs(seen[place] - seen[hole]).sum()) for place in places if place not in puzzle.holes}
    for place in sorted(away, key=lambda place: (away[place], place)):
        yield Extra("shape", slot, puzzle.cut.outline(hole), place)


def fits_nowhere(puzzle: Jigsaw, extra: Extra) -> bool:
    """Whether an extra piece fits no hole: by its outline, or, where that fits, plainly by what it shows."""
    for number, hole in enumerate(puzzle.holes, 1):
        if extra.lure == "shape" and number == extra.slot:
            wrong = _seams_in(replace(puzzle, extras=(extra,)), 0, number)
            broken = int(np.count_nonzero(wrong.steps >= _JUMP)) * 100 >= _BROKEN * len(wrong.steps)
            if not broken or _widest(wrong) < PLAIN_STEP:
                return False
        elif not apart(extra.outline, puzzle.cut.outline(hole), puzzle.cell):
            return False
    return True


def _seams_in(puzzle: Jigsaw, piece: int, slot: int) -> Seams:
    """The seams of a piece (0: the first extra one), laid into a hole."""
    loose = puzzle.piece(piece)
    around = window(puzzle.picture(), puzzle.holes[slot - 1], puzzle.cell)
    return seams(loose.outline, loose.pixels, around, puzzle.cell)


def _widest(borders: Seams) -> int:
    """The largest step between the mean colours on the two sides of a seam."""
    steps = [0]
    for side in range(4):
        inner, outer = borders.mean(side, outer=False), borders.mean(side, outer=True)
        if inner and outer:
            steps.append(sum(abs(a - b) for a, b in zip(inner, outer, strict=True)) // 3)
    return max(steps)


def _known(puzzle: Jigsaw) -> dict[str, Any]:
    """What is known of the pieces besides: colours along their sides, how hard it is."""
    numbers = range(1, len(puzzle.holes) + 1)
    along = [_means(_seams_in(puzzle, number, number), outer=True) for number in numbers]
    own_colours = [_means(_inner(puzzle, number), outer=False) for number in puzzle.order]
    confusable = sum(_kinds(a) == _kinds(b) for a, b in combinations(map(puzzle.outline_of, puzzle.order), 2))
    return {
        "colours": {"slots": along, "pieces": own_colours},
        "difficulty": len(puzzle.holes) * len(puzzle.order) + 2 * confusable,
    }


def _means(borders: Seams, outer: bool) -> list[list[int] | None]:
    """The mean colours along the four sides."""
    return [borders.mean(side, outer) for side in range(4)]


def _inner(puzzle: Jigsaw, number: int) -> Seams:
    loose = puzzle.piece(number)
    return seams(loose.outline, loose.pixels, loose.pixels, puzzle.cell)


def _kinds(outline: Outline) -> tuple[str, ...]:
    return tuple(side.kind for side in outline)


def _tints(pixels: "np.ndarray[Any, np.dtype[np.uint8]]") -> Ints:
    """A piece's colours, whatever is where: each channel's pixels in order, at even steps."""
    ordered = np.sort(pixels, axis=0)
    tints: Ints = ordered[np.arange(1, 16) * len(pixels) // 16].astype(np.int64)
    return tints
