"""Replies that answer in the words of the question: "X has such a line", "It is not the usual number", "six dots".

A clause that has one label, and otherwise only words of the question and plain ones, says that label. Where the
question asks which of them does something ("Which side has more pieces?"), the clause must also have the word on which
it turns ("more"). A word that is none of these, such as "fewer", makes the clause mean something else. A yes or no may
be said without either word: "The number is usual", "It is not the usual one".
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from snellen.answer.lexicon import lexicon, pattern, table, words_of
from snellen.answer.tags import Reply
from snellen.answer.tidy import Tidy
from snellen.item import Form

_SENTENCE = re.compile(r"(?<=[.!?:])\s+|\n+")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_AUX = frozenset(["do", "does", "did", "would"])
_SMALL = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "to",
        "is",
        "are",
        "was",
        "were",
        "be",
        "has",
        "have",
        "had",
        "it",
        "its",
        "this",
        "that",
        "there",
        "one",
        "ones",
        "or",
        "and",
        "which",
        "who",
        "what",
        "how",
        "such",
        "so",
        "by",
        "with",
        "for",
        "from",
        "other",
        "each",
        "two",
        "four",
        "many",
        "much",
        "does",
        "do",
        "did",
        "not",
        "would",
    ]
)


def stem(word: str) -> str:
    """A word without the ending of a plural or a verb."""
    for ending in ("'s", "ies", "es", "s", "ed", "ing"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith(("ss", "us")):
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


@cache
def _groups() -> Mapping[str, frozenset[str]]:
    """For each word all that say the same."""
    found: dict[str, set[str]] = {}
    for words in table("same").values():
        group = {stem(word) for word in words.split(" | ")}
        for word in group:
            found.setdefault(word, set()).update(group)
    return {word: frozenset(group) for word, group in found.items()}


def _alike(word: str) -> frozenset[str]:
    return _groups().get(stem(word), frozenset((stem(word),)))


@dataclass(frozen=True)
class Asked:
    """What a question asks: its words, the one on which it turns (a set of those that say the same, empty if none),
    what it counts, whether it denies, and whether it is for yes or no."""

    words: frozenset[str]
    turns: frozenset[str]
    counts: frozenset[str]
    denies: bool
    yes_no: bool
    opposite: frozenset[str]


@lru_cache(maxsize=4096)
def asked(text: str, form: Form) -> Asked | None:
    """What a question asks, by its last sentence that ends with a question mark."""
    parts = [part for part in _SENTENCE.split(text) if part.strip()]
    places = [k for k, part in enumerate(parts) if part.rstrip().endswith("?")]
    if not places:
        return None
    before = parts[places[-1] - 1] if places[-1] and " such " in parts[places[-1]] else ""
    reply = Reply.of(Tidy(parts[places[-1]]), form)
    words = [
        word
        for token, tag in zip(reply.words, reply.tags, strict=True)
        if tag not in "LKZTU"
        for word in _WORD.findall(token)
    ]
    known = frozenset(same for word in words for same in _alike(word)) | {word for word in words if word.isdigit()}
    known |= {stem(word) for word in _WORD.findall(before.lower())}  # "such a line" means what was said before
    content = [word for word in words if word not in _SMALL and not word.isdigit()]
    counts: frozenset[str] = frozenset()
    if words[:2] == ["how", "many"] or words[1:3] == ["how", "many"]:
        rest = words[words.index("many") + 1 :]
        verbs = [k for k, word in enumerate(rest) if word in _AUX or word in ("are", "is", "have")]
        counts = frozenset(stem(word) for word in rest[: verbs[0] if verbs else 3] if word not in _SMALL)
    yes_no = {label.lower() for label in form.labels} == {"yes", "no"}
    turning = _turning(words, content, yes_no=yes_no)
    opposite = frozenset(
        stem(other) for word in turning for other in table("opposite").get(word, "").split(" | ") if other
    )
    return Asked(
        known, frozenset(same for word in turning for same in _alike(word)), counts, "not" in words, yes_no, opposite
    )


def _turning(words: list[str], content: list[str], *, yes_no: bool) -> list[str]:
    """The word on which an answer turns, in a list; empty where the label alone says it all."""
    if yes_no:
        places = [word for word in content if word not in ("context", "choice", "panel", "row", "column")]
        return places[-1:]
    if not words or words[0] not in ("which", "who") or _AUX & set(words[1:5]) - {"does"} or "it" in words[-1:]:
        return []
    if "does" in words[1:5] and "not" not in words:
        return []
    verbs = [k for k, word in enumerate(words) if word in ("is", "are", "has", "have", "owns", "does")]
    rest = words[verbs[0] + 1 :] if verbs else words[1:]
    return [word for word in rest if word not in _SMALL][:1]


@cache
def _class(role: str) -> frozenset[str]:
    return frozenset(lexicon().classes[role])


@dataclass(frozen=True)
class Clause:
    """A clause at tags[start:end] that restates the question, or its opposite, and the label it says."""

    start: int
    end: int
    answer: str
    opposite: bool = False
    concluded: bool = False


_BREAKS = r"[.!?\n;:>] | , | - | BUT | HENCE | BECAUSE"
_DROPPED = r"(?: NOT | THAN | DENY ) (?: THE | AN | PREP | NOUNS | TAIL ){0,3} \(? L AFTER"
_IN_BRACKETS = r"\( [^()\n]* \)"


def clauses(reply: Reply) -> Iterator[tuple[int, int, bool]]:
    """Where clauses start and end, and whether a conclusion leads to each."""
    start, drawn = 0, False
    tags = re.sub(r"\([^()\n]*\)", lambda match: "o" * len(match[0]), reply.tags)
    for stop in pattern(_BREAKS).finditer(tags):
        yield start, stop.start(), drawn
        drawn = bool(pattern("HENCE | >").match(stop[0]))
        start = stop.end()
    yield start, len(reply.tags), drawn


def restated(reply: Reply) -> Iterator[Clause]:
    """The clauses of a reply that say a label in the words of the question."""
    question = asked(reply.question.text, reply.form) if reply.question else None
    if question is None or reply.form.asked not in ("", "query", "wrong"):
        return
    for start, end, drawn in clauses(reply):
        if reply.tags[end : end + 1] == "?" or end - start > 30:
            continue
        found = _said(reply, question, start, end)
        if found:
            yield Clause(start, end, found[0], found[1], drawn)


def _said(reply: Reply, question: Asked, start: int, end: int) -> tuple[str, bool] | None:
    """The label that a clause says, and whether it says the opposite of what is asked."""
    hidden = [m.span() for text in (_DROPPED, _IN_BRACKETS) for m in pattern(text).finditer(reply.tags, start, end)]
    places = [k for k in range(start, end) if not any(a <= k < b for a, b in hidden)]
    labels = {reply.answer(k) for k in places if reply.tags[k] in "LK"}
    sure = [k for k in places if reply.tags[k] == "L" or _counts_one(reply, question, k, end)]
    if question.yes_no and not labels:
        return _yes_or_no(reply, question, places)
    if (
        len(labels) != 1
        or not sure
        or not any(reply.tags[k] not in "LK()" and reply.tags[k] not in _class("the") for k in places)
    ):
        return None
    turned = denied = False
    turns = not question.turns
    for k in places:
        if reply.tags[k] in "LK" or reply.tags[k] in "()*|o%":
            continue
        if reply.tags[k] in _class("not"):
            denied = not denied
        elif reply.tags[k] in _class("if") or reply.tags[k] in _class("may"):
            return None
        else:
            for word in _WORD.findall(reply.words[k]):
                turns = turns or stem(word) in question.turns
                turned = turned or stem(word) in question.opposite
                if not _is_known(word, reply.tags[k], question) and not turned:
                    return (
                        (labels.pop(), denied != question.denies)
                        if _in_adjunct(reply, places, k, sure, turns=turns and bool(question.turns))
                        else None
                    )
    if not turns and not turned:
        return None
    return labels.pop(), (denied != question.denies) != turned


def _in_adjunct(reply: Reply, places: list[int], place: int, sure: list[int], *, turns: bool) -> bool:
    """Whether a word belongs to a phrase such as "down the left column", after all that matters was said."""
    last = [k for k in places if k < place and reply.tags[k] in _class("adjunct")]
    rest = "".join(reply.tags[k] for k in places if k >= place)
    return turns and bool(last) and max(sure) < last[-1] and not pattern("NOT | IF | MAY").search(rest)


def _counts_one(reply: Reply, question: Asked, place: int, end: int) -> bool:
    """Whether "one" is a number here: what is counted follows."""
    after = {stem(word) for token in reply.words[place + 1 : min(end, place + 3)] for word in _WORD.findall(token)}
    return reply.tags[place] == "K" and bool(after & question.counts)


def _yes_or_no(reply: Reply, question: Asked, places: list[int]) -> tuple[str, bool] | None:
    """A yes or no that is said without either word."""
    denied = turned = turns = False
    for k in places:
        tag = reply.tags[k]
        if tag in "()*|o%":
            continue
        if tag in _class("if") or tag in _class("may"):
            return None
        for word in _WORD.findall(reply.words[k]):
            if tag in _class("not") or word == "no":
                denied = True
            elif stem(word) in question.opposite or _unlike(word) in question.turns:
                turned = turns = True
            elif _is_known(word, tag, question):
                turns = turns or stem(word) in question.turns
            elif not (turns and _in_adjunct(reply, places, k, [-1], turns=turns)):
                return None
    if not turns:
        return None
    labels = {label.lower(): label for label in reply.form.labels}
    return labels["no" if denied != turned else "yes"], False


def _unlike(word: str) -> str:
    return stem(word[2:]) if word.startswith(("un", "ir", "im")) else ""


def _is_known(word: str, tag: str, question: Asked) -> bool:
    return stem(word) in question.words or word in question.words or tag in _class("plain") or word in _plain()


def is_plain_word(word: str) -> bool:
    return word in _plain()


@cache
def _plain() -> frozenset[str]:
    return frozenset(words_of("plain"))
