"""Temporal movement and spatial relationship: drafts are whole, drawable, repeatable, and their choices stand alike."""

from collections.abc import Iterator
from itertools import combinations, pairwise, product
from typing import Any

import pytest

from snellen.rng import stream
from snellen.tasks.marvel.draw.marks import check
from snellen.tasks.marvel.draw.panels import panel_pixels
from snellen.tasks.marvel.patterns import spatial, temporal
from snellen.tasks.marvel.patterns.family import PatternFamily
from snellen.tasks.marvel.patterns.temporal.glyphs import OPS, STAY, then, undo
from snellen.tasks.marvel.patterns.temporal.tracks import MovementTrack
from snellen.tasks.marvel.puzzle import SHAPES, Panel, PuzzleDraft, PuzzleWish
from support.lengths import some_of

FAMILIES = (*temporal.FAMILIES, *spatial.FAMILIES)
LAYOUTS = {"sequence": ((1, 4), (1, 5), (1, 6), (1, 7)), "two-row": ((2, 3),), "matrix": ((3, 3),), "group": ((1, 3),)}

each_family = some_of("family", FAMILIES, 3, ids=[family.name for family in FAMILIES])


def made(family: PatternFamily, wish: PuzzleWish, seed: int) -> PuzzleDraft:
    """The first draft that comes to something."""
    turn = stream(seed, "test", family.name, wish.configuration)
    for _ in range(10):
        if (draft := family.make(turn, wish)) is not None:
            return draft
    raise AssertionError(f"{family.name}: ten draws came to nothing for {wish}")


def wishes(family: PatternFamily) -> Iterator[PuzzleWish]:
    """Everything the family can be asked for; the lengths of sequences by turns."""
    asked = product(family.configurations, family.shapes, (1, 2, 3), (False, True), (False, True))
    for number, (configuration, shapes, rules, near, clutter) in enumerate(asked):
        lines, length = LAYOUTS[configuration][number // 3 % len(LAYOUTS[configuration])]
        yield PuzzleWish(configuration, lines, length, shapes, rules, near, clutter)


def choices(draft: PuzzleDraft) -> list[Panel]:
    """The right one first."""
    return [draft.panels[-1], *(panel for panel, _ in draft.wrong)]


def points(mark: Any) -> list[tuple[int, int]]:
    """Where a mark surely has ink."""
    if mark["shape"] == "path":
        return [tuple(point) for point in mark["points"]]
    if mark["shape"] == "line":
        return [(mark["x"], mark["y"]), (mark["x2"], mark["y2"])]
    if mark["shape"] == "grid":
        side = mark["cell"] * len(mark["rows"])
        return [(mark["x"], mark["y"]), (mark["x"] + side, mark["y"] + side)]
    x, y, size = mark["x"], mark["y"], mark["size"]
    reach = size if mark["shape"] in ("circle", "square") or not mark.get("turn") else 0
    return [(x - reach, y), (x + reach, y), (x, y - reach), (x, y + reach)]


@each_family
def test_a_draft_is_whole(family: PatternFamily) -> None:
    for seed, wish in enumerate(wishes(family)):
        draft = made(family, wish, seed)
        assert len(draft.panels) == wish.lines * wish.length
        assert len(draft.wrong) == 3
        assert all(one != other for one, other in combinations(choices(draft), 2)), wish
        mechanisms = [mechanism for _, mechanism in draft.wrong]
        assert all(mechanisms)
        assert len(set(mechanisms)) == 3, (wish, mechanisms)
        assert draft.rule.endswith(".")
        assert draft.family == family.name
        for panel in (*draft.panels, *choices(draft)):
            assert set(panel) == {"marks"}
            for mark in panel["marks"]:
                check(mark)
                assert all(16 <= x <= 164 and 16 <= y <= 164 for x, y in points(mark)), (wish, mark)


@each_family
def test_choices_look_different(family: PatternFamily) -> None:
    """Not only their marks differ: so many pixels do that nobody can mistake one for another."""
    for seed, (configuration, shapes) in enumerate(product(family.configurations, family.shapes)):
        lines, length = LAYOUTS[configuration][0]
        draft = made(family, PuzzleWish(configuration, lines, length, shapes, 1 + seed % 2, near=True), seed)
        pictures = [panel_pixels(panel, False) for panel in choices(draft)]
        for one, other in combinations(pictures, 2):
            assert int((one != other).sum()) >= 100, (configuration, shapes)


@each_family
def test_the_same_seed_makes_the_same_draft(family: PatternFamily) -> None:
    for configuration, shapes in product(family.configurations, family.shapes):
        lines, length = LAYOUTS[configuration][0]
        wish = PuzzleWish(configuration, lines, length, shapes, 2, clutter=True)
        assert made(family, wish, 5) == made(family, wish, 5)
        assert made(family, wish, 5) != made(family, wish, 6)


@each_family
def test_rules_and_clutter_show(family: PatternFamily) -> None:
    """Clutter adds marks, and adds them to all panels alike."""
    configuration = family.configurations[0]
    lines, length = LAYOUTS[configuration][0]
    for shapes in family.shapes:
        plain = made(family, PuzzleWish(configuration, lines, length, shapes), 3)
        full = made(family, PuzzleWish(configuration, lines, length, shapes, clutter=True), 3)
        corners = [
            [m for m in panel["marks"] if all(abs(x - 90) > 60 and abs(y - 90) > 60 for x, y in points(m))]
            for draft in (plain, full)
            for panel in (*draft.panels, *choices(draft))
        ]
        half = len(corners) // 2
        assert {len(found) for found in corners[half:]} == {4}
        assert {len(found) for found in corners[:half]} == {0}


@pytest.mark.parametrize("name", ["turned", "offset", "partner"])
def test_no_choice_of_a_group_repeats_the_context(name: str) -> None:
    """Else the right one could be found by being there already."""
    family = next(f for f in temporal.FAMILIES if f.name == name)
    for seed in range(60):
        draft = made(family, PuzzleWish("group", 1, 3, SHAPES[seed % 2]), seed)
        assert draft.panels[0] != draft.panels[1]
        assert draft.panels[-1] not in draft.panels[:-1]


# What an observer may take in of the choices, without the context.


def numbers(panel: Panel) -> dict[str, float]:
    """Simple measures of a panel."""
    found: dict[str, float] = {"marks": len(panel["marks"]), "x": 0, "y": 0, "black": 0, "size": 0, "turn": 0}
    for place, mark in enumerate(panel["marks"]):
        spots = points(mark)
        x, y = sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)
        if mark["shape"] == "grid":
            cells = [(i, j) for j, row in enumerate(mark["rows"]) for i, cell in enumerate(row) if cell != "."]
            x, y = sum(i for i, _ in cells), sum(j for _, j in cells)
        found["x"] += x
        found["y"] += y
        found[f"x{place}"], found[f"y{place}"] = x, y
        found["from the middle"] = found.get("from the middle", 0) + abs(x - 90) + abs(y - 90)
        found["black"] += mark.get("fill") == "black"
        found["size"] += mark.get("size", 0)
        found["turn"] += mark.get("turn", 0)
    return found


