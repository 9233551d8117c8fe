"""Charts: the key follows from the chart in words and the sentence of the edit, and from the picture's pixels."""

import io
import re
from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from snellen.draw.charts import COLOURS, HEIGHT, WIDTH
from snellen.draw.lettering import words
from snellen.rng import stream
from snellen.tasks.capacity.kinds.chart import KIND
from snellen.tasks.capacity.kinds.chart.edits import EDITS
from snellen.tasks.capacity.kinds.chart.making import make, plan
from snellen.tasks.capacity.kinds.chart.table import STACKS, THEMES

ROUND = range(56)
"""Every combination of chart, edit and written or not."""


@cache
def truth_of(index, seed=3):
    return make(stream(seed, "chart", index), "standard", index)


def table_in_words(twin):
    """Name -> series -> value, from the twin alone."""
    table = {}
    for line in twin.splitlines()[1:]:
        name, rest = line.split(": ")
        parts = [part.rsplit(" ", 1) for part in rest.split(", ")]
        table[name] = {part[0] if len(part) == 2 else "": float(part[-1]) for part in parts}
    return table


def names_in(text, table):
    series = next(iter(table.values()))
    return [name for name in (*table, *series) if name and re.search(rf"\b{name}\b", text)]


def solved_by_words(twin, edit):
    """The answer from the twin and the instruction, by another road than the maker's: plain floats and dictionaries."""
    table = table_in_words(twin)
    after = {name: dict(row) for name, row in table.items()}
    order = list(after)
    if match := re.match(r"Swap the values of (\w+) and (\w+);", edit):
        after[match[1]], after[match[2]] = after[match[2]], after[match[1]]
    elif match := re.match(r"Replace (\w+) by (\w+), with the values? ([^;]+);", edit):
        numbers = [float(number) for number in re.findall(r"\d+", match[3])]
        after[match[2]] = dict(zip(after[match[1]], numbers, strict=True))
        order[order.index(match[1])] = match[2]
    elif match := re.match(r"Remove (\w+) and add its values? to (?:those of )?(\w+)", edit):
        after[match[2]] = {one: value + table[match[1]][one] for one, value in after[match[2]].items()}
        order.remove(match[1])
    elif edit.startswith("Convert"):
        for row in after.values():
            whole = (
                sum(row.values())
                if "own bar" in edit
                else sum(value for other in table.values() for value in other.values())
            )
            row.update({one: round(value / whole * 1000) / 10 for one, value in row.items()})
    elif edit.startswith("Sort"):
        rows = sorted(after.values(), key=lambda row: sum(row.values()), reverse="from the largest" in edit)
        after = {f"place {number}": row for number, row in enumerate(rows, 1)}
        order = list(after)
    else:
        changed = changer(edit)
        named = names_in(edit.split(";")[0], table) if "everything else" in edit else []
        for name, row in after.items():
            for one in row:
                if not named or name in named or one in named:
                    row[one] = changed(row[one])
    return {f"{name}, {one}" if one else name: value for name in order for one, value in after[name].items()}


def changer(edit):
    plain = {"Double": 2.0, "Triple": 3.0, "Halve": 0.5}
    if match := re.match(r"(Add|Subtract) (\d+)", edit):
        amount = int(match[2]) * (1 if match[1] == "Add" else -1)
        return lambda value: value + amount
    if match := re.match(r"(Raise|Lower) .* by (\d+) percent", edit):
        percent = 100 + int(match[2]) * (1 if match[1] == "Raise" else -1)
        return lambda value: value * percent / 100
    if match := re.match(r"Multiply .* by ([\d.]+)", edit):
        return lambda value: value * float(match[1])
    return lambda value: value * plain[edit.split()[0]]


def answer_of(asked):
    return {name: float(value) for name, value in (part.split(": ") for part in asked.key.split("; "))}


@pytest.mark.parametrize("index", ROUND)
def test_the_key_follows_from_the_words(index):
    asked = KIND.ask(truth_of(index))
    found = solved_by_words(asked.twin, asked.values["edit"])
    assert list(found) == [field.name for field in asked.form.fields]
    assert found == pytest.approx(answer_of(asked))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 500))
def test_any_item_is_clean_and_solvable(seed, index):
    asked = KIND.ask(make(stream(seed, "chart", index), "standard", index))
    assert solved_by_words(asked.twin, asked.values["edit"]) == pytest.approx(answer_of(asked))
    assert re.fullmatch(r"[\w ,]+: \d+(\.\d)?(; [\w ,]+: \d+(\.\d)?)*", asked.key)
    assert min(answer_of(asked).values()) > 0


@pytest.mark.parametrize("index", ROUND)
def test_mechanisms_name_wrong_values_of_fields(index):
    truth = truth_of(index)
    asked, table = KIND.ask(truth), table_in_words(KIND.ask(truth).twin)
    key = answer_of(asked)
    for wrong in asked.mechanisms:
        name, value = wrong.split("=")
        assert abs(float(value) - key[name]) > 1e-9
    for name, row in table.items():
        for one, value in row.items():
            field = f"{name}, {one}" if one else name
            if field in key and value != key[field]:
                assert asked.mechanisms[f"{field}={value:g}"] == "edit not applied"


