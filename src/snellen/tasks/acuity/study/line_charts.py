"""Charts of many lines (design `same`): what each subject read of them, letter by letter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from snellen.charts.rounds import number
from snellen.tasks.acuity.draw.lines import ACROSS, STEP, strokes
from snellen.tasks.acuity.draw.optotypes import LETTERS
from snellen.tasks.acuity.lines import INKS, LINES
from snellen.tasks.acuity.study.exchange import ChartReplies, Codes
from snellen.tasks.acuity.view import page_of

CHANCE = 1 / len(LETTERS)
_LARGE = 3
"""Whoever cannot read so many of the largest lines is not reading."""
ChartName = tuple[str, str, str]
"""Canvas, ink, chart."""


@dataclass(frozen=True)
class LineSitting:
    """One subject. `charts`: replies x letters by chart; `keys`: what is right; `failed`: calls by canvas that gave no
    reply; `unread`: replies without a line of letters, which count as letters not read."""

    subject: str
    charts: Mapping[ChartName, Codes]
    keys: Mapping[ChartName, Codes]
    failed: Mapping[str, int]
    unread: int

    @cached_property
    def canvases(self) -> tuple[str, ...]:
        """The smallest first."""
        return sorted_canvases({name[0] for name in self.charts})

    def read(self, canvas: str, ink: str = INKS[0]) -> float | None:
        """The stroke down to which letters of an ink are read on a canvas, by the score of clinics: every letter
        counts for a fifth of a line. None where even the largest are not read."""
        own = [name for name in self.charts if name[:2] == (canvas, ink)]
        if not own:
            return None
        right = np.concatenate([self.charts[name] == self.keys[name] for name in own]).mean(axis=0)
        if right[: _LARGE * ACROSS].mean() < 0.5:
            return None
        lines = float((right.sum() - CHANCE * len(right)) / (1 - CHANCE)) / ACROSS
        return float(strokes(page_of(canvas).shorter)[0] * STEP ** (1 - max(lines, 0.0)))


def sorted_canvases(names: set[str]) -> tuple[str, ...]:
    return tuple(sorted(names, key=lambda name: (page_of(name).shorter, name)))


def line_sittings(rows: pl.DataFrame) -> dict[str, LineSitting]:
    """Everybody who was shown such charts; rows as `Results` has them, an item for each repetition."""
    shown = rows.filter(pl.col("test").cast(pl.String) == LINES)
    return {
        str(subject): _sitting(str(subject), own)
        for (subject,), own in shown.group_by(pl.col("subject").cast(pl.String), maintain_order=True)
    }


def _sitting(subject: str, rows: pl.DataFrame) -> LineSitting:
    replies: dict[ChartName, list[Codes]] = {}
    keys: dict[ChartName, Codes] = {}
    failed: dict[str, int] = {}
    chart = pl.concat_str(pl.col("cluster", "polarity").cast(pl.String), separator=" ")
    names = [*(pl.col(name).cast(pl.String) for name in ("canvas", "level")), chart.alias("chart")]
    for canvas, ink, chart, key, answer, reason in rows.select(*names, "key", "answer", "reason").iter_rows():
        if reason == "error":
            failed[canvas] = failed.get(canvas, 0) + 1
            continue
        name = canvas, ink, chart
        keys[name] = _codes(key, key)
        replies.setdefault(name, []).append(_codes(answer or "", key))
    unread = int(((rows["outcome"] == "unread") & (rows["reason"].fill_null("") != "error")).sum())
    return LineSitting(subject, {name: np.stack(each) for name, each in replies.items()}, keys, failed, unread)


def _codes(answer: str, key: str) -> Codes:
    """The letters of an answer, each in its place; who gives all in one line has not split it into lines."""
    wanted, said = key.split("/"), answer.split("/")
    across = len(wanted[0])
    if len(said) == 1 and len(said[0]) > across:
        said = [said[0][at : at + across] for at in range(0, len(said[0]), across)]
    whole = [row[:across].ljust(across, "\0") for row in said[: len(wanted)]]
    whole += ["\0" * across] * (len(wanted) - len(whole))
    return np.array([ord(letter) for row in whole for letter in row], np.int16)


def in_common(first: LineSitting, second: LineSitting, canvas: str) -> list[ChartReplies]:
    """The charts on a canvas that both replied to."""
    return [
        ChartReplies(name[1], own, second.charts[name], first.keys[name])
        for name, own in first.charts.items()
        if name[0] == canvas and name in second.charts
    ]


def reads_any(charts: Sequence[ChartReplies]) -> bool:
    """Whether at least one of the two reads the largest lines in black."""
    black = [chart for chart in charts if chart.ink == INKS[0]] or list(charts)
    large = _LARGE * ACROSS
    sides = [[each.first for each in black], [each.second for each in black]]
    keys = [each.key[:large] for each in black]
    return any(
        np.mean([(own[:, :large] == key).mean() for own, key in zip(side, keys, strict=True)]) >= 0.5 for side in sides
    )


def line_words(sitting: LineSitting) -> str:
    """What somebody reads on every canvas, in a sentence."""
    said = [(canvas, sitting.read(canvas)) for canvas in sitting.canvases]
    some = [f"{number(stroke)}\u00a0px on {side_words(canvas)}" for canvas, stroke in said if stroke is not None]
    none = [side_words(canvas) for canvas, stroke in said if stroke is None]
    reads = f"reads letters down to strokes of {', '.join(some)}" if some else ""
    fails = f"does not read the largest letters on {', '.join(none)}" if none else ""
    return "; ".join(filter(None, (reads, fails))) or "gave no reply to any chart"


def side_words(canvas: str) -> str:
    """A canvas in words."""
    return f"{int(canvas):,}\u00a0px" if canvas.isdecimal() else f"{canvas}\u00a0px"
