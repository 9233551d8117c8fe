"""Charts: the key follows from the chart in words and the sentence of the edit, and from the picture's pixels."""

import io
import re
from collections import Counter
from functools import cache
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from scipy.ndimage import distance_transform_edt

from snellen.answer import mark
from snellen.draw.tints import DYES
from snellen.item import Question
from snellen.rng import stream
from snellen.tasks.capacity.draw.charts.frame import COLOURS, HEIGHT, WIDTH
from snellen.tasks.capacity.draw.lettering import words
from snellen.tasks.capacity.kinds.chart import KIND
from snellen.tasks.capacity.kinds.chart.edits import EDITS, ChartTable, Edit
from snellen.tasks.capacity.kinds.chart.making import LEVELS, make, plan
from snellen.tasks.capacity.kinds.chart.table import MONTHS, STACKS, TOPICS, chart_of, told
from support.lengths import examples, some_of

ROUND = range(56)
"""Every combination of chart, edit and written or not."""


@cache
def truth_of(index, seed=3, size="small"):
    return make(stream(seed, "chart", index), size, index)


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


def solved_by_words(twin, edits):
    """The answer from the twin and the instructions, by another road than the maker's: floats and dictionaries."""
    table = table_in_words(twin)
    for edit in edits.splitlines():
        table = edited(table, re.sub(r"^\d\. ", "", edit))
    return {f"{name}, {one}" if one else name: value for name, row in table.items() for one, value in row.items()}


def edited(table, edit):
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
            own = "its own" in edit
            whole = sum(row.values()) if own else sum(value for other in table.values() for value in other.values())
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
    return {name: after[name] for name in order}


def changer(edit):
    plain = {"Double": 2.0, "Triple": 3.0, "Halve": 0.5}
    if match := re.match(r"(Add|Subtract) (\d+)", edit):
        amount = int(match[2]) * (1 if match[1] == "Add" else -1)
        return lambda value: value + amount
    if match := re.match(r"(Raise|Lower) .* by (\d+) percent", edit):
        percent = 100 + int(match[2]) * (1 if match[1] == "Raise" else -1)
        return lambda value: value * percent / 100
    if match := re.match(r"Multiply .* by ([\d.]*\d)", edit):
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


@examples(30, 90)
@given(st.integers(0, 10_000), st.integers(0, 500), st.sampled_from(KIND.sizes))
def test_any_item_is_clean_and_solvable(seed, index, size):
    asked = KIND.ask(make(stream(seed, "chart", index), size, index))
    assert solved_by_words(asked.twin, asked.values["edit"]) == pytest.approx(answer_of(asked))
    assert re.fullmatch(r"[\w ,]+: \d+(\.\d)?(; [\w ,]+: \d+(\.\d)?)*", asked.key)
    assert min(answer_of(asked).values()) > 0


@pytest.mark.parametrize("index", ROUND)
def test_mechanisms_name_wrong_values_of_fields(index):
    truth = truth_of(index)
    asked, table = KIND.ask(truth), table_in_words(KIND.ask(truth).twin)
    key = answer_of(asked)
    for wrong in asked.mechanisms:
        if "=" not in wrong:
            assert wrong != asked.key  # a whole answer
            continue
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


def pixels_of(index, size="small"):
    (picture,) = KIND.show(truth_of(index, size=size))
    pixels = np.asarray(Image.open(io.BytesIO(picture.data)).convert("RGB")).astype(int)
    assert pixels.shape == (HEIGHT, WIDTH, 3)
    return pixels


def has_colour(pixels, colour):
    return np.abs(pixels - np.array(colour)).max(axis=2) <= 6


@some_of("index", [i for i in ROUND if plan(i)[0] in ("bar", "stacked")][::5], 3)
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


@pytest.mark.parametrize("size", LEVELS)
@pytest.mark.parametrize("kind", ["bar", "stacked", "grouped"])
def test_bars_end_on_lines_as_high_as_their_values(kind, size):
    index = LEVELS[size].kinds.index(kind)
    chart, pixels = truth_of(index, size=size)["chart"], pixels_of(index, size)[100:]
    assert chart["kind"] == kind
    assert chart["step"] % chart["minor"] == 0
    assert all(value % chart["minor"] == 0 for row in chart["values"] for value in row)
    line = 380 * chart["minor"] / chart["top"]
    assert line >= 12
    for number in range(len(chart["series"])):
        inked = has_colour(pixels, COLOURS[number])
        starts = np.flatnonzero(inked.any(axis=0) & ~np.roll(inked.any(axis=0), 1))
        heights = [np.count_nonzero(inked[:, start + 2]) for start in starts]
        assert heights == pytest.approx([row[number] * 380 / chart["top"] for row in chart["values"]], abs=2.1)