@pytest.mark.parametrize(
    ("edit", "named"),
    [
        ("add", "added with the wrong sign"),
        ("scale", "added instead of scaled"),
        ("percent", "wrong base of the percentage"),
        ("sort", "sorted the other way"),
        ("swap", "edited the wrong entry"),
        ("replace", "edited the wrong entry"),
        ("remove", "edited the wrong entry"),
    ],
)
def test_each_edit_has_mechanisms_of_its_own(edit, named):
    of_kind = [index for index in ROUND if plan(index)[1] == edit]
    assert all(named in KIND.ask(truth_of(index)).mechanisms.values() for index in of_kind)


def pixels_of(index):
    (picture,) = KIND.show(truth_of(index))
    pixels = np.asarray(Image.open(io.BytesIO(picture.data)).convert("RGB")).astype(int)
    assert pixels.shape == (HEIGHT, WIDTH, 3)
    return pixels


def has_colour(pixels, colour):
    return np.abs(pixels - np.array(colour)).max(axis=2) <= 6


@pytest.mark.parametrize("index", [i for i in ROUND if plan(i)[0] in ("bar", "stacked")][::5])
def test_bars_are_as_high_as_their_values(index):
    chart, pixels = truth_of(index)["chart"], pixels_of(index)[100:]  # below the legend
    pixel = 380 / chart["top"]
    for number in range(len(chart["series"])):
        inked = has_colour(pixels, COLOURS[number])
        # The outermost columns of a bar have no figures written over them.
        starts = np.flatnonzero(inked.any(axis=0) & ~np.roll(inked.any(axis=0), 1))
        heights = [np.count_nonzero(inked[:, start + 2]) for start in starts]
        wanted = [row[number] * pixel for row in chart["values"]]
        assert heights == pytest.approx(wanted, abs=2.1)


@pytest.mark.parametrize("index", [i for i in ROUND if plan(i)[0] == "line"][::4])
def test_lines_pass_through_their_values(index):
    chart, pixels = truth_of(index)["chart"], pixels_of(index)
    inked = has_colour(pixels, COLOURS[0])
    pitch = 702 / len(chart["categories"])
    for number, (value,) in enumerate(chart["values"]):
        x, y = 86 + round((number + 0.5) * pitch), 492 - value * 380 / chart["top"]
        rows = np.flatnonzero(inked[:, x])
        assert (rows.min() + rows.max()) / 2 == pytest.approx(y, abs=1.6)


@pytest.mark.parametrize("index", [i for i in ROUND if plan(i)[0] == "pie"][::4])
def test_slices_are_as_large_as_their_shares(index):
    chart, pixels = truth_of(index)["chart"], pixels_of(index)
    values = [row[0] for row in chart["values"]]
    areas = [np.count_nonzero(has_colour(pixels, colour)) for colour in COLOURS[: len(values)]]
    assert np.array(areas) / sum(areas) == pytest.approx(np.array(values) / sum(values), abs=0.012)


def test_values_not_written_lie_on_gridlines():
    for index in ROUND:
        chart = truth_of(index)["chart"]
        if not chart["labelled"]:
            assert all(value % chart["step"] == 0 for row in chart["values"] for value in row)
            assert chart["top"] // chart["step"] <= 10


def test_charts_and_edits_take_turns():
    rounds = Counter(plan(index)[:2] for index in range(28))
    assert set(rounds.values()) == {1}
    assert len(rounds) == 4 * len(EDITS)
    written = Counter(plan(index) for index in ROUND)
    assert all(written[kind, edit, True] == 1 for kind, edit in rounds if kind != "pie")
    assert all(truth_of(index)["chart"]["kind"] == plan(index)[0] for index in ROUND)


def test_same_stream_same_bytes():
    again = make(stream(3, "chart", 11), "standard", 11)
    assert again == truth_of(11)
    assert KIND.show(again)[0].data == KIND.show(truth_of(11))[0].data


@pytest.mark.parametrize(
    ("index", "digest"),
    [(0, "15a2164e1a83657c"), (1, "81b13a67a8b07e7e"), (2, "19ef128e345ad523"), (3, "366cfe0abac894bf")],
)
def test_same_bytes_on_every_machine(index, digest):
    assert KIND.show(truth_of(index))[0].digest[:16] == digest


def test_names_fit_under_their_bars():
    for theme in (*THEMES, *STACKS):
        assert max(words(name, 18).width for name in theme.names) < 702 // min(7, len(theme.names) - 1) - 6
        assert words(theme.title, 25, bold=True).width < WIDTH - 72
        legend = sum(words(name, 18).width + 54 for name in theme.series)
        assert words(theme.unit, 18).width + legend < WIDTH - 100
