"""Pictures of many recognisable things, each from one description in JSON types: cards, scenes, racks and bars.

- **Cards**: four white cards with one large thing each and a number in the corner, in a square or in a row:
  `{"ground": "cream", "layout": "square", "things": [{"icon": "dog", "number": 1}, ...]}`, in reading order.
- **Scene**: things scattered over a sheet of five by four cells, at most one to a cell, perhaps dyed, perhaps in a
  frame: `{"ground": "cream", "things": [{"icon": "car", "x": 72, "y": 216, "side": 100, "colour": "red", "frame":
  "round"}, ...]}`.
- **Rack**: a wooden rack of shelves with a thing in every compartment: `{"ground": "cream", "shelves": [[{"icon":
  "car", "colour": "red"}, ...], ...]}`, from the top and from the left.
- **Bars**: a chart with one bar for each thing, up to ten units high, the thing below its bar: `{"ground": "cream",
  "bars": [{"icon": "dog", "colour": "red", "value": 7}, ...]}`, from the left.

`x` and `y` are a thing's middle, `side` the square it fills, in pixels. `colour` and `frame` may be empty or left out.
"""

from collections.abc import Mapping
from typing import Any

from snellen.draw.plates import DARK_WOOD, GROUNDS, HOLLOW, INK, LINE, WHITE, WOOD, PictureCanvas
from snellen.draw.soft import box, disc, ring
from snellen.draw.tints import DYES
from snellen.item import Picture

Description = Mapping[str, Any]

CELL = 144
COLUMNS, ROWS = 5, 4
WIDTH, HEIGHT = COLUMNS * CELL, ROWS * CELL
FRAME_SIDE = 136
"""Of a frame's outer edge; what stands inside is to be no larger than 96."""
LAYOUTS = {"square": 2, "row": 4}
"""How many cards stand side by side."""

_CARD, _GAP, _RADIUS = 264, 28, 20
_THING, _BADGE = 178, 54
_FRAME_LINE = 6
_HOLE, _PLANK, _EDGE = 124, 14, 40
_UNIT, _BAR, _STEP, _AXIS, _TOP, _LABEL = 38, 52, 80, 72, 40, 64
TALLEST = 10
"""The most that a bar can show."""


def cards(description: Description) -> Picture:
    across = LAYOUTS[description["layout"]]
    small = across == 4  # four in a row would be too wide a picture
    card, gap, thing = (_CARD * 3 // 4, 16, _THING * 3 // 4) if small else (_CARD, _GAP, _THING)
    down = len(description["things"]) // across
    plate = PictureCanvas(down * (card + gap) + gap, across * (card + gap) + gap, GROUNDS[description["ground"]])
    for place, entry in enumerate(description["things"]):
        top, left = (gap + step * (card + gap) for step in divmod(place, across))
        plate.lay(box(card, card, _RADIUS), top, left, LINE)
        plate.lay(box(card - 4, card - 4, _RADIUS - 2), top + 2, left + 2, WHITE)
        plate.icon(entry["icon"], left + card // 2 + 12, top + card // 2 + 14, thing)  # clear of the number
        badge = _BADGE * 3 // 4 if small else _BADGE
        plate.lay(disc(badge, 4 * badge - 4), top + 10, left + 10, INK)
        plate.sign(str(entry["number"]), left + 10 + badge // 2, top + 10 + badge // 2, badge * 4 // 7, WHITE)
    return Picture(plate.png(), "image/png", "Four things on numbered cards")


def scene(description: Description) -> Picture:
    ground = GROUNDS[description["ground"]]
    plate = PictureCanvas(HEIGHT, WIDTH, ground)
    for thing in description["things"]:
        if thing.get("frame"):
            _frame(plate, thing["frame"], thing["x"], thing["y"])
        plate.icon(thing["icon"], thing["x"], thing["y"], thing["side"], thing.get("colour", ""))
    return Picture(plate.png(), "image/png", f"Scene of {len(description['things'])} things")


def _frame(plate: PictureCanvas, shape: str, x: int, y: int) -> None:
    top, left = y - FRAME_SIDE // 2, x - FRAME_SIDE // 2
    if shape == "round":
        plate.lay(ring(FRAME_SIDE, 4 * FRAME_SIDE - 4, 4 * (FRAME_SIDE - 2 * _FRAME_LINE)), top, left, INK)
        return
    far = FRAME_SIDE - _FRAME_LINE
    for down, right, height, width in (
        (0, 0, _FRAME_LINE, FRAME_SIDE),
        (far, 0, _FRAME_LINE, FRAME_SIDE),
        (0, 0, FRAME_SIDE, _FRAME_LINE),
        (0, far, FRAME_SIDE, _FRAME_LINE),
    ):
        plate.fill(top + down, left + right, height, width, INK)


def rack(description: Description) -> Picture:
    shelves = description["shelves"]
    pitch = _HOLE + _PLANK
    height, width = (many * pitch + _PLANK for many in (len(shelves), len(shelves[0])))
    plate = PictureCanvas(height + 2 * _EDGE, width + 2 * _EDGE, GROUNDS[description["ground"]])
    plate.lay(box(height + 8, width + 8, 10), _EDGE - 4, _EDGE - 4, DARK_WOOD)
    plate.lay(box(height, width, 6), _EDGE, _EDGE, WOOD)
    for row, shelf in enumerate(shelves):
        for column, thing in enumerate(shelf):
            top, left = (_EDGE + _PLANK + step * pitch for step in (row, column))
            plate.fill(top, left, _HOLE, _HOLE, DARK_WOOD)
            plate.fill(top + 4, left + 3, _HOLE - 4, _HOLE - 6, HOLLOW)
            plate.icon(thing["icon"], left + _HOLE // 2, top + _HOLE // 2 + 3, 100, thing.get("colour", ""))
    return Picture(plate.png(), "image/png", f"Rack of {len(shelves)} shelves")


def bars(description: Description) -> Picture:
    """Lines at every unit, numbers on the left, and each bar's thing below it."""
    content = description["bars"]
    width, floor = _AXIS + len(content) * _STEP + 24, _TOP + TALLEST * _UNIT
    plate = PictureCanvas(floor + _LABEL + 28, width, GROUNDS[description["ground"]])
    plate.lay(box(floor - _TOP + 24, width - _AXIS - 12, 10), _TOP - 16, _AXIS, WHITE)
    for value in range(TALLEST + 1):
        y = floor - value * _UNIT
        plate.fill(y - 1, _AXIS, 2, width - _AXIS - 12, LINE)
        plate.label(str(value), _AXIS - 30, y, 24, INK)
    for place, bar in enumerate(content):
        middle, height = _AXIS + 6 + place * _STEP + _STEP // 2, bar["value"] * _UNIT
        plate.fill(floor - height, middle - _BAR // 2, height, _BAR, DYES[bar["colour"]])
        plate.icon(bar["icon"], middle, floor + 16 + _LABEL // 2, _LABEL)
    plate.fill(floor - 2, _AXIS, 4, width - _AXIS - 12, INK)
    return Picture(plate.png(), "image/png", f"Chart of {len(content)} bars")
