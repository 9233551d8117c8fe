"""A published puzzle as a plain value: what its label says, made regular, and where its picture is."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from snellen.tasks.marvel.probing.texts import Fine

DIGITS = ("1", "2", "3", "4")

_OPTIONS = re.compile(
    r"\b(?P<only>[Oo]nly )?(?P<kind>[Ii]tems? |[Oo]ptions? )?(?P<letters>[A-D]\b(?:(?:, and |, | and | or )[A-D]\b)*)"
)


class Described(NamedTuple):
    """What each panel shows, in words: those of the context without the blank, then the four choices."""

    context: tuple[str, ...]
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PublishedPuzzle:
    """One of the published puzzles.

    `pattern` and `configuration` are names of `puzzle.py`. `rows` x `columns` is the context with its blank, 1 x 1 for
    a net. Choices count from 0; `accepted` holds the answer and every choice that looks exactly like it. `explanation`
    names choices by the letters A to D (`explained` changes that); `demo_ok` says whether it can serve as a worked
    example. `fine` is the perception question, about the choice `fine_about`; None if the published one is broken.
    `coarse` counts the panels of the context (with the blank), of the choices and of both. `cluster` is the same for
    puzzles with the same choices, in whatever order. `panel` is where the picture is; `text` describes the puzzle, or
    `described` its panels one by one, if a file of texts was given. `asked` holds every question in the words of the
    file, by its name (`asking.QUESTIONS`). `notes` says what was irregular and what became of it.
    """

    number: int
    pattern: str
    configuration: str
    rows: int
    columns: int
    answer: int
    accepted: tuple[int, ...]
    explanation: str
    demo_ok: bool
    fine: Fine | None
    fine_about: int
    coarse: tuple[int, int, int]
    cluster: str
    panel: Mapping[str, Any]
    asked: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    described: Described | None = None
    notes: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return f"published/{self.number:04d}"

    @property
    def fine_type(self) -> str:
        """The kind of its perception question; empty if there is none."""
        return self.fine.type if self.fine else ""

    def words(self, names: Sequence[str] = DIGITS) -> str:
        """What the file of texts says of the puzzle, its choices called by these names; empty if it says nothing."""
        if self.described is None:
            return self.text
        context, choices = self.described.context, self.described.choices
        panels = [f"Context, panel {number}: {text}" for number, text in enumerate(context, 1)]
        if self.configuration == "reassembling":
            panels = [f"Context: {text}" for text in context]
        return "\n".join([*panels, *(f"Choice {name}: {text}" for name, text in zip(names, choices, strict=True))])

    def explained(self, names: Sequence[str] = DIGITS) -> str:
        """The explanation, its "item B" in the names that the picture has: "choice 2".

        A letter alone is left as it is: in some puzzles letters are what is drawn.
        """

        def renamed(mention: re.Match[str]) -> str:
            only, kind, letters = (mention[group] or "" for group in ("only", "kind", "letters"))
            if not only and not kind:
                return mention[0]
            word = ("Choice" if kind[:1].isupper() else "choice") + ("s" if len(letters) > 1 else "")
            return f"{only}{word} {re.sub('[A-D]', lambda letter: names['ABCD'.index(letter[0])], letters)}"

        return _OPTIONS.sub(renamed, self.explanation)
