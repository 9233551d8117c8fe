"""A puzzle under a condition: the rungs of the ladder, the ways to show a puzzle, solved examples before it.

The rungs are one factor, `question`: three coarse questions (how many panels in the context, among the choices, in the
whole), a fine one about a single panel, and the puzzle itself (`avr`). The coarse ones are asked on a picture without
the choices' names, which would give the number away.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from snellen.item import NOTHING, Condition, Form, Item, Parts, Picture, Question, Stimulus
from snellen.prompts import Pack
from snellen.tasks.marvel.look import NAMES, Indices, PuzzleLook
from snellen.tasks.marvel.probes import Fine

COARSE = ("context", "choices", "whole")
QUESTIONS = ("avr", *COARSE, "fine")
SHOTS = {"zero": 0, "one": 1, "two": 2}
WORDINGS = ("usual", "brief", "formal")
AUTHORS = "authors"
"""Published puzzles come with a fourth wording: that of the data file, word by word, for every question."""


class PuzzleSource(Protocol):
    """Where puzzles come from: generated or published."""

    def whole(self, item: Item, look: PuzzleLook) -> Picture:
        """The puzzle in one picture."""
        ...

    def panels(self, item: Item, look: PuzzleLook) -> Sequence[Picture]:
        """The panels one by one: those of the context, then the choices."""
        ...

    def words(self, item: Item, look: PuzzleLook) -> str:
        """The puzzle in exact words; empty where nobody knows them."""
        ...

    def authored(self, item: Item, question: str) -> str:
        """A question in the words of the puzzle's authors; empty where there are none."""
        ...

    def reason(self, item: Item, names: Sequence[str]) -> str:
        """Why the right choice is right, the choices called by these names."""
        ...

    def examples(self, item: Item, count: int, demos: str) -> Sequence[Item]:
        """Solved puzzles to show before this one."""
        ...


def applies(levels: Mapping[str, str], condition: Condition) -> bool:
    """Published puzzles may lack a fine question or a description; they are not asked for what they lack. Their
    authors' words are about one picture with choices called by digits."""
    missing = (condition["question"] == "fine" and levels.get("fine_type") == "none") or (
        condition["words"] == "given" and levels.get("described") == "no"
    )
    unsaid = condition["wording"] == AUTHORS and (
        condition["indices"] != "digits" or condition["panels"] == "apart" or levels.get("authored") == "no"
    )
    return not missing and not unsaid


def asking(source: PuzzleSource) -> Callable[[Item, Condition, Pack], Stimulus]:
    """How to put puzzles from this source."""

    def stimulus(item: Item, condition: Condition, pack: Pack) -> Stimulus:
        return _Put(source, item, condition, pack).stimulus()

    return stimulus


def look_of(condition: Condition) -> PuzzleLook:
    """How a puzzle looks under a condition."""
    named: Indices = "letters" if condition["indices"] == "letters" else "digits"
    return PuzzleLook(
        "none" if condition["question"] in COARSE else named,
        "question-mark" if condition["blank"] == "question-mark" else "empty",
        condition.get("ink") == "colour",  # published puzzles have no such factor
    )


