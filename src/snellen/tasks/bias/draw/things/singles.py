"""Things with a build of their own: hands, pianos, rainbows, signs."""

from math import cos, radians, sin

import numpy as np

from snellen.tasks.bias.draw.things.forms import Place, arc, bar, blob, box, clockwise, limb, poly, ring, star
from snellen.tasks.bias.draw.things.inks import darker, lighter, palette
from snellen.tasks.bias.draw.things.kind import ColouredPiece, Group, Mark, ThingLook, ThingScene
from snellen.tasks.bias.draw.things.raster import Points
from snellen.tasks.bias.draw.things.sketch import outlines, sketch
from snellen.tasks.bias.draw.things.strokes_font import written

_PALM = sketch("blob skin -146,50 -60,22 60,22 138,60 150,160 120,270 60,330 -70,330 -128,260 -152,150")


def hand(count: int, look: ThingLook) -> ThingScene:
    """A hand held up, the thumb to the right: `count` fingers, the thumb included."""
    skin = look.stream("coat").choice(palette("skin"))
    fingers = count - 1
    parts, marks, nails = [], [], []
    for k in range(fingers):
        share = k / (fingers - 1) if fingers > 1 else 0.5
        angle = -34 + 62 * share
        base = -118 + 226 * share
        length = 265 - 150 * (share - 0.58) ** 2 - (24 if share < 0.1 else 0)
        root: Place = (base, 40 + 26 * (2 * share - 1) ** 2)
        tip: Place = (base + length * sin(radians(angle)), root[1] - 40 - length * cos(radians(angle)))
        parts.append(ColouredPiece([bar(root, tip, 52, 44)], skin, k))
        marks.append(Mark(_along(root, tip, 0.4), tip, 44))
        nails.append(_nail(root, tip))
    root, tip = (90, 200), (285, 60)
    parts.append(ColouredPiece([limb((root, (190, 150), tip), (90, 66, 52))], skin, fingers))
    marks.append(Mark((180, 150), tip, 52))
    nails.append(_nail((190, 150), tip))
    wrist = box(-86, 280, 84, 410, 18)
    body = ColouredPiece([*outlines(_PALM[0]), wrist], skin)
    groups = [
        Group([*parts, body]),
        Group([ColouredPiece(nails, lighter(skin), round=False)], edged=False, role="sign"),
    ]
    return ThingScene(groups, marks, "The hand is open, its fingers spread.")


def _along(root: Place, tip: Place, share: float) -> Place:
    return root[0] + share * (tip[0] - root[0]), root[1] + share * (tip[1] - root[1])


def _nail(root: Place, tip: Place) -> Points:
    length = ((tip[0] - root[0]) ** 2 + (tip[1] - root[1]) ** 2) ** 0.5
    ahead = (tip[0] - root[0]) / length, (tip[1] - root[1]) / length
    return bar((tip[0] - 8 * ahead[0], tip[1] - 8 * ahead[1]), (tip[0] + 8 * ahead[0], tip[1] + 8 * ahead[1]), 24)


def piano(count: int, look: ThingLook, *, black: bool) -> ThingScene:
    """One octave of keys: `count` white ones, or `count` black ones among seven white."""
    case, low, high = look.stream("coat").choice(palette("piano")), -230, 230
    white = 7 if black else count
    step = 760 / white
    gaps = _black_gaps(count, look) if black else [k for k in range(white - 1) if k % 7 not in (2, 6)]
    keys = [
        ColouredPiece(
            [box(-380 + k * step, low, -380 + (k + 1) * step - 6, high, 10)],
            (252, 251, 247),
            None if black else k,
            round=False,
        )
        for k in range(white)
    ]
    at = [-380 + (gap + 1) * step - 3 for gap in gaps]
    blacks = [
        ColouredPiece([box(x - 29, low, x + 29, low + 280, 8)], (34, 34, 40), k if black else None)
        for k, x in enumerate(at)
    ]
    marks = [Mark((x, low), (x, low + 280), 58) for x in at]
    if not black:
        middles = [-380 + (k + 0.5) * step - 3 for k in range(white)]
        marks = [Mark((x, low), (x, high), 62) for x in middles]
    frame = ColouredPiece([box(-410, low - 70, 404, high + 26, 16)], case)
    bed = ColouredPiece([box(-388, low - 8, 382, high + 8)], darker(case, 55), round=False)
    over = Group(blacks, edged=False, role="" if black else "clutter")
    return ThingScene([Group([frame, bed, *keys], edged=False), over], marks)


