"""Problems of scenes as they are made: proven, balanced, the same for ever, and without shortcuts."""

import io
import json
from collections import Counter
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from PIL import Image

from snellen.draw.icons import icon, icons
from snellen.draw.scenes import BACKGROUNDS, things, touch
from snellen.errors import UserError
from snellen.item import content_digest
from snellen.rng import stream
from snellen.tasks.audit import Observation, audit_rows
from snellen.tasks.audit.guessing import Feature
from snellen.tasks.bongard.scenes import SORTS, MadeProblem, cost, draw_panel, make, parts, rivals, words
from snellen.tasks.bongard.scenes.concepts import leaning, random_concept
from snellen.tasks.bongard.scenes.drafts import SceneDraft, random_draft
from snellen.tasks.bongard.scenes.kinds import BLURRING_CLASSES, BLURRING_KINDS, CATEGORIES, GROUPS
from snellen.tasks.bongard.scenes.spoiling import spoiled
from snellen.tasks.bongard.scenes.staged import JOINED

N = 60
UNJOINED = [sort for sort in SORTS if sort not in JOINED]


@cache
def made() -> tuple[MadeProblem, ...]:
    return tuple(make(1, index) for index in range(N))


@pytest.mark.soak
def test_the_checker_agrees_on_every_picture() -> None:
    for case in made():
        problem = case.problem
        assert len(problem.positives) == len(problem.negatives) == 7
        assert parts(case.concept, problem.positives, problem.negatives)
        assert problem.concept == words(case.concept)


@pytest.mark.soak
def test_no_other_concept_of_that_cost_parts_what_is_shown() -> None:
    for case in made():
        shown = case.problem.positives[:-1], case.problem.negatives[:-1]
        assert not list(rivals(case.concept, *shown)), case.problem.concept


@pytest.mark.soak
def test_a_problem_with_a_rival_is_thrown_away() -> None:
    assert 0 < sum(case.discarded for case in made()) < 3 * N


def test_sorts_of_concepts_take_turns_and_hardly_repeat() -> None:
    assert Counter(case.problem.category for case in made()) == dict.fromkeys(SORTS, N // len(SORTS))
    assert len({case.problem.concept for case in made()}) > 0.75 * N
    assert {cost(case.concept) for case in made()} >= {1, 2, 3}


def test_a_problem_depends_on_seed_and_number_alone() -> None:
    assert [make(1, index) for index in range(12)] == list(made()[:12])
    assert make(1, 7).problem == made()[7].problem
    assert make(2, 7).problem != made()[7].problem


def test_problems_are_the_same_for_ever() -> None:
    content = json.dumps([[p.id, p.concept, p.positives, p.negatives] for p in (case.problem for case in made()[:20])])
    assert content_digest(content) == DIGEST


DIGEST = "36c9eff987e70b7a9df9191be713fa97"


def test_panels_are_plain_json_and_no_picture_comes_twice() -> None:
    for case in made()[:30]:
        panels = [*case.problem.positives, *case.problem.negatives]
        assert json.loads(json.dumps(panels)) == panels
        assert len({json.dumps(panel) for panel in panels}) == 14


def test_difficulty_is_obeyed() -> None:
    for problem in (make(5, index, concepts=("kind", "colour"), objects=(3, 4)).problem for index in range(6)):
        assert problem.category in ("kind", "colour")
        assert all(3 <= len(panel["things"]) <= 4 for panel in (*problem.positives, *problem.negatives))


@pytest.mark.parametrize("wrong", [{"concepts": ("kin",)}, {"concepts": ()}, {"objects": (1, 3)}, {"objects": (5, 3)}])
def test_difficulty_that_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UserError):
        make(0, 0, **wrong)


def test_a_near_miss_is_near() -> None:
    """At most two things differ, and their number only where things are counted."""
    for index in range(60):
        draw = stream(4, index)
        concept = random_concept(UNJOINED[index % len(UNJOINED)], draw, (2, 5))
        lean = leaning(concept)
        draft = random_draft(draw, 4, lean)
        counted = "exactly" in concept and not concept["exactly"][1]
        for changed in spoiled(draft, concept, lean, draw):
            if "every" not in concept and "not" not in concept:
                assert _differences(draft, changed) <= 2
            assert len(changed.pieces) == 4 or counted


def _differences(one: SceneDraft, other: SceneDraft) -> int:
    before, after = (Counter(map(repr, draft.pieces)) for draft in (one, other))
    return max((before - after).total(), (after - before).total())


def test_words_of_concepts_are_words_of_the_table() -> None:
    classes = {case.category for case in icons()} | {case.group for case in icons()}
    assert {*CATEGORIES, *GROUPS} <= classes
    assert set(BLURRING_KINDS) <= classes
    assert {name for names in BLURRING_CLASSES.values() for name in names} <= classes
    for kinds in BLURRING_KINDS.values():
        for kind in kinds:
            assert icon(kind).name == kind


def features(panel: dict[str, object]) -> dict[str, Feature]:
    """What an observer might go by who looks at one picture and knows no concept."""
    picture, content = draw_panel(panel), things(panel)
    with Image.open(io.BytesIO(picture.data)) as image:
        pixels = np.array(image.getpalette(), np.uint8).reshape(-1, 3)[np.asarray(image)[::3, ::3].ravel()]
    background = str(panel["background"])
    large = [thing.place for thing in content if thing.size == "large"]
    return {
        "mean red": float(pixels[:, 0].mean()),
        "mean green": float(pixels[:, 1].mean()),
        "mean blue": float(pixels[:, 2].mean()),
        "ink": float((pixels != BACKGROUNDS[background]).any(axis=1).mean()),
        "background": background,
        "file size": len(picture.data),
        "description length": len(picture.twin),
        "things": len(content),
        "large things": len(large),
        "living things": sum(thing.icon.life == "living" for thing in content),
        "frames": sum(thing.framed for thing in content),
        "touching": sum(touch(one, other) for one, other in combinations(content, 2)),
        "tile colours": len({thing.tile for thing in content}),
        "first large thing": large[0] if large else "",
        "first place": content[0].place,
        "last place": content[-1].place,
    }


SIDES = (("positive", "positives"), ("negative", "negatives"))


@pytest.mark.soak
def test_no_shortcut_tells_the_sides_apart() -> None:
    """All pictures, not the queries alone: any could have been a query, and there are seven times as many."""
    rows = [
        Observation("scenes", f"{case.problem.id} {side} {number}", side, features(panel), 2)
        for case in made()
        for side, field in SIDES
        for number, panel in enumerate(getattr(case.problem, field))
    ]
    report = audit_rows(rows)
    # Here ids name the side, and a side's pictures follow one another.
    assert not [row for row in report.leaks if not row.observer.startswith(("id", "order"))], str(report)
    assert len(rows) == 14 * N


def test_one_thing_more_on_one_side_would_be_seen() -> None:
    rows = [
        Observation("scenes", f"{case.problem.id} {side} {number}", side, {"things": len(panel["things"]) + more}, 2)
        for case in made()
        for more, (side, field) in enumerate(SIDES)
        for number, panel in enumerate(getattr(case.problem, field))
    ]
    assert audit_rows(rows).leaks
