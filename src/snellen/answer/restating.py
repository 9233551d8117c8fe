"""Replies that answer in the words of the question: "X has such a line", "It is not the usual number", "six dots".

A clause that has one label, and otherwise only words of the question and plain ones, says that label. Where the
question asks which of them does something ("Which side has more pieces?"), the clause must also have the word on which
it turns ("more"). A word that is none of these, such as "fewer", makes the clause mean something else. A yes or no may
be said without either word: "The number is usual", "It is not the usual one".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from snellen.answer.asking import (
    WORD,
    Asked,
    asked,
    contains,
    content_of,
    in_other_cell,
    is_beside,
    is_of_question,
    linked_alike,
    names_part,
    plain_words,
    says_text,
    stem,
    tags_of,
)
from snellen.answer.lexicon import pattern
from snellen.answer.naming import everyday, is_number_word
from snellen.answer.tags import TaggedReply


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
_WHERE = "(?: AND | WHILE )? PREP (?: THE | NOUNS | TAIL | L ){1,4}"
_IN_BRACKETS = r"\( [^()\n]* \)"


def clauses(reply: TaggedReply) -> Iterator[tuple[int, int, bool]]:
    """Where clauses start and end, and whether a conclusion leads to each."""
    start, drawn, reason = 0, False, False
    tags = re.sub(r"\([^()\n]*\)", lambda match: "o" * len(match[0]), reply.tags)
    stops = [match.span() for match in pattern(_BREAKS).finditer(tags)]
    for begin, end in [*stops, (len(tags), len(tags))]:
        if tags[begin:end] == "," and pattern(_WHERE).fullmatch(tags, start, begin):
            continue  # "In the first picture, the dog runs": what is said there follows
        if not (reason and "L" in tags[:start]):
            yield from ((*part, drawn) for part in _parts(reply, tags, start, begin))
        drawn, reason = (bool(pattern(text).match(tags, begin)) for text in ("HENCE | >", "BECAUSE"))
        start = end


def _parts(reply: TaggedReply, tags: str, start: int, end: int) -> Iterator[tuple[int, int]]:
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


def restated(reply: TaggedReply) -> Iterator[Clause]:
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
        if in_other_cell(reply, question, start, end) or is_beside(reply, start, end):
            continue
        claim = _said(reply, question, start, end) or _in_texts(reply, question, start, end)
        if claim and not _of_the_other(reply, start, end) and not _turns_after(reply, question, end):
            yield Clause(start, end, claim[0], claim[1], drawn)


def _in_texts(reply: TaggedReply, question: Asked, start: int, end: int) -> tuple[str, bool] | None:
    """The label of which a clause says what the question says of it."""
    if not question.texts or pattern("NOT | NO | IF | MAY | ALSO_FITS").search(reply.tags, start, end):
        return None
    labels = {reply.answer(k) for k in range(start, end) if reply.tags[k] == "L"}
    words = [word for k in range(start, end) if reply.tags[k] not in "LKZ" for word in WORD.findall(reply.words[k])]
    if "" in question.texts:
        fits = says_text(words, question.texts[""], least=2)
        return (labels.pop(), False) if len(labels) == 1 and fits else None
    fitting = {label for label, text in question.texts.items() if says_text(words, text, least=3)}
    return (fitting.pop(), False) if len(fitting) == 1 and labels <= fitting else None


def _turns_after(reply: TaggedReply, question: Asked, end: int) -> bool:
    """Whether the same sentence goes on with "but fewer overall": the opposite of the same label."""
    if not pattern("BUT").match(reply.tags, end):
        return False
    stop = next((k for k in range(end, len(reply.tags)) if reply.tags[k] in ".!?\nLK"), len(reply.tags))
    return any(stem(word) in question.opposite for word in reply.words[end:stop]) and reply.tags[stop : stop + 1] != "L"


def _of_the_other(reply: TaggedReply, start: int, end: int) -> bool:
    """Whether a clause is about the second of two things that are compared: it answers another question."""
    if len(reply.form.about) != 2:
        return False
    phrase = " ".join(reply.words[start:end])
    asked, other = (phrase.find(thing.lower()) for thing in reply.form.about)
    return other >= 0 and (asked < 0 or other < asked)


def headed(reply: TaggedReply) -> Iterator[Clause]:
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


def _said(reply: TaggedReply, question: Asked, start: int, end: int) -> tuple[str, bool] | None:
    """The label that a clause says, and whether it says the opposite of what is asked."""
    hidden = [m.span() for text in (_DROPPED, _IN_BRACKETS) for m in pattern(text).finditer(reply.tags, start, end)]
    places = [k for k in range(start, end) if not any(a <= k < b for a, b in hidden)]
    places = [k for k in places if not (reply.tags[k] in "LK" and names_part(reply, k, question))]
    labels = {reply.answer(k) for k in places if reply.tags[k] in "LK"}
    sure = [k for k in places if reply.tags[k] == "L" or _counts_one(reply, question, k, end)]
    if question.yes_no and not labels:
        return _yes_or_no(reply, question, places)
    if (
        len(labels) != 1
        or not sure
        or not any(reply.tags[k] not in "LK()|*o" and reply.tags[k] not in tags_of("the") for k in places)
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
        if reply.tags[k] in tags_of("not") or (reply.tags[k] in tags_of("no") and not question.yes_no):
            denied = not denied
        elif (
            (reply.tags[k] == "#" and not is_of_question(reply, k, question))
            or reply.tags[k] in tags_of("if")
            or reply.tags[k] in tags_of("may")
        ):
            return None
        else:
            for word in WORD.findall(reply.words[k]):
                if k - 1 in sure and reply.tags[k] in tags_of("tail") and stem(word) not in question.opposite:
                    continue
                turns = turns or stem(word) in question.turns
                turned = turned or stem(word) in question.opposite
                holds = word == "case" and reply.words[k - 2 : k] == ["is", "the"] and "true" in question.words
                turns = turns or holds
                if word in caption or holds:
                    continue
                if not _is_known(word, reply.words[k], reply.tags[k], question) and not turned:
                    return (
                        (labels.pop(), denied != question.denies)
                        if _in_adjunct(reply, places, k, sure, turns=turns and bool(question.turns))
                        else None
                    )
    words = {reply.words[k] for k in places if reply.tags[k] not in "LK"} - {"not"}
    is_noun = bool(words) and bool(question.noun) and words - _SAYS_WHICH == {question.noun}
    turns = (
        is_noun
        or turns
        or (bool(words) and words <= {"does", "do", "did"})
        or (words == {"has", "one"} and "such" in question.text)
    )
    if not turns and not turned:
        return None
    return labels.pop(), (denied != question.denies) != turned


def _caption(reply: TaggedReply, question: Asked, places: list[int]) -> frozenset[str]:
    """The words of the question's caption, if a clause has it whole: 'the caption "the crayon is above the horse"'."""
    words = [word for k in places if reply.tags[k] not in "LKZ" for word in WORD.findall(reply.words[k])]
    caption = question.texts.get("", "")
    text = content_of(WORD.findall(caption))
    whole = bool(text) and contains(content_of(words), text) and linked_alike(words, caption)
    return frozenset(word for word in words if stem(word) in text) if whole else frozenset()


