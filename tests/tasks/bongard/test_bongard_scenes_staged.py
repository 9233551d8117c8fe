"""Problems of two conditions joined: proven by a reader of their own, and bare enough for a person to find."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from snellen.draw.icons import icon
from snellen.rng import stream
from snellen.tasks.bongard.scenes import MadeProblem, make, rivals
from snellen.tasks.bongard.scenes.staged import NEUTRAL, SALIENT, both_sides, stage

N = 60
Panel = Mapping[str, Any]


@cache
def made(word: str) -> tuple[MadeProblem, ...]:
    return tuple(make(2, index, concepts=(word,)) for index in range(N))


def everything() -> Iterator[tuple[str, MadeProblem]]:
    return ((word, case) for word in ("and", "or") for case in made(word))


def reader(condition: Mapping[str, Any]) -> Callable[[Panel], bool]:
    """What a condition asks of a picture, read off its things without the language of concepts."""
    if "not" in condition:
        inner = reader(condition["not"])
        return lambda panel: not inner(panel)
    [(attribute, value)] = condition["some"].items()
    if attribute == "tile":
        return lambda panel: value in {thing["tile"] for thing in panel["things"]}
    return lambda panel: value in {icon(thing["kind"]).category for thing in panel["things"]}


def sides(case: MadeProblem) -> tuple[list[list[bool]], list[list[bool]]]:
    """For each picture of both sides, which of the two conditions hold."""
    [(_, conditions)] = case.concept.items()
    readers = [reader(condition) for condition in conditions]
    problem = case.problem
    positives, negatives = (
        [[reads(p) for reads in readers] for p in s] for s in (problem.positives, problem.negatives)
    )
    return positives, negatives


@pytest.mark.soak
def test_the_rule_parts_the_sides_and_both_its_halves_are_shown_as_often() -> None:
    for word, case in everything():
        positives, negatives = sides(case)
        mixed = positives if word == "or" else negatives
        whole = negatives if word == "or" else positives
        assert all(found == [word == "and"] * 2 for found in whole), case.problem.concept
        assert sorted(map(tuple, mixed[:-1])) == [(False, True)] * 3 + [(True, False)] * 3, case.problem.concept
        assert mixed[-1] in ([True, False], [False, True])


def single(panel: Panel) -> set[tuple[str, str, str]]:
    """Everything that one attribute alone can say of a picture: that some, all or so many things have it."""
    said: set[tuple[str, str, str]] = {
        ("background", "is", panel["background"]),
        ("things", "are", str(len(panel["things"]))),
    }
    for name, read in ATTRIBUTES.items():
        values = [read(thing) for thing in panel["things"]]
        for value in set(values) - {""}:
            said.add((name, "some", value))
            said.add((name, f"exactly {values.count(value)}", value))
            if len(set(values)) == 1:
                said.add((name, "all", value))
        if "" not in values:
            said.add((name, "different", str(len(set(values)))))
    return said


ATTRIBUTES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "kind": lambda thing: thing["kind"],
    "category": lambda thing: icon(thing["kind"]).category,
    "group": lambda thing: icon(thing["kind"]).group,
    "life": lambda thing: icon(thing["kind"]).life,
    "look": lambda thing: icon(thing["kind"]).colour,
    "tile": lambda thing: thing["tile"],
    "size": lambda thing: thing["size"],
    "row": lambda thing: str(thing["y"] // 120),
    "column": lambda thing: str(thing["x"] // 120),
}


def test_no_single_attribute_parts_the_sides() -> None:
    for _, case in everything():
        shown = [[single(panel) for panel in side[:-1]] for side in (case.problem.positives, case.problem.negatives)]
        for here, there in (shown, reversed(shown)):
            common = set.intersection(*here)
            assert not common.difference(*there), case.problem.concept


def test_that_proof_finds_what_it_looks_for() -> None:
    """The same proof on a problem of one attribute finds that attribute."""
    problem = make(2, 0, concepts=("category",)).problem
    inside = set.intersection(*map(single, problem.positives[:-1]))
    assert any(name == "category" for name, _, _ in inside.difference(*map(single, problem.negatives[:-1])))


@pytest.mark.soak
def test_no_rival_of_the_language_parts_them_either() -> None:
    for _, case in everything():
        assert not list(rivals(case.concept, case.problem.positives[:-1], case.problem.negatives[:-1]))


def test_nothing_varies_that_the_rule_does_not_speak_of() -> None:
    for _, case in everything():
        spoken = str(case.concept)
        panels = [*case.problem.positives, *case.problem.negatives]
        content = [thing for panel in panels for thing in panel["things"]]
        assert {thing["size"] for thing in content} == {"large"}
        assert not any(thing["framed"] for thing in content)
        assert len({panel["background"] for panel in panels}) == 1
        coloured = {sum(thing["tile"] != NEUTRAL for thing in panel["things"]) for panel in panels}
        assert len(coloured) == 1, "one side shows as many coloured tiles as the other"
        assert ("tile" in spoken) == (coloured != {0})
        assert {len(panel["things"]) for panel in panels} <= {2, 3}
        assert len({thing["kind"] for thing in content}) <= 16
        assert {icon(thing["kind"]).category for thing in content} <= set(SALIENT)


def test_all_sorts_of_conditions_come_up() -> None:
    said = [str(case.concept) for _, case in everything()]
    for word in ("category", "tile", "not"):
        assert sum(word in one for one in said) >= 3, word
    assert len({case.problem.concept for _, case in everything()}) > N


def test_more_things_can_be_asked_for() -> None:
    for word in ("and", "or"):
        problem = make(4, 1, concepts=(word,), objects=(4, 8)).problem
        assert {len(panel["things"]) for panel in (*problem.positives, *problem.negatives)} <= {4, 5}


def test_a_scene_has_just_the_conditions_that_are_wanted() -> None:
    rng = stream(0, "staged")
    here = stage({"or": [{"some": {"category": "animal"}}, {"some": {"tile": "red"}}]}, rng)
    for holds in ((True, True), (True, False), (False, True), (False, False)):
        panel = here.scene(holds, 3, rng)
        assert any(icon(thing["kind"]).category == "animal" for thing in panel["things"]) == holds[0]
        assert any(thing["tile"] == "red" for thing in panel["things"]) == holds[1]
    positives, negatives = both_sides("and", True, 6, rng)
    assert set(positives) == {(True, False)}
    assert set(negatives) == {(True, True), (False, False)}
