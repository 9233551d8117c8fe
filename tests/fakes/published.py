"""Fakes on puzzles of the published MARVEL set, whose pictures have no exact words: what they lack, and their replies.

Beside every puzzle four perception questions are asked: three counts of panels, and a detail of one panel. The fakes
get words and picture bytes. Some lack what they lack by lot, some where a picture is crowded or a puzzle of a kind.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from PIL import Image

from fakes.bars import Bar, accuses, exactly, faultless, names, verdict
from fakes.knowing import Asked, Lesson, lesson
from fakes.lacking import If, Lack, Mind, always, thinking
from snellen.analysis.blocks import Diagnosis
from snellen.analysis.ladder.study import LadderStudy, spec_of_task
from snellen.draw.puzzles import draw_puzzle
from snellen.tasks import marvel

COUNTS = ("context", "choices", "whole")
PANELS = 9
NAMED, OFTEN = 19, 18
_FIELDS = ("subject", "item", "cluster", "paradigm", "pack", "question", "words", "source")


def asks(asked: Asked) -> str:
    """Which question it is: the puzzle (avr), a count, or the detail (fine)."""
    return asked.fact.levels["question"]


def guessed(asked: Asked) -> str:
    """One of the options; of a number, one that such pictures may have."""
    return asked.toss() if asked.options else str(3 + int(asked.call_lot("toss") * 11))


def looks_away(share: float, where: If = always) -> Lack:
    """Sees nothing of the pictures of a share of the puzzles, whatever is asked about them."""
    return Lack("eyes", lambda a: guessed(a) if a.pictures and where(a) and a.item_lot("away") < share else None)


def blurred(share: float) -> Lack:
    """Counts panels, but cannot make out what is in those of a share of the puzzles."""
    return Lack(
        "eyes",
        lambda a: guessed(a) if a.pictures and asks(a) not in COUNTS and a.item_lot("blur") < share else None,
    )


def misreads(share: float) -> Lack:
    """Sees something else than is there in a share of the puzzles: says the other detail, and another choice."""

    def other(asked: Asked) -> str | None:
        if not asked.pictures or asks(asked) in COUNTS or asked.item_lot("misread") >= share:
            return None
        others = [option for option in asked.options if option != asked.fact.key]
        return others[int(asked.call_lot("other") * len(others))]

    return Lack("eyes", other)


def panel_by_panel(share: float) -> Lack:
    """Misses single panels: the detail if it is of such a one, and the puzzle if any of them is."""

    def missed(asked: Asked) -> str | None:
        if not asked.pictures or asks(asked) in COUNTS:
            return None
        panels = [asked.item_lot(f"panel {k}") < share for k in range(PANELS)]
        return asked.toss() if panels[0] or (asks(asked) == "avr" and any(panels)) else None

    return Lack("eyes", missed)


def miscounts(share: float) -> Lack:
    """Counts panels wrongly in a share of the puzzles, which matters to nothing else."""

    def counted(asked: Asked) -> str | None:
        wrong = asks(asked) in COUNTS and asked.item_lot("count") < share
        return str(int(asked.fact.key) + 1) if wrong else None

    return Lack("counting", counted)


def slips(share: float) -> Lack:
    """Says anything on a share of all calls, whatever they are."""
    return Lack("slips", lambda a: guessed(a) if a.call_lot("slip") < share else None)


def puzzled(share: float, where: If = always) -> Lack:
    """Cannot work out a share of the puzzles, and guesses; sees everything."""
    return thinking(share, lambda a: asks(a) == "avr" and where(a))


def is_crowded(asked: Asked) -> bool:
    """More ink than in two of three published puzzles."""
    return _ink(asked.pictures[0]) > 0.085


@cache
def _ink(data: bytes) -> float:
    with Image.open(BytesIO(data)) as image:
        return float((np.asarray(image.convert("L")) < 128).mean())


def is_about_numbers(asked: Asked) -> bool:
    return asked.fact.levels["pattern"] in ("mathematical", "quantities")


@dataclass(frozen=True)
class Case:
    """What a fake lacks, and what must be seen of it in 20 exams."""

    by: tuple[Lack, ...]
    bars: tuple[Bar, ...]


def _only(faculty: str) -> tuple[Bar, ...]:
    return (exactly(faculty, least=NAMED),)


_NOT_THINKING = (accuses("thinking", "attention", "habit", "leaning", "form", most=1),)
CASES: Mapping[str, Case] = {
    "sound": Case((), (verdict("none", least=NAMED), faultless(least=20))),
    "looks-away-30": Case((looks_away(0.3),), _only("eyes")),
    "blind": Case((looks_away(1.0),), _only("eyes")),
    "blurred-30": Case((blurred(0.3),), _only("eyes")),
    "misreads-20": Case((misreads(0.2),), _only("eyes")),
    "crowded": Case((looks_away(1.0, is_crowded),), _only("eyes")),
    "puzzled-30": Case((puzzled(0.3),), _only("thinking")),
    "no-arithmetic": Case((puzzled(1.0, is_about_numbers),), _only("thinking")),
    "clueless": Case((puzzled(1.0),), _only("thinking")),
    # A few slips on five calls a puzzle are no failure to see. They make perception look unsure, though: now and then
    # thinking is left with the eyes.
    "puzzled-and-slips": Case((slips(0.02), puzzled(0.4)), (names("thinking", least=OFTEN), accuses("eyes", most=1))),
    "mixed": Case(
        (puzzled(0.3), looks_away(0.3)),
        (names("eyes", least=NAMED), accuses("attention", "habit", "leaning", "form", most=1)),
    ),
    "miscounts-50": Case((miscounts(0.5),), (faultless(least=NAMED),)),
    # What the one question about a detail does not show may be missed as well: that is not thinking.
    "panel-by-panel-3": Case((panel_by_panel(0.03),), _NOT_THINKING),
    "panel-by-panel-10": Case((panel_by_panel(0.1),), _NOT_THINKING),
}


@cache
def learned(where: str) -> Lesson:
    return lesson(marvel.TASK.load(where), 0, {})


def diagnosed(where: str, case: str, seeds: Sequence[int]) -> Iterator[Diagnosis]:
    """The diagnosis of one fake as often as there are seeds, each with luck of its own. Replies are set beside the keys
    here: the exam's reader is not what is looked at."""
    known = learned(where)
    items = {item.digest: item for item in known.task.items({}, known.task.design().n, 0)}
    spec = spec_of_task(known.task)
    for seed in seeds:
        mind = Mind(f"{case} {seed}", CASES[case].by, known)
        rows = [_row(mind, asked, items[asked.fact.item]) for asked in known.all_asked(mind.name)]
        frame = pl.DataFrame(rows, schema_overrides={"labels": pl.List(pl.String)})
        yield from LadderStudy(frame.with_columns(pl.col(_FIELDS).cast(pl.Categorical)), spec, 0).diagnoses


