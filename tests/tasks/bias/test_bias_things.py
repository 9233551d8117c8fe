"""Things with parts to count: a counter that only sees pixels finds the number, and nothing else follows it."""

import os
import subprocess
import sys
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.draw.looks import Colour
from snellen.tasks.bias.draw.things import KINDS, SIZE, PartsDrawing, ThingKind, draw, look, plain
from snellen.tasks.bias.draw.things.inks import DEEP, GROUNDS, PAPERS
from snellen.tasks.bias.draw.things.limbs import standing
from support.lengths import examples, few_and_more, some_of
from support.parts import Sight, counted, near, spots_on_paper

ANIMALS = [kind for kind in KINDS.values() if kind.topic == "animals"]
every_kind = some_of("kind", KINDS.values(), 12, ids=KINDS)


def ends(kind: ThingKind) -> list[int]:
    return sorted({kind.fewest, kind.usual, kind.most})


def check(kind: ThingKind, index: int, count: int, size: int = SIZE) -> None:
    seen = look(kind, 11, index)
    thing, neutral = draw(kind, count, seen, size), plain(kind, count, seen, size)
    assert counted(kind, thing.picture.data, seen) == count
    assert spots_on_paper(neutral.picture.data, seen) == count
    assert well_boxed(thing, count, size)
    assert well_boxed(neutral, count, size)


def well_boxed(drawing: PartsDrawing, count: int, size: int) -> bool:
    inside = all(0 <= left < right <= size and 0 <= top < bottom <= size for left, top, right, bottom in drawing.boxes)
    return inside and len(drawing.boxes) == drawing.count == count


@every_kind
def test_whoever_sees_only_pixels_counts_right(kind: ThingKind) -> None:
    """Of the most that can be drawn; every number of every kind is among the thousands below."""
    check(kind, 0, kind.most)


@examples(12, 25)
@given(st.sampled_from(list(KINDS)), st.integers(0, 10**6), st.integers(0, 100), st.sampled_from((512, 640, 900)))
def test_any_kind_look_number_and_size(name: str, index: int, number: int, size: int) -> None:
    kind = KINDS[name]
    check(kind, index, kind.counts[number % len(kind.counts)], size)


EACH = 400
"""Drawings of each of ten tests; more is a matter of time: two seconds of CPU for some ten."""


@pytest.mark.soak
@pytest.mark.parametrize("tenth", range(10))
def test_thousands_of_drawings(tenth: int) -> None:
    numbers = [(kind, count) for kind in KINDS.values() for count in kind.counts]
    for number in range(EACH):
        kind, count = numbers[(EACH * tenth + number) % len(numbers)]
        check(kind, 1000 + EACH * tenth + number, count)


def test_there_are_many_kinds_of_many_topics() -> None:
    assert len(KINDS) >= 65
    assert len({kind.topic for kind in KINDS.values()}) >= 12
    assert len(ANIMALS) >= 15


@every_kind
def test_a_kind_makes_sense(kind: ThingKind) -> None:
    assert kind.usual in kind.counts
    assert kind.odd
    assert kind.usual + 1 in kind.counts
    assert kind.usual - 1 in kind.counts or kind.usual + 2 in kind.counts
    assert kind.part != kind.parts


@pytest.mark.parametrize("kind", ANIMALS, ids=lambda kind: kind.name)
def test_animals_have_one_to_six_legs(kind: ThingKind) -> None:
    assert list(kind.counts) == [1, 2, 3, 4, 5, 6]
    assert kind.usual in (2, 4)


@every_kind
def test_the_alias_does_not_name_the_thing(kind: ThingKind) -> None:
    noun = kind.whole.split()[-1]
    assert noun not in kind.alias_parts.split()


