"""Five ways to put the same answer, written from the questions by hand: they share no code with the reader."""

import re
from collections.abc import Iterator

from snellen.item import Form, Question
from snellen.prompts import load
from snellen.tasks import task

NUMBERS = dict(
    zip(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
        range(13),
        strict=True,
    )
)
STYLES = ("bare", "stated", "restated", "reasoned", "held")


def asked(text: str) -> str:
    """The last sentence that ends with a question mark, without it."""
    return [part for part in re.split(r"(?<=[.!?:])\s+|\n+", text) if part.rstrip().endswith("?")][-1].rstrip("? ")


def short(label: str) -> list[str]:
    """A label as somebody in a hurry puts it: "6" for six, "left" for on the left."""
    words = label.split()
    while len(words) > 1 and words[0] in ("on", "in", "at", "the", "to", "a", "an", "from"):
        words = words[1:]
    return [str(NUMBERS[label])] if label in NUMBERS else [" ".join(words)]


_TEMPLATES = (
    (r"Which side (?P<does>.*)", ("{x} {does}.", "The side that {does} is {x}.")),
    (r"Counting .*what is in (?P<where>row \d+, column \d+)", ("There is {x} in {where}.", "In {where} there is {x}.")),
    (r"Is the query positive or negative", ("The query is {x}.", "It is {x}.")),
    (
        r"Which caption is true of the picture",
        ("Caption {x} is true of the picture.", "Caption {x} describes the picture."),
    ),
    (
        r"Of which picture is the caption true",
        ("The caption is true of the {x} picture.", "The caption describes the {x} picture."),
    ),
    (r"Which choice is right", ("Choice {x} is right.",)),
    (
        r"How many (?P<what>.*?) are there(?P<where>.*?)(?:, \w+ or \w+)?",
        ("There are {x} {what}{where}.", "I count {x} {what}."),
    ),
    (r"How many (?P<what>.*?) (?:does|do) (?P<who>.*)", ("It has {x} {what}.", "I count {x} {what}.")),
)
_USUAL = {
    "yes": ("It is the usual number.", "The number of {what} is the usual one."),
    "no": ("It is not the usual number.", "The number of {what} is not the usual one."),
}


def restated(question: Question, label: str) -> list[str]:
    """The answer in the words of the question; nothing where no template fits."""
    text = asked(question.text)
    usual = re.fullmatch(r"Is the number of (?P<what>.*) the usual one(?: for what it shows)?", text)
    if usual:
        return [said.format(what=usual["what"]) for said in _USUAL[label.lower()]]
    for known, said in _TEMPLATES:
        if match := re.fullmatch(known, text):
            return [each.format(x=label, **match.groupdict()) for each in said]
    return []


def spoken(question: Question, label: str) -> Iterator[tuple[str, str]]:
    """The answer in each style."""
    yield from (("bare", reply) for reply in (label, *short(label)))
    yield from (
        ("stated", reply) for reply in (f"The answer is {label}.", f"Answer: {label}", f"Answer: {short(label)[0]}")
    )
    said = restated(question, label)
    yield from (("restated", reply) for reply in said)
    steps = "I look at the picture closely, part by part, and compare what I find.\n\n"
    yield "reasoned", f"{steps}So the answer is {label}."
    yield "reasoned", f"{steps}Therefore, the final answer is **{label}**."
    yield "held", f'{{"answer": "{label}"}}'
    yield "held", f"Final answer: $\\boxed{{\\text{{{label}}}}}$"


def questions(name: str, design: str, n: int = 1, seed: int = 5) -> Iterator[tuple[dict[str, str], Question]]:
    """The questions of a task's design with their levels, probes included."""
    family = task(name)
    pack = load(family.prompts, family.name)
    for stimulus in family.some_of_each(family.design(design).whole, n, seed, pack):
        levels = {**stimulus.item.levels, **stimulus.condition}
        for question in (stimulus.question, *stimulus.probes):
            yield levels, question


def answers(form: Form, key: str) -> tuple[str, ...]:
    return form.labels if form.kind == "choice" else (key, str(int(key) + 1))
