"""Panels of nets and of folded solids, with their exact words.

Besides its marks a panel says which of them lie on which face: `panel["net"]` and `panel["view"]` are
`{"solid": name, "faces": [{"corners": [[x, y], ...], "marks": [numbers of marks], "carries": words, ...}]}`, the
corners of a face clockwise as it is seen; `design` and `turn` say the same as the marks (the first corner of the design
lies on corner number `turn`). The solver reads corners and marks only.
"""

from collections.abc import Sequence
from math import dist, floor, sqrt
from typing import Any

from snellen.rng import Stream
from snellen.tasks.marvel.marks import Mark, figure
from snellen.tasks.marvel.patterns.solid.bodies import UPRIGHT, SolidBody, SolidView
from snellen.tasks.marvel.patterns.solid.faces import Content, content_words, face_marks, merge, outline, whole
from snellen.tasks.marvel.patterns.solid.nets import Flat, kinds
from snellen.tasks.marvel.puzzle import Panel

Corners = Sequence[tuple[int, int]]

_MIDDLE, _ROOM, _LONGEST = 90, 146, 72
_TWELFTH = complex(sqrt(3) / 2, 0.5)
_NETS_TRIED = 6
_DUST, _DUST_SIZE, _CLEAR, _DUST_TRIES = 3, 3, 12, 30
"""Dots beside the figure: how many at most, how large, how far from it, and how often a place for one is looked for."""


def choose_net(rng: Stream, solid: SolidBody, carried: Sequence[Content]) -> tuple[Corners, ...]:
    """A net of the solid, every shape of net equally often, as large as there is room for: the corners of each face.

    Where two faces are black on both sides of the line between them the line is lost: such nets are passed over if
    others are found.
    """
    for _ in range(_NETS_TRIED):
        net = rng.choice(rng.choice(kinds(solid)))
        if not any(merge(carried[a], i, carried[b], j) for (a, i), (b, j) in net.seams):
            break
    squares = [corners for corners in net.flat if len(corners) == 4]
    # Squares lie upright; a net of triangles alone may lie at any slant.
    spin = 1j ** rng.below(4) / (squares[0][1] - squares[0][0]) if squares else _TWELFTH ** rng.below(12)
    return fit(tuple(tuple(z * spin for z in corners) for corners in net.flat))


def fit(flat: Flat) -> tuple[Corners, ...]:
    """The net in the middle of a panel, in whole pixels."""
    points = [z for corners in flat for z in corners]
    left, right = min(z.real for z in points), max(z.real for z in points)
    top, bottom = min(z.imag for z in points), max(z.imag for z in points)
    side = min(_LONGEST, floor(_ROOM / max(right - left, bottom - top) + 1e-6)) // 2 * 2
    middle = complex(left + right, top + bottom) / 2

    def pixel(z: complex) -> tuple[int, int]:
        spot = (z - middle) * side
        return whole(spot.real) + _MIDDLE, whole(spot.imag) + _MIDDLE

    return tuple(tuple(pixel(z) for z in corners) for corners in flat)


def net_panel(solid: SolidBody, net: Sequence[Corners], carried: Sequence[Content]) -> Panel:
    """The net whose faces carry this."""
    names = _grid_names(net) if all(len(corners) == 4 for corners in net) else _letter_names(net)
    told = [content_words(content, name[1], name[2]) for content, name in zip(carried, names, strict=True)]
    marks, faces = _faces(net, carried, told, flat=True)
    order = sorted(range(len(net)), key=lambda i: names[i][0])
    listed = " ".join(f"{names[i][0]}: {told[i]}." for i in order)
    words = f"The net of a {solid.name}, seen from its outer side. {_net_layout(net)} {listed}"
    return {"marks": marks, "words": words, "net": {"solid": solid.name, "faces": faces}}


def view_panel(solid: SolidBody, camera: SolidView, seen: Sequence[Content]) -> Panel:
    """The folded solid whose visible faces carry this, in the order the camera shows them."""
    places = [tuple(camera.points[corner] for corner in solid.faces[shown.place]) for shown in camera.shown]
    told = [
        content_words(content, visible.corners, visible.sides)
        for content, visible in zip(seen, camera.shown, strict=True)
    ]
    marks, faces = _faces(places, seen, told, flat=False)
    for face, shown in zip(faces, camera.shown, strict=True):
        face["name"] = shown.name
    listed = " ".join(f"{shown.name.capitalize()}: {text}." for shown, text in zip(camera.shown, told, strict=True))
    words = f"A {solid.name}, {camera.words}. {listed}"
    return {"marks": marks, "words": words, "view": {"solid": solid.name, "faces": faces}}


