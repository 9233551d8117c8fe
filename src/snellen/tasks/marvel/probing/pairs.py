"""Questions that two panels answer differently, so that nothing but a look at the panel tells the answer.

Some wordings have a likely answer: a circle is drawn more often than a moon, and most shapes are apart. If it is left
to chance which panel is asked about, who knows how the puzzles are made can guess. So a question about a detail is
asked only where another choice of the same puzzle gives the other answer to the very same words; which of the two is
asked about is tossed up. For every wording with its two answers either one is then right equally often.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from snellen.tasks.marvel.probing.texts import Fine


class PanelPair(NamedTuple):
    """Two panels, by their places, and a question of the same words and answers about each."""

    places: tuple[int, int]
    questions: tuple[Fine, Fine]

    def about(self, first: bool) -> tuple[int, Fine]:
        """The question about one of the two panels; the other one's right answer is the wrong one."""
        this, other = self.questions if first else self.questions[::-1]
        wrong = other.right if other.right != this.right else this.wrong
        return self.places[not first], Fine(this.type, this.text, this.right, wrong, name=this.name)


def pairs(asked: Sequence[Sequence[Fine]]) -> list[PanelPair]:
    """All such pairs among the questions about each panel."""
    return [
        PanelPair((first, other), (this, that))
        for first, other in combinations(range(len(asked)), 2)
        for this in asked[first]
        for that in asked[other]
        if this.text == that.text and this.denies(that.right) and that.denies(this.right)
    ]
