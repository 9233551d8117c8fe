"""Lamps: a row of lamps, some lit. How many are lit, or dark?

A subject that counts the lit lamps when asked for the dark ones follows a habit.
"""

from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path

import polars as pl
from PIL import Image, ImageDraw

from snellen.analysis import Intervals, Section, Table, Value
from snellen.analysis.study import NamedTable, PlainStudy
from snellen.item import Condition, Form, Item, Picture, Question, Stimulus, content_digest
from snellen.prompts import Pack
from snellen.rng import stream
from snellen.tasks import FREE, PARADIGM, Design, Factor, Levels, Rung, RungQuery, Task

HABIT = "counts the lit ones"


def items(levels: Levels, n: int, seed: int) -> Iterator[Item]:
    """Rows of eight lamps, one to seven of them lit. Item i depends on the seed and i alone."""
    for i in range(n):
        draw = stream(seed, "lamps", i)
        lit = draw.sample(range(8), 1 + draw.below(7))
        row = "".join("1" if lamp in lit else "0" for lamp in range(8))
        yield Item(f"lamps/{seed}/{i:04}", "lamps", {}, {"row": row}, content_digest(row))


def picture(row: str) -> Picture:
    image = Image.new("RGB", (48 * len(row) + 16, 64), "white")
    pen = ImageDraw.Draw(image)
    for i, lamp in enumerate(row):
        pen.ellipse((16 + 48 * i, 16, 48 + 48 * i, 48), fill="gold" if lamp == "1" else "gray", outline="black")
    file = BytesIO()
    image.save(file, "PNG", compress_level=0)  # compressed, rows that alternate would be longer files
    return Picture(file.getvalue(), alt=f"{len(row)} lamps")


def stimulus(item: Item, condition: Condition, pack: Pack) -> Stimulus:
    row = item.truth["row"]
    counts = {"lit": row.count("1"), "dark": row.count("0")}
    key, habit = str(counts[condition["count"]]), str(counts["lit"])
    question = Question(
        text=pack.say("text", condition.of(item), {}),
        form=Form("number", final="braces"),
        key=key,
        mechanisms={} if habit == key else {habit: HABIT},
        habit="" if habit == key else HABIT,
    )
    # Words of one length, or the length of the twin would count the lamps.
    twin = "From left to right: " + ", ".join("lit" if lamp == "1" else "off" for lamp in row) + "."
    return Stimulus(item, condition, (picture(row), question.text), question, twin)


def observe(shown: Stimulus) -> Mapping[str, str | int | float]:
    """What someone who does not count might go by."""
    row = shown.item.truth["row"]
    return {"first lamp": row[0], "last lamp": row[-1]}


def due(shown: Stimulus) -> Mapping[str, float]:
    """Whoever measures how much of the picture is lit counts lamps, and whoever looks at one lamp counts one of them:
    both do a part of the task, so being right by it is no shortcut."""
    seen = ("brightness", "colour", "thumbnail", "single pixel")
    return dict.fromkeys((*(f"picture: {what}" for what in seen), "first lamp", "last lamp"), 1.0)


class LampStudy(PlainStudy):
    """What every task has, and a table and a chart of its own: are many lamps harder to count than few?"""

    def by_number(self) -> Table:
        right = 100 * (pl.col("outcome") == "right").mean()
        replies = self.rows.filter(pl.col("reason").fill_null("") != "error")  # a failed call is missing, not wrong
        shares = replies.group_by("subject", "key").agg(right=right, n=pl.len()).sort("subject", "key")
        return Table(
            name="lamps-by-number",
            title="Lamps: accuracy by how many are to be counted",
            note="Percent of the replies that are right.",
            columns=("subject", "lamps", "accuracy %", "replies"),
            rows=tuple((str(who), int(key), share, n) for who, key, share, n in shares.iter_rows()),
        )

    def chart(self) -> Intervals:
        table = self.by_number()
        values = {(who, lamps): Value(share, n=n) for who, lamps, share, n in table.rows}
        subjects = tuple(dict.fromkeys(who for who, _ in values))
        return Intervals(
            title="Accuracy by number of lamps",
            note=table.note,
            unit="percent",
            series=subjects,
            rows=tuple((str(n), tuple(values.get((who, n)) for who in subjects)) for n in range(1, 8)),
            quantity="accuracy",
        )

    def tables(self) -> dict[str, NamedTable]:
        table = self.by_number()
        return {**super().tables(), table.name: NamedTable(table.title, self.by_number)}

    def sections(self) -> tuple[Section, ...]:
        return (*super().sections(), Section("Lamps: few and many", (self.chart(),)))


TASK = Task(
    name="lamps",
    title="Lamps",
    about="a row of lamps, some lit: how many are lit, or dark?",
    factors=(Factor("count", ("lit", "dark"), "which lamps are to be counted"),),
    designs=(
        Design(
            "quick",
            "both questions about each row, and the ladder below them",
            50,
            ({"count": ("lit", "dark")}, {"count": ("lit",), PARADIGM: ("words", "told")}),
        ),
    ),
    prompts=Path(__file__).with_suffix(".toml"),
    items=items,
    stimulus=stimulus,
    observe=observe,
    due=due,
    study=LampStudy,
    ladder=(
        *FREE,  # told the answer, exact words, the picture: every task has these
        Rung(
            "dark",
            "the dark lamps are to be counted",
            ("attention", "thinking", "eyes", "habit"),
            (RungQuery(("direct",), {"count": ("dark",)}),),
        ),
    ),
)
