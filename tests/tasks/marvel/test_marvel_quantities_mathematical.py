"""Quantities and mathematical puzzles: complete, exact under drawing, and no choice tells that it is right."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from scipy.ndimage import label

from snellen.draw.pens import Points, curve
from snellen.rng import Stream, stream
from snellen.tasks.marvel.draw.marks import check
from snellen.tasks.marvel.draw.panels import panel_pixels
from snellen.tasks.marvel.marks import Box, Mark
from snellen.tasks.marvel.patterns import mathematical, quantities
from snellen.tasks.marvel.patterns.choices import in_words
from snellen.tasks.marvel.patterns.family import IN_LINES, PatternFamily
from snellen.tasks.marvel.patterns.mathematical.sets import OPERATIONS, Operation, results, sources
from snellen.tasks.marvel.patterns.quantities import drawings
from snellen.tasks.marvel.patterns.quantities.courses import number_course
from snellen.tasks.marvel.puzzle import Panel, PuzzleDraft, PuzzleWish
from support.lengths import some_of

FAMILIES = (*quantities.FAMILIES, *mathematical.FAMILIES)
BOX = (20, 20, 160, 160)
SIZES = {"sequence": (1, 5), "two-row": (2, 3), "matrix": (3, 3), "group": (1, 3)}


LENGTHS = {"dice": (5, 6), "two rows in one": (6, 7)}
"""Sequences of some families show their rule in so many panels only."""


def drafted(family: PatternFamily, turn: Stream, wish: PuzzleWish) -> PuzzleDraft:
    return next(draft for draft in (family.make(turn, wish) for _ in range(60)) if draft is not None)


def wishes(family: PatternFamily) -> Iterator[PuzzleWish]:
    switches = product(family.configurations, family.shapes, (1, 2, 3), (False, True), (False, True))
    for number, (configuration, shapes, rules, near, clutter) in enumerate(switches):
        lines, length = SIZES[configuration]
        if configuration == "sequence":
            lengths = LENGTHS.get(family.name, (length, length + 1, length + 2))
            length = lengths[number % len(lengths)]
        yield PuzzleWish(configuration, lines, length, shapes, rules, near, clutter)


def test_there_are_enough_families() -> None:
    for families, configurations in ((quantities.FAMILIES, (*IN_LINES, "group")), (mathematical.FAMILIES, IN_LINES)):
        for configuration, shapes in product(configurations, ("geometric", "abstract")):
            fitting = [f for f in families if configuration in f.configurations and shapes in f.shapes]
            assert len(fitting) >= 4
    assert not any("group" in family.configurations for family in mathematical.FAMILIES)


@some_of("family", FAMILIES, 3, ids=[family.name for family in FAMILIES])
def test_drafts_are_complete(family: PatternFamily) -> None:
    for wish in wishes(family):
        draft = drafted(family, stream(5, family.name, *map(str, (wish.configuration, wish.rules))), wish)
        assert len(draft.panels) == wish.lines * wish.length
        assert len(draft.wrong) == 3
        assert all(mechanism for _, mechanism in draft.wrong)
        assert draft.family == family.name
        assert re.fullmatch(r"[A-Z].*\.", draft.rule)
        choices = [draft.panels[-1], *(panel for panel, _ in draft.wrong)]
        assert all(one["marks"] != other["marks"] for one, other in combinations(choices, 2))
        for panel in (*draft.panels, *choices):
            assert panel["marks"]
            for mark in panel["marks"]:
                check(mark)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_same_stream_same_draft(family: PatternFamily) -> None:
    wish = next(wishes(family))
    made = [drafted(family, stream(9, "again"), wish) for _ in range(2)]
    assert made[0] == made[1]
    assert drafted(family, stream(10, "again"), wish) != made[0]


def test_nothing_comes_near_the_frame_and_choices_look_different() -> None:
    for number, family in enumerate(FAMILIES):
        for wish in list(wishes(family))[number % 7 :: 17]:
            draft = drafted(family, stream(6, family.name, wish.configuration), wish)
            shown = [panel_pixels(panel) for panel in (draft.panels[-1], *(panel for panel, _ in draft.wrong))]
            for pixels in shown:
                inside = np.zeros_like(pixels, dtype=bool)
                inside[9:-9, 9:-9] = True
                assert (pixels[~inside] == 255).all()
            for one, other in combinations(shown, 2):
                assert (one != other).sum() >= 60


# --- counts are exact under drawing ---


def pieces(marks: list[Mark]) -> int:
    """Pieces of ink that do not touch."""
    return int(label(panel_pixels({"marks": marks}) <= 127, np.ones((3, 3)))[1])


def free(draw: Callable[..., list[Mark]], free: bool) -> Callable[[Stream, Box, int], list[Mark]]:
    return lambda turn, box, number: draw(turn, box, number, free=free)


AREAS = {
    "wheel": free(drawings.wheel, False),
    "free wheel": free(drawings.wheel, True),
    "rings": free(drawings.rings, False),
    "free rings": free(drawings.rings, True),
    "barred": drawings.barred,
    "fanned": drawings.fanned,
    "lenses": drawings.lenses,
}
ROOMS = (BOX, (34, 34, 146, 138))


@some_of("style", AREAS, 3)
def test_closed_areas_are_as_many_as_wanted_and_large(style: str) -> None:
    for number, room in product(range(1, 7 if style == "lenses" or style.startswith("free") else 8), ROOMS):
        for seed in range(4):
            marks = AREAS[style](stream(seed, style, number), room, number)
            sizes = np.bincount(label(panel_pixels({"marks": marks}) > 127)[0].ravel())[1:]
            specks = sizes < 8  # pixels left white where lines meet at a sharp angle
            assert (~specks).sum() - 1 == number  # one is the ground
            assert sizes[~specks].min() >= 80


def test_strokes_and_symbols_never_touch() -> None:
    for number, seed, room in product(range(1, 9), range(3), ROOMS):
        turn = stream(seed, "strokes", number)
        straight = turn.below(number + 1)
        for loose in (False, True):
            assert pieces(drawings.scattered(turn, room, straight, number - straight, free=loose)) == number
        assert pieces(drawings.parallels(turn, room, number)) == number
        assert pieces(drawings.rays(turn, room, number)) == number


@pytest.mark.parametrize("name", ["number of symbols", "number of black symbols", "number of kinds"])
def test_symbols_of_a_panel_never_touch(name: str) -> None:
    family = next(family for family in FAMILIES if family.name == name)
    for wish in list(wishes(family))[::5]:
        draft = drafted(family, stream(3, name), wish)
        for panel in draft.panels[-2:]:
            solid = [{**mark, "fill": "black"} if "fill" in mark else mark for mark in panel["marks"]]
            assert pieces(solid) == len(solid)


def lines_of(mark: Mark) -> Points:
    if mark["shape"] == "line":
        return np.array([[mark["x"], mark["y"]], [mark["x2"], mark["y2"]]], float)
    if mark["shape"] == "path":
        points = np.array(mark["points"], float)
        return np.asarray(curve(points, mark["closed"]) if mark["curved"] and len(points) > 2 else points)
    if mark["shape"] == "square":
        x, y, s = mark["x"], mark["y"], mark["size"]
        return np.array([[x - s, y - s], [x + s, y - s], [x + s, y + s], [x - s, y + s], [x - s, y - s]], float)
    turns = np.linspace(0, 2 * np.pi, 361)
    return np.stack([mark["x"] + mark["size"] * np.cos(turns), mark["y"] + mark["size"] * np.sin(turns)], 1)


def side(p: Points, q: Points, r: Points) -> Points:
    turned: Points = (q[..., 0] - p[..., 0]) * (r[..., 1] - p[..., 1]) - (q[..., 1] - p[..., 1]) * (
        r[..., 0] - p[..., 0]
    )
    return turned


def crossings(one: Mark, other: Mark) -> list[tuple[float, float]]:
    """Where two lines cross: middles of the shorter pieces that do, near ones taken together."""
    shift = np.array([0.013, 0.017])  # so that no corner lies exactly on a line
    a, b = lines_of(one), lines_of(other) + shift
    p, q, r, s = a[:-1, None], a[1:, None], b[None, :-1], b[None, 1:]
    hits = (side(p, q, r) * side(p, q, s) < 0) & (side(r, s, p) * side(r, s, q) < 0)
    d = side(r, s, p) / np.where(side(r, s, p) == side(r, s, q), 1, side(r, s, p) - side(r, s, q))
    return [tuple(a[i] + d[i, j] * (a[i + 1] - a[i])) for i, j in np.argwhere(hits)]


CROSSINGS = {
    "comb": free(drawings.comb, False),
    "free comb": free(drawings.comb, True),
    "weave": free(drawings.weave, False),
    "free weave": free(drawings.weave, True),
    "hatch": drawings.hatch,
    "pierced": drawings.pierced,
}


@pytest.mark.parametrize("style", CROSSINGS)
def test_crossings_are_as_many_as_wanted_and_well_apart(style: str) -> None:
    drawn = 0
    for number, seed, room in product(range(1, 9), range(2), ROOMS):
        marks = CROSSINGS[style](stream(seed, style, number), room, number)
        if marks is None:
            continue
        drawn += 1
        spots = [spot for one, other in combinations(marks, 2) for spot in crossings(one, other)]
        assert len(spots) == number
        assert all(abs(a - x) + abs(b - y) >= 10 for (a, b), (x, y) in combinations(spots, 2))
    assert drawn >= 8


def test_polygons_have_their_corners_and_none_nearly_straight() -> None:
    for corners, seed in product(range(3, 9), range(20)):
        (mark,) = drawings.polygon(stream(seed, "polygon", corners), BOX, corners)
        spots = np.array(mark["points"], float)
        assert len(spots) == corners
        into, out = spots - np.roll(spots, 1, 0), np.roll(spots, -1, 0) - spots
        cosine = (into * out).sum(1) / np.linalg.norm(into, axis=1) / np.linalg.norm(out, axis=1)
        assert cosine.max() < np.cos(np.radians(22))


# --- rules hold ---


def test_number_courses_end_with_the_right_one_whatever_it_is() -> None:
    for configuration, (lines, length), right, seed in product(("sequence",), ((1, 4), (1, 7)), range(1, 8), range(5)):
        course = number_course(stream(seed, right), PuzzleWish(configuration, lines, length), right, 1, 7)
        assert course.values[-1] == right
        assert len(course.values) == length
        assert set(course.values) <= set(range(1, 8))
    for lines, right, seed in product((2, 3), range(1, 6), range(8)):
        wish = PuzzleWish("two-row" if lines == 2 else "matrix", lines, 3)
        values = number_course(stream(seed, right, lines), wish, right, 1, 5).values
        rows = [values[i : i + 3] for i in range(0, 3 * lines, 3)]
        assert values[-1] == right
        assert len(set(rows)) == lines
        steps = {row[2] - row[1] for row in rows} | {row[1] - row[0] for row in rows}
        assert len(steps) == 1 or len({tuple(sorted(row)) for row in rows}) == 1


def number_of(panel: Panel) -> int:
    return sum(mark["shape"] != "line" for mark in panel["marks"])


def test_symbols_follow_the_rule_that_is_told() -> None:
    family = next(family for family in FAMILIES if family.name == "number of symbols")
    for seed in range(30):
        draft = drafted(family, stream(seed, "told"), PuzzleWish("sequence", 1, 5))
        numbers = [number_of(panel) for panel in draft.panels]
        if found := re.search(r"goes (up|down) by (one|two) from", draft.rule):
            step = (1 if found[1] == "up" else -1) * (1 if found[2] == "one" else 2)
            assert [b - a for a, b in pairwise(numbers)] == [step] * 4
        elif "always" in draft.rule:
            assert {in_words(number) for number in numbers} == {draft.rule.split()[-1].rstrip(".")}
        else:
            assert numbers == numbers[::-1]
        assert all(number_of(panel) != numbers[-1] for panel, _ in draft.wrong)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_sources_lead_to_their_result(operation: Operation) -> None:
    for pieces_, seed in product((8, 9, 12, 16), range(10)):
        turn = stream(seed, "sources", pieces_)
        found, right = results(turn, pieces_, near=seed % 2 == 0)
        assert len({len(one) for one in found}) == 1
        assert len(set(found)) == 4
        first, second = sources(turn, operation, found[right], pieces_)
        assert operation.apply(first, second) == found[right]
        assert first != found[right]
        assert second != found[right] or operation.name == "taking away"


def test_a_relation_holds_in_every_panel_and_in_no_wrong_choice() -> None:
    family = next(family for family in FAMILIES if family.name == "relation of two numbers")
    for seed in range(30):
        draft = drafted(family, stream(seed, "relation"), PuzzleWish("matrix", 3, 3))
        told = [_black_and_white(panel) for panel in draft.panels]
        wrong = [_black_and_white(panel) for panel, _ in draft.wrong]
        sign = 1 if "add up" in draft.rule else -1
        assert len({black + sign * white for black, white in told}) == 1
        assert told[0][0] + sign * told[0][1] not in {black + sign * white for black, white in wrong}


def _black_and_white(panel: Panel) -> tuple[int, int]:
    fills = Counter(mark.get("fill") for mark in panel["marks"])
    return fills["black"], fills["white"]


# --- no choice tells that it is right ---


def features(panel: Panel) -> dict[str, object]:
    """What can be seen without the context."""
    marks = panel["marks"]
    fills = Counter(mark.get("fill", "none") for mark in marks)
    shapes = Counter(mark["shape"] for mark in marks)
    cells = "".join("".join(mark["rows"]) for mark in marks if mark["shape"] == "grid")
    return {
        "marks": len(marks),
        "black": fills["black"] + cells.count("#"),
        "kinds": len(shapes),
        "points": sum(len(mark.get("points", ())) for mark in marks),
        "size": sum(mark.get("size", 0) for mark in marks),
        "lines": shapes["line"],
        "fill": fills.most_common(1)[0][0],
        "shape": shapes.most_common(1)[0][0],
    }


def votes(draft_choices: list[dict[str, object]]) -> Iterator[tuple[str, list[float]]]:
    """For each simple observer a score a choice."""
    numbers = ("marks", "black", "kinds", "points", "size", "lines")
    for name in numbers:
        values = [float(str(one[name])) for one in draft_choices]
        yield f"most {name}", values
        yield f"fewest {name}", [-value for value in values]
        middle = sum(values) / 4
        yield f"middle {name}", [-abs(value - middle) for value in values]
    shared = [[sum(one[name] == other[name] for other in draft_choices) for name in one] for one in draft_choices]
    yield "majority", [float(sum(row)) for row in shared]
    yield "minority", [-float(sum(row)) for row in shared]


@pytest.mark.soak
@pytest.mark.parametrize("families", [quantities.FAMILIES, mathematical.FAMILIES], ids=["quantities", "mathematical"])
def test_the_choices_alone_do_not_tell_the_right_one(families: tuple[PatternFamily, ...]) -> None:
    hits: Counter[str] = Counter()
    total = 600
    for number in range(total):
        family = families[number % len(families)]
        turn = stream(number, "exchangeable")
        configuration = turn.choice(family.configurations)
        lines, length = SIZES[configuration]
        length = LENGTHS.get(family.name, (length,))[0]
        wish = PuzzleWish(configuration, lines, length, turn.choice(family.shapes), 1 + turn.below(3), turn.chance())
        draft = drafted(family, turn, wish)
        seen = [features(draft.panels[-1]), *(features(panel) for panel, _ in draft.wrong)]
        for name, scores in votes(seen):
            best = [i for i, score in enumerate(scores) if score == max(scores)]
            hits[name] += (0 in best) * 12 // len(best)  # in twelfths: chance among equals
    rates = {name: number / 12 / total for name, number in hits.items()}
    assert all(abs(rate - 0.25) < 0.06 for rate in rates.values()), rates
