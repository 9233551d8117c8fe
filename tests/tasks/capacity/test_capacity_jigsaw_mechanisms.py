"""Jigsaws: what a wrong piece betrays is named only where it is true of the piece."""

import re
from dataclasses import replace
from functools import cache

import numpy as np

from snellen.rng import stream
from snellen.tasks.capacity.draw.jigsaws import mask
from snellen.tasks.capacity.kinds.jigsaw import KIND
from snellen.tasks.capacity.kinds.jigsaw.making import make
from snellen.tasks.capacity.kinds.jigsaw.puzzle import Jigsaw
from support.lengths import some_of

CASES = (("standard", 2), ("standard", 7), ("tiny", 3), ("small", 4), ("large", 8))


@cache
def truth_of(size, index):
    return make(stream(5, "jigsaw", size, index), size, index)


def letter_of(truth, piece):
    return "ABCDEFGHI"[truth["order"].index(piece)]


def wrong_pairs(truth):
    """Slots with pieces of other slots."""
    numbers = range(1, len(truth["holes"]) + 1)
    return [(slot, piece) for slot in numbers for piece in numbers if slot != piece]


def steps(twin, slot, letter):
    """How far the colours of a piece are from those around a slot, side by side, as the twin tells them; none if the
    piece answers no more than half of them."""
    around, piece = (
        re.search(rf"^{name}(?: \(.*?\))?: (.*)\.$", twin, re.MULTILINE)[1].split("; ")
        for name in (f"Slot {slot}", f"Piece {letter}")
    )
    colours = [[re.search(r"colour (\d+) (\d+) (\d+)", side) for side in sides] for sides in (around, piece)]
    both = [(a, b) for a, b in zip(*colours, strict=True) if a and b]
    if 2 * len(both) <= sum(map(bool, colours[0])):
        return []
    return [sum(abs(int(a[n]) - int(b[n])) for n in (1, 2, 3)) // 3 for a, b in both]


def differ(first, second, cell):
    """The thousandths of a square by which two outlines differ, one of them nudged."""
    ways = [(down, right) for down in (-3, 0, 3) for right in (-3, 0, 3)]
    own, other = mask(first, cell), mask(second, cell)
    return min((own != np.roll(other, way, (0, 1))).sum() for way in ways) * 1000 / cell**2


@some_of("case", CASES, 3)
def test_a_mechanism_is_named_only_where_it_is_true(case):
    truth = truth_of(*case)
    asked, puzzle = KIND.ask(truth), Jigsaw.of(truth)
    for slot, piece in wrong_pairs(truth):
        letter = letter_of(truth, piece)
        broken = steps(asked.twin, slot, letter)
        (a, b), (c, d) = truth["holes"][slot - 1], truth["holes"][piece - 1]
        true = {
            "fits by colour only": bool(broken) and max(broken) < 30 and sum(broken) / len(broken) <= 14,
            "neighbouring slot": {abs(a - c), abs(b - d)} in ({1}, {0, 2}),
            "similar outline": differ(puzzle.outline_of(slot), puzzle.outline_of(piece), puzzle.cell) <= 100,
        }
        named = asked.mechanisms[f"slot {slot}={letter}"]
        assert named == next((name for name, holds in true.items() if holds), "another slot")


def test_colours_that_go_on_are_told_from_those_that_break_off_or_drift():
    truth = truth_of("standard", 2)
    around = next(sides for sides in truth["colours"]["slots"] if all(sides))
    slot = truth["colours"]["slots"].index(around) + 1
    other = next(piece for own, piece in wrong_pairs(truth) if own == slot)

    def named(*changes):
        along = [
            None if change is None else [value + change for value in side]
            for side, change in zip(around, changes, strict=True)
        ]
        pieces = list(truth["colours"]["pieces"])
        pieces[truth["order"].index(other)] = along
        asked = KIND.ask({**truth, "colours": {**truth["colours"], "pieces": pieces}})
        return asked.mechanisms[f"slot {slot}={letter_of(truth, other)}"]

    assert named(0, 0, 0, 0) == named(20, -20, 10, 6) == named(29, 9, 9, 9) == "fits by colour only"
    assert named(0, 0, 0, None) == "fits by colour only"
    assert "fits by colour only" not in (named(30, 0, 0, 0), named(20, 15, 15, 15), named(0, 0, None, None))


def test_outlines_with_one_side_cut_otherwise_are_similar_and_other_pieces_hardly_ever():
    puzzle = Jigsaw.of(truth_of("standard", 2))
    own = next(o for o in map(puzzle.outline_of, puzzle.order) if all(side.kind != "straight" for side in o))
    for number, old in enumerate(own):
        for side in (*(replace(old, place=place) for place in (-1, 0, 1)), old.mate):
            cut = tuple(side if place == number else same for place, same in enumerate(own))
            assert differ(own, cut, puzzle.cell) <= 100
    truths = [truth_of(*case) for case in CASES]
    named = [
        KIND.ask(truth).mechanisms[f"slot {s}={letter_of(truth, p)}"] for truth in truths for s, p in wrong_pairs(truth)
    ]
    assert named.count("similar outline") <= 0.05 * len(named)
    assert named.count("fits by colour only") <= 0.1 * len(named)
