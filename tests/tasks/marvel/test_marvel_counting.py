"""Who miscounts misses the puzzles that turn on a number, and no others; and what shares its choices is one cluster."""

from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import snellen
from snellen.item import Item
from snellen.rng import stream
from snellen.tasks.marvel import EVERY
from snellen.tasks.marvel.generate import families
from snellen.tasks.marvel.generated import cluster_of, items
from snellen.tasks.marvel.probing.turns_on import counted
from snellen.tasks.marvel.puzzle import SHAPES, Panel, PuzzleWish

PLAIN = {"rules": ("1",), "closeness": ("far",), "clutter": ("none",)}


@pytest.mark.soak
def test_a_counting_deficit_touches_what_turns_on_counting(tmp_path: Path) -> None:
    rows = snellen.exam("sim/ideal:count=0", tasks="marvel", n=30, store=tmp_path / "s.sqlite").rows
    puzzles = rows.filter(pl.col("question") == "avr", pl.col("words") == "none")
    seen = puzzles.filter(pl.col("paradigm") == "direct")
    rate = {pattern: own["outcome"].eq("right").mean() for (pattern,), own in seen.group_by("pattern")}
    assert rate["quantities"] == 0, "no quantity was counted right"
    assert rate["temporal"] == rate["spatial"] == 1
    assert 0 < float(str(rate["mathematical"])) < 1, "sums go wrong, overlays do not"
    missed = Counter(seen.filter(pl.col("pattern") == "quantities")["mechanism"])
    assert set(missed) <= {"too many", "too few"}
    for spared in (puzzles.filter(pl.col("paradigm") == "words"), rows.filter(pl.col("words") == "given")):
        assert spared.height
        assert set(spared["outcome"]) == {"right"}, "words tell the numbers"
    details = rows.filter(pl.col("question") == "fine", pl.col("pattern") == "quantities")
    assert set(details["outcome"]) == {"wrong"}


def test_what_turns_on_a_number_is_known() -> None:
    assert counted("quantities", "closed areas")
    assert counted("mathematical", "dominoes")
    assert counted("2d", "number of axes")
    assert not counted("2d", "axis direction")
    assert not counted("mathematical", "joining")
    assert not counted("spatial", "crossing")


def test_puzzles_with_the_same_choices_are_one_cluster() -> None:
    (one,) = items(
        {**EVERY, **PLAIN, "pattern": ("spatial",), "configuration": ("group",), "shapes": ("geometric",)}, 1, 3
    )
    choices = one.truth["choices"]
    assert one.cluster == cluster_of(choices) == cluster_of(choices[::-1])
    painted = [{"marks": [{**mark, "colour": "red"} for mark in choice["marks"]]} for choice in choices]
    assert cluster_of(painted) == one.cluster, "they look the same in black"
    assert cluster_of([*choices[:3], choices[0]]) != one.cluster


@pytest.fixture(scope="module")
def thin() -> list[Item]:
    """Puzzles of the two cells in which choices repeat most."""
    cells = (("temporal", "sequence"), ("spatial", "group"))
    levels = [{**EVERY, **PLAIN, "pattern": (a,), "configuration": (b,), "shapes": SHAPES[:1]} for a, b in cells]
    return [item for one in levels for item in items(one, 50, 1)]


@pytest.mark.soak
def test_most_puzzles_share_their_choices_with_none(thin: list[Item]) -> None:
    clusters = Counter(item.cluster for item in thin)
    assert len(clusters) > 0.8 * len(thin)
    assert max(clusters.values()) <= 8


@pytest.mark.parametrize("name", ["strokes", "hands", "step", "crossing"])
def test_few_drafts_of_a_family_share_their_choices(name: str) -> None:
    """Of one rule alone, where the choices have the least to differ in."""
    pattern = "spatial" if name == "crossing" else "temporal"
    configuration, length = ("group", 3) if name == "step" else ("sequence", 5)
    (family,) = (one for one in families(pattern, configuration, "geometric") if one.name == name)
    wishes = [PuzzleWish(configuration, 1, length, "geometric", 1, near=turn % 2 == 0) for turn in range(100)]
    drafts = [family.make(stream(turn, "drafts", name), wish) for turn, wish in enumerate(wishes)]
    clusters = Counter(
        cluster_of([draft.panels[-1], *(panel for panel, _ in draft.wrong)]) for draft in drafts if draft
    )
    assert sum(many for many in clusters.values() if many > 1) <= 40


@pytest.mark.soak
def test_a_little_aside_or_larger_is_the_same_cluster(thin: list[Item]) -> None:
    """Steps have boundaries, so not always; in exact coordinates never."""

    def same(grown: float, right: int, down: int) -> float:
        moved = ([_moved(choice, grown, right, down) for choice in item.truth["choices"]] for item in thin)
        return sum(cluster_of(choices) == item.cluster for choices, item in zip(moved, thin, strict=True)) / len(thin)

    assert same(1, 2, -3) > 0.9
    assert same(1.02, 0, 0) > 0.6
    assert same(1.4, 0, 0) < 0.1, "further apart is another look, but a single figure in the middle stays there"


def _moved(panel: Panel, grown: float, right: int, down: int) -> Panel:
    """The panel's marks aside, and further from its middle."""

    def x(value: float) -> int:
        return round(90 + (value - 90) * grown + right)

    def y(value: float) -> int:
        return round(90 + (value - 90) * grown + down)

    marks = []
    for mark in panel["marks"]:
        change: dict[str, Any] = {
            name: (x if name[0] == "x" else y)(mark[name]) for name in ("x", "y", "x2", "y2") if name in mark
        }
        if "points" in mark:
            change["points"] = [[x(a), y(b)] for a, b in mark["points"]]
        marks.append({**mark, **change})
    return {"marks": marks}


def test_turned_choices_are_another_cluster() -> None:
    upright = [{"marks": [{"shape": "line", "x": 90, "y": 40, "x2": 90, "y2": 140}]}]
    level = [{"marks": [{"shape": "line", "x": 40, "y": 90, "x2": 140, "y2": 90}]}]
    corner = [{"marks": [{"shape": "line", "x": 20, "y": 40, "x2": 20, "y2": 140}]}]
    assert len({cluster_of(upright), cluster_of(level), cluster_of(corner)}) == 3
