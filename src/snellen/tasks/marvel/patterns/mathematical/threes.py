"""Each line has the same three outlines, each once; with more rules also the same three small figures, three fills."""

from collections.abc import Callable, Sequence
from typing import Any

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.choices import draft, four, square, tetrad
from snellen.tasks.marvel.patterns.doodles import GLYPHS, Mark, glyph
from snellen.tasks.marvel.patterns.quantities.places import clutter
from snellen.tasks.marvel.patterns.quantities.symbols import FILLS, blot
from snellen.tasks.marvel.puzzle import Panel, PuzzleDraft, PuzzleWish

_OUTER = ("circle", "square", "triangle", "diamond", "pentagon", "hexagon")
_INNER = ("circle", "square", "triangle", "star", "cross", "heart")
_NAMES = ("shape A", "shape B", "shape C", "shape D", "shape E")
_SUBJECTS = ("outline", "inner figure", "fill of the inner figure")

Traits = Sequence[Any]
Draw = Callable[[Traits], list[Mark]]


def threes(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Choices first: four outlines, or two outlines with two inner figures (and two fills)."""
    draw, pools = _figures(rng, wish)
    rules = min(wish.rules, len(pools))
    choices, right = _choices(rng, pools[:rules])
    shifts = rng.sample((1, 2), 2)
    columns = [
        _arranged(
            rng, wish.lines, shifts[i % 2], _three(rng, [choice[i] for choice in choices], choices[right][i], pool)
        )
        for i, pool in enumerate(pools[:rules])
    ]

    def panel(traits: Traits) -> Panel:
        return {"marks": draw(traits) + clutter(rng, wish, ticks=True)}

    context = [panel([column[place] for column in columns]) for place in range(wish.lines * 3 - 1)]
    mechanisms = [_mechanism(choice, choices[right]) for choice in choices]
    subjects = ", ".join(_SUBJECTS[:rules][:-1]) + (" and " if rules > 1 else "") + _SUBJECTS[rules - 1]
    rule = f"In each row the same three kinds of {subjects} appear once each."
    return draft(context, [panel(choice) for choice in choices], right, mechanisms, rule, "each of three once")


def _figures(rng: Stream, wish: PuzzleWish) -> tuple[Draw, list[Sequence[str]]]:
    """How a panel is drawn, and which traits there are."""
    size = 52 if wish.clutter else 64
    inner, fill = rng.choice(_INNER), rng.choice(("black", "white"))
    if wish.shapes == "geometric":

        def draw(traits: Traits) -> list[Mark]:
            kind = traits[0]
            small = traits[1] if len(traits) > 1 else inner
            shade = traits[2] if len(traits) > 2 else fill
            outer = {"shape": kind, "x": 90, "y": 90, "size": size, "fill": "none"}
            return [outer, {"shape": small, "x": 90, "y": 94, "size": size // 4, "fill": shade}]

        return draw, [_OUTER, _INNER, FILLS]
    # From two bulges to six, so that nobody takes one for another.
    stamps = {name: blot(rng, name, 4 + 2 * i) for i, name in enumerate(rng.sample(_NAMES, len(_NAMES)))}
    sign = rng.choice(GLYPHS)

    def scribble(traits: Traits) -> list[Mark]:
        small = traits[1] if len(traits) > 1 else sign
        return [stamps[traits[0]](90, 90, size, "none"), glyph(small, 90, 90, size // 4)]

    return scribble, [_NAMES, GLYPHS]


def _choices(rng: Stream, pools: Sequence[Sequence[str]]) -> tuple[Sequence[Traits], int]:
    if len(pools) == 1:
        kinds, right = four(rng, pools[0])
        return [(one,) for one in kinds], right
    return square(rng, *pools) if len(pools) == 2 else tetrad(rng, *pools)


def _three(rng: Stream, offered: Sequence[str], right: str, pool: Sequence[str]) -> list[str]:
    """The right one first, then two others: those among the choices before any else."""
    others = [one for one in dict.fromkeys(offered) if one != right]
    rest = [one for one in pool if one not in offered]
    rng.shuffle(others)
    return [right, *(others + rng.sample(rest, len(rest)))[:2]]


def _arranged(rng: Stream, lines: int, shift: int, three: Sequence[str]) -> list[str]:
    """Lines of all three, each line shifted against the one before, the right one (the first of the three) last."""
    order = [three[0], *rng.sample(three[1:], 2)]
    last = 2 + shift * (lines - 1)
    return [order[(column + shift * line - last) % 3] for line in range(lines) for column in range(3)]


def _mechanism(found: Traits, wanted: Traits) -> str:
    wrong = [
        f"{subject} {one} instead of {other}"
        for subject, one, other in zip(_SUBJECTS, found, wanted, strict=False)
        if one != other
    ]
    return " and ".join(wrong)
