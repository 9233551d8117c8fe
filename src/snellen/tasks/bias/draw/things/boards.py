"""Game boards with any number of rows or columns, always of the same outer size."""

from dataclasses import dataclass

from snellen.draw.looks import Colour
from snellen.tasks.bias.draw.things.forms import Place, bar, box, disc
from snellen.tasks.bias.draw.things.inks import INK, darker
from snellen.tasks.bias.draw.things.kind import ColouredPiece, Group, Mark, ThingLook, ThingScene
from snellen.tasks.bias.draw.things.raster import Points
from snellen.tasks.bias.draw.things.strokes_font import written

_WOODS: tuple[tuple[Colour, Colour], ...] = (
    ((240, 217, 181), (181, 136, 99)),
    ((235, 236, 208), (115, 149, 82)),
    ((222, 227, 230), (104, 138, 166)),
    ((246, 226, 214), (176, 92, 84)),
)
_TABLES: tuple[Colour, ...] = ((220, 179, 92), (226, 190, 120), (232, 204, 148))


@dataclass(frozen=True, slots=True)
class FieldGeometry:
    """A board of `rows` x `columns` fields (or lines) within half sizes that do not depend on their numbers. Places are
    given as shares of its width and height. `across`: columns are counted, else rows."""

    rows: int
    columns: int
    half_width: float
    half_height: float
    across: bool

    def x(self, column: float) -> float:
        return -self.half_width + 2 * self.half_width * column

    def y(self, row: float) -> float:
        return -self.half_height + 2 * self.half_height * row

    def crossing(self, row: int, column: int) -> Place:
        return self.x(column / (self.columns - 1)), self.y(row / (self.rows - 1))

    def strip(
        self, upright: bool, begin: float, end: float, grow: float = 0, span: tuple[float, float] = (0, 1)
    ) -> Points:
        """What lies between two shares of the width (`upright`) or height, over a span of the other, grown around."""
        across, down = ((begin, end), span) if upright else (span, (begin, end))
        left, right, top, bottom = self.x(across[0]), self.x(across[1]), self.y(down[0]), self.y(down[1])
        return box(left - grow, top - grow, right + grow, bottom + grow)

    def field(self, row: int, column: int) -> Points:
        rows = row / self.rows, (row + 1) / self.rows
        return self.strip(True, column / self.columns, (column + 1) / self.columns, span=rows)

    def many(self, upright: bool) -> int:
        return self.columns if upright else self.rows

    def mark(self, share: float, width: float) -> Mark:
        """A bar along what is counted."""
        if self.across:
            return Mark((self.x(share), self.y(0)), (self.x(share), self.y(1)), width)
        return Mark((self.x(0), self.y(share)), (self.x(1), self.y(share)), width)


def _plan(count: int, usual: tuple[int, int], across: bool, look: ThingLook) -> FieldGeometry:
    """A board with `count` rows, or columns if `across`, the other number as usual."""
    dice = look.stream("board")
    rows, columns = (usual[0], count) if across else (count, usual[1])
    return FieldGeometry(rows, columns, dice.between(330, 395), dice.between(330, 395), across)


def _framed(plan: FieldGeometry, margin: float, ink: Colour) -> Group:
    wide, high = plan.half_width + margin, plan.half_height + margin
    return Group([ColouredPiece([box(-wide, -high, wide, high, 10)], ink, round=False)], role="kept")


def _flat(outlines: list[Points], ink: Colour, part: int | None = None) -> ColouredPiece:
    return ColouredPiece(outlines, ink, part, round=False)


def _field_marks(plan: FieldGeometry) -> list[Mark]:
    """A bar for every row or column of fields, half as wide as it."""
    many = plan.many(plan.across)
    half = plan.half_width if plan.across else plan.half_height
    return [plan.mark((k + 0.5) / many, half / many) for k in range(many)]


def _strips(plan: FieldGeometry, ink: Colour) -> list[ColouredPiece]:
    """The rows, or columns, as whole strips: the parts."""
    many = plan.many(plan.across)
    return [_flat([plan.strip(plan.across, k / many, (k + 1) / many)], ink, k) for k in range(many)]


def chess(count: int, look: ThingLook, *, across: bool) -> ThingScene:
    plan = _plan(count, (8, 8), across, look)
    light, dark = look.stream("coat").choice(_WOODS)
    begin = look.stream("corner").below(2)
    cells = [(row, column) for row in range(plan.rows) for column in range(plan.columns)]
    fields = [plan.field(row, column) for row, column in cells if (row + column) % 2 == begin]
    strips = Group(_strips(plan, light), edged=False)
    checks = Group([_flat(fields, dark)], edged=False, role="clutter")
    return ThingScene([_framed(plan, 22, darker(dark, 45)), strips, checks], _field_marks(plan))


