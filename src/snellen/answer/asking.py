"""What a question asks, and whether words of a reply speak of just that: of the same row, cell or thing."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from snellen.answer.lexicon import lexicon, table, words_of
from snellen.answer.naming import everyday
from snellen.answer.tags import TaggedReply
from snellen.answer.tidy import Tidy
from snellen.item import Form

_SENTENCE = re.compile(r"(?<=[.!?:])\s+|\n+")
WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_AUX = frozenset(["do", "does", "did", "would"])
_SMALL_WORDS = """
a an the of in on at to is are was were be has have had it its this that there one ones or and which who what how such
so by with for from other each two four many much does do did not would
"""
_SMALL = frozenset(_SMALL_WORDS.split())


def stem(word: str) -> str:
    """A word without the ending of a plural or a verb."""
    for ending in ("'s", "ies", "es", "s", "ed", "ing"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith(("ss", "us")):
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


@cache
def _groups() -> Mapping[str, frozenset[str]]:
    """For each word all that say the same."""
    groups: dict[str, set[str]] = {}
    for words in table("same").values():
        group = {stem(word) for word in words.split(" | ")}
        for word in group:
            groups.setdefault(word, set()).update(group)
    return {word: frozenset(group) for word, group in groups.items()}


def _alike(word: str) -> frozenset[str]:
    return _groups().get(stem(word), frozenset((stem(word),)))


@dataclass(frozen=True)
class Asked:
    """What a question asks: its words, the one on which it turns (a set of those that say the same, empty if none),
    what it counts, whether it denies, and whether it is for yes or no. `texts`: what the question itself says of each
    label ("A: the bee is above the croissant"), or of the one that is asked for (under no label)."""

    words: frozenset[str]
    turns: frozenset[str]
    counts: frozenset[str]
    denies: bool
    yes_no: bool
    opposite: frozenset[str]
    texts: Mapping[str, str]
    text: str
    which_way: bool
    noun: str
    core: tuple[frozenset[str], ...]


@lru_cache(maxsize=4096)
def asked(text: str, form: Form) -> Asked | None:
    """What a question asks, by its last sentence that ends with a question mark."""
    parts = [part for part in _SENTENCE.split(text) if part.strip()]
    places = [k for k, part in enumerate(parts) if part.rstrip().endswith("?")]
    if not places:
        return None
    before = parts[places[-1] - 1] if places[-1] and " such " in parts[places[-1]] else ""
    if parts[places[-1]].lower() == "which one?":
        words = _words_of(next((part for part in parts if part.startswith("One of the")), ""), form)[3:]
    else:
        words = _words_of(parts[places[-1]], form)
    after = [word for part in parts[places[-1] + 1 :] for word in _words_of(part, form)]
    vocabulary = frozenset(same for word in words for same in _alike(word)) | {word for word in words if word.isdigit()}
    vocabulary |= frozenset(same for word in after if word not in _SMALL for same in _alike(word))
    vocabulary |= {stem(word) for label in form.labels for word in label.lower().split()}
    options = [_words_of(part, form) for part in parts if _OPTIONS.search(part)]
    vocabulary |= {stem(word) for sentence in options for word in sentence}
    vocabulary |= {stem(word) for word in WORD.findall(before.lower())}  # "such a line" means what was said before
    if everyday(form):
        vocabulary |= {stem(word) for word in _words_of(text, form) if word in words_of("chart")}
    content = [word for word in words if word not in _SMALL and not word.isdigit()]
    counts: frozenset[str] = frozenset()
    if words[:2] == ["how", "many"] or words[1:3] == ["how", "many"]:
        rest = words[words.index("many") + 1 :]
        verbs = [k for k, word in enumerate(rest) if word in _AUX or word in ("are", "is", "have")]
        counts = frozenset(stem(word) for word in rest[: verbs[0] if verbs else 3] if word not in _SMALL)
    yes_no = {label.lower() for label in form.labels} == {"yes", "no"}
    turning = _turning(words, content, yes_no=yes_no)
    does = [match["does"] for part in parts if (match := _OPTIONS.search(part))] if turning else []
    turning += [word for clause in does for word in WORD.findall(clause.lower()) if word not in _SMALL][:1]
    opposite = frozenset(
        stem(other) for word in turning for other in table("opposite").get(word, "").split(" | ") if other
    )
    return Asked(
        vocabulary,
        frozenset(same for word in turning for same in _alike(word)),
        counts,
        "not" in words,
        yes_no,
        opposite,
        _texts(text, form),
        text.lower(),
        words[:2] == ["which", "way"] or "which way" in parts[places[-1]],
        _noun(words),
        tuple(_alike(word) for word in _core(parts[places[-1]], form)),
    )


_RELATION = re.compile(
    r"\b(?:is|are) the (?P<asked>[\w -]{1,40}?) (?:(?:to|on) the )?(?P<one>\w+),? or (?:(?:to|on) the )?(?P<two>\w+)"
    r"(?: side)?(?: of| than| from)? the (?P<other>[\w -]{1,40})\?",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def related(text: str, labels: tuple[str, ...]) -> tuple[str, ...]:
    """The two things of a question such as "Is the arrow left or right of the star?", where the labels relate them."""
    match = _RELATION.search(text)
    if match is None or {match["one"].lower(), match["two"].lower()} != {label.lower() for label in labels}:
        return ()
    return match["asked"].lower(), match["other"].lower()


def _noun(words: list[str]) -> str:
    """What the labels are called: "pair", where the question is "Which pair is out of line?"."""
    after = words[words.index("which") + 1 :] if "which" in words else []
    return after[0] if after and after[0] not in _SMALL else ""


def _core(sentence: str, form: Form) -> list[str]:
    """The words of a question that tell what is asked, without what it adds after a comma."""
    words = _words_of(sentence.partition(",")[0], form)
    return [word for word in words if word not in _SMALL]


_IN_GENERAL = ("all", "most", "every", "any", "some", "each", "usually", "normally", "typically")


def in_full(reply: TaggedReply, start: int, end: int) -> bool:
    """Whether a sentence has all the words that tell what is asked: it speaks of that and of nothing else."""
    question = asked(reply.question.text, reply.form) if reply.question else None
    if question is None or len(question.core) < 2:
        return False
    words = {word for token in reply.words[start:end] for word in WORD.findall(token)}
    stems = words | {stem(word) for word in words}
    if any(word in words and word not in question.text for word in _IN_GENERAL):
        return False
    return all(core & stems for core in question.core)


def _words_of(text: str, form: Form) -> list[str]:
    """The words of a text, but for labels."""
    reply = TaggedReply.of(Tidy(text), form)
    tagged = zip(reply.words, reply.tags, strict=True)
    return [word for token, tag in tagged if tag not in "LKZTU" for word in WORD.findall(token)]


_OPTIONS = re.compile(r"\bone of the (?:\w+ )?(?:choices|candidates) (?P<does>.+)", re.IGNORECASE)
_CAPTION = re.compile(r"\bone caption: (?P<text>[^.?!]+)[.]")


def _texts(text: str, form: Form) -> Mapping[str, str]:
    """What the question says of each label, or of the one that is asked for."""
    if caption := _CAPTION.search(text):
        return {"": caption["text"].lower()}
    matches = {label: re.search(rf"(?<!\w){re.escape(label)}: ([^.?!]+)[.]", text) for label in form.labels}
    sentences = {label: match[1].lower() for label, match in matches.items() if match}
    return sentences if len(sentences) == len(form.labels) else {}


_JOINS = re.compile(r"\b(?:and|while|but)\b|[,;]")
_LINKS = frozenset(("by", "has", "have", "with", "from", "to"))


def says_text(words: list[str], text: str, *, least: int) -> bool:
    """Whether words say a text or a clause of it: the same content words in the same order without a gap, and no other
    link between them. "The dog is chased by the cat" has the words and the order of "the dog chases the cat"."""
    content, whole = content_of(words), content_of(WORD.findall(text))
    parts = (content_of(WORD.findall(part)) for part in _JOINS.split(text))
    if len(content) < least or not (content == whole or any(contains(part, content) for part in parts)):
        return False
    return linked_alike(words, text)


def linked_alike(words: list[str], text: str) -> bool:
    """Whether words, from the first content word on, have no link such as "by" that a text lacks."""
    first = next((k for k, word in enumerate(words) if content_of((word,))), 0)
    return _LINKS.intersection(words[first:]) <= set(WORD.findall(text))


def content_of(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(stem(word) for word in words if word not in _SMALL and word not in plain_words())


def contains(text: tuple[str, ...], part: tuple[str, ...]) -> bool:
    """Whether one sequence of words stands in another without a gap."""
    return any(text[k : k + len(part)] == part for k in range(len(text) - len(part) + 1))


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


def is_plain_word(word: str) -> bool:
    return word in plain_words()


@cache
def plain_words() -> frozenset[str]:
    return frozenset(words_of("plain"))


@cache
def tags_of(role: str) -> frozenset[str]:
    return frozenset(lexicon().classes[role])


# Something else than what is asked about


def is_elsewhere(reply: TaggedReply, start: int, end: int) -> bool:
    """Whether words speak of another row, panel or choice than the question."""
    question = asked(reply.question.text, reply.form) if reply.question else None
    places = (k for k in range(start, end) if reply.tags[k] == "#")
    return question is not None and (
        not all(is_of_question(reply, k, question) for k in places)
        or in_other_cell(reply, question, start, end)
        or is_beside(reply, start, end)
    )


_BESIDE = re.compile(
    r"\b(?:above|below|beneath|beside|under|over|outside|near|around|next to|(?:left|right) of)(?: the)? (\w+)"
)


def is_beside(reply: TaggedReply, start: int, end: int) -> bool:
    """Whether words speak of what is next to that which is asked about: "above the row", "left of the middle"."""
    question = asked(reply.question.text, reply.form) if reply.question else None
    if question is None or start == end:
        return False
    near = _BESIDE.finditer(reply.text[reply.start_of(start) : reply.end_of(end - 1)])
    return any(
        match[0] not in question.text and any(stem(match[1]) in core for core in question.core) for match in near
    )


def names_part(reply: TaggedReply, place: int, question: Asked) -> bool:
    """Whether what looks like a label is the number of something in the question: "choice 1"."""
    lead = reply.tags[max(0, place - 1) : place]
    if not lead or (lead not in tags_of("noun") and lead not in tags_of("option")):
        return False
    span = reply.named.tidy.text[reply.start_of(place - 1) : reply.start_of(place)] + reply.raw_word(place)
    return span.lower() in question.text


def is_of_question(reply: TaggedReply, place: int, question: Asked) -> bool:
    """Whether a number is one that the question has, of the same thing: "row 1", not "row 2"."""
    lead = reply.tags[max(0, place - 1) : place]
    named = lead and (lead in tags_of("noun") or lead in tags_of("option"))
    return not named or " ".join(reply.words[place - 1 : place + 1]) in question.text


_CELL = re.compile(r"\( ?(?:row )?(\d+), ?(?:col(?:umn)? )?(\d+) ?\)")


def in_other_cell(reply: TaggedReply, question: Asked, start: int, end: int) -> bool:
    """Whether a clause speaks of another cell than the question's: "(2, 1)" is row 2, column 1."""
    if start == end or "column" not in question.text:
        return False
    cells = _CELL.finditer(reply.text[reply.start_of(start) : reply.end_of(end - 1)])
    return any(f"row {cell[1]}, column {cell[2]}" not in question.text for cell in cells)
