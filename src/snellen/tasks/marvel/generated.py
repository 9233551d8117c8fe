"""Generated puzzles as items, and how they are shown."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from snellen.errors import UserError
from snellen.item import Form, Item, Picture, Question, content_digest
from snellen.rng import stream
from snellen.tasks.marvel.draw.panels import draw_panel
from snellen.tasks.marvel.draw.puzzles import draw_puzzle, puzzle_words
from snellen.tasks.marvel.generate import kinds, make
from snellen.tasks.marvel.look import PuzzleLook
from snellen.tasks.marvel.mechanisms import mechanism_of
from snellen.tasks.marvel.probes import NUMBERS, Fine, coarse, fine_questions, rule_questions
from snellen.tasks.marvel.probing.pairs import PanelPair, pairs
from snellen.tasks.marvel.probing.turns_on import counted, turns_on
from snellen.tasks.marvel.puzzle import PATTERNS, Panel, Puzzle
from snellen.tasks.marvel.rough import rough_look
from snellen.tasks.marvel.tint import tinted
from snellen.tasks.task import Levels, spread

T = TypeVar("T")

REMEMBERED = 12
DEMONSTRATIONS = 40
"""How many solved puzzles of a kind the examples are drawn from."""


def counts(levels: Levels, n: int) -> list[tuple[Mapping[str, str], int]]:
    """n puzzles in all, over every kind that exists."""
    existing = list(kinds(levels))
    if not existing:
        asked = ", ".join(f"{name}={'|'.join(levels[name])}" for name in ("pattern", "configuration", "shapes"))
        raise UserError(
            f"no puzzles of {asked}: 3d exists as reassembling and with geometric shapes only, nothing else does, and"
            " mathematical not as group"
        )
    return spread(existing, n)


def items(levels: Levels, n: int, seed: int) -> Iterator[Item]:
    return (item(kind, index, seed) for kind, count in counts(levels, n) for index in range(count))


def item(kind: Mapping[str, str], index: int, seed: int, purpose: str = "puzzle") -> Item:
    """The index-th puzzle of a kind, with everything its maker knows."""
    asked: list[list[PanelPair]] = []
    made = make(kind, index, seed, purpose, accept=lambda puzzle: _askable(puzzle, asked))
    puzzle = made.puzzle
    fine = _fine(asked[-1], puzzle.id)
    truth: dict[str, Any] = {
        "concept": puzzle.rule,
        "family": puzzle.family,
        "rows": puzzle.rows,
        "columns": puzzle.columns,
        "coarse": list(coarse(puzzle.rows, puzzle.columns)),
        "answer": puzzle.answer,
        "mechanisms": list(map(mechanism_of, puzzle.mechanisms)),
        "details": list(puzzle.mechanisms),
        "fine": fine,
        "counted": counted(puzzle.pattern, puzzle.family),
        "discarded": {"ambiguous": made.ambiguous, "contrary": made.contrary},
        "panels": puzzle.panels,
        "choices": puzzle.choices,
    }
    levels = {**kind, "fine_type": fine["type"], "source": "generated"}
    digest = content_digest(json.dumps(truth, sort_keys=True))
    return Item(f"marvel/{puzzle.id}", "marvel", levels, truth, digest, cluster_of(puzzle.choices))


def cluster_of(choices: Sequence[Panel]) -> str:
    """The same for puzzles whose four choices look the same in black, in whatever order: as in the published set, such
    puzzles are not independent of each other. A little larger, or a little aside, still looks the same."""
    return f"marvel/choices-{content_digest(json.dumps(sorted(map(rough_look, choices))))[:16]}"


def _askable(puzzle: Puzzle, asked: list[list[PanelPair]]) -> bool:
    """Whether two choices differ in something the rule turns on; if so, what can be asked about it is noted."""
    rng = stream(0, "marvel fine", puzzle.id)
    names = turns_on(puzzle.pattern, puzzle.family)
    asked.append(pairs([rule_questions(panel, "choice {choice}", rng, names) for panel in puzzle.choices]))
    return bool(asked[-1])


def _fine(askable: list[PanelPair], identity: str) -> dict[str, Any]:
    """One of the questions, about one of its two choices: of the wordings that can be asked any, then any of that."""
    rng = stream(0, "marvel fine asked", identity)
    name = rng.choice(sorted({pair.questions[0].name for pair in askable}))
    askable = [pair for pair in askable if pair.questions[0].name == name]
    text = rng.choice(sorted({pair.questions[0].text for pair in askable}))
    askable = [pair for pair in askable if pair.questions[0].text == text]
    least = min(map(_gap, askable))
    askable = [pair for pair in askable if _gap(pair) == least]
    place, fine = rng.choice(askable).about(rng.chance())
    about = {"type": fine.type, "text": fine.text, "right": fine.right, "wrong": fine.wrong}
    return {**about, "place": place, "turns_on": fine.name}


def _gap(pair: PanelPair) -> int:
    """How far apart two numbers are that are to be told apart: the nearest are asked about. 0 for other answers."""
    first, other = (fine.right for fine in pair.questions)
    return abs(NUMBERS.index(first) - NUMBERS.index(other)) if {first, other} <= {*NUMBERS} else 0


class Generated:
    """Where generated puzzles come from: pictures are drawn from the truth, words told from it.

    What was made last is remembered: the questions on a puzzle come one after another and share picture and words.
    """

    def __init__(self) -> None:
        self._lately: dict[tuple[Any, ...], Any] = {}

    def whole(self, item: Item, look: PuzzleLook) -> Picture:
        return self._once(("whole", item.digest, look), lambda: self._draw(item, look))

    def _draw(self, item: Item, look: PuzzleLook) -> Picture:
        context, choices = _panels(item, look)
        return draw_puzzle(
            context,
            choices,
            item.truth["rows"],
            item.truth["columns"],
            indices=look.indices,
            blank="question" if look.blank == "question-mark" else "empty",
            colour=look.colour,
        )

    def panels(self, item: Item, look: PuzzleLook) -> Sequence[Picture]:
        context, choices = _panels(item, look)
        return [draw_panel(panel, look.colour) for panel in (*context, *choices)]

    def words(self, item: Item, look: PuzzleLook) -> str:
        return self._once(("words", item.digest, look.names, look.colour), lambda: self._tell(item, look))

    def _tell(self, item: Item, look: PuzzleLook) -> str:
        truth = item.truth
        return puzzle_words(*_panels(item, look), truth["rows"], truth["columns"], look.names, colour=look.colour)

    def probes(self, item: Item, look: PuzzleLook) -> Sequence[Question]:
        """Every fine question that can be asked about any panel."""
        names = turns_on(item.levels["pattern"], item.truth["family"])
        rng = stream(0, "marvel probes", item.id)
        context, choices = _panels(item, look)
        where = [f"panel {number} of the context" for number in range(1, len(context) + 1)]
        where += [f"choice {name}" for name in look.names]
        return [
            _binary(fine, rng.chance())
            for place, panel in zip(where, (*context, *choices), strict=True)
            for fine in fine_questions(panel, place, rng, colour=look.colour, turns_on=names)
        ]

    def authored(self, item: Item, question: str) -> str:
        return ""  # nobody but us asked these before

    def reason(self, item: Item, names: Sequence[str]) -> str:
        return str(item.truth["concept"])

    def _once(self, key: tuple[Any, ...], make: Callable[[], T]) -> T:
        if key not in self._lately:
            if len(self._lately) >= REMEMBERED:
                self._lately.clear()
            self._lately[key] = make()
        made: T = self._lately[key]
        return made

    def examples(self, item: Item, count: int, demos: str) -> Sequence[Item]:
        """Solved puzzles of the same pattern in a row (nets for nets), of another pattern, or one of them in two rows;
        they come from a seed stream of their own and so are never among the puzzles asked."""
        rng = stream(0, "marvel examples", item.id, demos)
        pattern = item.levels["pattern"]
        if demos == "other-pattern":
            pattern = rng.choice([other for other in PATTERNS if other not in (pattern, "3d")])
        plain = {"shapes": item.levels["shapes"], "rules": "1", "closeness": "far", "clutter": "none"}
        layouts = ("sequence", "two-row") if demos == "mixed" else ("sequence",)
        if pattern == "3d":
            layouts = ("reassembling",)
        chosen = rng.sample(range(DEMONSTRATIONS), count)
        return [
            _example({"pattern": pattern, "configuration": layouts[number % len(layouts)], **plain}, index)
            for number, index in enumerate(chosen)
        ]


def _example(kind: Mapping[str, str], index: int) -> Item:
    return item(kind, index, 0, "example")


def _panels(item: Item, look: PuzzleLook) -> tuple[Sequence[Panel], Sequence[Panel]]:
    """Context and choices, in colour if they are to be."""
    context, choices = item.truth["panels"], item.truth["choices"]
    if not look.colour:
        return context, choices
    coloured = tinted((*context, *choices))
    return coloured[: len(context)], coloured[len(context) :]


def _binary(fine: Fine, turned: bool) -> Question:
    first, second = (fine.wrong, fine.right) if turned else (fine.right, fine.wrong)
    return Question(fine.asked(first, second), Form("choice", (first, second)), fine.right)
