"""The plain values everything else passes around: items, conditions, questions, stimuli.

An **item** is one thing to ask about, with the truth its maker knows. A **condition** says how it is asked. A
task turns the two into a **stimulus**: the pictures and words put before a subject, the question with its key,
the twin and the probes. All values are frozen; none knows of a model, a file or a screen.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Literal

__all__ = ["Condition", "Field", "Form", "Item", "Parts", "Picture", "Question", "Stimulus", "content_digest"]


class Condition(Mapping[str, str]):
    """Named factor levels, in the order given; hashable; equal whatever the order."""

    __slots__ = ("_hash", "_levels")

    def __init__(self, levels: Mapping[str, str] = MappingProxyType({}), **more: str) -> None:
        self._levels = {**levels, **more}
        self._hash = hash(frozenset(self._levels.items()))

    def __getitem__(self, factor: str) -> str:
        return self._levels[factor]

    def __iter__(self) -> Iterator[str]:
        return iter(self._levels)

    def __len__(self) -> int:
        return len(self._levels)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Condition):
            return self._levels == other._levels
        return isinstance(other, Mapping) and self._levels == dict(other)

    def __str__(self) -> str:
        return ", ".join(f"{factor}={level}" for factor, level in self._levels.items())

    def __repr__(self) -> str:
        return f"Condition({self})"

    def __reduce__(self) -> tuple[type["Condition"], tuple[dict[str, str]]]:
        return Condition, (self._levels,)  # hashes of texts differ between processes, so they do not travel

    def of(self, item: "Item") -> "Condition":
        """The condition merged with the item's own levels, as matched by a pack's `when`."""
        return Condition({**item.levels, **self._levels})

    def but(self, **levels: str) -> "Condition":
        """A copy of the condition with these levels changed or added."""
        return Condition(self._levels, **levels)


NOTHING: Mapping[str, str] = Condition()


@dataclass(frozen=True)
class Picture:
    """An encoded picture, exactly as drawn or loaded: these bytes are what a subject gets.

    `alt` says in a few words what it is; `twin` says what is in it, in exact words, where its maker knows.
    """

    data: bytes = field(repr=False)
    media_type: str = "image/png"
    alt: str = ""
    twin: str = field(default="", repr=False)

    @cached_property
    def digest(self) -> str:
        """The picture's identity: sha256 of its bytes, in hex."""
        return sha256(self.data).hexdigest()

    @cached_property
    def bare(self) -> "Picture":
        """The same picture without its alt text and description."""
        if not self.alt and not self.twin:
            return self
        bare = Picture(self.data, self.media_type)
        bare.__dict__["digest"] = self.digest  # the same bytes: no need to hash them again
        return bare


Parts = tuple[str | Picture, ...]
"""Words and pictures in the order they are shown."""


@dataclass(frozen=True, slots=True)
class Field:
    """One named part of an answer that has several.

    `kind`: one of `labels` (label), a number, a set of labels in any order, or a text.
    """

    name: str
    kind: Literal["label", "number", "set", "text"]
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """How an answer must look.

    `kind`: one of `labels` (choice), a whole number, free text, or several named `fields`. `final`: where the answer
    proper is promised: the whole reply (plain), inside \\boxed{}, or inside {braces}. A long reply that promises a box
    and has none is read only if it states a conclusion. `asked`: the word that names what is asked for ("winner",
    "loser", a tag such as "KAP"), so that "X wins" is not taken for an answer to who the loser is; empty where no
    single word does. `check` names the verifier that decides, where comparing with the key is not enough. `beyond`:
    what is not offered and may yet be named (a letter that is none of the ten): a wrong answer, not an unread one.
    `empty`: the answer of one who says that nothing is there ("the page is blank"); none where that is no answer.
    `about`: the two things that the question compares, the one asked about first; none where it compares none.
    `reasoned`: whether the words ask for reasoning before the answer, or leave room for it.
    """

    kind: Literal["choice", "number", "text", "fields"]
    labels: tuple[str, ...] = ()
    final: Literal["plain", "boxed", "braces"] = "plain"
    asked: str = ""
    fields: tuple[Field, ...] = ()
    check: str = ""
    beyond: tuple[str, ...] = ()
    empty: str = ""
    about: tuple[str, ...] = ()
    reasoned: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, how the answer must look, and which is right.

    `mechanisms` names what particular wrong answers betray, e.g. {"O": "default rule"}. `also`: other answers that are
    as right as the key (two choices that look the same, a second winning move). `habit`: the mechanism of whoever
    answers by habit, where the question goes against one. `offered`: the labels in the order in which the words offer
    them, where that is not the form's.
    """

    text: str
    form: Form
    key: str
    mechanisms: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    also: tuple[str, ...] = ()
    habit: str = ""
    offered: tuple[str, ...] = ()

    @property
    def options(self) -> tuple[str, ...]:
        """The labels in the order in which they are offered."""
        return self.offered or self.form.labels


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to ask about: a member of a task, independent of the question.

    `id` names it for people ("lamps/7/0012"). `levels` are the factors that belong to the item
    itself (game=tictactoe). `truth` is what its maker knows, in JSON types. `digest` identifies the content: if the
    generator ever changes, old trials are not mistaken for new ones. `cluster` names what its trials are clustered on,
    if that is more than the item itself: a puzzle that occurs twice, a problem that several folds were made from.
    """

    id: str
    task: str
    levels: Mapping[str, str]
    truth: Mapping[str, Any]
    digest: str
    cluster: str = ""


@dataclass(frozen=True, slots=True)
class Stimulus:
    """An item under a condition, ready to be shown to a subject.

    `parts` are words and pictures in the order they are shown when asked directly. `twin` is the same content as
    the pictures, in exact words. `probes` ask what is in the pictures and nothing more. `scripts` are
    further sequences of words and pictures for paradigms that proceed in steps ("induce", "apply"); words in them may
    have slots such as {rule} for what an earlier step brought; one under a paradigm's own name is all that paradigm
    asks. `demonstrations` are solved examples of other items, shown first. `paradigm`: the one that made these parts,
    where that is done already, as in a row of a data set; empty where the stimulus is still to be put by one.
    """

    item: Item
    condition: Condition
    parts: Parts
    question: Question
    twin: str = ""
    probes: tuple[Question, ...] = ()
    scripts: Mapping[str, Parts] = field(default_factory=dict)
    demonstrations: Parts = ()
    paradigm: str = ""

    @property
    def pictures(self) -> tuple[Picture, ...]:
        return tuple(part for part in self.parts if isinstance(part, Picture))

    @property
    def shown(self) -> Parts:
        """All parts of the direct prompt, solved examples first."""
        return (*self.demonstrations, *self.parts)

    def script(self, name: str, **slots: str) -> Parts:
        """The script of that name with its slots filled in."""
        parts = self.scripts[name]
        for slot, words in slots.items():
            parts = tuple(part.replace(f"{{{slot}}}", words) if isinstance(part, str) else part for part in parts)
        return parts


def content_digest(*content: str | bytes) -> str:
    """Returns a short hex identity of some `content` (not for secrets). Boundaries between parts matter.

    >>> content_digest("ab", "c") == content_digest("a", "bc")
    False
    """
    sha = sha256()
    for part in content:
        data = part.encode() if isinstance(part, str) else part
        sha.update(len(data).to_bytes(8, "big") + data)
    return sha.hexdigest()[:32]
