"""A street seen from across it: houses with signs, trees and lamps between them, people and things on the pavement
before them, vehicles on two lanes, and a second pavement nearest to the eye. What is nearer hides part of the rest.

    {"houses": [{"colour": "red", "storeys": 3, "sign": "guitar"}, ...], "posts": ["tree", "lamp", ""],
     "standing": [{"row": "far", "x": 310, "floor": 388, "person": {...}}, {"row": "lane 1", "x": 90, "floor": 456,
                  "car": "blue"}, {"row": "near", "x": 700, "floor": 610, "icon": "dog"}, ...]}

Houses stand from the left, all equally wide; `posts` are what stands between each two of them. `standing` goes from the
back to the front; `x` is a thing's middle and `floor` where it stands.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from snellen.draw.canvas import Canvas, Fade, ellipse, mixed
from snellen.draw.looks import Colour
from snellen.draw.tints import DYES
from snellen.item import Picture
from snellen.tasks.capacity.draw import people
from snellen.tasks.capacity.draw.owners import OwnerMap

Box = tuple[int, int, int, int]
"""Left, top, right and bottom."""

WIDTH, HEIGHT = 960, 652
ROWS: Mapping[str, tuple[int, int]] = {
    "far": (352, 392),
    "lane 1": (456, 456),
    "lane 2": (506, 506),
    "near": (592, 644),
}
"""The highest and the lowest floor of each row, from the back."""
SIGN = 46
_WALK, _KERB, _NEAR_KERB = 316, 398, 524
_STOREY, _GROUND_FLOOR = 48, 92
_POST_TOP, _POST_FOOT = 208, 346
_ICON: Mapping[str, int] = {"far": 52, "lane 1": 76, "lane 2": 76, "near": 68}
_PERSON: Mapping[str, int] = {"far": 62, "near": 82}
CAR = 104
_BLACK: Colour = (0, 0, 0)
_WHITE: Colour = (255, 255, 255)
_GLASS: Colour = (196, 222, 236)
_POLE: Colour = (70, 76, 86)
_WOOD: Colour = (110, 78, 52)
_LEAVES: tuple[Colour, Colour] = ((84, 150, 80), (106, 170, 96))
_PAVING, _JOINT = (206, 202, 196), (194, 190, 184)


def street(description: Mapping[str, Any]) -> Picture:
    canvas = Canvas(HEIGHT, WIDTH, (186, 220, 244))
    canvas.fill(_WALK, 0, _KERB - _WALK, WIDTH, _PAVING)
    canvas.fill(_KERB, 0, 7, WIDTH, (164, 160, 156))
    canvas.fill(_KERB + 7, 0, _NEAR_KERB - _KERB - 7, WIDTH, (104, 106, 114))
    for left in range(20, WIDTH, 90):
        canvas.fill(460, left, 4, 48, (232, 230, 220))
    canvas.fill(_NEAR_KERB, 0, 8, WIDTH, (164, 160, 156))
    canvas.fill(_NEAR_KERB + 8, 0, HEIGHT - _NEAR_KERB - 8, WIDTH, _PAVING)
    for left in range(0, WIDTH, 64):
        canvas.fill(_NEAR_KERB + 8, left, HEIGHT - _NEAR_KERB - 8, 2, _JOINT)
    for number, house in enumerate(description["houses"]):
        _house(canvas, house, house_box(description, number))
    for number, post in enumerate(description["posts"]):
        if post:
            _POSTS[post](canvas, (number + 1) * WIDTH // len(description["houses"]))
    for entry in description["standing"]:
        _stand(canvas, entry)
    return Picture(canvas.png(), "image/png", f"Street of {len(description['houses'])} houses")


def owners(description: Mapping[str, Any]) -> OwnerMap:
    """Which part of what each pixel shows; things other than people are of one part, "all"."""
    found = OwnerMap(HEIGHT, WIDTH)
    for number, entry in enumerate(description["standing"]):
        found.tell_of(number, "all")
        _stand(found, entry, partial(found.tell_of, number))
        found.finish(number)
    return found


def _stand(canvas: Canvas, entry: Mapping[str, Any], tell: Callable[[str], None] = lambda part: None) -> None:
    """Draw what stands on the pavements or the road."""
    box = box_of(entry)
    if "person" in entry:
        somebody = {**entry["person"], "x": entry["x"], "feet": entry["floor"]}
        people.draw(canvas, somebody, _PERSON[entry["row"]], tell)
    elif "car" in entry:
        _car(canvas, box, DYES[entry["car"]])
    else:
        canvas.icon(entry["icon"], (box[0] + box[2]) // 2, (box[1] + box[3]) // 2, box[2] - box[0])


def house_box(description: Mapping[str, Any], number: int) -> Box:
    """The walls of a house."""
    many = len(description["houses"])
    high = _GROUND_FLOOR + _STOREY * (description["houses"][number]["storeys"] - 1)
    return number * WIDTH // many, _WALK - high, (number + 1) * WIDTH // many, _WALK


def box_of(entry: Mapping[str, Any]) -> Box:
    """Where something stands, hidden or not."""
    x, floor = entry["x"], entry["floor"]
    if "person" in entry:
        percent = _PERSON[entry["row"]]
        left, right = (edge * percent // 100 for edge in (-26, 26))
        return x + left, floor - 130 * percent // 100, x + right, floor
    half = CAR // 2 if "car" in entry else _ICON[entry["row"]] // 2
    return x - half, floor - (46 if "car" in entry else 2 * half), x + half, floor


def _house(canvas: Canvas, house: Mapping[str, Any], box: Box) -> None:
    left, top, right, bottom = box
    wall = mixed(DYES[house["colour"]], _WHITE, 12)
    canvas.fill(top, left + 2, bottom - top, right - left - 4, wall)
    roof = mixed(DYES[house["colour"]], _BLACK, 45)
    canvas.polygon([(left - 2, top), (left + 22, top - 30), (right - 22, top - 30), (right + 2, top)], roof)
    middle = (left + right) // 2
    for floor in range(house["storeys"] - 1):
        y = bottom - _GROUND_FLOOR - floor * _STOREY - 38
        for x in (left + (right - left) // 4, right - (right - left) // 4):
            _window(canvas, x - 13, y, 26, 30)
    door = mixed(_WOOD, _WHITE, 10)
    canvas.fill(bottom - 42, middle - 13, 42, 26, mixed(door, _BLACK, 30))
    canvas.fill(bottom - 40, middle - 11, 40, 22, door)
    for x in (left + 22, right - 22):
        _window(canvas, x - 13, bottom - 42, 26, 26)
    sign = (bottom - _GROUND_FLOOR + 2, middle - SIGN // 2 - 3)
    canvas.fill(sign[0] - 2, sign[1] - 2, SIGN + 4, SIGN + 10, mixed(roof, _BLACK, 30))
    canvas.fill(*sign, SIGN, SIGN + 6, (252, 250, 244))
    canvas.icon(house["sign"], middle, sign[0] + SIGN // 2, SIGN - 6)


def _window(canvas: Canvas, left: int, top: int, width: int, height: int) -> None:
    canvas.fill(top - 2, left - 2, height + 4, width + 4, _WHITE)
    canvas.fill(top, left, height, width, Fade(_GLASS, mixed(_GLASS, (120, 160, 190), 60)))
    canvas.fill(top, left + width // 2 - 1, height, 2, _WHITE)


def _tree(canvas: Canvas, x: int) -> None:
    canvas.fill(_POST_TOP + 60, x - 5, _POST_FOOT - _POST_TOP - 60, 10, _WOOD)
    dark, light = _LEAVES
    for across, up, radius, colour in ((-13, 44, 21, dark), (13, 44, 21, dark), (0, 26, 25, light), (0, 50, 19, light)):
        canvas.disc(x + across, _POST_TOP + up, radius, colour)


def _lamp(canvas: Canvas, x: int) -> None:
    canvas.fill(_POST_TOP + 22, x - 3, _POST_FOOT - _POST_TOP - 22, 6, _POLE)
    canvas.fill(_POST_FOOT - 8, x - 8, 8, 16, _POLE)
    canvas.disc(x, _POST_TOP + 14, 14, _POLE)
    canvas.disc(x, _POST_TOP + 15, 11, (255, 240, 186))


_POSTS = {"tree": _tree, "lamp": _lamp}
POSTS = tuple(_POSTS)


def _car(canvas: Canvas, box: Box, colour: Colour) -> None:
    """Seen from the side, its front to the left."""
    left, top, right, floor = box
    dark = mixed(colour, _BLACK, 25)
    canvas.lay(ellipse(((left + right) / 2, floor), 52, 5), _BLACK, 4)
    canvas.polygon([(left + 26, top + 20), (left + 42, top), (right - 28, top), (right - 12, top + 20)], dark)
    for first, second in ((32, 58), (62, 86)):
        near = first + (9 if first == 32 else 0)
        far = second - (8 if second == 86 else 0)
        corners = [(left + first, top + 20), (left + near, top + 4), (left + far, top + 4), (left + second, top + 20)]
        canvas.polygon(corners, _GLASS)
    canvas.line([(left + 9, top + 29), (right - 9, top + 29)], 19, colour)
    canvas.fill(top + 25, left + 2, 6, 8, (255, 240, 186))
    canvas.fill(top + 25, right - 8, 6, 6, dark)
    for x in (left + 25, right - 25):
        canvas.disc(x, floor - 9, 10, (38, 38, 44))
        canvas.disc(x, floor - 9, 4.5, (190, 194, 200))
