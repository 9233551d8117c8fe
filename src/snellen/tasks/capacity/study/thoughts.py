"""The chains of thought as blocks for a page."""

from collections.abc import Mapping, Sequence
from typing import Any

from snellen.analysis.chains import FIFTHS, SPOKEN, TURNED, Example, Habit
from snellen.analysis.columns import percent_chart
from snellen.analysis.thought import DECILES, MARKS, STAGES
from snellen.charts.blocks import Block, Intervals, Strip, Strips, Text, Value, percent
from snellen.tasks.capacity.study.kinds import SETTING, kind_title, label
from snellen.tasks.capacity.study.results import CapacityResults, Setting

PARTS = ("understands and collects", "analyses", "concludes and verifies")
MARK_TITLES = ("goes back to the picture", "interrupts itself")
EXAMPLE_SUBJECTS = 2
"""Examples are shown of so many subjects; more would be a wall."""
RULES_NOTE = (
    f"Annotated by rules, sentence by sentence; replies of fewer than {SPOKEN} words are bare answers and left out."
    " Reasoning that a server hides is not included."
)


def thought_blocks(results: CapacityResults) -> list[Block]:
    """Profiles, length and interruptions against accuracy, examples; nothing where nobody thinks aloud."""
    plain = results.plainest()
    habits = [habit for habit in results.habits if any(setting.items() <= habit.levels.items() for setting in plain)]
    if not habits:
        return []
    made: list[Block] = [Text(RULES_NOTE), *profiles(results, habits)]
    length = _accuracy_chart(
        *(results, results.chains.by_length(), FIFTHS, "Accuracy by length of the reply"),
        "Percent right. Fifths by number of words among the subject's own replies to the same kind, so that reply"
        " length is not confounded with hard kinds. 95 % CIs clustered by item.",
    )
    turns = _accuracy_chart(
        *(results, results.chains.by_interruptions(), tuple(TURNED), "Accuracy by number of self-interruptions"),
        "Percent right by how often the reply stops itself (“wait”, “no, scratch that”, “actually”). 95 % CIs"
        " clustered by item. Hard items cause both doubt and errors, so this does not show that doubt harms.",
    )
    made += [chart for chart in (length, turns) if chart.rows]
    return [*made, *_examples(results, plain)]


def profiles(results: CapacityResults, habits: list[Habit]) -> list[Strips]:
    """What the replies of a subject are given to, from beginning to end, by kind."""
    subjects: dict[str, list[Habit]] = {}
    for habit in habits:
        subjects.setdefault(label(habit.levels, results.named), []).append(habit)
    return [
        Strips(
            title=f"Stages of the replies, from beginning to end · {name}",
            note="The mean of all replies of a kind, in tenths of their text; with the three stages in percent of the"
            " text, the median number of words, and means of the rest.",
            parts=PARTS,
            marks=(),
            rows=tuple(map(_profile, own)),
        )
        for name, own in subjects.items()
    ]


def _profile(habit: Habit) -> Strip:
    cells = tuple((k / DECILES, (k + 1) / DECILES, tenth) for k, tenth in enumerate(habit.profile))
    turns = f"{habit.revisits:.1f} looks back, {habit.interruptions:.1f} interruptions"
    remark = f"{_three_parts(habit.shares)} · {habit.words:.0f} words, {turns}"
    return Strip(kind_title(habit["kind"]) if habit["kind"] else "all kinds", remark, cells)


def _three_parts(shares: Sequence[float]) -> str:
    return f"{' / '.join(f'{percent(share):.0f}' for share in shares)} %"


def _accuracy_chart(
    results: CapacityResults,
    cells: Mapping[tuple[Any, ...], dict[str, Value]],
    names: tuple[str, ...],
    title: str,
    note: str,
) -> Intervals:
    plain = [s for s in results.plainest() if tuple(s[name] for name in SETTING) in cells]
    own = [cells[tuple(setting[name] for name in SETTING)] for setting in plain]
    rows = ((name, tuple(percent(cell.get(name)) for cell in own)) for name in names)
    return percent_chart(
        title, note, [label(setting, results.named) for setting in plain], tuple(row for row in rows if any(row[1]))
    )


def _examples(results: CapacityResults, plain: list[Setting]) -> list[Strips]:
    """A handful of replies of every kind."""
    some = results.chains.examples(plain[:EXAMPLE_SUBJECTS])
    block = Strips(
        title="Replies, from first word to last",
        note="For every kind, right and wrong replies of typical length, each with its three stages in percent of the"
        " text.",
        parts=PARTS,
        marks=MARK_TITLES,
        rows=tuple(_strip(example, results) for example in some),
    )
    return [block] if some else []


def _strip(example: Example, results: CapacityResults) -> Strip:
    """One reply, drawn to its length in characters."""
    chain = example.chain
    whole = max(span.end for span in chain.spans)
    cells = tuple(
        (round(span.start / whole, 4), round(span.end / whole, 4), tuple(float(span.label == s) for s in STAGES))
        for span in chain.stages
    )
    marks = tuple(
        (MARKS.index(span.label), round(span.start / whole, 4)) for span in chain.spans if span.label in MARKS
    )
    item = example.item.rpartition("/")[2] or example.item
    name = f"{kind_title(example['kind'])} · {label(example.levels, results.named, example.outcome, item)}"
    return Strip(name, f"{_three_parts(chain.shares)} · {chain.words} words", cells, marks)