def _faces(
    places: Sequence[Corners], carried: Sequence[Content], told: Sequence[str], *, flat: bool
) -> tuple[list[Mark], list[dict[str, Any]]]:
    """All marks, outlines last so that nothing covers them, and what belongs to which face."""
    marks: list[Mark] = []
    faces: list[dict[str, Any]] = []
    for corners, content, words in zip(places, carried, told, strict=True):
        own = face_marks(content, corners, flat=flat)
        numbers = list(range(len(marks), len(marks) + len(own)))
        marks += own
        face = {"corners": [list(corner) for corner in corners], "marks": numbers}
        faces.append(face | {"design": content[0], "turn": content[1], "carries": words})
    return marks + [outline(corners) for corners in places], faces


def dusty(rng: Stream, panel: Panel) -> Panel:
    """The panel with a few small dots beside the figure, which mean nothing."""
    faces = [face["corners"] for face in panel.get("net", panel.get("view"))["faces"]]
    chosen: list[tuple[int, int]] = []
    for _ in range(_DUST_TRIES):
        spot = 20 + rng.below(141), 20 + rng.below(141)
        apart = all(dist(spot, other) > 2 * _CLEAR for other in chosen)
        if len(chosen) < _DUST and apart and all(_beside(spot, corners) for corners in faces):
            chosen.append(spot)
    dots = [figure("circle", spot, _DUST_SIZE, "black") for spot in chosen]
    words = ", ".join(f"({x}, {y})" for x, y in sorted(chosen))
    words = f"{panel['words']} Beside it there are small black dots, at {words}." if chosen else panel["words"]
    return {**panel, "marks": [*panel["marks"], *dots], "words": words}


def _beside(spot: tuple[int, int], corners: Sequence[Sequence[int]]) -> bool:
    """Whether a spot lies outside a face, well away from it."""
    (x, y), many = spot, len(corners)
    for i in range(many):
        (ax, ay), (bx, by) = corners[i], corners[(i + 1) % many]
        if ((by - ay) * (x - ax) - (bx - ax) * (y - ay)) / dist((ax, ay), (bx, by)) > _CLEAR:
            return True
    return False


Names = tuple[str, tuple[str, ...], tuple[str, ...]]
"""What a face of a net, its corners and its sides are called."""


def _grid_names(net: Sequence[Corners]) -> list[Names]:
    """Faces of a net of squares by row and column."""
    side, left, top = _grid(net)
    names = []
    for corners in net:
        x, y = min(x for x, _ in corners), min(y for _, y in corners)
        first = ((x, y), (x + side, y), (x + side, y + side), (x, y + side)).index(corners[0])
        title = f"Row {(y - top) // side + 1}, column {(x - left) // side + 1}"
        corner_names, side_names = (told[first:] + told[:first] for told in (UPRIGHT.corners, UPRIGHT.sides))
        names.append((title, corner_names, side_names))
    return names


def _grid(net: Sequence[Corners]) -> tuple[int, int, int]:
    """Side, left and top of a net of squares."""
    xs, ys = [x for corners in net for x, _ in corners], [y for corners in net for _, y in corners]
    return max(x for x, _ in net[0]) - min(x for x, _ in net[0]), min(xs), min(ys)


def _letters(net: Sequence[Corners]) -> dict[tuple[int, int], str]:
    """A letter for every corner of a net, from top to bottom and left to right."""
    points = sorted({point for corners in net for point in corners}, key=lambda point: (point[1], point[0]))
    return {point: "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i] for i, point in enumerate(points)}


def _letter_names(net: Sequence[Corners]) -> list[Names]:
    """Faces of any net by the letters of their corners."""
    letter = _letters(net)
    names = []
    for corners in net:
        own = [letter[corner] for corner in corners]
        sides = tuple("side " + "".join(sorted((a, b))) for a, b in zip(own, own[1:] + own[:1], strict=True))
        first = own.index(min(own))
        shape = "Triangle" if len(own) == 3 else "Square"
        names.append((f"{shape} {''.join(own[first:] + own[:first])}", tuple(f"corner {a}" for a in own), sides))
    return names


def _net_layout(net: Sequence[Corners]) -> str:
    """Where the faces of a net are."""
    if all(len(corners) == 4 for corners in net):
        side, left, top = _grid(net)
        used = {((min(y for _, y in c) - top) // side, (min(x for x, _ in c) - left) // side) for c in net}
        rows, columns = (max(cell[i] for cell in used) + 1 for i in (0, 1))
        rows_drawn = " / ".join("".join("X" if (i, j) in used else "_" for j in range(columns)) for i in range(rows))
        return f"Its {len(net)} squares lie in a grid of {rows} rows and {columns} columns, like this: {rows_drawn}."
    places = ", ".join(f"{letter} ({x}, {y})" for (x, y), letter in _letters(net).items())
    return f"Its corners, x to the right and y down: {places}. Its faces, corners in clockwise order:"