def _black_gaps(count: int, look: ThingLook) -> list[int]:
    """Between which white keys the black ones are: the usual ones, then one fewer or one where there is none."""
    gaps = [0, 1, 3, 4, 5]
    if count > 5:
        gaps.append(2)
    dice = look.stream("gaps")
    while len(gaps) > count:
        gaps.pop(dice.below(len(gaps)))
    return sorted(gaps)


def rainbow(count: int, look: ThingLook) -> ThingScene:
    """Arcs of one width, from the same outermost one inwards."""
    inks, parts, marks = palette("rainbow"), [], []
    for k in range(count):
        outer, inner = 400 - 36 * k, 364 - 36 * k
        band = np.concatenate((arc((0, 180), outer, 180, 360, 48), arc((0, 180), inner, 360, 180, 48)))
        parts.append(ColouredPiece([clockwise(band)], inks[k % len(inks)], k, round=False))
        y = 180 - (outer + inner) / 2
        marks.append(Mark((-200, y + 60), (200, y + 60), 20))
    clouds = [oval for x in (-290, 290) for oval in _cloud(x * 0.86, 205)]
    return ThingScene([Group(parts, edged=False), Group([ColouredPiece(clouds, (250, 251, 253))])], marks)


def _cloud(x: float, y: float) -> list[Points]:
    spots = ((-70, 20, 46), (-10, -4, 66), (62, 14, 52))
    return [blob(list(map(tuple, arc((x + dx, y + dy), r, 0, 330, 11).tolist()))) for dx, dy, r in spots]


def stop_sign(count: int, look: ThingLook) -> ThingScene:
    """A stop sign with any number of sides: STOP in white on red, a white rim."""
    red = look.stream("coat").choice(palette("stop"))

    def corners(radius: float) -> list[Place]:
        begin = 90 + 180 / count
        angles = [radians(begin + 360 * k / count) for k in range(count)]
        return [(radius * cos(a), radius * sin(a)) for a in angles]

    outer = corners(385)
    sides = [
        ColouredPiece([bar(a, b, 10)], red, k, round=False)
        for k, (a, b) in enumerate(zip(outer, outer[1:] + outer[:1], strict=True))
    ]
    plates = [
        ColouredPiece([poly(outer)], red, round=False),
        ColouredPiece([poly(corners(350))], (250, 250, 250), round=False),
        ColouredPiece([poly(corners(330))], red, round=False),
    ]
    letters = [
        line for sign, x in zip("STOP", (-168, -56, 62, 176), strict=True) for line in written(sign, (x, 0), 150, 20)
    ]
    marks = [_shortened(a, b) for a, b in zip(outer, outer[1:] + outer[:1], strict=True)]
    return ThingScene(
        [
            Group([*sides, *plates], role="kept"),
            Group([ColouredPiece(letters, (250, 250, 250), round=False)], edged=False, role="clutter"),
        ],
        marks,
    )


def _shortened(a: Place, b: Place) -> Mark:
    """A bar along a side that ends before the corners."""
    first = a[0] + 0.16 * (b[0] - a[0]), a[1] + 0.16 * (b[1] - a[1])
    last = b[0] - 0.16 * (b[0] - a[0]), b[1] - 0.16 * (b[1] - a[1])
    return Mark(first, last, 22)


