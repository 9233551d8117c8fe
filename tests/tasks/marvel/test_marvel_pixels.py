"""Pictures of puzzles show their truths: a reader of pixels alone finds every pip of every die."""

from collections.abc import Mapping, Sequence
from itertools import product
from math import dist
from typing import Any

import numpy as np
import pytest

from snellen.rng import stream
from snellen.tasks.marvel.draw.puzzles import draw_puzzle, layout_of
from snellen.tasks.marvel.patterns import mathematical, solid
from snellen.tasks.marvel.patterns.family import PatternFamily
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish
from support.lengths import few_and_more
from support.pixels.dice import Face, Spot, read_dice
from support.pixels.looking import Pixels, pixels_of

NEAR = 2.5
"""So far from where it should be a pip may seem to be."""
HUNDREDS = [(start, start + 50) for start in range(0, 500, 50)]
MAKERS: dict[str, tuple[PatternFamily, str, tuple[int, ...]]] = {
    "dice": (next(family for family in mathematical.FAMILIES if family.name == "dice"), "sequence", (5, 6)),
    "die": (next(family for family in solid.FAMILIES if family.name == "die"), "reassembling", (1,)),
}
IN_ROW, LOW, HIGH = 0.5, 0.24, 0.76
ON_A_DIE: dict[str, list[Spot]] = {
    "one": [(IN_ROW, IN_ROW)],
    "two": [(LOW, LOW), (HIGH, HIGH)],
    "three": [(LOW, LOW), (IN_ROW, IN_ROW), (HIGH, HIGH)],
    "four": [(x, y) for x in (LOW, HIGH) for y in (LOW, HIGH)],
    "five": [(IN_ROW, IN_ROW), *((x, y) for x in (LOW, HIGH) for y in (LOW, HIGH))],
    "six": [(x, y) for x in (LOW, HIGH) for y in (0.2, IN_ROW, 0.8)],
}


def drafted(name: str, index: int) -> PuzzleDraft:
    """All shapes, kinds of choices and clutter in turn."""
    family, configuration, lengths = MAKERS[name]
    turns = [*product(family.shapes, (False, True), (False, True), lengths)]
    shapes, near, clutter, length = turns[index % len(turns)]
    wish = PuzzleWish(configuration, 1, length, shapes, 2, near, clutter)
    rng = stream(34, "pixels", name, index)
    return next(draft for draft in (family.make(rng, wish) for _ in range(200)) if draft is not None)


def panels_of(draft: PuzzleDraft) -> list[Mapping[str, Any]]:
    """Of the context, then of the choices."""
    return [*draft.panels, *(panel for panel, _ in draft.wrong[:3])]


def drawn(name: str, draft: PuzzleDraft) -> Pixels:
    *context, right = draft.panels
    choices = [right, *(panel for panel, _ in draft.wrong[:3])]
    columns = 1 if name == "die" else len(draft.panels)
    return pixels_of(draw_puzzle(context, choices, 1, columns).data)


def seen(name: str, draft: PuzzleDraft, page: Pixels) -> list[list[Face]]:
    """The faces of every panel."""
    where = layout_of(MAKERS[name][1], len(draft.panels))
    context = [(*where.cell(0, place), where.side) for place in range(len(draft.panels) - 1)]
    choices = [(*where.choice(place), 180) for place in range(4)]
    return [read_dice(page, *box) for box in (*context, *choices)]


def faces_of(panel: Mapping[str, Any]) -> list[list[Spot]]:
    """Where the pips of each die or face are to be, in no order."""
    body: Mapping[str, Any] = panel.get("net") or panel.get("view") or {}
    if body:
        return [_on_face(face) for face in body["faces"]]
    white = [mark for mark in panel["marks"] if mark["shape"] in ("square", "circle") and mark["fill"] != "black"]
    black = [(mark["x"], mark["y"]) for mark in panel["marks"] if mark["shape"] == "circle" and mark["fill"] == "black"]
    return [[pip for pip in black if max(abs(pip[0] - d["x"]), abs(pip[1] - d["y"])) < d["size"]] for d in white]


def _on_face(face: Mapping[str, Any]) -> list[Spot]:
    """The pips of a die laid on the corners of a face, the first of the design's on corner number `turn`."""
    corners = np.roll(np.array(face["corners"], np.float64), -face["turn"], axis=0)
    a, b, d = corners[0], corners[1], corners[3]
    pips = ON_A_DIE[face["design"].removeprefix("pips ")]
    spots = [a + along * (b - a) + down * (d - a) for along, down in pips]
    return [(float(spot[0]), float(spot[1])) for spot in spots]


def unlike(faces: Sequence[Face], wanted: Sequence[Sequence[Spot]]) -> list[str]:
    """What is seen otherwise than wanted."""
    found = [pips for _, pips in faces]
    if sorted(map(len, found)) != sorted(map(len, wanted)):
        return [f"pips: {sorted(map(len, found))} for {sorted(map(len, wanted))}"]
    pips = [pip for face in found for pip in face]
    return [str(spot) for face in wanted for spot in face if min(dist(spot, pip) for pip in pips) > NEAR]


@few_and_more(("start", "end"), [(0, 4)], HUNDREDS)
@pytest.mark.parametrize("name", MAKERS)
def test_dice_show_every_pip_where_it_belongs(name: str, start: int, end: int) -> None:
    for index in range(start, end):
        draft = drafted(name, index)
        panels = seen(name, draft, drawn(name, draft))
        for faces, panel in zip(panels, panels_of(draft), strict=True):
            assert not unlike(faces, faces_of(panel)), index


def test_two_choices_exchanged_are_noticed() -> None:
    draft = drafted("die", 0)
    panels = seen("die", draft, drawn("die", draft))
    assert unlike(panels[1], faces_of(panels_of(draft)[2]))
