"""The capacity results as blocks for a page."""

from collections.abc import Sequence

from snellen.analysis.columns import chart_rows, filled, filled_sections, percent_chart, points_chart
from snellen.analysis.printed import printed
from snellen.charts.blocks import Block, Compass, Heat, Intervals, Section, Shares, Table, Text, Value, percent
from snellen.tasks.capacity.study.errors import BLAMED, FATES
from snellen.tasks.capacity.study.kinds import CATEGORY_TITLES, SETTING, kind_order, kind_title, label, place_title
from snellen.tasks.capacity.study.papers import HUMAN, MEASURES, PEOPLE, landmarks, published_differences, size_series
from snellen.tasks.capacity.study.pointing import OFFS, TURNS, CountsOff
from snellen.tasks.capacity.study.results import CapacityResults, Setting
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
    " Tables 2, 4 and 5 of the paper next to ours (`capacity-table2` and so on)."
)
WEIGHED = "Kinds are weighted equally within a category, and categories overall."
ITEMS = "95 % CIs clustered by item within kinds; unread replies are not counted as right."


def sections(results: CapacityResults, tables: Sequence[Table]) -> tuple[Section, ...]:
    """The page's sections, the diagnosis' own first."""
    made = [
        Section("Capacity: outcomes by faculty", (fate_shares(results),)),
        Section("Capacity: overall, categories, kinds", (*landmark_charts(results), kind_chart(results))),
        Section("Capacity: beside the published models", (published_chart(results), *size_charts(results))),
        Section("Capacity: describe first", filled(describe_chart(results))),
        Section("Capacity: mechanisms of wrong answers", tuple(error_blocks(results))),
        Section("Capacity: chains of thought", tuple(thought_blocks(results))),
        Section("Capacity: judge and verifier", filled(judge_chart(results))),
        Section("Capacity: tables", (Text(TABLES_NOTE), *tables)),
    ]
    return filled_sections(made)


def fate_shares(results: CapacityResults) -> Shares:
    return Shares(
        title="Of 100 points of the overall score",
        note=f"{WEIGHED} A wrong answer is attributed to the faculty of its mechanism (table `capacity-mechanisms`);"
        " unnamed: it matches no mechanism the item defines. 95 % CIs clustered by item within"
        " kinds.",
        parts=tuple(FATE_TITLES[name] for name in FATES),
        rows=tuple((label(f.levels, results.named), tuple(f.all[name] for name in FATES)) for f in results.fates),
        of="the overall score",
    )


def _few(results: CapacityResults) -> list[list[Setting]]:
    plain = results.plainest()
    return [plain[k : k + FEW_SERIES] for k in range(0, len(plain), FEW_SERIES)]


def landmark_charts(results: CapacityResults) -> list[Intervals]:
    """Overall and by category, beside published models and people."""
    marks = landmarks()
    made = []
    for group in _few(results):
        rows = []
        for level, name in MEASURES.items():
            scores = [results.score(setting, level) for setting in group]
            own = (percent(score.value) if score else None for score in scores)
            title = CATEGORY_TITLES[level] if level else "overall"
            rows.append(
                (f"{title} ({name})" if level else title, (*own, *(Value(mark[level]) for mark in marks.values())))
            )
        made.append(
            percent_chart(
                "Overall and by category",
                f"Percent right. {WEIGHED} {ITEMS} Published figures: Table 4 of the paper, on its own 1,173"
                f" items. The line is people's overall score, {PEOPLE}.",
                (*(label(setting, results.named) for setting in group), *marks),
                tuple(rows),
                reference=PEOPLE,
                line="people, overall",
            )
        )
    return made


def kind_chart(results: CapacityResults) -> Intervals:
    plain = results.plainest()
    names = [label(setting, results.named) for setting in plain]
    cells = [
        (row["kind"], name, percent(row.noted))
        for row in results.kinds
        for setting, name in zip(plain, names, strict=True)
        if all(row[part] == setting[part] for part in SETTING)
    ]
    kinds = sorted({kind for kind, _, _ in cells}, key=kind_order)
    return percent_chart(
        "By kind",
        "Percent right, 95 % CIs clustered by item; unread replies are not counted as right.",
        names,
        tuple((kind_title(kind), values) for kind, values in chart_rows(cells, names, kinds)),
    )


def published_chart(results: CapacityResults) -> Intervals:
    """Our subjects among the published models, best first; reasoning and other models told apart by colour."""
    ours = [(label(s, results.named), score) for s in results.plainest() if (score := results.score(s)) is not None]
    rows: list[tuple[str, tuple[Value | None, ...]]] = [
        (name, (percent(score.value), None, None)) for name, score in ours
    ]
    for row in printed("capacity", "capacity_table4").rows:
        if row["Model"] != HUMAN:
            figure = Value(float(row["Overall"]))
            rows.append((row["Model"], (None, figure, None) if row["Reasoning"] == "yes" else (None, None, figure)))
    rows.sort(key=lambda row: -max((value.value or 0.0) for value in row[1] if value))
    return percent_chart(
        "Overall, among the published models",
        f"Percent. {WEIGHED} Published: Table 4 of the paper, on its own 1,173 items, marked by a judge; ours are"
        f" other items unless their source is published. The line is people, {PEOPLE}.",
        ("ours", "published, reasoning", "published, other"),
        tuple(rows),
        reference=PEOPLE,
        line="people, overall",
    )


