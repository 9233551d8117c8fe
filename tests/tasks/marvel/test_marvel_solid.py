"""Nets and folded solids: every net closes, one view fits, and nothing but folding tells which."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
import pytest

from snellen.rng import stream
from snellen.tasks.marvel.draw.panels import panel_pixels
from snellen.tasks.marvel.patterns.solid import FAMILIES
from snellen.tasks.marvel.patterns.solid.bodies import CUBE, PRISM, PYRAMID, SOLIDS, TETRAHEDRON, SolidBody, turnings
from snellen.tasks.marvel.patterns.solid.designs import DESIGNS, PLAIN, STOCKS, FaceDesign
from snellen.tasks.marvel.patterns.solid.drawing import fit
from snellen.tasks.marvel.patterns.solid.faces import face_marks, merge, mirrored, outline, period, turned
from snellen.tasks.marvel.patterns.solid.nets import kinds
from snellen.tasks.marvel.puzzle import Panel, Puzzle, PuzzleDraft, PuzzleWish
from snellen.tasks.marvel.solve.fold import fold, solve_fold
from support.lengths import few_and_more

MECHANISMS = {
    "foreign face",
    "mirror image",
    "several faces turned",
    "face turned by 90 degrees",
    "face turned by 120 degrees",
    "face turned by 180 degrees",
    "two faces swapped",
    "opposite faces side by side",
}
by_name = pytest.mark.parametrize("solid", SOLIDS, ids=lambda solid: solid.name)


def wishes() -> list[PuzzleWish]:
    plain = PuzzleWish("reassembling", 1, 1)
    return [replace(plain, rules=rules, near=near, clutter=rules == 2) for rules in (1, 2, 3) for near in (False, True)]


def drawn(family: int, number: int) -> PuzzleDraft:
    turn = stream(3, "solid", family, number)
    wish = wishes()[number % len(wishes())]
    drafts = (FAMILIES[family].make(turn, wish) for _ in range(50))
    return next(draft for draft in drafts if draft is not None)


def asked(draft: PuzzleDraft, place: int) -> Puzzle:
    choices = [panel for panel, _ in draft.wrong]
    mechanisms = [mechanism for _, mechanism in draft.wrong]
    choices.insert(place, draft.panels[1])
    mechanisms.insert(place, "")
    kept = (draft.panels[:1], tuple(choices), place, tuple(mechanisms), draft.rule, draft.family)
    return Puzzle("x", "3d", "reassembling", "geometric", 1, 1, *kept)


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """Some of every family and every wish, the right choice in each place."""
    return tuple(asked(drawn(family, i), i % 4) for family in range(len(FAMILIES)) for i in range(78))


def panels(puzzle: Puzzle) -> tuple[Panel, ...]:
    return (*puzzle.panels, *puzzle.choices)


def moved(panel: Panel, how: str) -> Panel:
    """The panel with all its marks mirrored or turned by a quarter."""

    def spot(x: int, y: int) -> list[int]:
        return [180 - x, y] if how == "mirrored" else [180 - y, x]

    def mark(old: dict[str, Any]) -> dict[str, Any]:
        new = dict(old)
        if "points" in old:
            new["points"] = [spot(*point) for point in old["points"]]
        else:
            new["x"], new["y"] = spot(old["x"], old["y"])
        if "x2" in old:
            new["x2"], new["y2"] = spot(old["x2"], old["y2"])
        return new

    key = "net" if "net" in panel else "view"
    faces = [{**face, "corners": [spot(*corner) for corner in face["corners"]]} for face in panel[key]["faces"]]
    return {"marks": [mark(one) for one in panel["marks"]], key: {**panel[key], "faces": faces}}


# Solids and nets


def test_solids_have_all_their_nets_and_rotations() -> None:
    assert [len(kinds(solid)) for solid in (CUBE, TETRAHEDRON, PYRAMID, PRISM)] == [11, 2, 8, 9]
    assert sum(len(nets) for nets in kinds(CUBE)) == 384
    assert [len(turnings(solid)) for solid in (CUBE, TETRAHEDRON, PYRAMID, PRISM)] == [24, 12, 4, 6]


@by_name
def test_every_net_folds_into_the_solid(solid: SolidBody) -> None:
    """Folded in space, the corners that are one on the solid come together, and no others do."""
    for nets in kinds(solid):
        for net in nets[:: max(1, len(nets) // 6)]:
            folded = fold(fit(net.flat))
            assert folded is not None
            pairs = {
                pair
                for cycle, numbers in zip(solid.faces, folded.faces, strict=True)
                for pair in zip(cycle, numbers, strict=True)
            }
            corners = {corner for cycle in solid.faces for corner in cycle}
            assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(corners)


def test_opposite_faces_of_a_folded_cube_are_parallel() -> None:
    for nets in kinds(CUBE):
        folded = fold(fit(nets[0].flat))
        assert folded is not None
        middles = [np.mean([folded.corners[i] for i in face], axis=0) for face in folded.faces]
        for a, b in combinations(range(6), 2):
            apart = not set(CUBE.faces[a]) & set(CUBE.faces[b])
            assert np.linalg.norm(middles[a] - middles[b]) == pytest.approx(1.0 if apart else 1 / sqrt(2), abs=0.05)


def test_what_is_no_net_does_not_close() -> None:
    row = [[(x, 0), (x + 20, 0), (x + 20, 20), (x, 20)] for x in range(0, 120, 20)]
    assert fold(row) is None
    assert fold(row[:5]) is None
    apart = [[(x + 40 * (i > 2), y) for x, y in face] for i, face in enumerate(row)]
    assert fold(apart) is None


# Marks on faces


def face_pixels(content: tuple[str, int], cell: int) -> np.ndarray:
    height = round(cell * sqrt(3) / 2)
    square = [(40, 40), (40 + cell, 40), (40 + cell, 40 + cell), (40, 40 + cell)]
    triangle = [(40, 40 + height), (40 + cell // 2, 40), (40 + cell, 40 + height)]
    corners = square if DESIGNS[content[0]].sides == 4 else triangle
    page = panel_pixels({"marks": [*face_marks(content, corners, flat=True), outline(corners)]}, False, 3)
    return page[50 : 70 + cell * 3 // 2, 50 : 70 + cell * 3 // 2]


STOCK_SIDES = [(PLAIN, 4, 28), (PLAIN, 3, 56), *((stock, 4, 28) for stock in STOCKS.values())]


@pytest.mark.parametrize(("stock", "sides", "cell"), STOCK_SIDES)
def test_contents_are_equal_exactly_if_they_look_the_same(stock: Sequence[FaceDesign], sides: int, cell: int) -> None:
    """In the smallest net there is: marks of a puzzle, however turned, differ clearly; a period brings a mark back."""
    names = [design.name for design in stock if design.sides == sides]
    shown = {(name, turn): face_pixels((name, turn), cell) for name in names for turn in range(period(name))}
    for (a, one), (b, other) in combinations(shown.items(), 2):
        alike = a[0] != b[0] and DESIGNS[a[0]].looks == DESIGNS[b[0]].looks
        assert np.count_nonzero(one != other) > (40 if alike or stock is STOCKS["die"] else 80), (a, b)
    for name in names:
        assert np.count_nonzero(face_pixels((name, period(name) % sides), cell) != shown[name, 0]) < 40, name


def test_no_icon_is_taken_for_another_or_for_itself_turned() -> None:
    """At a glance, on a face of 36 pixels: an eighth of them differ."""
    cell, shown = 36, {}
    corners = [(40, 40), (40 + cell, 40), (40 + cell, 40 + cell), (40, 40 + cell)]
    for design in STOCKS["icon cube"]:
        for turn in range(period(design.name)):
            panel = {"marks": face_marks((design.name, turn), corners, flat=True)}
            shown[design.name, turn] = panel_pixels(panel)[40 : 40 + cell, 40 : 40 + cell]
    for (a, one), (b, other) in combinations(shown.items(), 2):
        assert np.count_nonzero(one != other) > cell * cell // 8, (a, b)


def test_designs_of_all_symmetries() -> None:
    assert {period(name) for name, design in DESIGNS.items() if design.sides == 4} == {1, 2, 4}
    assert {period(name) for name, design in DESIGNS.items() if design.sides == 3} == {1, 3}
    assert mirrored(("slant", 0))[0] == "tnals"
    assert all(mirrored(mirrored((name, turn))) == (name, turn) for name in DESIGNS for turn in range(period(name)))


def test_black_sides_that_meet_are_known() -> None:
    assert merge(("slab", 0), 0, ("wedge", 1), 1)
    assert not merge(("slab", 0), 2, ("wedge", 1), 1)
    # The quarter lies at the first corner of side 0 and at the last of side 3.
    assert merge(("quarter", 0), 0, ("quarter", 0), 3)
    assert not merge(("quarter", 0), 0, ("quarter", 0), 0)
    assert turned(("quarter", 3), 2) == ("quarter", 1)


# Puzzles


@few_and_more("every", [5], [1])
def test_exactly_the_right_choice_is_possible(every: int) -> None:
    assert len(puzzles()) == 624
    for puzzle in puzzles()[::every]:
        assert solve_fold(puzzle) == (puzzle.answer,)


def test_all_nets_solids_and_mechanisms_occur() -> None:
    shapes = {puzzle.panels[0]["words"].split("like this: ")[1].split(".")[0] for puzzle in puzzles()[:78]}
    assert len(shapes) > 20  # eleven, in several positions
    assert {puzzle.family for puzzle in puzzles()} == {*(solid.name for solid in SOLIDS), *STOCKS}
    told = Counter(mechanism for puzzle in puzzles() for mechanism in puzzle.mechanisms if mechanism)
    assert set(told) == MECHANISMS
    assert all(puzzle.mechanisms[puzzle.answer] == "" for puzzle in puzzles())


@pytest.mark.parametrize("how", ["mirrored", "turned"])
def test_puzzle_as_a_whole_may_be_mirrored_or_turned(how: str) -> None:
    for puzzle in puzzles()[::5]:
        net, *choices = (moved(panel, how) for panel in panels(puzzle))
        assert solve_fold(replace(puzzle, panels=(net,), choices=tuple(choices))) == (puzzle.answer,)


def test_mirror_images_are_told_by_a_mirror() -> None:
    found = 0
    for puzzle in puzzles():
        for i, mechanism in enumerate(puzzle.mechanisms):
            if mechanism == "mirror image":
                found += 1
                other = replace(puzzle, choices=(moved(puzzle.choices[i], "mirrored"),))
                assert solve_fold(other) == (0,)
    assert found > 10


def test_foreign_faces_are_those_the_net_has_not() -> None:
    for puzzle in puzzles():
        here = Counter(face["design"] for face in puzzle.panels[0]["net"]["faces"])
        for choice, mechanism in zip(puzzle.choices, puzzle.mechanisms, strict=True):
            strange = Counter(face["design"] for face in choice["view"]["faces"]) - here
            assert bool(strange) == (mechanism == "foreign face")


@pytest.mark.soak
def test_one_turned_face_can_be_turned_back() -> None:
    """Turning one face of the view makes it possible, if that is all that was said to be wrong with it."""
    found = 0
    for puzzle in puzzles():
        for choice, mechanism in zip(puzzle.choices, puzzle.mechanisms, strict=True):
            if mechanism.startswith("face turned by"):
                found += 1
                faces = choice["view"]["faces"]
                mended = [reworked(choice, i, by) for i, face in enumerate(faces) for by in range(len(face["corners"]))]
                assert solve_fold(replace(puzzle, choices=tuple(mended)))
    assert found > 50


def reworked(panel: Panel, number: int, by: int) -> Panel:
    """The view with one face turned."""
    faces = list(panel["view"]["faces"])
    face = faces[number]
    made = face_marks(turned((face["design"], face["turn"]), by), [tuple(c) for c in face["corners"]], flat=False)
    marks = [*panel["marks"], *made]
    faces[number] = {**face, "marks": list(range(len(panel["marks"]), len(marks)))}
    return {"marks": marks, "view": {"faces": faces}}


def test_choices_alone_do_not_tell() -> None:
    """Simple looks at the four choices find the right one no more often than chance."""

    def ink(choice: Panel) -> int:
        return sum(len(face["marks"]) for face in choice["view"]["faces"])

    def black(choice: Panel) -> int:
        return sum(mark.get("fill") == "black" for mark in choice["marks"])

    def company(choice: Panel, others: tuple[Panel, ...]) -> int:
        """How many of its faces other choices have too, in the same place."""
        said = [[face["carries"] for face in other["view"]["faces"]] for other in others]
        own = [face["carries"] for face in choice["view"]["faces"]]
        return sum(a == b for other in said for a, b in zip(own, other, strict=True))

    def words(choice: Panel) -> int:
        return len(choice["words"])

    looks = (
        lambda choice, _: ink(choice),
        lambda choice, _: black(choice),
        company,
        lambda choice, _: words(choice),
    )
    many = len(puzzles())
    for look in looks:
        for best in (max, min):
            hits = 0.0
            for puzzle in puzzles():
                values = [look(choice, puzzle.choices) for choice in puzzle.choices]
                top = [i for i, value in enumerate(values) if value == best(values)]
                hits += (puzzle.answer in top) / len(top)
            assert abs(hits - many / 4) < 3.5 * sqrt(many * 3 / 16)


def test_drawings_keep_within_bounds() -> None:
    for puzzle in puzzles():
        for panel in panels(puzzle):
            for mark in panel["marks"]:
                spots = mark.get("points", [[mark.get("x"), mark.get("y")]])
                assert all(type(value) is int and 16 <= value <= 164 for spot in spots for value in spot)
    for puzzle in puzzles()[::13]:
        for panel in panels(puzzle):
            page = panel_pixels(panel)
            page[14:166, 14:166] = 255
            assert (page == 255).all()


def test_edges_of_views_can_be_seen() -> None:
    """On either side of the middle of an edge there is not black throughout."""
    for puzzle in puzzles()[::13]:
        for choice in puzzle.choices:
            page = panel_pixels({"marks": [mark for mark in choice["marks"] if mark.get("fill", "none") != "none"]})
            counts = Counter(frozenset(map(tuple, side)) for face in choice["view"]["faces"] for side in sides(face))
            for edge in (edge for edge, count in counts.items() if count == 2):
                (ax, ay), (bx, by) = edge
                length = sqrt((bx - ax) ** 2 + (by - ay) ** 2)
                for share in (0.25, 0.75):
                    x, y = ax + share * (bx - ax), ay + share * (by - ay)
                    across = (by - ay) / length * 5, (ax - bx) / length * 5
                    beside = [page[round(y + k * across[1]), round(x + k * across[0])] for k in (-1, 1)]
                    assert max(beside) > 0


def sides(face: dict[str, list[list[int]]]) -> list[list[list[int]]]:
    corners = face["corners"]
    return [[corners[i - 1], corners[i]] for i in range(len(corners))]


def test_words_are_as_different_as_the_pictures() -> None:
    for puzzle in puzzles()[::7]:
        views = [choice["words"] for choice in puzzle.choices]
        assert len(set(views)) == 4
        net = puzzle.panels[0]
        assert all(face["carries"] in net["words"] for face in net["net"]["faces"])
        assert "{" not in "".join([net["words"], *views, puzzle.rule])
        for a, b in combinations(puzzle.choices, 2):
            assert not np.array_equal(panel_pixels(a), panel_pixels(b))


def test_same_stream_same_puzzle() -> None:
    for family in range(len(FAMILIES)):
        for number in range(6):
            assert drawn(family, number) == drawn(family, number)
    assert drawn(0, 0) != drawn(0, 6)


def test_families_are_asked_for_reassembling() -> None:
    assert all(family.configurations == ("reassembling",) for family in FAMILIES)
    assert len({family.name for family in FAMILIES}) == len(FAMILIES) == 8
