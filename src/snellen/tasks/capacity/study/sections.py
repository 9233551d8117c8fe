"""The capacity results as blocks for a page."""

from collections.abc import Sequence

from snellen.analysis.contrasts import points
from snellen.analysis.estimates import percent
from snellen.analysis.printed import printed
from snellen.charts.blocks import Block, Compass, Heat, Intervals, Section, Shares, Table, Text, Value
from snellen.tasks.capacity.study.errors import BLAMED, FATES
from snellen.tasks.capacity.study.kinds import CATEGORY_TITLES, SETTING, kind_order, kind_title, label
from snellen.tasks.capacity.study.papers import HUMAN, MEASURES, PEOPLE, landmarks, published_differences, size_series
from snellen.tasks.capacity.study.pointing import OFFS, TURNS
from snellen.tasks.capacity.study.results import CapacityResults, Setting
from snellen.tasks.capacity.study.scores import hundredfold
from snellen.tasks.capacity.study.thoughts import thought_blocks

FATE_TITLES = {
    "right": "right",
    "eyes": "wrong: eyes",
    "thinking": "wrong: thinking",
    "habit": "wrong: habit",
    "unnamed": "wrong, unnamed",
    "unread": "unread",
}
FEW_SERIES = 3
"""As many subjects stand in one chart beside the published landmarks; more would be hard to tell apart."""
COMMON = 3
"""Mechanisms shown of each kind, the commonest."""
TABLES_NOTE = (
    "Each of these tables can be printed with `snellen table STORE NAME`, as text, Markdown, LaTeX or CSV, and so can"
    " Tables 2, 4 and 5 of the paper with ours beside them (`capacity-table2` and so on)."
)
WEIGHED = "Kinds weigh the same within a category, and categories overall."
ITEMS = "95 % intervals over items within kinds; an unread reply is not right."


def sections(found: CapacityResults, tables: Sequence[Table]) -> tuple[Section, ...]:
    """The page's sections, the diagnosis' own first."""
    made = [
        Section("Capacity: what became of the items", (fate_shares(found),)),
        Section("Capacity: overall, categories, kinds", (*landmark_charts(found), kind_chart(found))),
        Section("Capacity: beside the published models", (published_chart(found), *size_charts(found))),
        Section("Capacity: describe first", _filled(describe_chart(found))),
        Section("Capacity: what wrong answers betray", tuple(error_blocks(found))),
        Section("Capacity: how it thinks aloud", tuple(thought_blocks(found))),
        Section("Capacity: judge and verifier", _filled(judge_chart(found))),
        Section("Capacity: tables", (Text(TABLES_NOTE), *tables)),
    ]
    return tuple(section for section in made if section.blocks)


def _filled(*charts: Intervals) -> tuple[Intervals, ...]:
    return tuple(chart for chart in charts if chart.rows)


def fate_shares(found: CapacityResults) -> Shares:
    return Shares(
        title="Of 100 points of the overall score",
        note=f"{WEIGHED} A wrong answer is put down to the faculty its mechanism speaks of (table"
        " `capacity-mechanisms`); unnamed: it matches no mechanism the item foresaw. 95 % intervals over items within"
        " kinds.",
        parts=tuple(FATE_TITLES[name] for name in FATES),
        rows=tuple((label(each.setting, found.named), tuple(each.all[name] for name in FATES)) for each in found.fates),
        of="the overall score",
    )


def _few(found: CapacityResults) -> list[list[Setting]]:
    plain = found.plainest()
    return [plain[k : k + FEW_SERIES] for k in range(0, len(plain), FEW_SERIES)]


def landmark_charts(found: CapacityResults) -> list[Intervals]:
    """Overall and by category, beside published models and people."""
    marks = landmarks()
    made = []
    for group in _few(found):
        rows = []
        for level, name in MEASURES.items():
            scores = [found.score(setting, level) for setting in group]
            own = (hundredfold(score.value) if score else None for score in scores)
            title = CATEGORY_TITLES[level] if level else "overall"
            rows.append(
                (f"{title} ({name})" if level else title, (*own, *(Value(mark[level]) for mark in marks.values())))
            )
        made.append(
            Intervals(
                title="Overall and by category",
                note=f"Percent right. {WEIGHED} {ITEMS} Published figures: Table 4 of the paper, on its own 1,173"
                f" items. The line is people's overall score, {PEOPLE}.",
                unit="percent",
                series=(*(label(setting, found.named) for setting in group), *marks),
                rows=tuple(rows),
                reference=PEOPLE,
                line="people, overall",
                quantity="accuracy",
            )
        )
    return made


