"""What was watched, on disk: pictures as the model sees them, and what was said about them.

A part of an exam makes two files: NAME-PART.npy, pictures one after the other, and NAME-PART.json, its sheets. They
are read where they lie, by as many processes as there are.
"""

import json
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recipes.small.drawing import drawn
from recipes.small.looking import seen
from recipes.small.sheets import SIDE, Said, Sheet
from recipes.small.watching import WATCHED, Heard, Sitting, watch
from snellen.item import Picture
from snellen.rng import Stream

FOLDER = "watched"
_OFTEN = {"marvel": 3.0, "winoground": 3.0, "bongard": 3.0, "bias": 2.0}
_CAPACITY = 0.45
_WORDS = 0.25
"""How often something in words alone is taken, where an exam has both."""
_HELD_OUT = 20
"""Every so manyth sheet is never learnt from."""
_SAID = 3
"""At most so many questions of one sheet at once."""


# Making


def fill(folder: Path, workers: int, sittings: Iterable[Sitting] = WATCHED) -> dict[str, Any]:
    """Watch what has not been watched yet, in so many processes. What there is, by kind, and what was left out."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = [
        (folder, number, sitting, part) for number, sitting in enumerate(sittings) for part in range(sitting.parts)
    ]
    missing = [each for each in parts if not _path(*each).exists()]
    if workers:
        with ProcessPoolExecutor(workers, get_context("spawn")) as processes:
            list(processes.map(_write, missing))
    else:
        list(map(_write, missing))
    return _told(_path(*each) for each in parts)


def _path(folder: Path, number: int, sitting: Sitting, part: int) -> Path:
    return folder / f"{number:02d}-{sitting.name.replace(' ', '-')}-{part:03d}.json"


def _write(which: tuple[Path, int, Sitting, int]) -> None:
    """The pictures first: where there are words, there are pictures."""
    _, _, sitting, part = which
    watched = watch(sitting, part)
    places: dict[str, int] = {}
    pictures: list[NDArray[np.uint8]] = []
    for picture in (picture for heard in watched.heard for picture in heard.pictures):
        if picture.digest not in places:
            places[picture.digest] = len(pictures)
            pictures.append(seen(picture))
    path = _path(*which)
    np.save(path.with_suffix(".npy"), np.stack(pictures) if pictures else np.zeros((0, SIDE, SIDE, 3), np.uint8))
    content = {"name": sitting.name, "sheets": _sheets(watched.heard, places), "left out": dict(watched.left_out)}
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(content), encoding="utf-8")
    fresh.replace(path)


def _sheets(heard: list[Heard], places: dict[str, int]) -> list[dict[str, Any]]:
    """Calls about the same pictures together; each in words alone by itself."""
    together: dict[tuple[int, ...], dict[str, Any]] = {}
    for number, call in enumerate(heard):
        shown = tuple(places[picture.digest] for picture in call.pictures)
        sheet = together.setdefault(shown or (-1 - number,), {"pictures": shown, "said": []})
        here = {picture.digest: place for place, picture in enumerate(call.pictures)}
        parts = [here[part.digest] if isinstance(part, Picture) else part for part in call.parts]
        sheet["said"].append([call.kind, parts, call.answer])
    return list(together.values())


def _told(paths: Iterable[Path]) -> dict[str, Any]:
    heard, left_out = Counter[str](), Counter[str]()
    for path in paths:
        content = json.loads(path.read_text(encoding="utf-8"))
        heard.update(kind for sheet in content["sheets"] for kind, _, _ in sheet["said"])
        left_out.update(content["left out"])
    return {"watched": dict(sorted(heard.items())), "left out": dict(sorted(left_out.items()))}


# Taking out


@dataclass(frozen=True, slots=True)
class _Entry:
    file: Path
    pictures: tuple[int, ...]
    said: tuple[Said, ...]


class Pool:
    """All that was watched, by name of the exam; with pictures and without."""

    def __init__(self, folder: Path) -> None:
        self._shown: dict[str, list[_Entry]] = {}
        self._worded: dict[str, list[_Entry]] = {}
        for path in sorted(folder.glob("*.json")):
            content = json.loads(path.read_text(encoding="utf-8"))
            for sheet in content["sheets"]:
                said = tuple(Said(kind, tuple(parts), answer) for kind, parts, answer in sheet["said"])
                entry = _Entry(path.with_suffix(".npy"), tuple(sheet["pictures"]), said)
                kept = self._shown if entry.pictures else self._worded
                kept.setdefault(content["name"], []).append(entry)
        self._shares = {name: _OFTEN.get(name, _CAPACITY) for name in {**self._shown, **self._worded}}

    def __len__(self) -> int:
        return sum(len(entries) for kept in (self._shown, self._worded) for entries in kept.values())

    def sheet(self, rng: Stream, *, held_out: bool = False) -> Sheet:
        """One of the sheets, or of those that are never learnt from."""
        name = drawn(rng, self._shares)
        shown, worded = (kept.get(name, []) for kept in (self._shown, self._worded))
        entries = worded if worded and (not shown or rng.chance(_WORDS)) else shown
        entry = entries[_place(rng, len(entries), held_out)]
        said = rng.sample(entry.said, min(_SAID, len(entry.said)))
        return Sheet(tuple(_pictures(entry.file)[k] for k in entry.pictures), tuple(said))


def _place(rng: Stream, count: int, held_out: bool) -> int:
    """Every twentieth is held out; of a few, none can be spared."""
    if count < _HELD_OUT:
        return rng.below(count)
    if held_out:
        return _HELD_OUT * rng.below(count // _HELD_OUT)
    place = rng.below(count - -(-count // _HELD_OUT))
    return place + 1 + place // (_HELD_OUT - 1)


@cache
def _pictures(file: Path) -> NDArray[np.uint8]:
    pictures: NDArray[np.uint8] = np.load(file, mmap_mode="r")
    return pictures
