"""Pictures that differ from an item's in one thing that an answer may hang on: what eyes must tell apart.

Each task says what its levels are and which pictures rival that of an item. The things that are changed are drawn by
the task itself, from a changed truth, so that nothing but them differs.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from snellen.item import Condition, Item, Picture, content_digest
from snellen.rng import Stream, stream
from snellen.tasks import pack_of, task
from snellen.tasks.capacity.kinds import kind_of
from snellen.tasks.task import Task

RIVALS = 4
_TRIES = 60
Truth = dict[str, Any]
Pictures = tuple[Picture, ...]
Candidates = list[Pictures]


class Asked(NamedTuple):
    """What an exam asks a model: a task under a design, and the levels of its factors by level."""

    task: str
    design: str
    levels: Mapping[str, Mapping[str, tuple[str, ...]]]


@dataclass(frozen=True)
class Graded:
    """Something with levels, easiest first as meant. `candidates(level, index)`: the pictures of an item, and those of
    `rivals` others that differ from it in one thing (`differs`); fewer where no more can be made. `work(level, index)`:
    the difficulty that the maker notes in an item, and `unit` what it counts."""

    name: str
    levels: tuple[str, ...]
    differs: str
    candidates: Callable[[str, int], Candidates]
    asked: Asked
    rivals: int = RIVALS
    unit: str = ""
    work: Callable[[str, int], float] | None = None


# Capacity: one thing of the truth is changed and all is drawn again


def _maze(truth: Truth, rng: Stream) -> None:
    on = [digit for digit, cell in truth["digits"].items() if cell in truth["route"]]
    off = [digit for digit in truth["digits"] if digit not in on]
    digits, one, other = truth["digits"], rng.choice(on), rng.choice(off)
    digits[one], digits[other] = digits[other], digits[one]


def _gomoku(truth: Truth, rng: Stream) -> None:
    """A piece changes sides; its colour stays."""
    rows = [row.split() for row in truth["board"]]
    held = [(r, c) for r, row in enumerate(rows) for c, piece in enumerate(row) if piece != "."]
    mixed = sorted({row[c][0] for row in rows for c in range(len(row)) if row[c][0] not in ".o"})
    r, c = rng.choice(held)
    look = "o" if rows[r][c][0] != "o" else rng.choice(mixed)
    rows[r][c] = look + rows[r][c][1:]
    truth["board"] = [" ".join(row) for row in rows]


def _unblock(truth: Truth, rng: Stream) -> None:
    """A block stands one cell further along its way, where that is free."""

    def cells(block: list[Any]) -> set[tuple[int, int]]:
        _, row, column, length, upright = block
        return {(row + k, column) if upright else (row, column + k) for k in range(length)}

    number, by = rng.below(len(truth["blocks"])), rng.choice((-1, 1))
    block = list(truth["blocks"][number])
    block[1 if block[4] else 2] += by
    taken = {cell for k, other in enumerate(truth["blocks"]) if k != number for cell in cells(other)}
    if not cells(block) & taken and all(0 <= at < truth["extent"] for cell in cells(block) for at in cell):
        truth["blocks"][number] = block


def _jigsaw(truth: Truth, rng: Stream) -> None:
    """One cut between two pieces has another outline."""
    rows = truth[rng.choice(("level", "upright"))]
    cut = rng.choice(rng.choice(rows))
    cut[0] = rng.choice(sorted({edge[0] for row in rows for edge in row} - {cut[0]}))


def _chart(truth: Truth, rng: Stream) -> None:
    """One value is a step higher or lower."""
    chart = truth["chart"]
    values = rng.choice(chart["values"])
    place, step = rng.below(len(values)), chart.get("minor") or chart["step"]
    value = values[place] + rng.choice((-1, 1)) * step
    if 0 < value <= chart["top"]:
        values[place] = value


def _less(truth: Truth, rng: Stream) -> None:
    """One thing less, or another in its place: an entry of a list of what is there goes, or two change places."""
    lists = [found for found in _lists(truth) if len(found) > 2 and isinstance(found[0], dict | list)]
    found = rng.choice(lists)
    one, other = rng.sample(range(len(found)), 2)
    if rng.chance():
        del found[one]
    else:
        found[one], found[other] = found[other], found[one]


def _lists(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _lists(part)


CHANGES: Mapping[str, tuple[Callable[[Truth, Stream], None], str]] = {
    "maze": (_maze, "a digit on the route and one off it exchanged"),
    "gomoku": (_gomoku, "a piece that changes sides"),
    "unblock": (_unblock, "a block one cell further"),
    "jigsaw": (_jigsaw, "one cut with another outline"),
    "chart": (_chart, "one value a step higher or lower"),
    "sandbagging": (_less, "one thing less, or two exchanged"),
    "counterfactual": (_less, "one thing less, or two exchanged"),
    "wrong_answer": (_less, "one thing less, or two exchanged"),
}
SIZES = ("tiny", "small", "shuffled", "standard", "large", "huge", "chained")
UNITS = {"maze": "cells of the route", "unblock": "moves"}


def _rivals(kind: str, size: str, index: int) -> Candidates:
    made = kind_of(kind)
    truth = made.make(stream(index, "difficulty", kind, size), size, index)
    shown, rng = made.show(truth), stream(index, "rivals", kind, size)
    candidates = [shown]
    for _ in range(_TRIES):
        other = json.loads(json.dumps(truth))
        try:
            CHANGES[kind][0](other, rng)
            drawn = made.show(other)
        except (IndexError, KeyError, TypeError, ValueError):  # the change left something that cannot be drawn
            continue
        if len(drawn) == len(shown) and all(_digests(drawn) != _digests(known) for known in candidates):
            candidates.append(drawn)
        if len(candidates) > RIVALS:
            break
    return candidates


def _digests(pictures: Pictures) -> list[str]:
    return [picture.digest for picture in pictures]


def _work(kind: str, size: str, index: int) -> float:
    return float(kind_of(kind).make(stream(index, "difficulty", kind, size), size, index)["difficulty"])


def _capacity() -> Iterator[Graded]:
    for kind, (_, differs) in CHANGES.items():
        sizes = tuple(size for size in SIZES if size in kind_of(kind).sizes)
        exam = {size: {"kind": (kind,), "size": (size,)} for size in sizes}
        graded = Graded(kind, sizes, differs, partial(_rivals, kind), Asked("capacity", "paper", exam))
        yield replace(graded, unit=UNITS[kind], work=partial(_work, kind)) if kind in UNITS else graded


# The other tasks: items as an exam makes them


@dataclass(frozen=True)
class _Shown:
    """Items of a task with their pictures."""

    name: str

    @property
    def task(self) -> Task:
        return task(self.name)

    def item(self, levels: Mapping[str, str], index: int) -> Item:
        return self.task.item(levels, index, 0)  # type: ignore[misc]  # both tasks make single items

    def pictures(self, item: Item, **condition: str) -> Pictures:
        default = {factor.name: factor.levels[0] for factor in self.task.factors if not factor.of_item}
        return self.task.stimulus(item, Condition({**default, **condition}), pack_of(self.task)).pictures


def _changed(item: Item, number: int, **truth: Any) -> Item:
    """Another item with this in its truth."""
    name = f"{item.id}/{number}"
    return replace(item, id=name, digest=content_digest(name), truth={**item.truth, **truth})


def _boards(game: str, size: str, index: int, rendering: str = "base") -> Candidates:
    """One piece of the board belongs to the other player."""
    shown = _Shown("fixation")
    item = shown.item({"game": game, "states": "fresh", "size": size}, index)
    cells, rng = item.truth["cells"], stream(index, "rivals", game, size)
    held = [place for place, cell in enumerate(cells) if cell in "12"]
    boards = [cells]
    for place in rng.sample(held, RIVALS):
        boards.append(cells[:place] + ("2" if cells[place] == "1" else "1") + cells[place + 1 :])
    items = [_changed(item, k, cells=board) for k, board in enumerate(boards)]
    return [shown.pictures(other, rendering=rendering) for other in items]


_PLAIN = {
    **{"rule": ("standard",), "target": ("winner",), "prompt": ("base",), "rendering": ("base",)},
    **{"order": ("image_first",), "response": ("direct",), "modality": ("image",)},
}


def _fixation() -> Iterator[Graded]:
    differs = "a piece of the other player"
    for game in ("tictactoe", "reversi", "connect4", "dots_boxes"):
        exam = {size: {**_PLAIN, "game": (game,), "size": (size,)} for size in ("small", "medium", "large")}
        yield Graded(f"fixation: {game}", (*exam,), differs, partial(_boards, game), Asked("fixation", "main", exam))
    large = {**_PLAIN, "game": ("reversi",), "size": ("large",)}
    exam = {name: {**large, "rendering": (name,)} for name in ("base", "checkerboard", "glyph")}
    yield Graded("fixation: rendering", (*exam,), f"{differs}, large Reversi", _drawn, Asked("fixation", "main", exam))


def _drawn(rendering: str, index: int) -> Candidates:
    return _boards("reversi", "large", index, rendering)


_PATTERNS = (("temporal", "sequence"), ("quantities", "matrix"), ("2d", "group"), ("spatial", "two-row"))


def _choices(level: str, index: int) -> Candidates:
    """The puzzle with its choices as they are, and with the right one exchanged with each of the others."""
    rules, closeness, clutter = level.split()
    pattern, configuration = _PATTERNS[index % len(_PATTERNS)]
    kind = {"pattern": pattern, "configuration": configuration, "shapes": "geometric"}
    shown = _Shown("marvel")
    item = shown.item({**kind, "rules": rules, "closeness": closeness, "clutter": clutter}, index // len(_PATTERNS))
    right, candidates = item.truth["answer"], [shown.pictures(item)]
    for other in range(len(item.truth["choices"])):
        if other != right:
            choices = list(item.truth["choices"])
            choices[right], choices[other] = choices[other], choices[right]
            candidates.append(shown.pictures(_changed(item, other, choices=choices)))
    return candidates


_PUZZLES = {"question": ("avr",), "words": ("none",), "shots": ("zero",)}


def _marvel() -> Graded:
    levels = [f"{rules} far none" for rules in "123"] + [f"{rules} near none" for rules in "123"] + ["3 near some"]
    exam = {}
    for level in levels:
        rules, closeness, clutter = level.split()
        exam[level] = {"rules": (rules,), "closeness": (closeness,), "clutter": (clutter,), **_PUZZLES}
    asked = Asked("marvel", "paper", exam)
    return Graded("marvel", (*levels,), "the right choice exchanged with another", _choices, asked, rivals=3)


_COUNTED = ("dog", "spider", "starfish", "chess-board-rows", "us-flag", "three-stripe-mark", "clock", "fork")


def _counts(resolution: str, index: int) -> Candidates:
    """The thing with an unusual and with its usual number of parts."""
    shown = _Shown("bias")
    item = shown.item({"source": "things", "kind": _COUNTED[index % len(_COUNTED)]}, index // len(_COUNTED))
    drawings = ("counterfactual", "ordinary")
    return [shown.pictures(item, drawing=drawing, resolution=resolution) for drawing in drawings]


_COUNT = {"drawing": ("counterfactual",), "prompt": ("base",), "view": ("upright",), "name": ("class",)}


def _bias() -> Graded:
    exam = {side: {**_COUNT, "resolution": (side,)} for side in ("1024", "640", "320")}
    asked = Asked("bias", "sharpness", exam)
    return Graded("bias", (*exam,), "one part more or less", _counts, asked, rivals=1)


def every() -> dict[str, Graded]:
    return {graded.name: graded for graded in (*_capacity(), *_fixation(), _marvel(), _bias())}
