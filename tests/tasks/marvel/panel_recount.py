"""Answers to questions about scattered figures, straight from the marks: shares nothing with what asks them."""

import re
from typing import Any

from snellen.tasks.marvel.draw.panels import panel_pixels
from snellen.tasks.marvel.probes import NUMBERS

Mark = dict[str, Any]

TONES = {"none": "white", "white": "white", "black": "solid", "grey": "grey", "striped": "striped"}


class Recount:
    """The answer to a question about scattered figures, from the marks."""

    def __init__(self, marks: list[Mark]) -> None:
        self.marks = marks

    def kinds(self, words: str) -> list[Mark]:
        """The marks that words like "black hearts" or "shapes" are about."""
        *tone, name = words.split()
        single = "cross" if name == "crosses" else name.removesuffix("s") if name != "cross" else name
        return [
            mark
            for mark in self.marks
            if single in ("shape", mark["shape"]) and (not tone or TONES[mark["fill"]] == tone[0])
        ]

    def one(self, words: str) -> Mark:
        (mark,) = self.kinds(words)
        return mark

    def answer(self, text: str, options: tuple[str, str]) -> str:
        for pattern, method in RULES.items():
            if found := re.fullmatch(pattern, text):
                return str(method(self, options, *found.groups()))
        raise AssertionError(text)

    def count(self, options: tuple[str, str], words: str) -> str:
        return NUMBERS[len(self.kinds(words))]

    def half(self, options: tuple[str, str], words: str) -> str:
        mark = self.one(words)
        side = {"left": mark["x"] < 90, "right": mark["x"] > 90, "upper": mark["y"] < 90, "lower": mark["y"] > 90}
        return next(option for option in options if side[option])

    def beside(self, options: tuple[str, str], words: str, other: str) -> str:
        one, two = self.one(words), self.one(other)
        side = {
            "left": one["x"] < two["x"],
            "right": one["x"] > two["x"],
            "above": one["y"] < two["y"],
            "below": one["y"] > two["y"],
            "outside": True,
            "inside": False,
        }
        return next(option for option in options if side[option])

    def further(self, options: tuple[str, str], way: str) -> str:
        return min(options, key=lambda words: int(self.one(words)["x" if way == "to the left" else "y"]))

    def points(self, options: tuple[str, str]) -> str:
        return "up"

    def tone(self, options: tuple[str, str], words: str) -> str:
        (tone,) = {TONES[mark["fill"]] for mark in self.kinds(words)}
        return tone

    def all_tones(self, options: tuple[str, str]) -> str:
        return self.tone(options, "shapes")

    def there(self, options: tuple[str, str]) -> str:
        (found,) = (option for option in options if self.kinds(option))
        return found

    def more(self, options: tuple[str, str]) -> str:
        return max(options, key=lambda words: len(self.kinds(words)))

    def larger(self, options: tuple[str, str]) -> str:
        return max(options, key=lambda words: int(self.one(words)["size"]))

    def pair(self, options: tuple[str, str], words: str, what: str) -> str:
        one, two = self.kinds(words)
        same = one["size"] == two["size"] if what == "size" else TONES[one["fill"]] == TONES[two["fill"]]
        return "equal" if same else "different"

    def contained(self, options: tuple[str, str], words: str) -> str:
        return "no" if words == "Is one" else "yes"

    def meet(self, options: tuple[str, str]) -> str:
        return "stay apart"

    def emptier(self, options: tuple[str, str]) -> str:
        ink = panel_pixels({"marks": self.marks}) < 255
        shares = {"left": ink[:, :90], "right": ink[:, 90:], "upper": ink[:90], "lower": ink[90:]}
        return min(options, key=lambda half: int(shares[half].sum()))

    def mirror(self, options: tuple[str, str], words: str) -> str:
        """Symmetrical figures mirror each other if they are where they should be; arrows and the like stand upright."""
        there = sorted((mark["shape"], TONES[mark["fill"]], mark["x"], mark["y"], mark["size"]) for mark in self.marks)
        near = [
            any(
                a[:2] == b[:2] and abs(180 - a[2] - b[2]) <= 6 and abs(a[3] - b[3]) <= 6 and abs(a[4] - b[4]) <= 4
                for b in there
            )
            for a in there
        ]
        alike = all(near) and not any(mark["shape"] == "moon" for mark in self.marks)
        return "yes" if alike == words.startswith("Are") else "no"


RULES: dict[str, Any] = {
    r"How many (.*) are there in W, \{a\} or \{b\}\?": Recount.count,
    r"Does the (.*) lie in the \{a\} half or in the \{b\} half of W\?": Recount.half,
    r"In W, is the (.*?) (?:to the )?\{a\} or (?:to the )?\{b\} (?:of )?the (.*)\?": Recount.beside,
    r"Which of the two is further (.*) in W, the \{a\} or the \{b\}\?": Recount.further,
    r"Does the arrow in W point \{a\} or \{b\}\?": Recount.points,
    r"Is the (.*) in W \{a\} or \{b\}\?": Recount.tone,
    r"Are the shapes in W \{a\} or \{b\}\?": Recount.all_tones,
    r"Which of the two does W show, a \{a\} or a \{b\}\?": Recount.there,
    r"Which are there more of in W, \{a\} or \{b\}\?": Recount.more,
    r"Which of the two is larger in W, the \{a\} or the \{b\}\?": Recount.larger,
    r"Are the two (.*) in W \{a\} or \{b\} in (size|tone)\?": Recount.pair,
    r"(Is one|Is each) of the two shapes in W .*\?": Recount.contained,
    r"Do the two shapes in W \{a\} or \{b\}\?": Recount.meet,
    r"Which half of W is emptier, the \{a\} or the \{b\} one\?": Recount.emptier,
    r"(Are the left|Would one half) .* mirror images of each other\?": Recount.mirror,
}
