"""Charts of many lines: what is drawn is what the key says, by a reader that knows neither."""

from hashlib import sha256
from itertools import pairwise

import numpy as np
import pytest

import snellen
from fakes.chart_readers import ChartReader, _opened, taught_shapes
from fakes.lessons import charts
from snellen.answer.chart_rows import read_rows
from snellen.prompts import load
from snellen.tasks.acuity.view import SQUARE, WIDE

ACUITY = snellen.task("acuity")
PACK = load(ACUITY.prompts, "acuity")
SAME = ACUITY.design("same")


def stimuli(n=1, seed=0, **levels):
    return ACUITY.stimuli(ACUITY.changed(SAME, levels), n, seed, PACK)


def test_the_design_takes_at_most_150_calls_a_side():
    assert ACUITY.size(SAME, SAME.n) * SAME.samples == 144


@pytest.mark.parametrize("canvas", ["512", "1024"])
def test_a_reader_from_outside_reads_what_the_key_says(canvas):
    reader = ChartReader(taught_shapes(charts("letters", "50.1", 10)), blur=0.3, noise=0.0)
    for shown in stimuli(canvas=(canvas,)):
        read, key = (text.split("/") for text in (read_rows(reader([shown.pictures[0].data])), shown.question.key))
        assert len(read) == len(key) == {"512": 13, "1024": 15}[canvas]
        assert read[:-4] == key[:-4]
        assert all(f"{k}, " in shown.twin and f"px high: {' '.join(row)}" in shown.twin for k, row in enumerate(key, 1))


@pytest.mark.parametrize("canvas", ["512", "1024", "2048", "4096"])
def test_lines_shrink_by_a_tenth_of_a_decade_and_keep_apart(canvas):
    (shown,) = stimuli(canvas=(canvas,), level=("1",))
    picture, lines = _opened(shown.pictures[0].data)
    assert picture.size == (int(canvas), int(canvas))
    assert all(len(line) == 5 for line in lines), "no letter touches another"
    heights = np.array([line[0][3] - line[0][1] for line in lines])
    assert np.allclose(heights, 50 * (int(canvas) / 512) ** (2 / 3) / 10 ** (0.1 * np.arange(len(lines))), atol=1.5)
    for above, below in pairwise(lines):
        assert below[0][1] - above[0][3] >= 0.8 * (below[0][3] - below[0][1]) - 1
    assert all(len(set(row)) == 5 for row in shown.question.key.split("/"))


def test_ink_has_the_contrast_of_its_level():
    for shown in stimuli(canvas=("512",)):
        darkest = np.asarray(_opened(shown.pictures[0].data)[0]).min()
        assert darkest == {"1": 0, "0.3": 255 - 76, "0.1": 255 - 26}[shown.item.levels["level"]]


def test_charts_are_the_same_bytes_for_a_seed_and_others_for_another():
    def digests(seed):
        return [sha256(shown.pictures[0].data).hexdigest() for shown in stimuli(2, seed, canvas=("512",))]

    assert digests(1) == digests(1)
    assert not set(digests(1)) & set(digests(2))
    assert len(set(digests(1))) == 6


def test_lines_are_asked_on_every_canvas_they_fit_and_nowhere_else():
    fitting = {shown.condition["canvas"] for shown in stimuli(canvas=(*SQUARE, *WIDE), level=("1",))}
    assert fitting == {*SQUARE, *WIDE} - {"256", "1024x256"}
    assert not list(stimuli(place=("r1c1",)))


def test_a_design_that_only_the_eye_chart_has_needs_no_task():
    from snellen.examine import make_plan

    assert [part.task.name for part in make_plan("sim/eyes", design="same").parts] == ["acuity"]
    assert [part.task.name for part in make_plan("sim/ideal").parts] == ["fixation"]
    assert make_plan("sim/eyes", design="same").size == 144
    assert make_plan("sim/eyes", design="same", samples=3).size == 216
