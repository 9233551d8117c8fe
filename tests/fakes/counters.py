"""A made set in the format of the published VLMBias, and fakes that count on its pictures.

A thing is a body in a colour of its own with dark parts below it; unmodified pictures have the usual number of parts,
modified ones one more or one fewer. The fakes get words and picture bytes and nothing else: they count dark spots, and
know what a thing is, and so what is usual, by the colour of its body.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import polars as pl
from PIL import Image, ImageDraw
from scipy import ndimage

from fakes.server import Mind, Part, lot

TAIL = "Answer with a number in curly brackets, e.g., {9}."
THINGS = 40
"""Half of them animals, which have one part more, half flags, with one more or one fewer: as in the published set."""
_TOLD = re.compile(r"in the form that the question asks for:\s*(\d+)")
_STATED = re.compile(r"exactly (\d+) dot")
_COLOURS = tuple((r, g, b) for r in (120, 160, 200) for g in (110, 170, 210) for b in (130, 180, 220))
_USUAL = {colour: 2 + k % 6 for k, colour in enumerate(_COLOURS)}


def write_set(folder: Path, seed: int, *, original: bool = True) -> Path:
    """The set of this seed: modified pictures with both questions, and unmodified ones."""
    made = {
        "main": list(_rows(seed, modified=True)),
        **({"original": list(_rows(seed, modified=False))} if original else {}),
    }
    for split, rows in made.items():
        (folder / "data").mkdir(parents=True, exist_ok=True)
        pl.DataFrame(rows).write_parquet(folder / "data" / f"{split}-00000-of-00001.parquet")
    return folder


def _rows(seed: int, *, modified: bool) -> Iterator[dict[str, Any]]:
    random = Random(f"{seed} {modified}")
    for k in range(THINGS):
        colour, flag = _COLOURS[k % len(_COLOURS)], k >= THINGS // 2
        usual = _USUAL[colour]
        count = usual + (0 if not modified else -1 if flag and k % 2 else 1)
        questions = ("How many stars are there on this flag?", "Count the stars on this flag.")
        if not flag:
            questions = ("How many legs does this animal have?", "Count the legs of this animal.")
        shown = _drawn(colour, count, random)
        for name, question in zip(("Q1", "Q2"), questions, strict=True):
            yield {
                "image": {"bytes": shown, "path": None},
                "ID": f"thing-{k}",
                "image_path": f"{'flags' if flag else 'animals'}/thing{chr(97 + k // 26)}{chr(97 + k % 26)}.png",
                "topic": "Flags" if flag else "Animals",
                "sub_topic": "",
                "prompt": f"{question} {TAIL}",
                "ground_truth": str(count),
                "expected_bias": str(usual),
                "type_of_question": name,
                "pixel": 384,
            }


def _drawn(colour: tuple[int, int, int], count: int, random: Random) -> bytes:
    image = Image.new("RGB", (384, 256), "white")
    pen = ImageDraw.Draw(image)
    left, top = random.randint(5, 40), random.randint(10, 60)
    pen.rectangle((left, top, left + 330, top + 70), fill=colour)
    for k in range(count):
        x, long = left + 12 + 36 * k + random.randint(0, 8), random.randint(40, 100)
        pen.rectangle((x, top + 74, x + 14, top + 74 + long), fill=(20, 20, 20))
    file = BytesIO()
    image.save(file, "png")
    return file.getvalue()


@dataclass(frozen=True)
class Look:
    """What there is in a picture: how many dark spots, the usual number of the thing (0 if it is none), its bytes."""

    count: int
    usual: int
    data: bytes

    @property
    def is_thing(self) -> bool:
        return self.usual > 0


Lack = Callable[[Look], int | None]
"""What is said of a picture in a wrong way of one's own; None if nothing is in the way."""


def counter(name: str, *lacks: Lack) -> Mind:
    """Says what it is told, reads numbers in words, and counts in pictures, but for what it lacks."""

    def mind(parts: Sequence[Part]) -> str:
        words = " ".join(part for part in parts if isinstance(part, str))
        pictures = [part for part in parts if isinstance(part, bytes)]
        if not pictures:
            stated = _TOLD.search(words) or _STATED.search(words)
            return f"{{{stated[1]}}}" if stated else "I was shown no picture."
        look = looked_at(pictures[0])
        answers = (lack(look) for lack in lacks)
        return f"{{{next((answer for answer in answers if answer is not None), look.count)}}}"

    return mind


@lru_cache(maxsize=1000)
def looked_at(data: bytes) -> Look:
    with Image.open(BytesIO(data)) as image:
        shown = image.convert("RGB")
    body = {colour: n for n, colour in shown.getcolors(1 << 20) if colour in _USUAL and n > 5000}
    usual = next((_USUAL[colour] for colour in body), 0)
    return Look(int(ndimage.label(np.asarray(shown.convert("L")) < 100)[1]), usual, data)


def habit(share: float) -> Lack:
    """Knows the thing and says what is usual, of a share of the things."""
    return lambda look: look.usual if look.is_thing and lot("habit", look.data) < share else None


def miscounts(share: float, by: Sequence[int] = (-1, 1), *, dots: bool) -> Lack:
    """Is off by one of these numbers, in a share of the pictures of things; of dots, too, if `dots`."""

    def off(look: Look) -> int | None:
        if not (dots or look.is_thing) or lot("eyes", look.data) >= share:
            return None
        return max(look.count + by[int(lot("by", look.data) * len(by))], 0)

    return off


def knows_without_seeing() -> Lack:
    """Sees no parts at all: says what is usual of a thing that it knows, and anything of dots."""
    return lambda look: look.usual or 1 + int(lot("guess", look.data) * 20)


def is_confused(share: float) -> Lack:
    """Is far off, either way, wherever a thing is not as usual."""

    def off(look: Look) -> int | None:
        odd = look.is_thing and look.count != look.usual and lot("confused", look.data) < share
        return look.count + 3 + int(lot("far", look.data) * 3) if odd else None

    return off


MINDS: dict[str, Mind] = {
    "sound": counter("sound"),
    "habit-100": counter("habit-100", habit(1.0)),
    "habit-60": counter("habit-60", habit(0.6)),
    "weak-eyes": counter("weak-eyes", miscounts(0.4, dots=True)),
    "weak-in-pictures": counter("weak-in-pictures", miscounts(0.5, dots=False)),
    "misses-a-part": counter("misses-a-part", miscounts(0.6, (-1,), dots=False)),
    "knows-without-seeing": counter("knows-without-seeing", knows_without_seeing()),
    "habit-and-weak": counter("habit-and-weak", habit(0.5), miscounts(0.4, dots=False)),
    "confused": counter("confused", is_confused(0.6)),
}
"""Every fake by name, after what it lacks."""
EXPECTED: dict[str, frozenset[str]] = {
    "sound": frozenset(),
    "habit-100": frozenset({"habit"}),
    "habit-60": frozenset({"habit"}),
    "weak-eyes": frozenset({"eyes"}),
    "weak-in-pictures": frozenset({"clutter"}),
    "misses-a-part": frozenset({"clutter"}),
    "knows-without-seeing": frozenset({"eyes"}),
    "confused": frozenset(),  # something is lost where a thing is not as usual, and it is not the usual number
}
"""What is named, and nothing else: written down before any of them was examined. Of two faults at once habit must be
among those that are named, see the test."""
