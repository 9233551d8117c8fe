"""Answers in a container: \\boxed{X}, the box tokens of some models, {4}.

The last container counts. Where others before it hold other answers, it must be meant as the last word: it ends the
reply, or words of a conclusion or a correction lead to it. One that is denied ("not {4}"), supposed ("usually {4}") or
given as an example is none; of two that stand side by side ("{4} or {5}") neither is.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from snellen.answer.asking import asked, stem
from snellen.answer.claims import lead_is_meant
from snellen.answer.endings import ClaimFinder
from snellen.answer.lexicon import words_of
from snellen.answer.ranking import outcome
from snellen.answer.structured import answer_value, is_json, objects
from snellen.answer.tags import TaggedReply
from snellen.answer.tidy import Tidy
from snellen.answer.values import Claim
from snellen.answer.zones import pieces

_BOX = re.compile(r"oxed\s{0,3}\{|fbox\s{0,3}\{|<\|begin_of_box\|>")
_BACKSLASH = re.compile(r"(?:\\?f?b|\\|\x08)$")  # a careless escape turns the first two letters into a backspace
_BRACE = re.compile(r"[{}]")
_LONGEST = 400
_BRACES = re.compile(r"\{(?<![\w}]\{)([^{}\n]{1,60}?)\\?\}")
_EXAMPLE = re.compile(
    r"(?:e\.g\.,?|for example,?|for instance,?|such as|like|as in|at least|at most|more than|fewer than|less than|"
    r"up to) ?$",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"[\s$*`]{0,4}(?:,|or|to|and|/|-|–|vs\.?|and/or)?[\s$*`]{0,4}", re.IGNORECASE)
_LEADS = re.compile(
    r"\b(?:so|therefore|thus|hence|finally|overall|answer|final|winner|loser|result|wait|no|actually|correct(?:ion|ed)?|rather|but|here|is|count|has|have)\b",
    re.IGNORECASE,
)
_TURNS = re.compile(
    r"\b(?:wait|no|actually|so|therefore|thus|hence|final|correct\w*|but|however|rather|i mean|here|sum|total|"
    r"altogether|in all)\b",
    re.IGNORECASE,
)
_MUCH = 40
_SENTENCE = re.compile(r"[.!?]\s|\n")
_REACH = 160
_TRIES = 20
"""So many containers are looked into, from the last one back, before giving up."""


class Box(NamedTuple):
    """A container at text[start:end] and its content at text[inner:inner_end]."""

    start: int
    inner: int
    inner_end: int
    end: int


def contents(letters: Tidy) -> Box | None:
    """The last box that is closed, not empty and no example."""
    return next(iter(_boxes(letters.text)), None)


def _boxes(text: str) -> Iterator[Box]:
    """The boxes, from the last one back."""
    for box in list(_BOX.finditer(text))[: -_TRIES - 1 : -1]:
        inner, outer = _closing(text, box)
        before = _BACKSLASH.sub("", text[max(0, box.start() - 20) : box.start()])
        if text[box.end() : inner].strip() and not _EXAMPLE.search(before):
            start = box.start() - min(box.start(), 20) + len(before)
            yield Box(start, box.end(), inner, outer)


def _closing(text: str, box: re.Match[str]) -> tuple[int, int]:
    """Where the box's content ends and where the box ends; an empty content if it is never closed."""
    start = box.end()
    if box[0].startswith("<"):
        end = text.find("<|end_of_box|>", start, start + _LONGEST)
        return (end, end + 14) if end >= 0 else (start, start)
    depth = 1
    for brace in _BRACE.finditer(text, start, start + _LONGEST):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start(), brace.end()
    return start, start


def in_json(reply: TaggedReply) -> Iterator[Claim]:
    """The answer that the last JSON object gives."""
    if not is_json(reply.letters):
        return
    for held, start, end in objects(reply.letters.text):
        value = answer_value(held, reply.form.asked) or _asked_value(held, reply)
        answers = _read_alone(TaggedReply.of(Tidy(value), reply.form)) if value else []
        if answers:
            yield Claim(answers[-1], "JSON", reply.letters.raw(start, end))
            return


def _asked_value(held: Mapping[str, object], reply: TaggedReply) -> str:
    """The only value of an object that the question does not give, or the one under the word that it asks for."""
    text = reply.question.text.lower() if reply.question else ""
    given = {key for key, value in held.items() if f"{key} {value}".lower() in text}
    rest = [key for key in held if key not in given and isinstance(held[key], str | int)]
    which = [key for key in rest if f"which {key.lower()} " in text or _says_question(key, reply)]
    keys = which if reply.form.asked else (rest if given else which)
    return str(held[keys[0]]) if len(keys) == 1 else ""


def _says_question(key: str, reply: TaggedReply) -> bool:
    """Whether a key is made of words of the question, with the one on which it turns: "more_boxes"."""
    question = asked(reply.question.text, reply.form) if reply.question else None
    words = [stem(word) for word in pieces(key)]
    return question is not None and bool(question.turns & {*words}) and question.words.issuperset(words)