def sudoku(count: int, look: ThingLook, *, across: bool) -> ThingScene:
    plan = _plan(count, (9, 9), across, look)
    ink = look.stream("coat").choice((INK, (36, 52, 92), (60, 60, 66)))
    paper: Colour = (255, 255, 255)
    strips = Group([_flat([plan.strip(True, 0, 1, 5)], paper), *_strips(plan, paper)], edged=False)
    thin = [line for upright in (True, False) for line in _rules(plan, upright, 1, 4)]
    thick = [line for upright in (True, False) for line in _rules(plan, upright, 3, 10)]
    lines = [
        Group([_flat(thin, (150, 154, 164))], edged=False, role="kept"),
        Group([_flat(thick, ink)], edged=False, role="sign"),
        Group([_flat(_digits(plan, look), ink)], edged=False, role="clutter"),
    ]
    return ThingScene([strips, *lines], _field_marks(plan))


def _rules(plan: FieldGeometry, upright: bool, every: int, width: float) -> list[Points]:
    """Lines between fields, every so many, and at the border."""
    many = plan.many(upright)
    return [plan.strip(upright, k / many, k / many, width / 2) for k in (*range(0, many, every), many)]


def _digits(plan: FieldGeometry, look: ThingLook) -> list[Points]:
    """About a third of the fields have a digit; a field keeps its own whatever the size of the board."""
    height = 0.52 * 2 * min(plan.half_height / plan.rows, plan.half_width / plan.columns)
    outlines: list[Points] = []
    for row in range(plan.rows):
        for column in range(plan.columns):
            dice = look.stream(f"field {row} {column}")
            if dice.chance(0.3):
                at = plan.x((column + 0.5) / plan.columns), plan.y((row + 0.5) / plan.rows)
                outlines += written(str(1 + dice.below(9)), at, height)
    return outlines


def _lines(plan: FieldGeometry, ink: Colour, width: float, gap: tuple[float, float] | None = None) -> Group:
    """All lines of a board played on crossings, first those that are counted. Upright ones within it leave a gap."""
    lines = []
    for upright in (plan.across, not plan.across):
        many = plan.many(upright)
        for k in range(many):
            parted = gap and upright and 0 < k < many - 1
            spans = [(0.0, gap[0]), (gap[1], 1.0)] if gap and parted else [(0.0, 1.0)]
            share, part = k / (many - 1), k if upright == plan.across else None
            lines.append(_flat([plan.strip(upright, share, share, width / 2, span) for span in spans], ink, part))
    return Group(lines, edged=False, role="kept")


def _line_marks(plan: FieldGeometry, width: float) -> list[Mark]:
    many = plan.many(plan.across)
    return [plan.mark(k / (many - 1), width) for k in range(many)]


def go(count: int, look: ThingLook, *, across: bool) -> ThingScene:
    plan = _plan(count, (19, 19), across, look)
    table, ink = look.stream("coat").choice(_TABLES), (72, 52, 30)
    hoshi = [
        disc(plan.crossing(row, column), 8.5)
        for row in (3, plan.rows // 2, plan.rows - 4)
        for column in (3, plan.columns // 2, plan.columns - 4)
    ]
    dice = look.stream("stones")
    radius = 0.86 * min(plan.half_height / (plan.rows - 1), plan.half_width / (plan.columns - 1))
    spots = dict.fromkeys((dice.below(17), dice.below(17)) for _ in range(8))
    stones = [disc(plan.crossing(row, column), radius) for row, column in spots]
    game = [
        _flat(hoshi, ink),
        ColouredPiece(stones[::2], (30, 30, 34)),
        ColouredPiece(stones[1::2], (248, 248, 246)),
    ]
    groups = [_framed(plan, 24, table), _lines(plan, ink, 4.5), Group(game, edged=False, role="clutter")]
    return ThingScene(groups, _line_marks(plan, 6))


def xiangqi(count: int, look: ThingLook, *, across: bool) -> ThingScene:
    plan = _plan(count, (10, 9), across, look)
    table, ink = look.stream("coat").choice(_TABLES), (96, 44, 28)
    bank = (plan.rows // 2 - 1) / (plan.rows - 1), (plan.rows // 2) / (plan.rows - 1)
    middle = plan.columns // 2
    palace = [
        bar(plan.crossing(row, middle - way), plan.crossing(row + 2, middle + way), 4, round_ends=False)
        for way in (1, -1)
        for row in (0, plan.rows - 3)
    ]
    crosses = Group([_flat(palace, ink)], edged=False, role="clutter")
    return ThingScene([_framed(plan, 26, table), _lines(plan, ink, 5, bank), crosses], _line_marks(plan, 7))
