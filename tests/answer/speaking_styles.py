"""Five ways of speaking, for the questions of every task: what a person would write down, question by question. Nothing
here is shared with the reader.

    terse      the answer and nothing else
    restated   a sentence in the words of the question
    chatty     the answer first, then a reason
    steps      some steps, then a conclusion
    markup     JSON, boxes, bold print, tags
"""

import json
import re
from collections.abc import Callable, Iterator

from snellen.item import Question

STYLES = ("terse", "restated", "chatty", "steps", "markup")
Said = Callable[[str], str]

_ARTICLES = ("on the ", "in the ", "at the ", "to the ", "the ", "a ", "an ")
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SHORT = {name: str(n) for n, name in enumerate(_NUMBERS)}

_NAMES = ("Black", "White", "Red", "Yellow")

_SENTENCES: tuple[tuple[str, str], ...] = (
    # fixation
    (r"Which side (?P<does>.*)", "{x} {does}."),
    (r"Counting .*what is in (?P<where>row \d+, column \d+)", "In {where} there is {x}."),
    # bongard, winoground
    (r"Is the query positive or negative", "The query is {x}."),
    (r"Which caption is true of the picture", "Caption {x} is true of the picture."),
    (r"Of which picture is the caption true", "The caption is true of the {x} picture."),
    # marvel
    (r"Which choice is right", "Choice {x} is right."),
    (r"Which candidate is correct", "Candidate {x} is correct."),
    (r"Which half of (?P<of>.*?) is (?P<how>\w+), the \w+ or the \w+ one", "The {x} half of {of} is {how}."),
    (r"How many (?P<what>.*?) are there(?P<where> .*?)?(?:, (?:\w+ or \w+|the .*))?", "There are {x} {what}{where}."),
    (r"How many (?P<what>.*?) do (?P<who>.*) make(?:, \w+ or \w+)?", "{Who} make {x} {what}."),
    (r"How many (?P<what>.*?) (?:does|do) (?P<who>.*?) have(?:, \w+ or \w+)?", "{Who} has {x} {what}."),
    (r"At how many points (?P<what>.*), \w+ or \w+", "{What} at {x} points."),
    # acuity
    (r"Which (?P<what>letter|digit) is it", "It is the {what} {x}."),
    (r"Which letter is in the middle", "The letter in the middle is {x}."),
    (r"How do the stripes run", "The stripes are {x}."),
    # capacity
    (r"Which cell should it play .*", "It should play {x}."),
)
_POLAR = {"is": "it is", "are": "they are", "does": "it does", "do": "they do", "has": "it has", "have": "they have"}
_STEPS = (
    "1. I look at all that is shown.\n2. I compare it with what is asked, part by part.\n3. I check it once more.\n\n"
)


def last_question(text: str) -> str:
    """The last sentence of a prompt that asks something, without its mark; nothing if none does."""
    parts = re.split(r"(?<=[.!?:])\s+|\n+", text)
    asking = [part.rstrip() for part in parts if part.rstrip().endswith("?")]
    return asking[-1].rstrip("? ") if asking else ""


def sentence(question: Question) -> Said | None:
    """The question turned into a statement with a place for the answer; None where nobody would."""
    asked = last_question(question.text)
    labels = {label.lower() for label in question.form.labels}
    first = asked.split(" ", 1)[0].lower()
    if labels == {"yes", "no"} and first in _POLAR:
        return lambda x: f"Yes, {_POLAR[first]}." if x.lower() == "yes" else f"No, {_POLAR[first]} not."
    for pattern, said in _SENTENCES:
        if match := re.fullmatch(pattern, asked):
            words = {name: value or "" for name, value in match.groupdict().items()}
            words |= {name.capitalize(): value[:1].upper() + value[1:] for name, value in words.items()}
            return lambda x: said.format(x=x, **words)
    return _chosen(asked, question.form.labels)


def _chosen(asked: str, labels: tuple[str, ...]) -> Said | None:
    """ "Are the lines open or closed": "The lines are open." """
    if len(labels) != 2:
        return None
    either = "|".join(map(re.escape, labels))
    match = re.fullmatch(rf"(Is|Are) (.*?) ((?:in |on |at |the )*)({either}) or \3({either})(.*)", asked)
    if match is None:
        return None
    verb, who, before, _, _, after = match.groups()
    return lambda x: f"{who[:1].upper()}{who[1:]} {verb.lower()} {before}{x}{after}."


def short(label: str) -> str:
    """ "left" for on the left, "6" for six."""
    for article in _ARTICLES:
        if label.startswith(article) and label.count(" ") < 3:
            return label.removeprefix(article)
    return _SHORT.get(label, label)


def _in_a_sentence(said: str) -> str:
    """The sentence with a small first letter, unless it begins with a name."""
    return said[:1].lower() + said[1:] if said[1:2].islower() and said.split(" ", 1)[0] not in _NAMES else said


def replies(question: Question, x: str) -> Iterator[tuple[str, str]]:
    """The answer `x` in each style."""
    if question.form.kind in ("fields", "text"):
        yield from _of_parts(question, x)
        return
    said = sentence(question)
    yield from (("terse", reply) for reply in (x, f"{x}.", f"Answer: {x}", short(x)))
    if said and x != "nothing":
        yield "restated", said(x)
        yield "restated", f"Looking at it closely: {_in_a_sentence(said(x))}"
        yield "chatty", f"{said(x)} I looked at every part twice, and the rest agrees with it."
        yield "steps", f"{_STEPS}So, to conclude: {said(x)}"
    yield "chatty", f"{x}, because that is what I see when I look at every part in turn."
    yield "chatty", f"I'd say {x}! I looked at every part twice, and nothing else fits."
    yield "chatty", f"The answer is {x}. The reason is that every part of it agrees with what was asked."
    yield "steps", f"{_STEPS}Therefore, the answer is {x}."
    yield "steps", f"{_STEPS}Conclusion: {x}"
    yield "markup", json.dumps({"answer": x})
    yield "markup", f"```json\n{json.dumps({'reason': 'I looked at every part.', 'answer': x}, indent=2)}\n```"
    yield "markup", f"**Answer:** {x}"
    yield "markup", f"### Answer\n\n\\boxed{{\\text{{{x}}}}}"
    yield "markup", f"<answer>{x}</answer>"


def _of_parts(question: Question, x: str) -> Iterator[tuple[str, str]]:
    """Answers of several parts ("photo 1: C; photo 2: A"), and rows of a chart ("SVKON/RHZDN")."""
    if question.form.kind == "text":
        parts = {str(n): " ".join(row) for n, row in enumerate(x.split("/"), 1)}
    else:
        parts = {name: value for name, _, value in (part.partition(": ") for part in x.split("; "))}
    one = question.form.kind == "fields" and len(parts) == 1
    lines = "\n".join(parts.values()) if one else "\n".join(f"{name}: {value}" for name, value in parts.items())
    mark = "Answer: " if one else "Answer:\n"
    yield "terse", f"{mark}{lines}"
    yield "terse", lines
    yield "restated", f"This is what I find.\n{mark}{lines}"
    yield "chatty", f"{mark}{lines}\n\nI looked at every part twice, and nothing else fits."
    yield "steps", f"{_STEPS}{mark}{lines}"
    yield "markup", f"**Answer:**{' ' if one else chr(10)}{lines}"
    if question.form.kind == "fields":
        yield "markup", json.dumps(parts)
