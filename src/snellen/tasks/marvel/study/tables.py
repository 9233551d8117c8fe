"""The MARVEL results as tables."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from snellen.analysis.contrasts import p_text, points
from snellen.analysis.estimates import percent
from snellen.analysis.reading_rates import unread_warning
from snellen.analysis.study import NamedTable, hundred, unread_table
from snellen.charts.blocks import Cell, Table, Value
from snellen.tasks.marvel.study.examples import cases_table, examples_table
from snellen.tasks.marvel.study.puzzles import LABELS, LEVELS, OPTIONS, SETTING, level_name
from snellen.tasks.marvel.study.results import MarvelResults
from snellen.tasks.marvel.study.sections import BIAS_NOTE, GIVEN, change_name

COLUMNS = ("avr", "fine", "perc_c", "perc_cf", "perc_cf_avr")
"""The measures of the paper's main table, in its order."""
MEASURE_NOTE = (
    "Percent, 95 % interval clustered on duplicates; an unread reply is not right, a failed call is missing. Perc^C:"
    " all three counts right; Perc^C&F: and the detail; Perc^C&F&AVR: and the puzzle; a puzzle counts only if all these"
    " questions were asked."
)
TESTS_NOTE = "p: exact {test}; p (items): {clustered}; both Holm-adjusted, family: {family}."


def tables(found: MarvelResults) -> dict[str, NamedTable]:
    """The tables there are, by name."""
    made: dict[str, tuple[str, Callable[[MarvelResults], Table]]] = {
        "marvel-accuracy": ("MARVEL: single questions and groups of them", accuracy_table),
        "marvel-ladder": ("MARVEL: the ladder", ladder_table),
        **{
            f"marvel-{column.replace('_', '-')}": (
                f"MARVEL: the ladder by {column.replace('_', ' ')}",
                partial(level_table, column=column),
            )
            for column in LEVELS
        },
        "marvel-given": ("MARVEL: AVR where perception was right or wrong", given_table),
        "marvel-changes": ("MARVEL: what words, examples and other changes bring", change_table),
        "marvel-figure3": ("MARVEL Figure 3: where errors begin, and what examples mend", _examples),
        "marvel-figure3-cases": ("MARVEL Figure 3: puzzles that examples did not mend", _cases),
        "marvel-bias": ("MARVEL: inductive bias", bias_table),
        "marvel-reading": ("MARVEL: how answers were read", reading_table),
        "marvel-unread": ("MARVEL: answers that could not be read", lambda f: unread_table(f.rows, "marvel-unread")),
    }
    return {name: NamedTable(title, partial(make, found)) for name, (title, make) in made.items()}


def _columns(found: MarvelResults) -> list[str]:
    return ["subject", *found.named]


def _examples(found: MarvelResults) -> Table:
    return examples_table(found.with_examples, _columns(found), found.seed)


def _cases(found: MarvelResults) -> Table:
    return cases_table(found.with_examples, found.rows)


def _marked(each: dict[str, Any], found: MarvelResults) -> Value:
    """An accuracy in percent, with a dagger where it is of puzzles."""
    value = percent(each)
    dagger = found.dagger(each) if each["score"] == "avr" else ""
    note = " ".join(word for word in (dagger, value.note) if word)
    return Value(value.value, value.low, value.high, value.n, note)


def accuracy_table(found: MarvelResults) -> Table:
    columns = _columns(found)
    return Table(
        name="marvel-accuracy",
        title="MARVEL: single questions and groups of them",
        note=f"{MEASURE_NOTE} p: exact binomial test of being above chance, one-sided. {BIAS_NOTE}",
        columns=(*columns, "measure", "percent", "unread %", "chance %", "p", "puzzles", "groups", "errors"),
        rows=tuple(
            (
                *(str(each[name]) for name in columns),
                *(LABELS[each["score"]], _marked(each, found), hundred(each["unread_rate"]), hundred(each["chance"])),
                *(p_text(each["p_chance"]), each["trials"], each["items"], each["errors"]),
            )
            for each in found.overall
        ),
    )


def _wide(
    found: MarvelResults, cells: Sequence[dict[str, Any]], columns: Sequence[str]
) -> tuple[tuple[Cell, ...], ...]:
    """One row a setting (and level), one column a measure, then how many puzzles were asked."""
    lines: dict[tuple[str, ...], dict[str, dict[str, Any]]] = {}
    for each in cells:
        lines.setdefault(tuple(str(each[name]) for name in columns), {})[each["score"]] = each
    done: list[tuple[Cell, ...]] = []
    for levels, own in lines.items():
        if any(score in own for score in COLUMNS):
            values = (_marked(own[score], found) if score in own else None for score in COLUMNS)
            done.append((*levels, *values, max(each["trials"] for each in own.values())))
    return tuple(done)


