"""How a relation between figures runs through a puzzle: always the same, by turns, column by column, each once a row.

An **aspect** is one thing a panel can be like ("the small figure is": inside the large one, on its edge, outside it).
The four choices come first: four values of one aspect, or two values each of two aspects in all combinations. Then the
right one, evenly; then a schedule of values that ends in it. Whatever else a panel shows (which figures, clutter) is
drawn anew for each panel, but once for the blank: it is the same in all four choices, and only the aspects tell them
apart.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from snellen.rng import Stream
from snellen.tasks.marvel.marks import Mark, Spot, figure, moved
from snellen.tasks.marvel.patterns.choices import Course, draft, instead, offer, slips
from snellen.tasks.marvel.patterns.clutter import cluttered, corner_clutter
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish

Values = tuple[str, ...]
Show = Callable[[Values, int], list[Mark]]
"""The marks for these values of the aspects in this panel (the blank is the last)."""


@dataclass(frozen=True, slots=True)
class RelationAspect:
    """`what` it is about ("the small figure is") and its values; a `steady` one is the same in the whole puzzle."""

    what: str
    values: Sequence[str]
    steady: bool = False


@dataclass(frozen=True, slots=True)
class FigureCast:
    """Who stands in each panel: figures by their kinds, or, where there are any, blobs made for the size `of`."""

    kinds: Sequence[Sequence[str]]
    blobs: Sequence[Sequence[Mark]] = ()
    of: int = 0

    def put(self, panel: int, which: int, spot: Spot, size: int, fill: str = "none") -> Mark:
        if not self.blobs:
            return figure(self.kinds[panel][which], spot, size, fill)
        blob = self.blobs[panel][which]
        return moved(blob, spot, size=size, of=self.of, fill=fill) if self.of else moved(blob, spot, fill=fill)


def kinds_for(rng: Stream, wish: PuzzleWish, kinds: Sequence[str], number: int) -> list[list[str]]:
    """Which figures each panel has, all different within a panel."""
    return [rng.sample(kinds, number) for _ in range(wish.lines * wish.length)]


def tell(rng: Stream, wish: PuzzleWish, family: str, show: Show, *aspects: RelationAspect) -> PuzzleDraft:
    """The draft of one aspect, of which four values are the choices, or of two, of which two values each are."""
    choices, right = offer(rng, *(aspect.values for aspect in aspects))
    plans = []
    for place, aspect in enumerate(aspects):
        wanted = choices[right][place]
        wrong = sorted({choice[place] for choice in choices} - {wanted})
        plans.append(_schedule(rng, wish, aspect, wanted, wrong))
    blank = wish.lines * wish.length - 1
    places = [divmod(place, wish.length) for place in range(blank)]
    values = [tuple(plan.values[line][column] for plan in plans) for line, column in places]
    context, shown = cluttered(
        corner_clutter(rng, wish),
        (show(panel, number) for number, panel in enumerate(values)),
        (show(choice, blank) for choice in choices),
    )
    rule = " ".join(plan.words for plan in plans)
    return draft(context, shown, right, slips(choices, right, *(instead,) * len(aspects)), rule, family)


def _schedule(
    rng: Stream, wish: PuzzleWish, aspect: RelationAspect, wanted: str, wrong: Sequence[str]
) -> Course[list[str]]:
    """The values of an aspect in all panels, the wanted one last, and the rule in words."""
    others = rng.sample(wrong, len(wrong))
    others += rng.sample(rest := [value for value in aspect.values if value not in (wanted, *wrong)], len(rest))
    if wish.configuration == "group" or aspect.steady:
        return Course([[wanted] * wish.length for _ in range(wish.lines)], f"In all panels {aspect.what} {wanted}.")
    if wish.lines == 1:
        return _along(rng, wish.length, aspect.what, wanted, others)
    return _in_rows(rng, wish.lines, aspect.what, wanted, others)


def _along(rng: Stream, length: int, what: str, wanted: str, others: Sequence[str]) -> Course[list[str]]:
    """In a sequence: always the same, two values by turns, or three."""
    kinds = ["same", "turns", "turns"] + (["three"] * 2 if length > 4 and len(others) > 1 else [])
    kind = rng.choice(kinds)
    if kind == "same":
        return Course([[wanted] * length], f"In all panels {what} {wanted}.")
    cycle = [*others[: 2 if kind == "three" else 1], wanted]
    values = [cycle[(k - length) % len(cycle)] for k in range(length)]
    return Course([values], f"From panel to panel {what} in turn {', '.join(values[: len(cycle)])}, and so on.")


def _in_rows(rng: Stream, lines: int, what: str, wanted: str, others: Sequence[str]) -> Course[list[str]]:
    """In rows: a value for each column, a value for each row, or each of three values once in every row."""
    kind = rng.choice(["columns", "columns", "rows"] + (["once"] if len(others) > 1 else []))
    if kind == "rows":
        firsts = [others[i % len(others)] for i in range(lines - 1)]
        rows = [[value] * 3 for value in (*firsts, wanted)]
        return Course(rows, f"In each row {what} the same in all panels: {', '.join((*firsts, wanted))}.")
    if kind == "columns":
        row = [*(others[:2] if len(others) > 1 else rng.choice(((others[0], wanted), (others[0],) * 2))), wanted]
        return Course([list(row) for _ in range(lines)], f"In each row {what} {row[0]}, then {row[1]}, then {row[2]}.")
    last = [*others[:2], wanted]
    shifts = rng.sample((1, 2), lines - 1)
    rows = [last[shift:] + last[:shift] for shift in shifts] + [last]
    return Course(rows, f"In each row {what} once {last[0]}, once {last[1]} and once {last[2]}.")