def kind_chart(found: CapacityResults) -> Intervals:
    plain = found.plainest()
    names = [label(setting, found.named) for setting in plain]
    values = {
        (each["kind"], name): percent(each)
        for each in found.kinds
        for setting, name in zip(plain, names, strict=True)
        if all(each[part] == setting[part] for part in SETTING)
    }
    kinds = sorted({kind for kind, _ in values}, key=kind_order)
    return Intervals(
        title="By kind",
        note="Percent right, 95 % intervals over items; an unread reply is not right.",
        unit="percent",
        series=tuple(names),
        rows=tuple((kind_title(kind), tuple(values.get((kind, name)) for name in names)) for kind in kinds),
        quantity="accuracy",
    )


def published_chart(found: CapacityResults) -> Intervals:
    """Our subjects among the published models, best first; reasoning and other models told apart by colour."""
    ours = [(label(s, found.named), score) for s in found.plainest() if (score := found.score(s)) is not None]
    rows: list[tuple[str, tuple[Value | None, ...]]] = [
        (name, (hundredfold(score.value), None, None)) for name, score in ours
    ]
    for row in printed("capacity", "capacity_table4").rows:
        if row["Model"] != HUMAN:
            figure = Value(float(row["Overall"]))
            rows.append((row["Model"], (None, figure, None) if row["Reasoning"] == "yes" else (None, None, figure)))
    rows.sort(key=lambda row: -max((value.value or 0.0) for value in row[1] if value))
    return Intervals(
        title="Overall, among the published models",
        note=f"Percent. {WEIGHED} Published: Table 4 of the paper, on its own 1,173 items, marked by a judge; ours are"
        f" other items unless their source is published. The line is people, {PEOPLE}.",
        unit="percent",
        series=("ours", "published, reasoning", "published, other"),
        rows=tuple(rows),
        reference=PEOPLE,
        line="people, overall",
        quantity="accuracy",
    )


def size_charts(found: CapacityResults) -> list[Intervals]:
    """Models of one family by size."""
    families = size_series(found)
    if not families:
        return []
    rows = [
        (f"{name} · {family.rpartition(', ')[2]}", tuple(values[level] for level in MEASURES))
        for family, members in families.items()
        for _, name, values in members
    ]
    return [
        Intervals(
            title="By size, within a family",
            note="Percent. Families are told by their names: the same but for the billions of parameters.",
            unit="percent",
            series=tuple(MEASURES.values()),
            rows=tuple(rows),
            quantity="accuracy",
        )
    ]


def describe_chart(found: CapacityResults) -> Intervals:
    named = [name for name in found.named if name != "describe"]
    names = list(dict.fromkeys(label(each, named) for each in found.described))
    values = {(each["category"], each["kind"], label(each, named)): points(each) for each in found.described}
    order = list(dict.fromkeys((category, kind) for category, kind, _ in values))
    order.sort(key=lambda each: (each[0] != "", each[1] != ""))
    theirs = published_differences()
    return Intervals(
        title="Described first minus not, on the same items",
        note="Percentage points; ours with 95 % intervals over items. Right of the line: describing helps. Exact tests"
        " are in the table `capacity-describe`. Published: Table 5 of the paper, its own items and seven kinds.",
        unit="points",
        series=(*names, *(f"{name}, published" for name in theirs)),
        rows=tuple(
            (
                _where(category, kind),
                (
                    *(values.get((category, kind, name)) for name in names),
                    *(figures.get((category, kind)) for figures in theirs.values()),
                ),
            )
            for category, kind in order
        ),
        reference=0.0,
        line="no difference",
        quantity="difference in accuracy",
    )


def _where(category: str, kind: str) -> str:
    return kind_title(kind) if kind else f"all {CATEGORY_TITLES.get(category, category)}" if category else "overall"


def error_blocks(found: CapacityResults) -> list[Block]:
    made: list[Block] = []
    plain = found.plainest()
    if any(fate.wrong for fate in found.fates):
        made.append(blame_shares(found))
    if found.mechanisms:
        made.append(mechanism_heat(found, plain))
    if found.turns:
        made.append(compass(found))
    for setting in plain:
        own = [each for each in found.counts if each[0] == setting and each[1]]
        if own:
            made.append(count_heat(label(setting, found.named), own))
    return made


