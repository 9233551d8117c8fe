"""Puzzles from a seed: a pattern thinks of one, an independent solver must find the same answer, or it is thrown away.

A puzzle is made from its kind, its index and the seed alone, so any one can be made without the others.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from snellen.rng import Stream, stream
from snellen.tasks.marvel.draw.difference import choices_visibly_differ
from snellen.tasks.marvel.patterns.family import PatternFamily
from snellen.tasks.marvel.puzzle import CHOICES, LAYOUTS, Panel, Puzzle, PuzzleDraft, PuzzleWish
from snellen.tasks.marvel.solve import solve
from snellen.tasks.task import Levels, combinations

_MODULES = {
    "temporal": "temporal",
    "spatial": "spatial",
    "quantities": "quantities",
    "mathematical": "mathematical",
    "2d": "plane",
    "3d": "solid",
}
_PATIENCE = 400
"""Drafts tried for one puzzle. Most patterns need one or two; running out of these means a pattern is broken."""


@dataclass(frozen=True, slots=True)
class MadePuzzle:
    """A puzzle, and how many drafts before it were discarded: the solver found several choices consistent
    (`ambiguous`), or another one than was meant (`contrary`), or two choices differed too little to be seen
    (`faint`)."""

    puzzle: Puzzle
    ambiguous: int
    contrary: int
    faint: int = 0

    @property
    def discarded(self) -> int:
        return self.ambiguous + self.contrary + self.faint


@cache
def families(pattern: str, configuration: str, shapes: str) -> tuple[PatternFamily, ...]:
    """The families of rules that can be asked for this."""
    module = import_module(f"snellen.tasks.marvel.patterns.{_MODULES[pattern]}")
    listed: tuple[PatternFamily, ...] = module.FAMILIES
    return tuple(f for f in listed if configuration in f.configurations and shapes in f.shapes)


def kinds(levels: Levels) -> Iterator[dict[str, str]]:
    """The combinations of these levels that puzzles exist for: not every pattern fits every configuration."""
    return (
        kind
        for kind in combinations(levels)
        if families(kind["pattern"], kind["configuration"], kind.get("shapes", "geometric"))
    )


def make(
    kind: Mapping[str, str],
    index: int,
    seed: int,
    purpose: str = "puzzle",
    accept: Callable[[Puzzle], bool] = lambda puzzle: True,
) -> MadePuzzle:
    """The index-th puzzle of a kind, the first that can be accepted."""
    identity = "/".join(f"{kind[name]}" for name in ("pattern", "configuration", "shapes"))
    hardness = "".join(kind[name][0] for name in ("rules", "closeness", "clutter"))
    name = f"{identity}/{hardness}/{purpose}-{seed}/{index:05}"
    rng = stream(seed, "marvel", purpose, *(kind[factor] for factor in sorted(kind)), index)
    place = _place(kind, index, seed, purpose)
    fitting = families(kind["pattern"], kind["configuration"], kind["shapes"])
    ambiguous = contrary = faint = 0
    for _ in range(_PATIENCE):
        wish = _wish(kind, rng)
        draft = rng.choice(fitting).make(rng, wish)
        if draft is None:
            continue
        puzzle = _arranged(draft, kind, wish, name, place, rng)
        solved = solve(puzzle)
        if solved != (puzzle.answer,):
            ambiguous += len(solved) != 1
            contrary += len(solved) == 1
        elif not choices_visibly_differ(puzzle):
            faint += 1
        elif accept(puzzle):
            return MadePuzzle(puzzle, ambiguous, contrary, faint)
    raise RuntimeError(f"no puzzle came of {_PATIENCE} drafts for {name}")


def _place(kind: Mapping[str, str], index: int, seed: int, purpose: str) -> int:
    """Where the right choice stands: of every four puzzles of a kind, once in each place."""
    places = list(range(CHOICES))
    stream(seed, "marvel places", purpose, *(kind[factor] for factor in sorted(kind)), index // CHOICES).shuffle(places)
    return places[index % CHOICES]


def _wish(kind: Mapping[str, str], rng: Stream) -> PuzzleWish:
    configuration = kind["configuration"]
    lines, length = LAYOUTS.get(configuration, (1, 4 + rng.below(4)))
    return PuzzleWish(
        configuration,
        lines,
        length,
        kind["shapes"],
        int(kind["rules"]),
        kind["closeness"] == "near",
        kind["clutter"] == "some",
    )


def _arranged(
    draft: PuzzleDraft, kind: Mapping[str, str], wish: PuzzleWish, name: str, place: int, rng: Stream
) -> Puzzle:
    """The draft as it is asked: some matrices by columns, the right choice in its place among the wrong ones."""
    *context, right = draft.panels
    wrong = rng.sample(draft.wrong, CHOICES - 1)
    choices = [panel for panel, _ in wrong]
    mechanisms = [mechanism for _, mechanism in wrong]
    choices.insert(place, right)
    mechanisms.insert(place, "")
    rule = draft.rule
    if wish.configuration == "matrix" and rng.chance():
        context, rule = _transposed(context), rule.replace("each row", "each column")
    return Puzzle(
        name,
        kind["pattern"],
        wish.configuration,
        wish.shapes,
        wish.lines,
        wish.length,
        tuple(context),
        tuple(choices),
        place,
        tuple(mechanisms),
        rule,
        draft.family,
    )


def _transposed(context: list[Panel]) -> list[Panel]:
    """Eight panels of a matrix by columns instead of rows; the blank stays where it is."""
    return [context[3 * (k % 3) + k // 3] for k in range(8)]
