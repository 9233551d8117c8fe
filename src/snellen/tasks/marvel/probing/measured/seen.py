"""A panel as these questions see it: its things without the specks at the rim and without the row of badges below."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from snellen.tasks.marvel.probing.texts import MOST, NUMBERS, Fine, fine
from snellen.tasks.marvel.puzzle import Panel
from snellen.tasks.marvel.solve.scene import noticed
from snellen.tasks.marvel.solve.things import Forms, SolverThing, things

_SMALL, _LOW = 9, 146
_LEAVE_OUT = "Leave the small marks at the edge out. "


@dataclass(frozen=True, slots=True)
class MeasuredDrawing:
    """`things` the drawing is made of; `badges` in a row below it; `rim`: whether marks at the rim are left out."""

    things: Sequence[SolverThing]
    badges: Sequence[SolverThing]
    rim: bool

    def ask(self, kind: str, text: str, right: str, answers: Iterable[str], x: str = "", y: str = "") -> Fine:
        """The question with every other of the answers known to be wrong."""
        wrong = tuple(dict.fromkeys(answer for answer in answers if answer != right))
        return self._placed(fine(kind, text, right, wrong[0], x, y, others=wrong))

    def count(self, text: str, n: int, up: bool, x: str = "", y: str = "") -> Iterable[Fine]:
        """A question after a number of one or more; the other answer is one more or one less."""
        if 1 <= n <= MOST:
            others = tuple(word for k, word in enumerate(NUMBERS) if 0 < k <= MOST and k != n)
            other = n + 1 if up or n == 1 else n - 1
            yield self._placed(fine("quantity", text, NUMBERS[n], NUMBERS[other], x, y, others=others))

    def _placed(self, question: Fine) -> Fine:
        where = "the large drawing in {where}" if self.badges and question.name != "below" else "{where}"
        text = (_LEAVE_OUT if self.rim else "") + question.text.replace("{where}", where)
        return replace(question, text=text)


def seen(panel: Panel) -> MeasuredDrawing:
    every = things(panel["marks"], Forms())
    left = noticed(every)
    badges = [thing for thing in left if thing.size <= _SMALL and thing.fill == "black" and thing.y > _LOW]
    rest = [thing for thing in left if thing not in badges]
    if not rest or any(thing.y > _LOW - _SMALL for thing in rest):
        badges, rest = [], left
    return MeasuredDrawing(rest, badges, len(left) < len(every))