class _Put:
    """One puzzle being put under one condition."""

    def __init__(self, source: PuzzleSource, item: Item, condition: Condition, pack: Pack) -> None:
        self.source, self.item, self.condition, self.pack = source, item, condition, pack
        self.rung = condition["question"]
        self.names = NAMES[condition["indices"]]
        self.look = look_of(condition)
        self.authors = condition["wording"] == AUTHORS

    def stimulus(self) -> Stimulus:
        item, source = self.item, self.source
        question = self._question()
        twin = source.words(item, self.look)
        told = (self._say(item, "in_words"), twin) if self.condition["words"] == "given" else ()
        shown = self._shown(item)
        probes = (question,) if self.rung != "avr" else ()
        return Stimulus(
            item,
            self.condition,
            (*self._opening(item), *shown, *told, question.text),
            question,
            twin,
            probes,
            demonstrations=self._demonstrations(),
        )

    def _say(self, item: Item, *pieces: str, **values: str) -> str:
        truth = item.truth
        names = f"{', '.join(self.names[:-1])} or {self.names[-1]}"
        slots = {
            "rows": str(truth["rows"]),
            "columns": str(truth["columns"]),
            "n": str(truth["coarse"][0]),
            "names": names,
            **values,
        }
        levels = self.condition.of(item)
        return " ".join(words for piece in pieces if (words := self.pack.say(piece, levels, slots)))

    def _opening(self, item: Item) -> tuple[str, ...]:
        if self.authors:  # their questions say it all
            return ()
        apart = self.condition["panels"] == "apart"
        return (self._say(item, "opening_apart" if apart else "opening"),)

    def _question(self) -> Question:
        if self.rung == "avr":
            return self._puzzle_question()
        return self._fine_question() if self.rung == "fine" else self._coarse_question()

    def _puzzle_question(self) -> Question:
        truth, names = self.item.truth, self.names
        text = self._authored(self.item) or self._say(self.item, "task", "named", "question", "ending")
        mechanisms = {name: m for name, m in zip(names, truth.get("mechanisms", ()), strict=False) if m}
        right, *also = [names[place] for place in (truth["answer"], *truth.get("also", ()))]
        form = Form("choice", names, reasoned=not self.authors)
        return Question(text, form, right, mechanisms or NOTHING, tuple(also))

    def _coarse_question(self) -> Question:
        place = COARSE.index(self.rung)
        text = self._authored(self.item) or self._say(self.item, "counting", f"count_{self.rung}", "reply_number")
        mechanisms = _miscounts(self.item.truth["coarse"], place)
        return Question(text, Form("number"), str(self.item.truth["coarse"][place]), mechanisms)

    def _fine_question(self) -> Question:
        detail = self.item.truth["fine"]
        asked = detail["text"].replace("{choice}", self.names[detail["place"]])
        fine = Fine(detail["type"], asked, detail["right"], detail["wrong"])
        first, second = _either_way((fine.right, fine.wrong), self.item)
        text = self._authored(self.item) or self._say(
            self.item, "looking", "fine_question", "reply_fine", fine=fine.asked(first, second), a=first, b=second
        )
        return Question(text, Form("choice", (first, second)), fine.right)

    def _authored(self, item: Item) -> str:
        return self.source.authored(item, self.rung) if self.authors else ""

    def _shown(self, item: Item) -> Parts:
        if self.condition["panels"] == "together":
            return (self.source.whole(item, self.look),)
        return tuple(self._apart(item))

    def _apart(self, item: Item) -> Iterator[str | Picture]:
        pictures = self.source.panels(item, self.look)
        n = item.truth["coarse"][0]
        context = pictures[: len(pictures) - len(self.names)]
        for number, picture in enumerate(context, 1):
            yield self._say(item, "panel", number=str(number))
            yield picture
        if len(context) < n:
            yield self._say(item, "blank_panel", number=str(n))
        for name, picture in zip(self.names, pictures[len(context) :], strict=True):
            yield self._say(item, "choice", name=name)
            yield picture

    def _reason(self, example: Item) -> str:
        return self.source.reason(example, self.names).rstrip(". ") + "."

    def _demonstrations(self) -> Parts:
        count = SHOTS[self.condition["shots"]] if self.rung == "avr" else 0
        solved = self.source.examples(self.item, count, self.condition["demos"]) if count else ()
        parts: list[str | Picture] = [self._say(self.item, "examples")] if solved else []
        for number, example in enumerate(solved, 1):
            parts += [self._say(example, "example", number=str(number)), *self._opening(example), *self._shown(example)]
            answer = self.names[example.truth["answer"]]
            parts += [
                self._authored(example) or self._say(example, "task", "question"),
                self._say(example, "solved", reason=self._reason(example), answer=answer),
            ]
        return (*parts, self._say(self.item, "now")) if solved else ()


def _either_way(pair: tuple[str, str], item: Item) -> tuple[str, str]:
    """A pair in an order that is nobody's choice: as the item's content has it."""
    return pair if int(item.digest, 16) % 2 == 0 else (pair[1], pair[0])


def _miscounts(coarse: Sequence[int], place: int) -> Mapping[str, str]:
    """What wrong numbers of panels betray."""
    context, choices, whole = coarse
    instead = {context: "counted the context", choices: "counted the choices", whole: "counted everything"}
    empty = {} if COARSE[place] == "choices" else {coarse[place] - 1: "left the empty panel out"}
    return {str(number): mechanism for number, mechanism in {**instead, **empty}.items() if number != coarse[place]}
