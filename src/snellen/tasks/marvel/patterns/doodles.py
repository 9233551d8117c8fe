"""Abstract shapes: blobs and small signs, drawn at random but always clearly seen.

A blob is a closed curve whose distance from its middle goes in and out. All points are whole numbers.
"""

from snellen.rng import Stream
from snellen.tasks.marvel.marks import Box, Mark, Spot, on_circle, path


def blob(rng: Stream, x: int, y: int, size: int, points: int = 7, name: str = "", fill: str = "none") -> Mark:
    """A closed curved path around (x, y), within `size` of it, clearly irregular: near and far points mixed."""
    start = rng.between(0, 1)
    reach = [rng.between(0.85, 0.95) if i % 2 else rng.between(0.45, 0.65) for i in range(points)]
    reach[rng.below(points)] = rng.between(0.55, 0.95)
    angles = [start + (i + rng.between(-0.2, 0.2)) / points for i in range(points)]
    spots = [on_circle(x, y, size * r, angle) for r, angle in zip(reach, angles, strict=True)]
    mark = path(spots, curved=True, fill=fill)
    return mark | {"name": name} if name else mark


_GLYPHS: dict[str, tuple[bool, bool, tuple[tuple[int, int], ...]]] = {
    # name: closed, curved, points in a box of -100..100
    "zigzag": (False, False, ((-100, 60), (-50, -60), (0, 60), (50, -60), (100, 60))),
    "wave": (False, True, ((-100, 0), (-60, -70), (0, 0), (60, 70), (100, 0))),
    "hook": (False, True, ((70, -100), (70, 30), (10, 95), (-60, 50), (-45, -10))),
    "spiral": (False, True, ((10, 10), (30, -35), (-35, -45), (-65, 25), (10, 85), (90, 15), (60, -90))),
    "step": (False, False, ((-100, 70), (-30, 70), (-30, -10), (40, -10), (40, -80), (100, -80))),
    "bean": (True, True, ((-90, -30), (-30, -75), (25, -25), (80, -50), (85, 40), (10, 80), (-70, 50))),
    "flash": (True, False, ((20, -100), (-70, 15), (-10, 15), (-30, 100), (70, -25), (5, -25))),
    "fish": (False, True, ((100, -70), (30, 10), (-50, 60), (-100, 0), (-50, -60), (30, -10), (100, 70))),
    "clover": (True, True, ((0, -95), (25, -30), (90, 40), (30, 35), (0, 90), (-30, 35), (-90, 40), (-25, -30))),
    "cup": (False, True, ((-80, -90), (-75, 30), (0, 90), (75, 30), (80, -90))),
    "gate": (False, False, ((-80, 90), (-80, -80), (80, -80), (80, 90))),
    "comma": (True, True, ((-30, -80), (50, -70), (75, 0), (30, 70), (-60, 95), (0, 30), (-55, -10))),
}
GLYPHS = tuple(_GLYPHS)
"""Names of small abstract signs."""
CLEAR_GLYPHS = ("wave", "hook", "step", "cup", "gate")
"""Those that differ by 12 px when they are but 36 px large: a zigzag does not from a wave."""


def glyph(name: str, x: int, y: int, size: int) -> Mark:
    """One of the small signs, at (x, y), `size` being half its larger side."""
    closed, curved, points = _GLYPHS[name]
    spots = [(x + round(px * size / 100), y + round(py * size / 100)) for px, py in points]
    return path(spots, closed=closed, curved=curved) | {"name": name}


def lattice(rng: Stream, box: Box, columns: int, rows: int) -> tuple[list[Spot], int]:
    """Middles of a lattice's cells, slightly shaken, in random order, and a size at which neighbours never touch."""
    left, top, right, bottom = box
    wide, high = (right - left) / columns, (bottom - top) / rows
    cell = min(wide, high)
    shake, size = int(cell * 0.08), int(cell * 0.35)
    spots = [
        (
            round(left + (i + 0.5) * wide) + rng.below(2 * shake + 1) - shake,
            round(top + (j + 0.5) * high) + rng.below(2 * shake + 1) - shake,
        )
        for i in range(columns)
        for j in range(rows)
    ]
    rng.shuffle(spots)
    return spots, size
