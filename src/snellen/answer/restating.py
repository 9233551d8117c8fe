"""Replies that answer in the words of the question: "X has such a line", "It is not the usual number", "six dots".

A clause that has one label, and otherwise only words of the question and plain ones, says that label. Where the
question asks which of them does something ("Which side has more pieces?"), the clause must also have the word on which
it turns ("more"). A word that is none of these, such as "fewer", makes the clause mean something else. A yes or no may
be said without either word: "The number is usual", "It is not the usual one".
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from snellen.answer.lexicon import lexicon, pattern, table, words_of
from snellen.answer.naming import everyday, is_number_word
from snellen.answer.tags import Reply
from snellen.answer.tidy import Tidy
from snellen.item import Form

_SENTENCE = re.compile(r"(?<=[.!?:])\s+|\n+")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
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
    what it counts, whether it denies, and whether it is for yes or no. `texts`: what the question itself says of each
    label ("A: the bee is above the croissant"), or of the one that is asked for (under no label), word by word."""

    words: frozenset[str]
    turns: frozenset[str]
    counts: frozenset[str]
    denies: bool
    yes_no: bool
    opposite: frozenset[str]
    texts: Mapping[str, tuple[str, ...]]
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
    known = frozenset(same for word in words for same in _alike(word)) | {word for word in words if word.isdigit()}
    known |= frozenset(same for word in after if word not in _SMALL for same in _alike(word))
    known |= {stem(word) for label in form.labels for word in label.lower().split()}
    options = [_words_of(part, form) for part in parts if _OPTIONS.search(part)]
    known |= {stem(word) for sentence in options for word in sentence}
    known |= {stem(word) for word in _WORD.findall(before.lower())}  # "such a line" means what was said before
    if everyday(form):
        known |= {stem(word) for word in _words_of(text, form) if word in words_of("chart")}
    content = [word for word in words if word not in _SMALL and not word.isdigit()]
    counts: frozenset[str] = frozenset()
    if words[:2] == ["how", "many"] or words[1:3] == ["how", "many"]:
        rest = words[words.index("many") + 1 :]
        verbs = [k for k, word in enumerate(rest) if word in _AUX or word in ("are", "is", "have")]
        counts = frozenset(stem(word) for word in rest[: verbs[0] if verbs else 3] if word not in _SMALL)
    yes_no = {label.lower() for label in form.labels} == {"yes", "no"}
    turning = _turning(words, content, yes_no=yes_no)
    does = [match["does"] for part in parts if (match := _OPTIONS.search(part))] if turning else []
    turning += [word for said in does for word in _WORD.findall(said.lower()) if word not in _SMALL][:1]
    opposite = frozenset(
        stem(other) for word in turning for other in table("opposite").get(word, "").split(" | ") if other
    )
    return Asked(
        known,
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


def _noun(words: list[str]) -> str:
    """What the labels are called: "pair", where the question is "Which pair is out of line?"."""
    after = words[words.index("which") + 1 :] if "which" in words else []
    return after[0] if after and after[0] not in _SMALL else ""


def _core(sentence: str, form: Form) -> list[str]:
    """The words of a question that tell what is asked, without what it adds after a comma."""
    words = _words_of(sentence.partition(",")[0], form)
    return [word for word in words if word not in _SMALL]


_IN_GENERAL = ("all", "most", "every", "any", "some", "each", "usually", "normally", "typically")


def in_full(reply: Reply, start: int, end: int) -> bool:
    """Whether a sentence has all the words that tell what is asked: it speaks of that and of nothing else."""
    question = asked(reply.question.text, reply.form) if reply.question else None
    if question is None or len(question.core) < 2:
        return False
    words = {word for token in reply.words[start:end] for word in _WORD.findall(token)}
    said = words | {stem(word) for word in words}
    if any(word in words and word not in question.text for word in _IN_GENERAL):
        return False
    return all(core & said for core in question.core)


def _words_of(text: str, form: Form) -> list[str]:
    """The words of a text, but for labels."""
    reply = Reply.of(Tidy(text), form)
    tagged = zip(reply.words, reply.tags, strict=True)
    return [word for token, tag in tagged if tag not in "LKZTU" for word in _WORD.findall(token)]


_OPTIONS = re.compile(r"\bone of the (?:\w+ )?(?:choices|candidates) (?P<does>.+)", re.IGNORECASE)
_CAPTION = re.compile(r"\bone caption: (?P<text>[^.?!]+)[.]")


def _texts(text: str, form: Form) -> Mapping[str, tuple[str, ...]]:
    """What the question says of each label, or of the one that is asked for."""
    if caption := _CAPTION.search(text):
        return {"": _content(_WORD.findall(caption["text"].lower()))}
    found = {label: re.search(rf"(?<!\w){re.escape(label)}: ([^.?!]+)[.]", text) for label in form.labels}
    said = {label: _content(_WORD.findall(match[1].lower())) for label, match in found.items() if match}
    return said if len(said) == len(form.labels) else {}


def _content(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(stem(word) for word in words if word not in _SMALL and word not in _plain())


def _contains(text: tuple[str, ...], part: tuple[str, ...]) -> bool:
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


OURS = re.compile(
    r"\bour (?:own |usual )?(?:world|words|language|terms)\b|(?:^|[,;:] ?)(?:to|for) us\b|\b(?:to|for) us ?[.,!]|"
    r"\bwe(?: would)? (?:do |just |actually )?(?:call|say|name)\b|\bother person\b"
)
"""What we would say was not asked for."""

_BREAKS = r"[.!?\n;>] | (?<! HOLDS ) : | , (?! NOUNS? L (?: [,.;] | AND | $ ) | NOUN \# ) | - | BUT | HENCE | BECAUSE"
_VERB = "IS | HAVE | LOOKS | HOLDS | FITS"
_DROPPED = r"(?: NOT | THAN | DENY ) (?: THE | AN | PREP | NOUNS | TAIL ){0,3} \(? L AFTER"
_IN_BRACKETS = r"\( [^()\n]* \)"


def clauses(reply: Reply) -> Iterator[tuple[int, int, bool]]:
    """Where clauses start and end, and whether a conclusion leads to each."""
    start, drawn, reason = 0, False, False
    tags = re.sub(r"\([^()\n]*\)", lambda match: "o" * len(match[0]), reply.tags)
    stops = [match.span() for match in pattern(_BREAKS).finditer(tags)]
    for begin, end in [*stops, (len(tags), len(tags))]:
        if not (reason and "L" in tags[:start]):
            yield from ((*part, drawn) for part in _parts(reply, tags, start, begin))
        drawn, reason = (bool(pattern(text).match(tags, begin)) for text in ("HENCE | >", "BECAUSE"))
        start = end


def _parts(reply: Reply, tags: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The clause, or the two that "and" joins in it where each says something of a label of its own."""
    if len({reply.answer(k) for k in range(start, end) if tags[k] in "LK"}) > 1:
        for link in pattern("AND").finditer(tags, start, end):
            if pattern("(?: THE | AN )? NOUNS? [LK] AFTER $").fullmatch(tags, link.end(), end):
                continue  # "the picture is first and second"
            if pattern(_VERB).search(tags, start, link.start()) or pattern(_VERB).match(tags, link.end()):
                yield from _parts(reply, tags, start, link.start())
                yield from _parts(reply, tags, link.end(), end)
                return
    yield start, end


ON_THE = re.compile("\\bon the [\U000f0000-\U000ffffd]")


def restated(reply: Reply) -> Iterator[Clause]:
    """The clauses of a reply that say a label in the words of the question."""
    question = asked(reply.question.text, reply.form) if reply.question else None
    if question is None or reply.form.asked not in ("", "query", "wrong"):
        return
    for start, end, drawn in clauses(reply):
        if reply.tags[end : end + 1] == "?" or end - start > 30 or OURS.search(" ".join(reply.words[start:end])):
            continue
        if everyday(reply.form) and pattern("[LK] AFTER OF THE PAGE").search(reply.tags, start, end):
            continue
        if question.which_way and ON_THE.search(" ".join(reply.words[start:end])):
            continue  # where it stands, not where it looks
        if _in_other_cell(reply, question, start, end) or is_beside(reply, start, end):
            continue
        found = _said(reply, question, start, end) or _in_texts(reply, question, start, end)
        if found and not _of_the_other(reply, start, end) and not _turns_after(reply, question, end):
            yield Clause(start, end, found[0], found[1], drawn)


_CELL = re.compile(r"\( ?(?:row )?(\d+), ?(?:col(?:umn)? )?(\d+) ?\)")


def _in_other_cell(reply: Reply, question: Asked, start: int, end: int) -> bool:
    """Whether a clause speaks of another cell than the question's: "(2, 1)" is row 2, column 1."""
    if start == end or "column" not in question.text:
        return False
    cells = _CELL.finditer(reply.text[reply.start_of(start) : reply.end_of(end - 1)])
    return any(f"row {cell[1]}, column {cell[2]}" not in question.text for cell in cells)


def _in_texts(reply: Reply, question: Asked, start: int, end: int) -> tuple[str, bool] | None:
    """The label of which a clause says what the question says of it."""
    if not question.texts or pattern("NOT | NO | IF | MAY | ALSO_FITS").search(reply.tags, start, end):
        return None
    labels = {reply.answer(k) for k in range(start, end) if reply.tags[k] == "L"}
    words = (word for k in range(start, end) if reply.tags[k] not in "LKZ" for word in _WORD.findall(reply.words[k]))
    said = _content(words)
    if "" in question.texts:
        fits = len(said) > 1 and _contains(question.texts[""], said)
        return (labels.pop(), False) if len(labels) == 1 and fits else None
    fitting = {label for label, text in question.texts.items() if len(said) > 2 and _contains(text, said)}
    return (fitting.pop(), False) if len(fitting) == 1 and labels <= fitting else None


def _turns_after(reply: Reply, question: Asked, end: int) -> bool:
    """Whether the same sentence goes on with "but fewer overall": the opposite of the same label."""
    if not pattern("BUT").match(reply.tags, end):
        return False
    stop = next((k for k in range(end, len(reply.tags)) if reply.tags[k] in ".!?\nLK"), len(reply.tags))
    return any(stem(word) in question.opposite for word in reply.words[end:stop]) and reply.tags[stop : stop + 1] != "L"


def _of_the_other(reply: Reply, start: int, end: int) -> bool:
    """Whether a clause is about the second of two things that are compared: it answers another question."""
    if len(reply.form.about) != 2:
        return False
    said = " ".join(reply.words[start:end])
    asked, other = (said.find(thing.lower()) for thing in reply.form.about)
    return other >= 0 and (asked < 0 or other < asked)


def headed(reply: Reply) -> Iterator[Clause]:
    """ "Middle: K", where the middle is asked for, "Caption: B", where the question is which caption."""
    question = asked(reply.question.text, reply.form) if reply.question else None
    if question is None or question.yes_no or reply.form.kind != "choice" or reply.form.asked not in ("", "query"):
        return
    for match in pattern(r"SPOKEN NOUNS? ASIDE (?: [:=>] | - ) \n? LABEL AFTER ASIDE (?= [.,;!\no✓] | $ )").finditer(
        reply.tags
    ):
        word = stem(reply.words[match.start()])
        counted = bool(question.counts) and word in question.core[0]
        if word in question.turns or word in question.opposite or word == stem(question.noun) or counted:
            label = reply.answer(match.start("label"))
            yield Clause(match.start(), match.end(), label, (word in question.opposite) != question.denies)


def _said(reply: Reply, question: Asked, start: int, end: int) -> tuple[str, bool] | None:
    """The label that a clause says, and whether it says the opposite of what is asked."""
    hidden = [m.span() for text in (_DROPPED, _IN_BRACKETS) for m in pattern(text).finditer(reply.tags, start, end)]
    places = [k for k in range(start, end) if not any(a <= k < b for a, b in hidden)]
    places = [k for k in places if not (reply.tags[k] in "LK" and _names_part(reply, k, question))]
    labels = {reply.answer(k) for k in places if reply.tags[k] in "LK"}
    sure = [k for k in places if reply.tags[k] == "L" or _counts_one(reply, question, k, end)]
    if question.yes_no and not labels:
        return _yes_or_no(reply, question, places)
    if (
        len(labels) != 1
        or not sure
        or not any(reply.tags[k] not in "LK()|*o" and reply.tags[k] not in _class("the") for k in places)
    ):
        return None
    if pattern("THE? L PLURAL").match(reply.tags, start):
        return None  # the group, not the one that is asked about
    turned = denied = False
    turns = not question.turns
    caption = _caption(reply, question, places)
    for k in places:
        if reply.tags[k] in "LK" or reply.tags[k] in "()*|o%":
            continue
        if reply.tags[k] in _class("not") or (reply.tags[k] in _class("no") and not question.yes_no):
            denied = not denied
        elif (
            (reply.tags[k] == "#" and not _is_of_question(reply, k, question))
            or reply.tags[k] in _class("if")
            or reply.tags[k] in _class("may")
        ):
            return None
        else:
            for word in _WORD.findall(reply.words[k]):
                if k - 1 in sure and reply.tags[k] in _class("tail") and stem(word) not in question.opposite:
                    continue
                turns = turns or stem(word) in question.turns
                turned = turned or stem(word) in question.opposite
                turns = turns or (word == "case" and reply.words[k - 2 : k] == ["is", "the"] and "true" in question.turns)
                if word in caption or word == "case":
                    continue
                if not _is_known(word, reply.words[k], reply.tags[k], question) and not turned:
                    return (
                        (labels.pop(), denied != question.denies)
                        if _in_adjunct(reply, places, k, sure, turns=turns and bool(question.turns))
                        else None
                    )
    said = {reply.words[k] for k in places if reply.tags[k] not in "LK"} - {"not"}
    is_noun = bool(said) and bool(question.noun) and said - _SAYS_WHICH == {question.noun}
    turns = (
        is_noun or turns or (bool(said) and said <= {"does", "do", "did"}) or (said == {"has", "one"} and "such" in question.text)
    )
    if not turns and not turned:
        return None
    return labels.pop(), (denied != question.denies) != turned


def _caption(reply: Reply, question: Asked, places: list[int]) -> frozenset[str]:
    """The words of the question's caption, if a clause has it whole: 'the caption "the crayon is above the horse"'."""
    words = [word for k in places if reply.tags[k] not in "LKZ" for word in _WORD.findall(reply.words[k])]
    text = question.texts.get("", ())
    return frozenset(word for word in words if stem(word) in text) if text and _contains(_content(words), text) else frozenset()


_SAYS_WHICH = frozenset(("the", "this", "that", "is"))


def is_elsewhere(reply: Reply, start: int, end: int) -> bool:
    """Whether words speak of another row, panel or choice than the question."""
    question = asked(reply.question.text, reply.form) if reply.question else None
    places = (k for k in range(start, end) if reply.tags[k] == "#")
    return question is not None and (
        not all(_is_of_question(reply, k, question) for k in places)
        or _in_other_cell(reply, question, start, end)
        or is_beside(reply, start, end)
    )


_BESIDE = re.compile(
    r"\b(?:above|below|beneath|beside|under|over|outside|near|around|next to|(?:left|right) of)(?: the)? (\w+)"
)


def is_beside(reply: Reply, start: int, end: int) -> bool:
    """Whether words speak of what is next to that which is asked about: "above the row", "left of the middle"."""
    question = asked(reply.question.text, reply.form) if reply.question else None
    if question is None or start == end:
        return False
    near = _BESIDE.finditer(reply.text[reply.start_of(start) : reply.end_of(end - 1)])
    return any(
        match[0] not in question.text and any(stem(match[1]) in core for core in question.core) for match in near
    )


def _names_part(reply: Reply, place: int, question: Asked) -> bool:
    """Whether what looks like a label is the number of something in the question: "choice 1"."""
    lead = reply.tags[max(0, place - 1) : place]
    if not lead or (lead not in _class("noun") and lead not in _class("option")):
        return False
    span = reply.named.tidy.text[reply.start_of(place - 1) : reply.start_of(place)] + reply.raw_word(place)
    return span.lower() in question.text


def _is_of_question(reply: Reply, place: int, question: Asked) -> bool:
    """Whether a number is one that the question has, of the same thing: "row 1", not "row 2"."""
    lead = reply.tags[max(0, place - 1) : place]
    named = lead and (lead in _class("noun") or lead in _class("option"))
    return not named or " ".join(reply.words[place - 1 : place + 1]) in question.text


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
    if places and reply.words[places[0]] in ("is", "are", "does", "do", "has", "have"):
        return None  # a question, or the head of one
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
            elif _is_known(word, reply.words[k], tag, question):
                turns = turns or stem(word) in question.turns
            elif not (turns and _in_adjunct(reply, places, k, [-1], turns=turns)):
                return None
    if not turns:
        return None
    labels = {label.lower(): label for label in reply.form.labels}
    return labels["no" if denied != turned else "yes"], False


def _unlike(word: str) -> str:
    return stem(word[2:]) if word.startswith(("un", "ir", "im")) else ""


def _is_known(word: str, token: str, tag: str, question: Asked) -> bool:
    known = stem(word) in question.words or word in question.words or (word != token and word in _plain())
    known = known or ((word.isdigit() or is_number_word(word)) and not question.yes_no)
    return known or any(tag in _class(role) for role in ("plain", "surely", "fairly", "think", "close"))


def is_plain_word(word: str) -> bool:
    return word in _plain()


@cache
def _plain() -> frozenset[str]:
    return frozenset(words_of("plain"))
