"""Strokes: where the pen goes, what it leaves behind, and bytes that never change."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from snellen.item import Picture
from snellen.tasks.bongard.draw.strokes import SIDE, STYLES, PenStroke, StrokeShape, box, draw, legs, track


def pixels(picture: Picture) -> np.ndarray:
    with Image.open(BytesIO(picture.data)) as image:
        return np.asarray(image.convert("L"))


def square(*styles: str) -> tuple[PenStroke, ...]:
    return tuple(PenStroke(1.0, 0.0, 90.0 if k else 0.0, style) for k, style in enumerate(styles))


def alone(strokes: tuple[PenStroke, ...], heading: float = 0.0) -> StrokeShape:
    return StrokeShape(strokes, 160, 160, 100, heading)


def test_four_left_turns_come_home() -> None:
    path = legs(square(*["normal"] * 4))
    assert abs(path[-1].end) < 1e-12
    assert [complex(np.round(leg.start, 9)) for leg in path] == [0, 1, 1 + 1j, 1j]


def test_an_arc_keeps_its_distance_and_turns_the_pen() -> None:
    arc, line = legs((PenStroke(2.0, 90.0), PenStroke(1.0)))
    points = track([arc])[0]
    assert np.allclose(np.abs(points - 2j), 2)
    assert np.isclose(line.start, 2 + 2j)
    assert np.isclose(line.end, 2 + 3j)
    assert np.isclose(legs((PenStroke(2.0, -90.0),))[0].end, 2 - 2j)


def test_the_box_of_a_turned_shape() -> None:
    middle, width, height = box(np.concatenate(track(legs(square(*["normal"] * 4), 45))))
    assert np.isclose(middle, 1j / np.sqrt(2))
    assert np.isclose(width, np.sqrt(2))
    assert np.isclose(height, np.sqrt(2))


def test_ink_is_where_the_line_is_and_nowhere_else() -> None:
    page = pixels(draw([alone(square(*["normal"] * 4))]))
    assert page.shape == (SIDE, SIDE)
    assert page[209:211, 160].max() == 0  # the lower side
    assert page[150:170, 150:170].min() == 255  # inside
    rows, columns = np.nonzero(page < 255)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (108, 211, 108, 211)
    assert len(np.unique(page)) > 4  # soft edges once the shape is turned or round
    assert pixels(draw([alone(square(*["normal"] * 4), 30)])).min() == 0


def test_up_is_up() -> None:
    """A line that turns left from the right goes up, and so is drawn above."""
    page = pixels(draw([alone((PenStroke(1.0), PenStroke(1.0, 0.0, 90.0)))]))
    assert page[160, 209:211].min() == 0
    assert page[209:211, 160].min() == 0
    assert page[111, 160] == 255


@pytest.mark.parametrize("style", STYLES)
def test_every_style_leaves_its_own_mark(style: str) -> None:
    page = pixels(draw([alone((PenStroke(1.0, 0.0, 0.0, style),))]))
    others = [pixels(draw([alone((PenStroke(1.0, 0.0, 0.0, other),))])) for other in STYLES if other != style]
    assert (page < 128).sum() > 150
    assert all((page != other).sum() > 100 for other in others)


def test_a_row_of_markers_ends_with_one_unless_the_next_row_begins_there() -> None:
    """Two rows that follow one another share the marker where they meet; an open end has its own."""
    one = pixels(draw([alone((PenStroke(1.0, 0.0, 0.0, "circles"),))]))
    assert one[155:166, 206:216].min() < 64
    assert one[155:166, 104:114].min() < 64
    halves = pixels(draw([alone((PenStroke(0.5, 0.0, 0.0, "circles"), PenStroke(0.5, 0.0, 0.0, "circles")))]))
    assert abs(int((halves < 128).sum()) - int((one < 128).sum())) < 60


def test_the_same_shapes_give_the_same_bytes() -> None:
    """Pinned: a picture's digest is its identity, on every machine."""
    shapes = [
        StrokeShape(square("normal", "zigzag", "circles", "squares"), 100, 100, 80, 25),
        StrokeShape((PenStroke(1.0, 0.0, 0.0, "triangles"), PenStroke(0.5, 180.0, 90.0)), 220, 220, 90, 200),
    ]
    picture = draw(shapes, alt="a", twin="{}")
    assert picture.digest == draw(shapes).digest
    assert picture.digest == "6a3830f3870bd77a2a47e425632ae2cde58f3a7ea1877ffb8bb66e0053f150fb"
    assert (picture.alt, picture.twin, picture.media_type) == ("a", "{}", "image/png")


def test_nothing_is_drawn_over_the_edge() -> None:
    with pytest.raises(ValueError, match="leaves the page"):
        draw([StrokeShape((PenStroke(1.0),), 10, 160, 100, 0)])
