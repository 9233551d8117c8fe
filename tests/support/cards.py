"""A small task in tracks: cards with a letter in a size, and observers whose thresholds are known.

A card's words say which one it is, so that an observer behind a server can be simulated too: how often it is right at a
size is its psychometric function; whether it is on this card, chance that goes by the card.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, Self

from PIL import Image

from snellen.call import Abilities, Call, CallFailed, Reply
from snellen.item import Condition, Form, Item, Picture, Question, Stimulus, content_digest
from snellen.prompts import Pack
from snellen.psychometric import Psychometric, PsychometricTrack
from snellen.rng import stream
from snellen.tasks import Design, Factor, Levels, Task
from snellen.tasks.adaptive import GradedTrack

LETTERS = tuple("CDHKNORSVZ")
SIZES = {f"{10 ** (k / 10):.2f}": k / 10 for k in range(-3, 13)}
TESTS = ("plain", "bold")
ASKED = re.compile(r"Card (\w+)/([0-9.]+)/(\d+)/(\w+)\.")


def letter(test: str, size: str, number: int) -> str:
    return stream(0, "cards", test, size, number).choice(LETTERS)


def item(kind: Mapping[str, str], index: int, seed: int) -> Item:
    name = f"{kind['test']}/{kind['size']}/{index}"
    key = letter(kind["test"], kind["size"], index)
    return Item(f"cards/{seed}/{name}", "cards", dict(kind), {"card": name, "letter": key}, content_digest(name, key))


def items(levels: Levels, n: int, seed: int) -> Iterator[Item]:
    kinds = ({"test": test, "size": size} for test in levels["test"] for size in levels["size"])
    return (item(kind, index, seed) for kind in kinds for index in range(n))


@lru_cache(maxsize=1)
def picture() -> Picture:
    file = BytesIO()
    Image.new("L", (8, 8), "white").save(file, "PNG")
    return Picture(file.getvalue(), alt="a card")


def stimulus(shown: Item, condition: Condition, pack: Pack) -> Stimulus:
    card = f"{shown.truth['card']}/{condition['tone']}"
    text = pack.say("text", condition, {"card": card})
    question = Question(text, Form("choice", LETTERS), shown.truth["letter"])
    return Stimulus(shown, condition, (picture(), text), question, f"The letter {shown.truth['letter']}.")


def tracks(most: int = 96) -> tuple[GradedTrack, ...]:
    return tuple(
        GradedTrack(PsychometricTrack(test, SIZES, chance=0.1, most=most), "size", {"test": test}) for test in TESTS
    )


TASK = Task(
    name="cards",
    title="Cards",
    about="a letter on a card: which is it?",
    factors=(
        Factor("test", TESTS, "how it is printed", of_item=True),
        Factor("size", tuple(SIZES), "how large", of_item=True),
        Factor("tone", ("dark", "light"), "on which ground"),
    ),
    designs=(
        Design("adaptive", "the smallest size that is read", 1, (), tracks()),
        Design("both", "the same, with large cards beside", 3, ({"size": ("15.85",)},), tracks()),
        Design("constant", "every size", 3, ({"size": tuple(SIZES)},)),
    ),
    prompts=Path(__file__).with_suffix(".toml"),
    items=items,
    stimulus=stimulus,
    observe=lambda shown: {},
    paradigms=("direct",),
    item=item,
)


def says(words: str, thresholds: Mapping[str, float], seed: int = 0) -> str:
    """What an observer with these thresholds says to a card."""
    found = ASKED.search(words)
    assert found is not None, words
    test, size, number, _ = found.groups()
    right = letter(test, size, int(number))
    share = float(Psychometric(thresholds[test], 3.5, 0.1, 0.02)(SIZES[size]))
    draw = stream(seed, "observer", found[0])
    return right if draw.chance(share) else draw.choice([other for other in LETTERS if other != right])


@dataclass
class Observer:
    """A subject with known thresholds, which counts how often it is asked each call. `fails`: the calls, by number,
    that bring no answer; `mute`: it says nothing that can be read at sizes from here on."""

    name: str = "observer"
    thresholds: Mapping[str, float] = field(default_factory=lambda: {"plain": 0.4, "bold": 0.7})
    fails: frozenset[int] = frozenset()
    mute: float = 9.0
    seed: int = 0
    asked: list[str] = field(default_factory=list)
    settings: Mapping[str, Any] = field(default_factory=dict)
    abilities: Abilities = field(default_factory=lambda: Abilities(in_process=True))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        return None

    async def answer(self, call: Call) -> Reply:
        words = " ".join(part for message in call.messages for part in message.parts if isinstance(part, str))
        found = ASKED.search(words)
        assert found is not None
        self.asked.append(found[0])
        if len(self.asked) in self.fails:
            raise CallFailed("rejected", "no")
        if SIZES[found[2]] >= self.mute:
            return Reply("I cannot say.")
        return Reply(says(words, self.thresholds, self.seed))