def _row(mind: Mind, asked: Asked, item: Any) -> dict[str, Any]:
    answer, levels = mind.decided(asked)[1], asked.fact.levels
    return {
        **{"task": "marvel", "item": item.id, "cluster": item.cluster, "subject": mind.name, "pack": ""},
        **{"paradigm": asked.fact.paradigm, "reason": "", "answer": answer, "key": asked.fact.key},
        **{"outcome": "right" if answer == asked.fact.key else "wrong", "labels": list(asked.options)},
        **{name: levels[name] for name in ("question", "words", "source", "pattern", "configuration")},
    }


def made_set(folder: Path, n: int) -> Path:
    """Puzzles in the format of the published set. They make no sense: fakes know the key by the picture."""
    (folder / "Marvel").mkdir(parents=True)
    labels = []
    for number in range(1, n + 1):
        x, y = 30 + 12 * (number % 10), 40 + 10 * (number // 10)
        shapes = ("circle", "square", "star", "triangle")
        panels = [
            {"marks": [{"shape": "circle", "x": x, "y": 30 + 20 * k, "size": 20, "fill": "none"}]} for k in range(4)
        ]
        choices = [{"marks": [{"shape": shape, "x": x, "y": y, "size": 24, "fill": "none"}]} for shape in shapes]
        (folder / "Marvel" / f"{number}.png").write_bytes(draw_puzzle(panels, choices, 1, 5).data)
        answer, (fine, distractor) = 1 + number % 4, (("left", "right"), ("right", "left"))[number // 4 % 2]
        labels.append(
            {
                **{"id": number, "pattern": "Temporal Movement", "task_configuration": "Sequence"},
                **{"avr_question": "Which one?", "explanation": "The circle moves.", "answer": answer},
                "f_perception_question": "A preface. Is the circle in choice 2 at the left or right part?",
                **{"f_perception_answer": fine, "f_perception_distractor": distractor},
                **{"c_perception_question_tuple": ["?", "?", "?"], "c_perception_answer_tuple": [5, 4, 9]},
            }
        )
    (folder / "marvel_label.json").write_text(json.dumps(labels), encoding="utf-8")
    return folder