def games_rings(count: int, look: ThingLook) -> ThingScene:
    """Linked rings in two rows, the upper row as long as the lower or one longer."""
    upper = count - count // 2
    pitch, radius = 190, 82
    places = [((k - (upper - 1) / 2) * pitch, -50) for k in range(upper)]
    places += [
        ((k - (count // 2 - 1) / 2) * pitch + (pitch / 2 if count % 2 == 0 else 0), 48) for k in range(count // 2)
    ]
    shift = -pitch / 4 if count % 2 == 0 else 0
    places = [(x + shift, y) for x, y in places]
    inks = palette("games")
    look.stream("coat").shuffle(inks)
    parts = [ColouredPiece(ring(place, radius, 22), inks[k], k, round=False) for k, place in enumerate(places)]
    marks = [Mark((x, y * 2.4), (x, y * 2.4), 22, 60) for x, y in places]
    return ThingScene([Group([part]) for part in parts], marks)


def red_flag(count: int, look: ThingLook) -> ThingScene:
    """The flag of China: a large star and `count - 1` small ones in an arc."""
    gold, red = (255, 222, 40), (214, 38, 32)
    flag = ColouredPiece([box(-400, -266, 400, 266)], red, round=False)
    large = (-270, -100)
    small = count - 1
    angles = [-58 + 116 * (k / (small - 1) if small > 1 else 0.5) for k in range(small)]
    places = [(large[0] + 185 * cos(radians(a)), large[1] + 150 * sin(radians(a)) + 15) for a in angles]
    parts = [ColouredPiece([star(large, 5, 88, 34)], gold, 0, round=False)]
    parts += [
        ColouredPiece([star(place, 5, 31, 12, -90 + 20 * k)], gold, k + 1, round=False)
        for k, place in enumerate(places)
    ]
    marks = [Mark(large, large, 110), *(Mark(place, place, 44) for place in places)]
    return ThingScene([Group([flag]), Group(parts, edged=False)], marks)


_SOUTHERN = ((200, 130), (200, -140), (90, -20), (300, -58), (248, 34), (322, 122), (96, 128))
"""Where the small stars of the flag of Australia are, and where more of them may be."""


def southern_flag(count: int, look: ThingLook) -> ThingScene:
    """The flag of Australia: a large star below the Union Jack, and `count - 1` in the fly."""
    white, wide, high = (252, 252, 252), 400.0, 210.0
    blue = look.stream("coat").choice(palette(["#00247d", "#0a2a80"]))
    places: list[Place] = [(-200, 106), *_SOUTHERN[: count - 1]]
    sizes = [(7, 72, 32), *((7, 24, 11) if k == 4 else (7, 38, 17) for k in range(count - 1))]
    parts = [
        ColouredPiece([star(place, *size)], white, k, round=False)
        for k, (place, size) in enumerate(zip(places, sizes, strict=True))
    ]
    marks = [Mark(place, place, 1.4 * size[1]) for place, size in zip(places, sizes, strict=True)]
    flag = Group([ColouredPiece([box(-wide, -high, wide, high)], blue, round=False)])
    jack = Group(_union_jack(high), edged=False, role="clutter")
    return ThingScene([flag, jack, Group(parts, edged=False)], marks)


def _union_jack(high: float) -> list[ColouredPiece]:
    """In the upper left quarter of a flag."""
    white, red = (252, 252, 252), (200, 20, 46)

    def saltire(half: float) -> list[Points]:
        falling = [(-400, -high), (-400 + 2 * half, -high), (0, -half), (0, 0), (-2 * half, 0), (-400, -high + half)]
        return [poly(falling), poly([(-400 - x, y) for x, y in falling])]

    def cross(half: float) -> list[Points]:
        return [box(-400, -high / 2 - half, 0, -high / 2 + half), box(-200 - half, -high, -200 + half, 0)]

    layers = ((saltire(22), white), (saltire(8), red), (cross(34), white), (cross(20), red))
    return [ColouredPiece(lines, ink, round=False) for lines, ink in layers]