_SAYS_WHICH = frozenset(("the", "this", "that", "is"))


def _in_adjunct(reply: TaggedReply, places: list[int], place: int, sure: list[int], *, turns: bool) -> bool:
    """Whether a word belongs to a phrase such as "down the left column", after all that matters was said."""
    last = [k for k in places if k < place and reply.tags[k] in tags_of("adjunct")]
    rest = "".join(reply.tags[k] for k in places if k >= place)
    return turns and bool(last) and max(sure) < last[-1] and not pattern("NOT | IF | MAY").search(rest)


def _counts_one(reply: TaggedReply, question: Asked, place: int, end: int) -> bool:
    """True if "one" is a number here, that is, followed by the word for what is counted."""
    after = {stem(word) for token in reply.words[place + 1 : min(end, place + 3)] for word in WORD.findall(token)}
    return reply.tags[place] == "K" and bool(after & question.counts)


def _yes_or_no(reply: TaggedReply, question: Asked, places: list[int]) -> tuple[str, bool] | None:
    """A yes or no that is said without either word."""
    denied = turned = turns = False
    if places and reply.words[places[0]] in ("is", "are", "does", "do", "has", "have"):
        return None  # a question, or the head of one
    for k in places:
        tag = reply.tags[k]
        if tag in "()*|o%":
            continue
        if tag in tags_of("if") or tag in tags_of("may"):
            return None
        for word in WORD.findall(reply.words[k]):
            if tag in tags_of("not") or word == "no":
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
    is_asked = stem(word) in question.words or word in question.words or (word != token and word in plain_words())
    is_asked = is_asked or ((word.isdigit() or is_number_word(word)) and not question.yes_no)
    return is_asked or any(tag in tags_of(role) for role in ("plain", "surely", "fairly", "think", "close"))
