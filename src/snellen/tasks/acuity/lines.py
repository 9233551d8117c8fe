"""Charts of many lines, read as a whole: one reply holds letters of every size, so that some are near the limit of any
eyes on any canvas. They are for comparing two servers of one model (`analysis.acuity.same`), not for a threshold."""

import json
from collections.abc import Mapping

from snellen.answer.chart_rows import CHART_ROWS, spelled_rows
from snellen.draw.sheet import LARGEST, tone
from snellen.item import Condition, Form, Item, Question, content_digest
from snellen.prompts import Pack
from snellen.rng import stream
from snellen.tasks.acuity.draw.lines import LetterLines, fits, letters_of, strokes
from snellen.tasks.acuity.draw.optotypes import LETTERS
from snellen.tasks.acuity.view import USUALLY, ChartView, page_of

LINES = "lines"
INKS = ("1", "0.3", "0.1")
"""Levels: the contrast of the ink. JPEG and resampling do more to what is faint."""
ASKS = "lines"
_NUDGE = 16
_MOST = len(strokes(LARGEST))


def line_item(level: str, index: int, seed: int) -> Item:
    """The index-th chart of a contrast. On smaller canvases its last lines are left out."""
    source = stream(seed, "acuity", LINES, level, index)
    truth = {
        **{"test": LINES, "level": level, "contrast": float(level), "rows": letters_of(_MOST, source)},
        "nudge": [source.below(2 * _NUDGE) - _NUDGE, source.below(2 * _NUDGE) - _NUDGE],
    }
    digest = content_digest(json.dumps(truth, sort_keys=True))
    return Item(f"acuity/{LINES}/{level}-{seed}/{index:04}", "acuity", {"test": LINES, "level": level}, truth, digest)


def described(item: Item, view: ChartView) -> LetterLines:
    rows, ink = item.truth["rows"], tone(item.truth["contrast"], view.polarity)
    right, down = item.truth["nudge"]
    return LetterLines(tuple(rows[: len(strokes(view.page.shorter))]), view.page, ink, right, down)


def line_question(chart: LetterLines, condition: Condition, pack: Pack) -> Question:
    values = {"answers": ", ".join(LETTERS), "rows": str(len(chart.rows))}
    text = pack.say("question", condition.but(asks=ASKS), values)
    return Question(text, Form("text", check=CHART_ROWS), spelled_rows(chart.rows))


def lines_apply(condition: Mapping[str, str]) -> bool:
    """In the middle of any canvas that the largest line fits."""
    usual = all(condition[name] == USUALLY[name] for name in ("place", "font"))
    return usual and fits(page_of(condition["canvas"]).shorter)