def test_beyond_the_small_size_many_values_stand_nowhere_and_edits_follow_one_another():
    for size, (fewest, most) in {"standard": (8, 15), "large": (10, 20)}.items():
        edits, rounds, most_seen = Counter(), len(LEVELS[size].kinds) * len(EDITS), 0
        for index in range(rounds):
            truth = truth_of(index, size=size)
            many = sum(map(len, truth["chart"]["values"]))
            assert fewest <= many <= most
            most_seen = max(many, most_seen)
            assert not truth["chart"]["labelled"]
            assert len(truth["edits"]) == LEVELS[size].edits
            assert len({edit["kind"] for edit in truth["edits"]}) == len(truth["edits"])
            edits[truth["chart"]["kind"], truth["edits"][-1]["kind"]] += 1
        assert {kind for kind, _ in edits} == set(LEVELS[size].kinds)
        unsuited = {("dual", "percent"), ("dual", "sort"), ("scatter", "sort")}
        assert set(edits) == {(kind, edit) for kind in LEVELS[size].kinds for edit in EDITS} - unsuited
        assert most_seen == most


@pytest.mark.parametrize("index", [2, 12, 22, 32])
def test_no_name_is_taken_for_one_with_the_number_of_the_dial_beside_it(index):
    chart, pixels = truth_of(index, size="standard")["chart"], pixels_of(index, "standard").astype(int)
    assert chart["kind"] == "pie"
    y, x = np.mgrid[: len(pixels), : len(pixels[0])]
    beyond = (np.hypot(x - 410, y - 318) > 165) & (y > 90)  # the marks, and the title
    names, numbers = (np.abs(pixels - ink).sum(axis=2) < 20 for ink in ((34, 38, 46), (92, 98, 108)))
    numbers &= np.hypot(x - 410, y - 318) < 194  # letters have grey edges
    assert distance_transform_edt(~(names & beyond))[numbers & beyond].min() >= 18


def test_a_slice_begins_and_ends_at_marks_of_the_dial():
    """Read off the picture: which marks there are, and between which of them a colour goes on."""
    chart, pixels = truth_of(2, size="standard")["chart"], pixels_of(2, "standard")
    assert chart["kind"] == "pie"

    def at(turn, far):
        x, y = 410 + far * np.sin(2 * np.pi * turn), 318 - far * np.cos(2 * np.pi * turn)
        return pixels[round(y), round(x)]

    marks = chart["top"] // chart["minor"]
    ring = np.array([min(int(at(turn / 720, far).max()) for far in (153, 154, 155)) for turn in range(720)])
    inked = np.flatnonzero((ring < 150) & (np.roll(ring, 1) >= 150))
    assert len(inked) == marks
    apart = 720 / marks
    assert np.abs((inked + apart / 2) % apart - apart / 2).max() <= 2
    colours = [tuple(at((mark + 0.5) / marks, 120)) for mark in range(marks)]
    ends = [mark + 1 for mark in range(marks) if colours[mark] != colours[(mark + 1) % marks]]
    values = [(end - start) * chart["minor"] for start, end in zip([0, *ends], ends, strict=False)]
    assert values == [row[0] for row in chart["values"]]
    assert 2 * np.pi * 154 / marks >= 12  # pixels from mark to mark


def test_names_of_slices_do_not_meet():
    for index in range(2, 400, 10):
        chart = truth_of(index, size="standard")["chart"]
        angles, total = [], 0
        for (value,) in chart["values"]:
            angles.append(2 * np.pi * (total + value / 2) / chart["top"])
            total += value
        boxes = []
        for name, angle in zip(chart["categories"], angles, strict=True):
            width, x, y = words(name, 18).width, 196 * np.sin(angle), -196 * np.cos(angle)
            left = x - width / 2 if abs(np.sin(angle)) < 0.2 else x if np.sin(angle) > 0 else x - width
            boxes.append((left, left + width, y - 9, y + 9))
        for (a, b, c, d), (e, f, g, h) in combinations(boxes, 2):
            assert b <= e or f <= a or d <= g or h <= c, chart["categories"]


