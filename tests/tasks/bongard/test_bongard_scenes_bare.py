"""Scenes of concepts that say more than one thing: nothing else varies, and what is said of place and size shows."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from snellen.draw.icons import icon
from snellen.draw.scenes import CELL, TILE_SIDE
from snellen.tasks.bongard.scenes import MadeProblem, make
from snellen.tasks.bongard.scenes.bare import GAP, INSIDE, STEP, is_bare
from support.lengths import few_and_more

SORTS = ("count", "colour", "size", "position", "relation", "not")
Panel = Mapping[str, Any]


@cache
def made() -> tuple[MadeProblem, ...]:
    cases = (make(9, index, concepts=SORTS) for index in range(48))
    return tuple(case for case in cases if is_bare(case.concept))


def panels(case: MadeProblem) -> Iterator[Panel]:
    return iter((*case.problem.positives, *case.problem.negatives))


def said(case: MadeProblem) -> str:
    return case.problem.concept


def test_nothing_varies_that_the_concept_does_not_speak_of() -> None:
    assert len(made()) > 36
    for case in made():
        shown = [thing for panel in panels(case) for thing in panel["things"]]
        assert len({panel["background"] for panel in panels(case)}) == 1
        if not any(word in said(case) for word in ("small", "large")):
            assert {thing["size"] for thing in shown} == {"large"}, said(case)
        if "tile" not in said(case):
            assert {thing["tile"] for thing in shown} == {"white"}, said(case)
        framed = [sum(thing["framed"] for thing in panel["things"]) for panel in panels(case)]
        assert framed == [1 if "frame" in said(case) else 0] * 14, said(case)
        if case.problem.category != "count":
            assert {len(panel["things"]) for panel in panels(case)} <= {2, 3}, said(case)


@pytest.mark.parametrize("sort", ["position", "relation"])
def test_places_can_be_seen(sort: str) -> None:
    """In pixels: how far inside its row and column everything is, and how far apart two rows or columns stand."""
    cases = [case for case in made() if case.problem.category == sort and "touching" not in said(case)]
    assert len(cases) > 4
    for case in cases:
        for panel in panels(case):
            for thing in panel["things"]:
                for at in (thing["x"], thing["y"]):
                    assert INSIDE <= at % CELL <= CELL - INSIDE
            for one, other in combinations(panel["things"], 2):
                for axis in ("x", "y"):
                    apart = abs(one[axis] - other[axis])
                    assert apart >= STEP or one[axis] // CELL == other[axis] // CELL


def test_only_edges_are_asked_for() -> None:
    for case in made():
        if case.problem.category == "position":
            assert any(f"in the {edge}" in said(case) for edge in ("top", "bottom", "left", "right")), said(case)


@few_and_more(("start", "end"), [(0, 20)], [(20, 40), (40, 60)])
def test_things_touch_or_keep_clearly_apart(start: int, end: int) -> None:
    cases = [make(10, index, concepts=("relation",)) for index in range(start, end)]
    touching = [case for case in cases if "touching" in said(case)]
    assert touching
    for case in touching:
        for panel in panels(case):
            for one, other in combinations(panel["things"], 2):
                reach = (TILE_SIDE[one["size"]] + TILE_SIDE[other["size"]]) // 2
                gap = max(abs(one[axis] - other[axis]) for axis in ("x", "y")) - reach
                assert gap == 0 or gap >= GAP, said(case)


def test_the_sort_of_thing_is_in_every_picture_where_it_is_placed() -> None:
    """Else a person would look for what is there instead of where it is."""
    for case in made():
        if case.problem.category == "position" and "tile" not in said(case):
            description = case.concept["some"]
            kinds = {thing["kind"] for panel in panels(case) for thing in panel["things"]}
            own = [kind for kind in kinds if _is(kind, description)]
            for panel in panels(case):
                assert sum(thing["kind"] in own for thing in panel["things"]) == 1, said(case)


def _is(kind: str, description: Mapping[str, str]) -> bool:
    return any(
        getattr(icon(kind), word) == value for word, value in description.items() if word not in ("row", "column")
    )
