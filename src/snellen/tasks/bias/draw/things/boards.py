"""Game boards with any number of rows or columns, always of the same outer size."""

from collections.abc import Callable
from dataclasses import dataclass

from snellen.draw.looks import Colour
from snellen.tasks.bias.draw.things.forms import bar, box, disc
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
    """A board of `rows` x `columns` fields (or lines) within half sizes that do not depend on their numbers."""

    rows: int
    columns: int
    half_width: float
    half_height: float

    def x(self, column: float) -> float:
        return -self.half_width + 2 * self.half_width * column

    def y(self, row: float) -> float:
        return -self.half_height + 2 * self.half_height * row


def _plan(count: int, usual: tuple[int, int], across: bool, look: ThingLook) -> FieldGeometry:
    """A board with `count` rows, or columns if `across`, the other number as usual."""
    dice = look.stream("board")
    width, height = dice.between(330, 395), dice.between(330, 395)
    return FieldGeometry(usual[0], count, width, height) if across else FieldGeometry(count, usual[1], width, height)


def _framed(plan: FieldGeometry, margin: float, ink: Colour) -> Group:
    wide, high = plan.half_width + margin, plan.half_height + margin
    return Group([ColouredPiece([box(-wide, -high, wide, high, 10)], ink, round=False)], role="kept")


def _field(plan: FieldGeometry, row: int, column: int) -> Points:
    left, right = plan.x(column / plan.columns), plan.x((column + 1) / plan.columns)
    return box(left, plan.y(row / plan.rows), right, plan.y((row + 1) / plan.rows))


def _field_marks(plan: FieldGeometry, across: bool) -> list[Mark]:
    """A bar for every row or column of fields, half as wide as it."""
    if across:
        middles = [plan.x((k + 0.5) / plan.columns) for k in range(plan.columns)]
        return [Mark((x, plan.y(0)), (x, plan.y(1)), plan.half_width / plan.columns) for x in middles]
    middles = [plan.y((k + 0.5) / plan.rows) for k in range(plan.rows)]
    return [Mark((plan.x(0), y), (plan.x(1), y), plan.half_height / plan.rows) for y in middles]


def _strips(plan: FieldGeometry, across: bool, ink: Colour) -> list[ColouredPiece]:
    """The rows, or columns, as whole strips: the parts."""
    if across:
        strips = [
            box(plan.x(k / plan.columns), plan.y(0), plan.x((k + 1) / plan.columns), plan.y(1))
            for k in range(plan.columns)
        ]
    else:
        strips = [
            box(plan.x(0), plan.y(k / plan.rows), plan.x(1), plan.y((k + 1) / plan.rows)) for k in range(plan.rows)
        ]
    return [ColouredPiece([strip], ink, number, round=False) for number, strip in enumerate(strips)]


def chess(across: bool, count: int, look: ThingLook) -> ThingScene:
    plan = _plan(count, (8, 8), across, look)
    light, dark = look.stream("coat").choice(_WOODS)
    begin = look.stream("corner").below(2)
    fields = [
        _field(plan, row, column)
        for row in range(plan.rows)
        for column in range(plan.columns)
        if (row + column) % 2 == begin
    ]
    strips = Group(_strips(plan, across, light), edged=False)
    checks = Group([ColouredPiece(fields, dark, round=False)], edged=False, role="clutter")
    return ThingScene([_framed(plan, 22, darker(dark, 45)), strips, checks], _field_marks(plan, across))


def sudoku(across: bool, count: int, look: ThingLook) -> ThingScene:
    plan = _plan(count, (9, 9), across, look)
    ink = look.stream("coat").choice((INK, (36, 52, 92), (60, 60, 66)))
    strips = Group([_frame_fill(plan), *_strips(plan, across, (255, 255, 255))], edged=False)
    thin = [_rule(plan, k, True, 4) for k in range(plan.columns + 1)] + [
        _rule(plan, k, False, 4) for k in range(plan.rows + 1)
    ]
    thick = [_rule(plan, k, True, 10) for k in _thirds(plan.columns)] + [
        _rule(plan, k, False, 10) for k in _thirds(plan.rows)
    ]
    digits = ColouredPiece(_digits(plan, look), ink, round=False)
    lines = [
        Group([ColouredPiece(thin, (150, 154, 164), round=False)], edged=False, role="kept"),
        Group([ColouredPiece(thick, ink, round=False)], edged=False, role="sign"),
        Group([digits], edged=False, role="clutter"),
    ]
    return ThingScene([strips, *lines], _field_marks(plan, across))


def _frame_fill(plan: FieldGeometry) -> ColouredPiece:
    return ColouredPiece(
        [box(plan.x(0) - 5, plan.y(0) - 5, plan.x(1) + 5, plan.y(1) + 5)], (255, 255, 255), round=False
    )


def _thirds(many: int) -> list[int]:
    """Where thick lines are: every third, and at the border."""
    return [*range(0, many, 3), many]