def size_charts(results: CapacityResults) -> list[Intervals]:
    """Models of one family by size."""
    families = size_series(results)
    if not families:
        return []
    rows = [
        (f"{name} · {family.rpartition(', ')[2]}", tuple(values[level] for level in MEASURES))
        for family, members in families.items()
        for _, name, values in members
    ]
    return [
        percent_chart(
            "By size, within a family",
            "Percent. Families are models whose names differ only in the number of parameters.",
            MEASURES.values(),
            tuple(rows),
        )
    ]


def describe_chart(results: CapacityResults) -> Intervals:
    named = [name for name in results.named if name != "describe"]
    ours = [((row["category"], row["kind"]), label(row.levels, named), percent(row.gap)) for row in results.described]
    order = sorted(dict.fromkeys(place for place, _, _ in ours), key=lambda place: (place[0] != "", place[1] != ""))
    theirs = [
        (place, f"{name}, published", value)
        for name, figures in published_differences().items()
        for place, value in figures.items()
    ]
    series = tuple(dict.fromkeys(name for _, name, _ in (*ours, *theirs)))
    rows = chart_rows([*ours, *theirs], series, order)
    return points_chart(
        "Described first minus not, on the same items",
        "Percentage points; ours with 95 % CIs clustered by item. Right of the line: describing helps. Exact tests"
        " are in the table `capacity-describe`. Published: Table 5 of the paper, its own items and seven kinds.",
        series,
        tuple((place_title(*place), values) for place, values in rows),
        quantity="difference in accuracy",
    )


def error_blocks(results: CapacityResults) -> list[Block]:
    made: list[Block] = []
    plain = results.plainest()
    if any(fate.wrong for fate in results.fates):
        made.append(blame_shares(results))
    if results.mechanisms:
        made.append(mechanism_heat(results, plain))
    if results.turns:
        made.append(compass(results))
    for setting in plain:
        own = [row for row in results.counts if row["views"] and setting.items() <= row.levels.items()]
        if own:
            made.append(count_heat(label(setting, results.named), own))
    return made


def blame_shares(results: CapacityResults) -> Shares:
    return Shares(
        title="Of 100 errors",
        note="Shares of wrong answers by the faculty of their mechanism; kinds are weighted by what they cost"
        " overall. 95 % CIs clustered by item within kinds. Where few answers are possible (eight directions),"
        " guesses match mechanisms, too.",
        parts=BLAMED,
        rows=tuple(
            (label(fate.levels, results.named, f"{fate.wrong} wrong"), tuple(fate.blame[name] for name in BLAMED))
            for fate in results.fates
            if fate.wrong
        ),
        of="wrong answers",
    )


def mechanism_heat(results: CapacityResults, settings: Sequence[Setting]) -> Heat:
    """The commonest mechanisms of every kind, subjects side by side."""
    names = [label(setting, results.named) for setting in settings]
    cells: dict[str, dict[str, dict[str, Value]]] = {}
    totals: dict[tuple[str, str], int] = {}
    for row in results.mechanisms:
        for setting, name in zip(settings, names, strict=True):
            if all(row[part] == setting[part] for part in SETTING):
                mechanism = row.mechanism or "unnamed"
                cells.setdefault(row["kind"], {}).setdefault(mechanism, {})[name] = percent(row.share)
                totals.setdefault((row["kind"], name), row.wrong)
    rows = []
    for kind in sorted(cells, key=kind_order):
        own = cells[kind]
        most = sorted((n for n in own if n != "unnamed"), key=lambda n: -sum(v.value or 0 for v in own[n].values()))
        for mechanism in (*most[:COMMON], *(["unnamed"] if "unnamed" in own else [])):
            values = (own[mechanism].get(n) or _none(totals.get((kind, n))) for n in names)
            rows.append((f"{kind_title(kind)}: {mechanism}", tuple(values)))
    return Heat(
        title="Mechanisms by kind",
        note="Percent of the wrong answers of that kind, 95 % CIs clustered by item; the most frequent mechanisms of"
        " each kind, and unnamed. All of them are in the table `capacity-mechanisms`.",
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


def compass(results: CapacityResults) -> Compass:
    return Compass(
        title="Directions: answer relative to truth",
        note="All direction answers that could be read, turned so that the truth is at the top; clockwise is to the"
        " right. Areas are shares of the answers, lines 95 % CIs clustered by item.",
        parts=TURNS,
        rows=tuple((label(row.levels, results.named), row.shares) for row in results.turns),
        of="read answers",
    )


def count_heat(name: str, own: Sequence[CountsOff]) -> Heat:
    return Heat(
        title=f"Counts: answer minus truth by number of views · {name}",
        note="Percent of the counts, 95 % CIs clustered by item. To the right: things were counted more than once. Mean"
        " differences are in the table `capacity-counts`.",
        unit="percent",
        down="views",
        across="answer minus truth",
        columns=OFFS,
        rows=tuple((row["views"], tuple(map(percent, row.shares))) for row in own),
        quantity="share of the counts",
    )


def judge_chart(results: CapacityResults) -> Intervals:
    several = [name for name in ("judge", "source") if len({row[name] for row in results.agreements}) > 1]
    rows = []
    for row in results.agreements:
        kind = kind_title(row["kind"]) if row["kind"] else "all kinds"
        rows.append((" · ".join((kind, *(row[name] for name in several))), (row.share, row.kappa)))
    who = ", ".join(dict.fromkeys(row["judge"] for row in results.agreements))
    return Intervals(
        title=f"Judge compared with verifier: {who}",
        note="Shares of replies that both mark the same, and Cohen's kappa, which corrects for chance agreement;"
        " 95 % CIs clustered by item. Only marks that both gave; counts are in the table `capacity-judge`.",
        unit="probability",
        series=("agreement", "kappa"),
        rows=tuple(rows),
        quantity="agreement or kappa",
    )
