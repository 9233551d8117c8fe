"""Questions about what the rules of puzzles turn on, from what the independent solver measures in a panel.

The questions of the other modules hold for any drawing; these need what a solver needs: how many closed areas lines
make, how two strokes meet, which way a figure faces. They are asked only of puzzles whose rule turns on it
(`turns_on.py`), where drawings are made so that it is clear. Specks and ticks at the rim follow no rule and are left
out; where there are any, the question says so.
"""

from collections.abc import Iterator

from snellen.rng import Stream
from snellen.tasks.marvel.probing.measured.forms import forms
from snellen.tasks.marvel.probing.measured.numbers import numbers
from snellen.tasks.marvel.probing.measured.pieces import pieces
from snellen.tasks.marvel.probing.measured.places import places
from snellen.tasks.marvel.probing.measured.seen import seen
from snellen.tasks.marvel.probing.measured.solids import solids
from snellen.tasks.marvel.probing.texts import Fine
from snellen.tasks.marvel.puzzle import Panel

__all__ = ["measured"]


def measured(panel: Panel, rng: Stream) -> Iterator[Fine]:
    """All such questions about a panel."""
    if "words" in panel:
        yield from solids(panel, rng)
        return
    look = seen(panel)
    if look.things:
        yield from numbers(look, rng)
        yield from pieces(look, rng)
        yield from places(look)
        yield from forms(look)