def ladder_table(found: MarvelResults) -> Table:
    columns = _columns(found)
    return Table(
        name="marvel-ladder",
        title="MARVEL: the ladder",
        note=f"{MEASURE_NOTE} {BIAS_NOTE}",
        columns=(*columns, *(f"{LABELS[score]} %" for score in COLUMNS), "puzzles"),
        rows=_wide(found, found.overall, columns),
    )


def level_table(found: MarvelResults, column: str) -> Table:
    name = column.replace("_", " ")
    columns = [*_columns(found), column]
    cells = [{**each, column: level_name(column, each[column])} for each in found.by(column)]
    return Table(
        name=f"marvel-{column.replace('_', '-')}",
        title=f"MARVEL: the ladder by {name}",
        note=f"{MEASURE_NOTE} † belongs to the setting as a whole: options are picked otherwise than the key has it.",
        columns=(*_columns(found), name, *(f"{LABELS[score]} %" for score in COLUMNS), "puzzles"),
        rows=_wide(found, cells, columns),
    )


def given_table(found: MarvelResults) -> Table:
    columns = _columns(found)
    tests = TESTS_NOTE.format(
        test="test of Fisher",
        clustered="the same with whole groups of duplicates exchanged among groups of the same size",
        family="all rows of one subject",
    )
    return Table(
        name="marvel-given",
        title="MARVEL: AVR where perception was right or wrong",
        note="Each puzzle's answer beside its perception. AVR accuracy in percent where perception was right and where"
        f" it was wrong; difference in points, 95 % interval clustered on duplicates. {tests}",
        columns=(
            *(*columns, "perception", "where right %", "puzzles right", "where wrong %", "puzzles wrong"),
            *("difference", "p", "p (items)"),
        ),
        rows=tuple(
            (
                *(str(each[name]) for name in columns),
                *(GIVEN[each["given"]], 100 * each["a"], each["n_a"], 100 * each["b"], each["n_b"], points(each)),
                *(p_text(each["p_holm"]), p_text(each["p_items_holm"])),
            )
            for each in found.given
        ),
    )


def change_table(found: MarvelResults) -> Table:
    columns = _columns(found)
    tests = TESTS_NOTE.format(
        test="McNemar",
        clustered="exact sign-flip test over groups of duplicates",
        family="all changes of one subject and question",
    )
    return Table(
        name="marvel-changes",
        title="MARVEL: what words, examples and other changes bring",
        note="The first level minus the second on the same puzzles, everything else as in the row, percentage points,"
        f" 95 % interval over groups of duplicates. Words given: the perception gap. {tests}"
        f"{unread_warning(found.contrasts, lambda each: each['levels'], (*columns, 'question'))}",
        columns=(*columns, "change", "question", "first %", "second %", "difference", "pairs", "p", "p (items)"),
        rows=tuple(
            (
                *(str(each[name]) for name in columns),
                *(change_name(each), each["question"], 100 * each["a"], 100 * each["b"], points(each), each["pairs"]),
                *(p_text(each["p_holm"]), p_text(each["p_items_holm"])),
            )
            for each in found.contrasts
        ),
    )


def bias_table(found: MarvelResults) -> Table:
    columns = _columns(found)
    accuracies = {tuple(each[name] for name in SETTING): each for each in found.overall if each["score"] == "avr"}
    options = tuple(f"option {k + 1} %" for k in range(OPTIONS))
    return Table(
        name="marvel-bias",
        title="MARVEL: inductive bias",
        note="How the read answers are spread over the options, 95 % intervals clustered on duplicates; key: the same"
        " for the right options. moved: share of answers that would have to change option for the two to agree."
        f" {BIAS_NOTE}",
        columns=(*columns, "AVR %", *options, "key %", "moved %", "p", "answers"),
        rows=tuple(
            (
                *(str(each.setting[name]) for name in columns),
                _marked(accuracies[tuple(each.setting[name] for name in SETTING)], found),
                *(_hundredfold(share) for share in each.chosen),
                " / ".join(f"{100 * share:.0f}" for share in each.key),
                *(100 * each.moved, p_text(each.p), each.n),
            )
            for each in found.biases
        ),
    )


def _hundredfold(share: Value) -> Value:
    value, low, high = (None if part is None else 100 * part for part in (share.value, share.low, share.high))
    return Value(value, low, high, share.n)


def reading_table(found: MarvelResults) -> Table:
    return Table(
        name="marvel-reading",
        title="MARVEL: how answers were read",
        note="Rules read an answer first; where they abstain and a subject for second readings is given, it reads."
        " second: share of all replies read that way, which would else be unread; right of second: of those.",
        columns=("subject", "question", "replies", "by rules %", "second %", "right of second %", "unread %"),
        rows=tuple(
            (
                each["subject"],
                each["question"],
                each["replies"],
                100 * (each["replies"] - each["second"] - each["unread"]) / each["replies"],
                100 * each["second"] / each["replies"],
                100 * each["second_right"] / each["second"] if each["second"] else None,
                100 * each["unread"] / each["replies"],
            )
            for each in found.readings
        ),
    )
