"""The anonymous drawing: who sees only pixels counts as many parts, where the thing has them, and nothing names it."""

import io

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage

from snellen.tasks.bias.draw.things import KINDS, SIZE, PartsDrawing, ThingKind, anonymous, draw, look, plain
from snellen.tasks.bias.draw.things.bare import hue_turned
from snellen.tasks.bias.draw.things.page import Box
from support.lengths import some_of
from support.parts import Sight, counted, near

SPOTS = ("china-flag", "venezuela-flag", "us-canton", "europe-flag", "seven-of-hearts", "clock", "snowman")
"""Kinds whose parts are spots of one colour that nothing else has."""
BY_COLOUR = (
    *("sudoku-rows", "sudoku-columns", "go-board-rows", "go-board-columns", "xiangqi-rows", "xiangqi-columns"),
    *("chess-board-rows", "chess-board-columns", "hand", "ring-chain-mark", "games-rings", "traffic-light"),
    *("windmill", "wind-turbine", "violin", "dragonfly"),
)
"""Kinds whose counter goes by colours that the anonymous drawing has not, or by places that bending moves."""
every_kind = some_of("kind", KINDS.values(), 14, ids=KINDS)


def drawn(
    kind: ThingKind, count: int, index: int = 3, size: int = SIZE
) -> tuple[PartsDrawing, PartsDrawing, PartsDrawing]:
    seen = look(kind, 41, index)
    return anonymous(kind, count, seen, size), draw(kind, count, seen, size), plain(kind, count, seen, size)


def middle(box: Box) -> tuple[float, float]:
    left, top, right, bottom = box
    return (left + right) / 2, (top + bottom) / 2


@some_of("name", [name for name in KINDS if name not in (*SPOTS, *BY_COLOUR)], 9)
def test_the_counter_of_the_thing_counts_the_anonymous_parts(name: str) -> None:
    kind = KINDS[name]
    for index, count in ((0, kind.fewest), (1, kind.most)):
        seen = look(kind, 41, index)
        assert counted(kind, anonymous(kind, count, seen).picture.data, seen) == count


@some_of("name", SPOTS, 4)
def test_spots_like_the_first_are_as_many_as_the_parts(name: str) -> None:
    kind = KINDS[name]
    for count in (kind.fewest, kind.most):
        picture = anonymous(kind, count, look(kind, 41, count))
        rgb = np.asarray(Image.open(io.BytesIO(picture.picture.data)).convert("RGB"), np.int16)
        right, down = (round(part) for part in middle(picture.boxes[0]))
        labels, many = ndimage.label(near(rgb, [rgb[down, right]], 12))
        areas = ndimage.sum_labels(np.ones_like(labels), labels, range(1, many + 1))
        assert sum(areas > 0.2 * np.sort(areas)[-count]) == count


@every_kind
def test_every_part_is_where_the_things_is_and_where_the_plain_mark_is(kind: ThingKind) -> None:
    for count in {kind.odd[0], kind.odd[-1]}:
        nobody, thing, bars = drawn(kind, count)
        assert len(nobody.boxes) == nobody.count == count
        for own, other, mark in zip(nobody.boxes, thing.boxes, bars.boxes, strict=True):
            assert all(0 <= edge <= SIZE for edge in own)
            assert np.hypot(*np.subtract(middle(own), middle(other))) < 0.09 * SIZE
            assert np.hypot(*np.subtract(middle(own), middle(mark))) < 0.13 * SIZE


@every_kind
def test_paper_and_ground_are_those_of_the_thing(kind: ThingKind) -> None:
    nobody, thing, _ = drawn(kind, kind.usual, size=200)
    own, other = (Sight(drawing.picture.data, look(kind, 41, 3)) for drawing in (nobody, thing))
    assert own.backdrop == other.backdrop
    paper = near(own.rgb, own.backdrop, 2, shaded=False).mean(), near(other.rgb, other.backdrop, 2, shaded=False).mean()
    assert abs(paper[0] - paper[1]) < 0.25


@every_kind
def test_words_give_the_number_and_no_name(kind: ThingKind) -> None:
    for count in (kind.usual, kind.odd[-1]):
        picture = anonymous(kind, count, look(kind, 3, 1), 128).picture
        assert f"exactly {count} {kind.bare_part if count == 1 else kind.bare_parts} on it" in picture.twin
        for word in (kind.whole, kind.name, kind.known_as or kind.whole):
            assert word not in picture.twin + picture.alt


def test_letters_and_numbers_are_gone() -> None:
    """Whatever is written on a card or a sign, its anonymous drawing is without it."""
    kind = KINDS["seven-of-hearts"]
    seen = look(kind, 41, 0)
    corners = [box for group in kind.recipe(7, seen).groups if group.role == "sign" for box in group.pieces]
    assert len(corners) == 2
    rgb = np.asarray(Image.open(io.BytesIO(anonymous(kind, 7, seen).picture.data)).convert("RGB"), np.int16)
    assert not near(rgb, [corners[0].ink], 10, shaded=False).any()


@pytest.mark.parametrize("ink", [(206, 40, 48), (20, 88, 170), (240, 217, 181), (34, 34, 40), (250, 250, 250)])
def test_other_hues_keep_the_lightness(ink: tuple[int, int, int]) -> None:
    def light(colour: tuple[int, int, int]) -> float:
        return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]

    turned = hue_turned(ink, 120, 40)
    assert turned != ink or ink == (250, 250, 250)
    assert light(turned) == pytest.approx(light(ink), abs=30)