def _rule(plan: FieldGeometry, k: int, upright: bool, width: float) -> Points:
    if upright:
        x = plan.x(k / plan.columns)
        return box(x - width / 2, plan.y(0) - width / 2, x + width / 2, plan.y(1) + width / 2)
    y = plan.y(k / plan.rows)
    return box(plan.x(0) - width / 2, y - width / 2, plan.x(1) + width / 2, y + width / 2)


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


def _line_parts(
    plan: FieldGeometry, across: bool, ink: Colour, width: float, gap: tuple[float, float] | None = None
) -> tuple[list[ColouredPiece], list[ColouredPiece]]:
    """All lines of a board played on crossings: those that are counted, and the others. Upright ones leave a gap."""
    upright, level = [], []
    for k in range(plan.columns):
        x = plan.x(k / (plan.columns - 1))
        whole = gap is None or k in (0, plan.columns - 1)
        spans = [(0.0, 1.0)] if whole or gap is None else [(0.0, gap[0]), (gap[1], 1.0)]
        lines = [box(x - width / 2, plan.y(a) - width / 2, x + width / 2, plan.y(b) + width / 2) for a, b in spans]
        upright.append(ColouredPiece(lines, ink, k if across else None, round=False))
    for k in range(plan.rows):
        y = plan.y(k / (plan.rows - 1))
        line = box(plan.x(0) - width / 2, y - width / 2, plan.x(1) + width / 2, y + width / 2)
        level.append(ColouredPiece([line], ink, None if across else k, round=False))
    return (upright, level) if across else (level, upright)


def _line_marks(plan: FieldGeometry, across: bool, width: float) -> list[Mark]:
    if across:
        places = [plan.x(k / (plan.columns - 1)) for k in range(plan.columns)]
        return [Mark((x, plan.y(0)), (x, plan.y(1)), width) for x in places]
    places = [plan.y(k / (plan.rows - 1)) for k in range(plan.rows)]
    return [Mark((plan.x(0), y), (plan.x(1), y), width) for y in places]


def go(across: bool, count: int, look: ThingLook) -> ThingScene:
    plan = _plan(count, (19, 19), across, look)
    table = look.stream("coat").choice(_TABLES)
    parts, others = _line_parts(plan, across, (72, 52, 30), 4.5)
    hoshi = [
        disc((plan.x(column / (plan.columns - 1)), plan.y(row / (plan.rows - 1))), 8.5)
        for row in (3, plan.rows // 2, plan.rows - 4)
        for column in (3, plan.columns // 2, plan.columns - 4)
    ]
    dice = look.stream("stones")
    stones: tuple[list[Points], list[Points]] = ([], [])
    radius = 0.86 * min(plan.half_height / (plan.rows - 1), plan.half_width / (plan.columns - 1))
    spots = [(dice.below(17), dice.below(17)) for _ in range(8)]
    for number, (row, column) in enumerate(dict.fromkeys(spots)):
        at = plan.x(column / (plan.columns - 1)), plan.y(row / (plan.rows - 1))
        stones[number % 2].append(disc(at, radius))
    lines = Group([*parts, *others], edged=False, role="kept")
    game = [
        ColouredPiece(hoshi, (72, 52, 30), round=False),
        ColouredPiece(stones[0], (30, 30, 34)),
        ColouredPiece(stones[1], (248, 248, 246)),
    ]
    groups = [_framed(plan, 24, table), lines, Group(game, edged=False, role="clutter")]
    return ThingScene(groups, _line_marks(plan, across, 6))


def xiangqi(across: bool, count: int, look: ThingLook) -> ThingScene:
    plan = _plan(count, (10, 9), across, look)
    table = look.stream("coat").choice(_TABLES)
    ink = (96, 44, 28)
    bank = (plan.rows // 2 - 1) / (plan.rows - 1), (plan.rows // 2) / (plan.rows - 1)
    parts, others = _line_parts(plan, across, ink, 5, bank)
    middle, last = plan.columns // 2, plan.rows - 1
    palace = [
        bar(_crossing(plan, row, middle - 1), _crossing(plan, row + 2, middle + 1), 4, round_ends=False)
        for row in (0, last - 2)
    ] + [
        bar(_crossing(plan, row, middle + 1), _crossing(plan, row + 2, middle - 1), 4, round_ends=False)
        for row in (0, last - 2)
    ]
    lines = Group([*parts, *others], edged=False, role="kept")
    crosses = Group([ColouredPiece(palace, ink, round=False)], edged=False, role="clutter")
    return ThingScene([_framed(plan, 26, table), lines, crosses], _line_marks(plan, across, 7))


def _crossing(plan: FieldGeometry, row: int, column: int) -> tuple[float, float]:
    return plan.x(column / (plan.columns - 1)), plan.y(row / (plan.rows - 1))


Board = Callable[[bool, int, ThingLook], ThingScene]