def said_of(asked, values):
    """The verdict on an answer with these values, else the right ones."""
    answer = "\n".join(f"{name}: {value:.10g}" for name, value in {**answer_of(asked), **values}.items())
    verdict = mark(f"Answer:\n{answer}", Question("", asked.form, asked.key, asked.mechanisms))
    return verdict.outcome, verdict.mechanism


def test_who_leaves_out_an_edit_of_several_is_told_apart_from_who_leaves_out_all():
    plainly, tried = ("swap", "add", "scale"), 0
    for index in range(56):
        truth = truth_of(index, size="standard")
        if all(edit["kind"] in plainly for edit in truth["edits"]):
            asked = KIND.ask(truth)
            for only in asked.values["edit"].splitlines():
                half = solved_by_words(asked.twin, only)
                assert said_of(asked, half) == ("wrong", "one edit left out")
                tried += 1
            as_shown = ChartTable.of(chart_of(truth)).fields()
            assert said_of(asked, {name: float(value) for name, value in as_shown.items()})[1] == "edit not applied"
            assert "edit not applied" not in [name for wrong, name in asked.mechanisms.items() if "=" in wrong]
    assert tried > 10


@pytest.mark.parametrize("size", KIND.sizes)
def test_reading_slips_suit_the_kind_of_chart(size):
    found = {}
    for index in range(40):
        truth = truth_of(index, size=size)
        found.setdefault(truth["chart"]["kind"], set()).update(KIND.ask(truth).mechanisms.values())
    for kind, named in found.items():
        dial = kind == "pie" and size != "small"
        assert ("read from the axis instead of the segment" in named) == (kind == "stacked" or dial)
        assert ("read another series" in named) == (kind == "grouped")
        assert ("read from the axis of the other series" in named) == (kind == "dual")
        assert ("misread by one gridline" in named) == (kind != "pie" or dial)


def test_every_edit_of_several_has_slips_of_its_own():
    chart = chart_of(truth_of(0, size="standard"))
    first, second, *_ = chart.categories
    asked = ask_edits(chart, Edit("add", (first, second), (-chart.minor,)), Edit("scale", (), (2, 1)))
    value = dict(zip(chart.categories, chart.values, strict=True))[first][0]
    assert asked.mechanisms[f"{first}={2 * (value + chart.minor)}"] == "added with the wrong sign"


def ask_edits(chart, *edits):
    return KIND.ask({"chart": told(chart), "edits": [edit.told() for edit in edits]})


def test_who_overwrites_instead_of_adding_is_named_so():
    chart = chart_of(truth_of(0, size="standard"))
    first, second, *_ = chart.categories
    asked = ask_edits(chart, Edit("remove", (first, second)))
    value = chart.values[0][0]
    assert asked.mechanisms[f"{second}={value}"] in ("overwritten instead of added", "read the neighbouring entry")
    assert "overwritten instead of added" in asked.mechanisms.values()


def test_lines_are_spoken_of_as_they_are_drawn():
    for size in KIND.sizes:
        for index in range(40):
            truth = truth_of(index, size=size)
            chart, reading = chart_of(truth), KIND.ask(truth).values["reading"]
            pie, fine = chart.kind == "pie", bool(chart.minor) and chart.kind != "pie"
            assert ("fine lines" in reading) == (fine and chart.ruled)
            assert ("may lie between two lines" in reading) == (fine and not chart.ruled)
            assert ("dial" in reading) == (pie and bool(chart.minor))
            assert ("logarithmic" in reading) == (chart.kind == "log")
            assert ("axis on the left" in reading) == (chart.kind == "dual")


def found_of(kind, size="standard", many=3):
    """Charts of a kind, with their pixels."""
    level = LEVELS[size]
    for index in range(level.kinds.index(kind), many * len(level.kinds), len(level.kinds)):
        yield chart_of(truth_of(index, size=size)), pixels_of(index, size)


def ways_up(chart):
    """Whether every line that is drawn is as far from the next as a minor, or a step."""
    return chart.minor if chart.ruled else chart.step


@pytest.mark.parametrize("size", LEVELS)
def test_half_of_the_charts_have_values_off_the_lines(size):
    charts = [chart_of(truth_of(index, size=size)) for index in range(120)]
    lined = [chart for chart in charts if chart.kind not in ("pie", "log")]
    off = [chart for chart in lined if any(v % ways_up(chart) for row in chart.values for v in row[:1])]
    assert 0.35 < len(off) / len(lined) < 0.65


