"""Each line has the same three outlines, each once; with more rules also the same three small figures, three fills."""

from collections.abc import Callable, Sequence
from typing import Any

from snellen.rng import Stream
from snellen.tasks.marvel.marks import CENTRE, Mark, figure
from snellen.tasks.marvel.patterns.choices import draft, instead, named, offer, slips
from snellen.tasks.marvel.patterns.clutter import rim_clutter
from snellen.tasks.marvel.patterns.doodles import GLYPHS, glyph
from snellen.tasks.marvel.patterns.quantities.symbols import FILLS, blot
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish

_OUTER = ("circle", "square", "triangle", "diamond", "pentagon", "hexagon")
_INNER = ("circle", "square", "triangle", "star", "cross", "heart")
_NAMES = ("shape A", "shape B", "shape C", "shape D", "shape E")
_SUBJECTS = ("outline", "inner figure", "fill of the inner figure")

Traits = Sequence[Any]
Draw = Callable[[Traits], list[Mark]]


def threes(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Choices first: four outlines, or two outlines with two inner figures (and two fills)."""
    draw, pools = _figures(rng, wish)
    pools = pools[: wish.rules]
    choices, right = offer(rng, *pools)
    shifts = rng.sample((1, 2), 2)
    columns = [
        _column(rng, wish.lines, shifts[i % 2], [choice[i] for choice in choices], choices[right][i], pool)
        for i, pool in enumerate(pools)
    ]

    def show(traits: Traits) -> list[Mark]:
        return draw(traits) + rim_clutter(rng, wish, ticks=True)

    told = [[column[place] for column in columns] for place in range(wish.lines * 3 - 1)]
    subjects = _SUBJECTS[: len(pools)]
    wrong = slips(choices, right, *(named(f"{subject} ", instead) for subject in subjects))
    listed = ", ".join(subjects[:-1]) + (" and " if len(subjects) > 1 else "") + subjects[-1]
    rule = f"In each row the same three kinds of {listed} appear once each."
    return draft(map(show, told), map(show, choices), right, wrong, rule, "each of three once")


def _figures(rng: Stream, wish: PuzzleWish) -> tuple[Draw, list[Sequence[str]]]:
    """How a panel is drawn, and which traits there are."""
    size = 52 if wish.clutter else 64
    inner, fill = rng.choice(_INNER), rng.choice(("black", "white"))
    if wish.shapes == "geometric":

        def draw(traits: Traits) -> list[Mark]:
            small = traits[1] if len(traits) > 1 else inner
            shade = traits[2] if len(traits) > 2 else fill
            return [figure(traits[0], CENTRE, size), figure(small, (90, 94), 3 * size // 10, shade)]

        return draw, [_OUTER, _INNER, FILLS]
    # From two bulges to six, so that nobody takes one for another.
    stamps = {name: blot(rng, name, 4 + 2 * i) for i, name in enumerate(rng.sample(_NAMES, len(_NAMES)))}
    sign = rng.choice(GLYPHS)

    def scribble(traits: Traits) -> list[Mark]:
        small = traits[1] if len(traits) > 1 else sign
        return [stamps[traits[0]](CENTRE, size, "none"), glyph(small, *CENTRE, 3 * size // 10)]

    return scribble, [_NAMES, GLYPHS]


def _column(rng: Stream, lines: int, shift: int, offered: Sequence[str], right: str, pool: Sequence[str]) -> list[str]:
    """Lines of the right kind and two others (those among the choices before any else), each line shifted against the
    one before, the right one last."""
    others = [kind for kind in dict.fromkeys(offered) if kind != right]
    rest = [kind for kind in pool if kind not in offered]
    rng.shuffle(others)
    order = [right, *rng.sample((others + rng.sample(rest, len(rest)))[:2], 2)]
    last = 2 + shift * (lines - 1)
    return [order[(column + shift * line - last) % 3] for line in range(lines) for column in range(3)]