def details(panel: Panel) -> set[tuple[Any, ...]]:
    """Every attribute of every mark, for a vote."""
    found = set()
    for place, mark in enumerate(panel["marks"]):
        found |= {(place, key, repr(value)) for key, value in mark.items()}
    return found


def observers(panels: list[Panel]) -> dict[str, list[float]]:
    """What each observer thinks of each choice; the highest is its guess."""
    seen = [numbers(panel) for panel in panels]
    votes = [details(panel) for panel in panels]
    minds = {name: [one.get(name, 0.0) for one in seen] for name in sorted(set().union(*seen))}
    middle = {f"middling {name}": [-sum(abs(a - b) for b in values) for a in values] for name, values in minds.items()}
    alike = [float(sum(len(mine & other) for other in votes)) for mine in votes]
    return minds | middle | {"majority": alike}


def shares(values: list[float]) -> tuple[float, float]:
    """The chance that the first is picked as the highest, and as the lowest; ties are broken evenly."""
    high, low = max(values), min(values)
    return (values[0] == high) / values.count(high), (values[0] == low) / values.count(low)


@pytest.mark.soak
@each_family
def test_nothing_in_the_choices_tells_the_right_one(family: PatternFamily) -> None:
    """Over 400 drafts no observer is above chance by more than luck: highest, lowest, most like the others."""
    asked = [wish for wish in wishes(family) if not wish.clutter]
    score: dict[str, list[float]] = {}
    drafts = 400
    for seed in range(drafts):
        panels = choices(made(family, asked[seed % len(asked)], 1000 + seed))
        for name, values in observers(panels).items():
            high, low = shares(values)
            for label, share in ((f"highest {name}", high), (f"lowest {name}", low)):
                score.setdefault(label, []).append(share)
    told = {name: sum(found) / len(found) for name, found in score.items() if len(found) > drafts // 2}
    assert len(told) > 12
    # 400 draws at 1/4 have a standard deviation of 2.2 %; dozens of observers are looked at.
    assert {name: share for name, share in told.items() if abs(share - 0.25) > 0.085} == {}


def test_every_configuration_and_both_shapes_are_there() -> None:
    for families in (temporal.FAMILIES, spatial.FAMILIES):
        for configuration, shapes in product(LAYOUTS, SHAPES):
            fit = [f for f in families if configuration in f.configurations and shapes in f.shapes]
            assert len(fit) >= (3 if configuration == "group" else 4)


def test_turns_and_flips_are_a_group() -> None:
    assert all(then(op, undo(op)) == STAY for op in OPS)
    assert {then(a, b) for a in OPS for b in OPS} == set(OPS)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (4, "the dot did not move"),
        (0, "the dot moved once too often"),
        (2, "the dot moved the wrong way"),
        (7, "the dot went one sector too far"),
        (5, "the dot fell one sector short"),
    ],
)
def test_slips_say_what_went_wrong(found: int, said: str) -> None:
    """A dot that goes two sectors at a time, of eight, and should be in sector 6."""
    track = MovementTrack("the dot", "sector", 8, 2)
    assert track.back(6, 1) == 4
    assert track.slip(found, 6) == said


def test_context_leads_to_the_right_choice() -> None:
    """In a ring the black cell goes the same way round in every step; the right choice is the next one."""
    family = next(f for f in temporal.FAMILIES if f.name == "ring")
    seen = 0
    for seed in range(40):
        draft = made(family, PuzzleWish("sequence", 1, 5), seed)
        grids = [panel["marks"][0] for panel in draft.panels]
        if all("#" in "".join(g["rows"]) for g in grids):
            spots = [next((i, r.index("#")) for i, r in enumerate(g["rows"]) if "#" in r) for g in grids]
            width = len(grids[0]["rows"])
            border = [(0, i) for i in range(width)] + [(i, width - 1) for i in range(1, width)]
            border += [(width - 1, i) for i in range(width - 2, -1, -1)] + [(i, 0) for i in range(width - 2, 0, -1)]
            places = [border.index(spot) for spot in spots]
            assert len({(b - a) % len(border) for a, b in pairwise(places)}) == 1
            seen += 1
    assert seen >= 5
