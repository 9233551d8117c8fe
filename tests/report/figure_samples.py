"""Made-up charts of every kind, for the tests of figures."""

from snellen.charts.blocks import (
    Compass,
    Curves,
    Findings,
    Heat,
    Intervals,
    Section,
    Shares,
    Strip,
    Strips,
    Table,
    Text,
    Value,
)
from snellen.charts.marks import Extent, MarksPage, TextMark, extent

ADDRESS = "openai/my-model@http://localhost:8000/v1"
HOSTILE = '</svg><script>alert("1")</script> & \u202eevil\x00\ud800'

SHARES = Shares(
    title="Of 100 boards",
    note="By the tree.",
    parts=("sees and follows", "sees but answers by habit", "does not see"),
    rows=(
        (f"{ADDRESS} · Base", (Value(0.3, 0.2, 0.4), Value(0.6, 0.5, 0.7), Value(0.1, 0.0, 0.2))),
        (f"{ADDRESS} · Alias", (Value(0.9, 0.8, 0.95), Value(None), Value(None))),
        ("sim/fixated", (Value(None), Value(None), Value(None))),
    ),
    of="boards",
)
INTERVALS = Intervals(
    title="Accuracy by rule",
    note="Percent.",
    unit="percent",
    series=("standard", "inverse"),
    rows=(
        ("sim/fixated · Base", (Value(99.0, 95.0, 100.0), Value(28.0, 20.0, 36.0))),
        ("sim/fixated · Alias", (Value(50.0), None)),
        (ADDRESS, (None, Value(None, note="too few"))),
    ),
    reference=50.0,
    line="chance",
    quantity="accuracy",
)
ONE_SERIES = Intervals(
    title="Difference",
    note="",
    unit="points",
    series=("all",),
    rows=(("a", (Value(-12.0, -20.0, -3.0),)), ("b", (Value(None, note="never asked"),))),
    reference=0.0,
)
HEAT = Heat(
    title="Describer by reasoner",
    note="",
    unit="percent",
    down="describer",
    across="reasoner",
    columns=("sim/ideal", ADDRESS),
    rows=(
        ("sim/ideal", (Value(100.0, 88.0, 100.0), None)),
        ("twin", (Value(12.5, 1.0, 30.0), Value(None, note="lost"))),
    ),
    quantity="accuracy",
)
COMPASS = Compass(
    title="Directions",
    note="",
    parts=("0°", "+90°", "180°", "−90°"),
    rows=(
        ("sim/ideal", (Value(0.7, 0.5, 0.8), Value(0.3, 0.2, 0.5), Value(0.0, 0.0, 0.1), Value(None))),
        (ADDRESS, (Value(0.25), Value(0.25), Value(0.25), Value(0.25))),
    ),
    of="read answers",
)
STRIPS = Strips(
    title="Replies",
    note="",
    parts=("collects", "analyses", "concludes"),
    marks=("looks back", "interrupts itself"),
    rows=(
        Strip("all kinds", "20 / 70 / 10 %", ((0.0, 0.5, (0.4, 0.6, 0.0)), (0.5, 1.0, (0.0, 0.8, 0.2)))),
        Strip(
            f"maze · {ADDRESS}", "", ((0.0, 0.01, (1.0, 0.0, 0.0)), (0.01, 1.0, (0.0, 1.0, 0.0))), ((0, 0.0), (1, 1.0))
        ),
    ),
)
CURVES = Curves(
    title="Steering: accuracy by layer",
    note="",
    unit="percent",
    quantity="right",
    across="layer",
    xs=(17.0, 18.0, 19.0),
    series=("patched", ADDRESS, "no patch"),
    rows=(
        ("tictactoe", ((Value(40.0, 30.0, 50.0), Value(60.0), Value(99.0)), (None,) * 3, (Value(35.0),) * 3)),
        (ADDRESS, ((Value(20.0), None, Value(0.0)), (Value(None, note="lost"),) * 3, (None,) * 3)),
        ("dots", ((Value(20.0),) * 3, (Value(100.0),) * 3, (Value(50.0),) * 3)),
    ),
    flat=("no patch",),
    bounds=(0.0, 100.0),
)
MARGINS = Curves(
    title="Margins",
    note="",
    unit="nats",
    quantity="margin",
    across="alpha",
    xs=(1.0,),
    series=("patched",),
    rows=(("tictactoe", ((Value(-2.5, -3.5, -1.0),),)),),
)
CHARTS = (SHARES, INTERVALS, ONE_SERIES, HEAT, COMPASS, STRIPS, CURVES, MARGINS)


def findings(*blocks: object, task: str = "fixation") -> Findings:
    return Findings((), (Section("All", (Text("words"), *blocks), task),), (), ())  # type: ignore[arg-type]


ALL = findings(*CHARTS, Table("t", "T", "", ("a",), ((1,),)))


def words(sheet: MarksPage) -> list[TextMark]:
    return [mark for mark in sheet.marks if isinstance(mark, TextMark)]


def texts(sheet: MarksPage) -> list[str]:
    return [each.text for each in words(sheet)]


def outside(sheet: MarksPage) -> list[object]:
    """Marks that reach beyond the sheet."""

    def inside(box: Extent) -> bool:
        left, top, right, bottom = box
        return left >= -0.01 and top >= -0.01 and right <= sheet.width + 0.01 and bottom <= sheet.height + 0.01

    return [mark for mark in sheet.marks if not inside(extent(mark))]


def overlapping(sheet: MarksPage) -> list[tuple[str, str]]:
    """Words that lie on other words."""
    boxes = [(each.text, extent(each)) for each in words(sheet) if each.text]
    return [
        (a, b)
        for k, (a, p) in enumerate(boxes)
        for b, q in boxes[k + 1 :]
        if min(p[2], q[2]) - max(p[0], q[0]) > 0.05 and min(p[3], q[3]) - max(p[1], q[1]) > 0.05
    ]