def boxed(reply: TaggedReply) -> Iterator[Claim]:
    """The last box holds the answer. If what it holds is none, the box still speaks last."""
    boxes = [(box, _inside(reply, box)) for box in _boxes(reply.letters.text)]
    yield from _final(reply, boxes, "boxed")


def braces(reply: TaggedReply) -> Iterator[Claim]:
    """The last {braces} hold the answer. Where braces were asked for, other content in them speaks last, too."""
    text = reply.letters.text
    if "{" not in text:
        return
    places = list(_BRACES.finditer(text))[: -_TRIES - 1 : -1]
    boxes = [Box(match.start(), *match.span(1), match.end()) for match in places]
    meant = [
        (box, _inside(reply, box)) for box in boxes if not _EXAMPLE.search(text[max(0, box.start - 16) : box.start])
    ]
    if reply.form.final != "braces":
        meant = [(box, answer) for box, answer in meant if answer]
    yield from _final(reply, meant, "braces")


def _final(reply: TaggedReply, boxes: list[tuple[Box, str]], how: str) -> Iterator[Claim]:
    """What the containers, given from the last one back, come to; nothing if none of them is meant."""
    text = reply.letters.text
    real = [
        (box, answer)
        for box, answer in boxes
        if lead_is_meant(_before(text, box), reply.form)
        and not _generic(text, box)
        and not _MORE_FOLLOWS.match(text, box.end)
    ]
    if real:
        last, answer = real[0]
        others = [box for box, other in real[1:] if other not in ("", answer)]
        if others and not _is_last_word(text, last, others[0]):
            answer = ""
        yield Claim(answer, how, reply.letters.raw(last.start, last.end))


_MORE_FOLLOWS = re.compile(
    rf"[\s$*`]*(?:hundred|thousand|million|dozen|percent|%|(?:out )?of (?:the|these|its)|"
    rf"{'|'.join(words_of('addition'))})\b",
    re.IGNORECASE,
)
""" "{4} hundred" and "{4} plus one" hold only a part of a number."""
_GENERIC = re.compile(
    r"\b(?:most (?!likely)|all [a-z]+s have|originally|used to|in (?:19|20)\d\d\b|in real life|in general|"
    r"by convention|by default|as a rule|normally|usually|typically|traditionally)",
    re.IGNORECASE,
)


def _generic(text: str, box: Box) -> bool:
    """Whether the sentence speaks of what is usual: "most dogs have {4}", "it has {8} rows by convention"."""
    after = _SENTENCE.split(text[box.end : box.end + _REACH])[0]
    before = _HERE.split(_before(text, box))[-1]
    return bool(_GENERIC.search(before) or _GENERIC.search(re.split(r"[,;{]", after)[0]))


_HERE = re.compile(r"\b(?:but|yet|however|though|here|this (?:one|time|picture|image|animal))\b", re.IGNORECASE)


def _before(text: str, box: Box) -> str:
    """The words of its sentence that lead to a container."""
    return _SENTENCE.split(text[max(0, box.start - _REACH) : box.start])[-1]


def _is_last_word(text: str, box: Box, other: Box) -> bool:
    """Whether a container is meant to replace an earlier one with another answer."""
    between = text[other.end : box.start]
    if _BESIDE.fullmatch(between):
        return False
    if not re.search(r"[^\W_]", text[box.end :]):  # it ends the reply, and much was said in between
        return len(between) > _MUCH or bool(_TURNS.search(between))
    return bool(_LEADS.search(_before(text, box)) and _TURNS.search(between))


def _inside(reply: TaggedReply, box: Box) -> str:
    """The answer that the content alone gives, or an empty one."""
    inner = TaggedReply.of(Tidy(reply.letters.text[box.inner : box.inner_end]), reply.form)
    answers = _read_alone(inner)
    if answers:
        return answers[-1]
    return _with_aside(inner) or _initial(reply.letters.text[box.inner : box.inner_end].strip(), reply.form.labels)


def _initial(text: str, labels: tuple[str, ...]) -> str:
    """ "Y" for Yellow, where all labels are words and no other begins so."""
    begun = [label for label in labels if label[:1].upper() == text]
    return begun[0] if len(begun) == 1 and all(len(label) > 1 for label in labels) else ""


def _read_alone(inner: TaggedReply) -> list[str]:
    """What the first rule that finds an answer in a content finds."""
    finder = ClaimFinder(inner)
    for claims in (finder.whole(), finder.stated()):
        if answers := [claim.answer for claim in claims if claim.counts]:
            return answers
    verdict = outcome(finder) or finder.opening()
    return [verdict.answer] if verdict else []


_ASIDE = re.compile(r"(?P<word>[^()]{1,40}?) ?\((?P<aside>[^()]{1,20})\)")


def _with_aside(inner: TaggedReply) -> str:
    """ "Yellow (Y)": a label and in brackets its first letter or nothing that is another label."""
    text = inner.named.tidy.text.strip()
    match = _ASIDE.fullmatch(text)
    if match is None:
        return ""
    word = match["word"].strip()
    return inner.named.answer(word) if len(word) == 1 and word >= "\U000f0000" else ""