@every_kind
def test_the_twin_tells_the_number_and_not_what_is_usual(kind: ThingKind) -> None:
    for count in (kind.usual, kind.odd[-1]):
        twin = draw(kind, count, look(kind, 3, 1), 128).picture.twin
        assert f"exactly {count} {kind.part if count == 1 else kind.parts}" in twin
        assert kind.whole in twin
        assert "usual" not in twin
        neutral = plain(kind, count, look(kind, 3, 1), 128).picture
        assert str(count) in neutral.twin
        assert kind.whole not in neutral.twin + neutral.alt


@every_kind
def test_the_background_is_the_same_whatever_the_number(kind: ThingKind) -> None:
    seen = look(kind, 4, 2)
    pictures = [draw(kind, count, seen, 200).picture.data for count in ends(kind)]
    pictures.append(plain(kind, kind.usual, seen, 200).picture.data)
    sights = [Sight(data, seen) for data in pictures]
    edges = [np.concatenate((s.rgb[0], s.rgb[-1], s.rgb[:, 0], s.rgb[:, -1])) for s in sights]
    assert all((edge == edges[0]).all() for edge in edges)


@some_of("kind", ANIMALS, 4, ids=[kind.name for kind in ANIMALS])
def test_an_animal_is_as_large_with_any_number_of_legs(kind: ThingKind) -> None:
    seen = look(kind, 6, 0)
    heights = []
    for count in (2, 4, 6):
        sight = Sight(draw(kind, count, seen).picture.data, seen)
        rows = np.flatnonzero((~near(sight.rgb, sight.backdrop, 10, shaded=False)).any(axis=1))
        heights.append(int(rows[-1] - rows[0]))
    assert max(heights) - min(heights) < 0.05 * SIZE


def contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio of WCAG 2."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: Colour) -> float:
    shares = [channel / 255 for channel in colour]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_legs_stand_out_from_every_background() -> None:
    recipes = (kind.recipe for kind in KINDS.values())
    bodies = [recipe.args[0] for recipe in recipes if isinstance(recipe, partial) and recipe.func is standing]
    for body, backdrop in product(bodies, (*PAPERS.values(), *GROUNDS.values())):
        for coat in body.coats:
            assert contrast(coat[body.leg.ink], backdrop) > 1.6


def test_neutral_marks_stand_out_from_every_background() -> None:
    for ink, backdrop in product(DEEP, (*PAPERS.values(), *GROUNDS.values())):
        assert contrast(ink, backdrop) > 3


def test_a_number_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match="dog can be drawn with 1 to 6 legs, not 7"):
        draw(KINDS["dog"], 7, look(KINDS["dog"], 0, 0))


def test_other_looks_are_other_pictures() -> None:
    pictures = {draw(KINDS["dog"], 5, look(KINDS["dog"], 0, index), 64).picture.digest for index in range(40)}
    assert len(pictures) == 40


BYTES = {
    12: "24659c6d13a6a8b92c37c9e95ddd64f9a90211df34c06be4215250132ed5ce23",
    1: "b6ae6ff3ea8b5f3556eb7b542e2853c9742a18f9052f6e776a88c53d833c13c1",
}
"""By one kind in so many."""
DIGEST = """
import sys
from hashlib import sha256
from snellen.tasks.bias.draw.things import KINDS, anonymous, draw, look, plain
kinds = [kind for name, kind in KINDS.items() if name not in ("australia-flag", "zimbabwe-flag")]
pictures = [
    paint(kind, count, look(kind, 2026, 5), 160).picture.data
    for kind in kinds[:: int(sys.argv[1])]
    for count in (kind.usual, kind.odd[0]) for paint in (draw, plain, anonymous)
]
print(sha256(b"".join(pictures)).hexdigest())
"""


@few_and_more("every", [12], [1])
def test_the_bytes_never_change(every: int) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    command = [sys.executable, "-c", DIGEST, str(every)]
    process = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert process.stdout.strip() == BYTES[every]


@pytest.mark.soak
def test_drawing_again_gives_the_same_bytes() -> None:
    for kind in KINDS.values():
        first, second = (draw(kind, kind.usual, look(kind, 1, 1), 64).picture.data for _ in range(2))
        assert first == second
