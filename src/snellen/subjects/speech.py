"""How simulated subjects put their answers: curtly, chattily, at length, or not at all.

The words are those real models use around an answer, so that reading an answer is exercised too. `turn`
picks among the ways of saying it; it comes from the call, so the same call is always put the same way.
"""

import json
import re
from collections.abc import Callable, Mapping

from snellen.answer.fields import values_of
from snellen.item import Form
from snellen.rng import Stream

_CHATTY = (
    "The answer is **{}**.",
    "{}.",
    "**{}**",
    "Answer: {}",
    '"{}"',
    "It is {}.",
    "The correct answer is {}.",
    "`{}`",
    "Final answer: {}",
    "Looking closely, the answer is {}.",
)
_REASONING = "Taking in what is shown and applying the rule as it is stated, only one answer is left."
_STEPS = (
    "Let me go through this step by step.",
    "First, I take in everything that is shown, from the top to the bottom.",
    "Next, I read the rule again and make sure that I apply it exactly as it is stated.",
    "I check each part once more, because it is easy to overlook something.",
    "Some of it looks ambiguous at first sight, but it becomes clearer when taken in order.",
    "I compare this with the first impression and keep both possibilities in mind for now.",
    "Now I put the pieces together, one after another, and see which possibility they leave.",
    "Before concluding, I verify that nothing contradicts what has been found so far.",
)
_REFUSALS = (
    "I'm sorry, but I can't help with that.",
    "I'm sorry, but I cannot assist with this request.",
    "I am unable to answer this question.",
    "I can't help with that request.",
)
_RULES = (
    "There is something in the picture that stands out.",
    "The picture shows more than one part.",
    "Everything in the picture is arranged with care.",
    "The picture leaves some of its space empty.",
    "What is shown has a clear outline.",
)
_WORD = re.compile(r"\w+")


def plainly(answer: str, form: Form) -> str:
    """Nothing but the answer, and some reasoning before it where the form makes room for it."""
    if values := _values(answer, form):
        return f"Answer:{_lines(values)}"
    final = _final(answer, form)
    return f"{_REASONING} {final}" if form.final == "boxed" else final


def chattily(answer: str, form: Form, rng: Stream) -> str:
    """The answer in one of the many ways of putting it."""
    if values := _values(answer, form):
        return rng.choice(_CHATTY_FIELDS)(values)
    return plainly(answer, form) if form.final == "boxed" else rng.choice(_CHATTY).format(_final(answer, form))


def at_length(answer: str, form: Form, rng: Stream) -> str:
    """The answer after many words."""
    if values := _values(answer, form):
        return f"{_ramble(rng)}\n\nAnswer:{_lines(values)}"
    final = f"The final answer is {answer}." if form.final == "plain" else _final(answer, form)
    return f"{_ramble(rng)}\n\n{final}"


def trail_off(rng: Stream) -> str:
    """A long reply that meets the token limit before it comes to an answer."""
    text = _ramble(rng)
    return text[: len(text) // 2 + rng.below(len(text) // 2)]


def refusal(rng: Stream) -> str:
    return rng.choice(_REFUSALS)


def wrong_rule(concept: str, rng: Stream) -> str:
    """A rule that fits nearly everything, and so tells nothing apart; never one that holds the concept's words."""
    return rng.choice([rule for rule in _RULES if not concept or concept.casefold() not in rule.casefold()] or ["?"])


def garbled(words: str, rng: Stream) -> str:
    """A description by someone who did not see it well: the layout is right, the words are mixed up."""
    vocabulary = sorted(set(_WORD.findall(words)))
    changed = _WORD.sub(lambda _: rng.choice(vocabulary), words)
    return changed if changed != words else "It is too blurred to make out."


def _values(answer: str, form: Form) -> Mapping[str, str] | None:
    """The parts of an answer that has several."""
    return values_of(answer, form) if form.kind == "fields" else None


def _lines(values: Mapping[str, str]) -> str:
    if len(values) == 1:
        return f" {next(iter(values.values()))}"
    return "".join(f"\n{name}: {value}" for name, value in values.items())


def _table(values: Mapping[str, str]) -> str:
    return "| part | answer |\n|---|---|\n" + "\n".join(f"| {name} | {value} |" for name, value in values.items())


_CHATTY_FIELDS: tuple[Callable[[Mapping[str, str]], str], ...] = (
    lambda values: f"Answer:{_lines(values)}",
    lambda values: "The answer is " + "; ".join(f"{name}: {value}" for name, value in values.items()) + ".",
    lambda values: "\n".join(f"- **{name}**: {value}" for name, value in values.items()),
    lambda values: f"```json\n{json.dumps(dict(values), ensure_ascii=False)}\n```",
    lambda values: f"**Final answer**\n\n{_table(values)}",
    lambda values: "\n".join(f"{name.capitalize()} = {value}" for name, value in values.items()),
)


def _final(answer: str, form: Form) -> str:
    if form.final == "boxed":
        return f"\\boxed{{{answer}}}"
    return f"{{{answer}}}" if form.final == "braces" else answer


def _ramble(rng: Stream) -> str:
    steps = rng.sample(_STEPS[1:], 5)
    return " ".join((_STEPS[0], *steps, *reversed(steps[1:])))
