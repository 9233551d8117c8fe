"""Panels and puzzles made by hand, for the solver to be tried on."""

from math import cos, radians, sin

from snellen.tasks.marvel.puzzle import Puzzle
from snellen.tasks.marvel.solve.whole import Move

LAYOUT = {"sequence": (1, 0), "two-row": (2, 3), "matrix": (3, 3), "group": (1, 3)}


def puzzle(configuration, panels, choices, answer=0, **more):
    rows, columns = LAYOUT[configuration]
    wrap = [{"marks": marks} for marks in (*panels, *choices)]
    fields = {"rule": "", "family": "", "mechanisms": ("",) * 4} | more
    return Puzzle(
        "p", "quantities", configuration, "geometric", rows, columns or len(panels) + 1,
        tuple(wrap[: len(panels)]), tuple(wrap[len(panels) :]), answer, **fields,
    )  # fmt: skip


def figure(kind, x=90, y=90, size=20, fill="none", turn=0):
    return {"shape": kind, "x": x, "y": y, "size": size, "fill": fill, "turn": turn}


def line(x, y, x2, y2):
    return {"shape": "line", "x": x, "y": y, "x2": x2, "y2": y2}


def path(*points, closed=True, bent=False, fill="none"):
    return {
        "shape": "path",
        "points": [list(point) for point in points],
        "closed": closed,
        "curved": bent,
        "fill": fill,
    }


def dots(number, kind="circle", fill="black"):
    return [figure(kind, 30 + 40 * (i % 4), 30 + 40 * (i // 4), 9, fill) for i in range(number)]


def on_ring(degrees, radius=50):
    return round(90 + radius * sin(radians(degrees))), round(90 - radius * cos(radians(degrees)))


def dot_at(degrees, kind="circle"):
    x, y = on_ring(degrees)
    return [figure("hexagon", size=66), figure(kind, x, y, 9, "black")]


def grid(*rows, cell=30):
    return [{"shape": "grid", "x": 45, "y": 45, "cell": cell, "rows": list(rows)}]


SPOKES = [line(90, 90, *on_ring(45 * i, 56)) for i in range(8)]


def spokes(*places):
    return [figure("circle", size=60), *(SPOKES[place] for place in places)]


# Seven corners, no symmetry.
ODD = ((50, 50), (110, 40), (100, 80), (140, 100), (90, 110), (80, 140), (60, 100))


def moved(points, move):
    found = []
    for x, y in points:
        away = complex(x - 90, y - 90)
        away = -away.conjugate() if move.flip else away
        away *= complex(cos(radians(move.turn)), sin(radians(move.turn)))
        found.append((round(90 + away.real), round(90 + away.imag)))
    return found


def odd(turn=0, flip=False):
    return [path(*moved(ODD, Move(turn, flip)))]
