"""An independent solver: which choice fits, from the panels alone.

It never sees how a puzzle was made. It measures panels (how many of what, where, how turned; what is inside what; how
many closed areas; which symmetries), looks for the simplest rule that the values of a measurement follow along the
lines of the context, and keeps the choices that go on by it. Plain measurements with plain rules speak first; the more
far-fetched are heard only while more than one choice is left. What is still more than one at the end is ambiguous.
"""

from snellen.tasks.marvel.puzzle import Puzzle
from snellen.tasks.marvel.solve.evidence import solve_panels
from snellen.tasks.marvel.solve.scene import scene_of


def solve(puzzle: Puzzle) -> tuple[int, ...]:
    """The choices consistent with the simplest rule, in their order; several if the panels do not tell them apart."""
    if puzzle.configuration == "reassembling":
        from snellen.tasks.marvel.solve.fold import solve_fold  # heavy, and of no use to the other patterns

        return solve_fold(puzzle)
    return solve_panels(scene_of(puzzle))