@pytest.mark.parametrize("size", LEVELS)
def test_lying_bars_are_as_long_as_their_values(size):
    for chart, pixels in found_of("horizontal", size):
        inked = has_colour(pixels, COLOURS[0])
        starts = np.flatnonzero(inked[:, 160] & ~np.roll(inked[:, 160], 1))
        lengths = [2 + np.count_nonzero(inked[start + 2]) for start in starts]  # the axis covers two pixels
        assert lengths == pytest.approx([row[0] * 638 / chart.top for row in chart.values], abs=2.1)


def test_areas_are_as_high_as_their_values():
    """Halfway between two entries an area is as high as their mean."""
    for chart, pixels in found_of("area"):
        filled = pixels[:, :, 0] < 185  # paper and lines are lighter
        values, many = [value for (value,) in chart.values], len(chart.values)
        for number, (value, after) in enumerate(pairwise(values), 1):
            column = filled[112:492, 86 + number * 702 // many]
            assert np.count_nonzero(column) == pytest.approx((value + after) / 2 * 380 / chart.top, abs=9)


@pytest.mark.parametrize(("kind", "colour"), [("scatter", 0), ("log", 0), ("dual", 1)])
def test_points_are_where_their_values_are(kind, colour):
    for chart, pixels in found_of(kind):
        inked = has_colour(pixels[:, :720] if kind == "dual" else pixels, COLOURS[colour])
        inked[:100] = False  # the legend
        right = 748 if kind == "dual" else 788
        for number, row in enumerate(chart.values):
            x = 86 + (number + 0.5) * (right - 86) / len(chart.values)
            share = row[0] / chart.top
            if kind == "scatter":
                x = 86 + chart.places[number] * 702 / 25
            elif kind == "log":
                share = np.log10(row[0] / chart.step) / np.log10(chart.top / chart.step)
            elif kind == "dual":
                share = row[1] / (chart.top // chart.minor * chart.right_minor)
            y = 492 - share * 380
            around = inked[round(y) - 9 : round(y) + 10, round(x) - 9 : round(x) + 10]
            middle = np.argwhere(around).mean(axis=0)
            assert np.abs(middle - 9).max() <= 2.6, (kind, number)


def test_names_of_points_keep_clear_of_other_points():
    for index in range(7, 400, 10):
        chart = chart_of(truth_of(index, size="standard"))
        assert chart.kind == "scatter"
        apart = np.diff(sorted(chart.places)) * 702 / 25
        assert apart.min() > 11 + max(words(name, 18, bold=True).width for name in chart.categories) + 8
        assert 0 < min(chart.places) <= max(chart.places) <= 24


def test_sixty_titles():
    assert len({topic.title for topic in TOPICS}) >= 60


def test_no_series_is_named_after_a_colour_it_does_not_have():
    assert not {"gold", "silver", "bronze", *DYES} & {one for theme in STACKS for one in theme.series}


@pytest.mark.parametrize("index", [i for i in ROUND if plan(i)[0] == "line"][::4])
def test_lines_pass_through_their_values(index):
    chart, pixels = truth_of(index)["chart"], pixels_of(index)
    inked = has_colour(pixels, COLOURS[0])
    pitch = 702 / len(chart["categories"])
    for number, (value,) in enumerate(chart["values"]):
        x, y = 86 + round((number + 0.5) * pitch), 492 - value * 380 / chart["top"]
        rows = np.flatnonzero(inked[:, x])
        assert (rows.min() + rows.max()) / 2 == pytest.approx(y, abs=1.6)


@some_of("index", [i for i in ROUND if plan(i)[0] == "pie"][::4], 4)
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
    again = make(stream(3, "chart", 11), "small", 11)
    assert again == truth_of(11)
    assert KIND.show(again)[0].data == KIND.show(truth_of(11))[0].data


@pytest.mark.parametrize(
    ("index", "digest"),
    [(0, "c8e5afc457318691"), (1, "a15ffc3ea4f18b1f"), (2, "19ef128e345ad523"), (3, "12cd0c173289a95e")],
)
def test_same_bytes_on_every_machine(index, digest):
    assert KIND.show(truth_of(index))[0].digest[:16] == digest


def test_names_fit_under_their_bars():
    for theme in TOPICS:
        most = 11 if theme.names == MONTHS else 10 if theme.names[0] == "A" else 7
        assert max(words(name, 18).width for name in theme.names) < 702 // min(most, len(theme.names) - 1) - 6
        assert words(theme.title, 25, bold=True).width < WIDTH - 72
        legend = sum(words(name, 18).width + 54 for name in theme.series)
        assert words(theme.unit, 18).width + legend < WIDTH - 100