def blame_shares(found: CapacityResults) -> Shares:
    return Shares(
        title="Of 100 errors",
        note="Shares of the wrong answers by the faculty their mechanism speaks of; a kind counts by what it costs"
        " overall. 95 % intervals over items within kinds. Where few answers are possible (eight directions), a guess"
        " betrays something, too.",
        parts=BLAMED,
        rows=tuple(
            (label(each.setting, found.named, f"{each.wrong} wrong"), tuple(each.blame[name] for name in BLAMED))
            for each in found.fates
            if each.wrong
        ),
        of="wrong answers",
    )


def mechanism_heat(found: CapacityResults, settings: Sequence[Setting]) -> Heat:
    """The commonest mechanisms of every kind, subjects side by side."""
    names = [label(setting, found.named) for setting in settings]
    cells: dict[str, dict[str, dict[str, Value]]] = {}
    totals: dict[tuple[str, str], int] = {}
    for each in found.mechanisms:
        for setting, name in zip(settings, names, strict=True):
            if all(each[part] == setting[part] for part in SETTING):
                said = each["mechanism"] or "unnamed"
                cells.setdefault(each["kind"], {}).setdefault(said, {})[name] = hundredfold(each["share"])
                totals.setdefault((each["kind"], name), each["wrong"])
    rows = []
    for kind in sorted(cells, key=kind_order):
        own = cells[kind]
        most = sorted((n for n in own if n != "unnamed"), key=lambda n: -sum(v.value or 0 for v in own[n].values()))
        for said in (*most[:COMMON], *(["unnamed"] if "unnamed" in own else [])):
            values = (own[said].get(n) or _none(totals.get((kind, n))) for n in names)
            rows.append((f"{kind_title(kind)}: {said}", tuple(values)))
    return Heat(
        title="Mechanisms by kind",
        note="Percent of the wrong answers of that kind, 95 % intervals over items; the commonest mechanisms of each"
        " kind and what has no name. All of them are in the table `capacity-mechanisms`.",
        unit="percent",
        down="kind and mechanism",
        across="subject",
        columns=tuple(names),
        rows=tuple(rows),
        quantity="share of the wrong answers of a kind",
    )


def _none(wrong: int | None) -> Value | None:
    """Nothing of the kind, though there were wrong answers."""
    return Value(0.0, n=wrong) if wrong else None


def compass(found: CapacityResults) -> Compass:
    return Compass(
        title="Directions: answer against truth",
        note="All direction answers that could be read, turned so that the truth is at the top; clockwise is to the"
        " right. Areas are shares of the answers, lines 95 % intervals over items.",
        parts=TURNS,
        rows=tuple((label(setting, found.named), values) for setting, values in found.turns),
        of="read answers",
    )


def count_heat(name: str, own: Sequence[tuple[Setting, str, tuple[Value, ...], Value]]) -> Heat:
    return Heat(
        title=f"Counts: answer minus truth by number of views · {name}",
        note="Percent of the counts, 95 % intervals over items. To the right: things were counted more than once. Mean"
        " differences are in the table `capacity-counts`.",
        unit="percent",
        down="views",
        across="answer minus truth",
        columns=OFFS,
        rows=tuple((views, tuple(hundredfold(value) for value in values)) for _, views, values, _ in own),
        quantity="share of the counts",
    )


def judge_chart(found: CapacityResults) -> Intervals:
    several = {name: len({getattr(each, name) for each in found.agreements}) > 1 for name in ("judge", "source")}
    rows = []
    for each in found.agreements:
        kind = kind_title(each.kind) if each.kind else "all kinds"
        more = [getattr(each, name) for name, known in several.items() if known]
        rows.append((" · ".join((kind, *more)), (each.share, each.kappa)))
    who = ", ".join(dict.fromkeys(each.judge for each in found.agreements))
    return Intervals(
        title=f"Judge against verifier: {who}",
        note="Shares of replies marked alike by both, and Cohen's kappa, which takes out what would agree by chance;"
        " 95 % intervals over items. Only marks that both gave; counts are in the table `capacity-judge`.",
        unit="probability",
        series=("agreement", "kappa"),
        rows=tuple(rows),
        quantity="agreement or kappa",
    )
