"""Answers given by judging the labels themselves: "caption B fits", "(A) no, (B) yes", "it belongs with the positives".

Where a role is asked for (a winner, a move), such words are reasoning and mean nothing. Here they must agree: of two
labels that are said to fit neither is read, and a list of verdicts counts only if it has one for every label.
"""

import re
from collections import deque
from collections.abc import Iterator

from snellen.answer.naming import SURE
from snellen.answer.rules import AFTER, ASIDE, ENDS, MOST, NOUN, Reply, earnest, left_open
from snellen.answer.values import Candidate

_SUBJECT = rf"(?:the )?(?:{NOUN} )?[(\[]?(?P<name>{SURE}){AFTER}"
_WELL = r"(?: (?:correctly|better|best|well|perfectly|exactly|accurately))?"
_SEEN = (
    r"(?: (?:the|this) (?:picture|image|photo|scene|caption|rule|pattern|query)| it| what (?:i see|is (?:shown|seen)))?"
)
_FITS = re.compile(
    rf"(?:^|(?<=[.,;:!?] )|(?<=\n)|(?<=\bso )|(?<=\bbut )|(?<=\bis )){_SUBJECT}{ASIDE} "
    r"(?:(?:who|that|which) )?(?:therefore |clearly |thus )?"
    rf"(?:(?:fits|matches|describes|suits){_SEEN}{_WELL}|is (?:accurate|true|correct|right|valid|fitting)"
    rf"(?: of| for)?{_SEEN})(?:{ENDS}|(?=[,;] )|(?= (?:and|while|whereas|but|because|since)\b))"
)
_ALSO_FITS = re.compile(
    r"\b(?:too|also|both|as well|equally|neither|either|almost|partly|partially|but not|not quite|excluded)\b"
)

# The sides of a sorting

_IT = r"(?:it|this|the query|query|this one)(?: (?:picture|image|photo))?"
_GROUP = (
    rf"(?:the )?(?P<name>{SURE})(?: (?:ones|pictures|images|photos|examples|group|side|set|class|category|samples))?"
)
_SORTED = re.compile(
    rf"(?:\b{_IT} (?:therefore |thus |clearly |also )?"
    r"(?:belongs|goes|sides|(?P<deny>(?:does not|doesn't) (?:belong|go)))|"
    rf"\bi(?:'d| would|'ll| will)? (?:put|place|group|sort|file|count) {_IT}) "
    rf"(?:with|to|among|in|into|on) {_GROUP}{ENDS}"
)


def _is_sorting(reply: Reply) -> bool:
    return reply.form.labels == ("positive", "negative")


def sorted_to(reply: Reply) -> Iterator[Candidate]:
    """The side where the query is put. Where it does not belong, it is on the other one."""
    for match in deque(_SORTED.finditer(reply.text), maxlen=MOST) if _is_sorting(reply) else ():
        if earnest(match):
            name = reply.named.answer(match["name"])
            other = next(label for label in reply.form.labels if label != name)
            yield Candidate(other if match["deny"] else name, "concluded", reply.raw(match))


def fitting(reply: Reply) -> Iterator[Candidate]:
    """The one label that is said to fit."""
    found = [match for match in deque(_FITS.finditer(reply.text), maxlen=MOST) if earnest(match)]
    if found and not reply.text.startswith("?", found[-1].end()):
        last = found[-1]
        agreed = len({match["name"] for match in found}) == 1 and not left_open(reply.text, last.end(), last["name"])
        unsure = _ALSO_FITS.search(reply.text, max(0, last.start() - 20), last.end() + 24)
        yield reply.candidate("concluded", *last.span(), last["name"] if agreed and not unsure else "")


# Verdicts on all

_VERDICT = re.compile(
    rf"(?:^|(?<=[.,;:(\[{{|\n] )|(?<=[\n(\[{{|])|(?<=\bwhether ))(?:{NOUN} )?"
    rf"(?P<name>{SURE}) ?[)\]]?(?: fits)? ?[:.|=-]? ?"
    r"(?:(?P<good>(?P<plain>yes)|true|right|correct|fits|matches|[✓✔✅])|(?P<bad>no|false|wrong|incorrect|[✗✘❌✖]))"
    r"(?= ?(?:[.,;:)\]}|\n(]|$))",
    re.MULTILINE,
)


_DIGITS = frozenset("123456789")


def verdicts(reply: Reply) -> Iterator[Candidate]:
    """One verdict for every label, and one of them unlike all others: the good one, or the bad one if that is asked."""
    found = list(_VERDICT.finditer(reply.text))
    if set(reply.form.labels) <= _DIGITS and any(match["plain"] for match in found):
        return  # numbered questions may have been answered with yes and no
    names = [match["name"] for match in found]
    if len(reply.form.labels) < 3 or sorted(map(reply.named.answer, names)) != sorted(reply.form.labels):
        return
    told = [match for match in found if match["bad" if reply.form.asked.lower() == "wrong" else "good"]]
    if len(told) == 1:
        yield Candidate(
            reply.named.answer(told[0]["name"]), "verdicts", reply.named.tidy.raw(found[0].start(), found[-1].end())
        )


# What the others do, and this one not

_THE_OTHER = re.compile(
    rf"(?:(?<=[.,;!] )|(?<=\n)|(?<=\bbut )){_SUBJECT} (?:does|is)(?P<deny> not|n't)?(?= ?(?:[.,;:!\n]|$))"
)
_OTHERS_DO = re.compile(r"\b(?:agree|agrees|match|matches|fit|fits|right|correct|true|hold|holds|accurate)\b")
_DENIES = re.compile(r"n't\b|\b(?:not|wrong|false|incorrect|none|neither)\b")
_SENTENCE = re.compile(r"[.!?]\s|\n")
_REACH = 240


def unlike_others(reply: Reply) -> Iterator[Candidate]:
    """ "Answers 2 to 4 agree with the picture. Answer 1 does not." """
    wrong = reply.form.asked.lower() == "wrong"
    for match in list(_THE_OTHER.finditer(reply.text))[-1:]:
        before = _SENTENCE.split(reply.text[max(0, match.start() - _REACH) : match.start()].rstrip(" .!\n;,"))[-1]
        others = set(re.findall(SURE, before)) - {match["name"]}
        denied = bool(_DENIES.search(before))
        if re.search(SURE, reply.text[match.end() :]):
            return
        if others and bool(match["deny"]) == wrong != denied and (denied or _OTHERS_DO.search(before)):
            yield reply.candidate("concluded", *match.span(), match["name"])


_NOT_IT = re.compile(
    rf"^\W{{0,3}}(?:(?:it is|it's|this is|that's|definitely|clearly|certainly|surely),? ){{0,2}}not "
    rf"(?:the )?(?:{NOUN} )?(?P<name>{SURE})(?=,? (?:because|since|as)\b)"
)


def denied_one(reply: Reply) -> Iterator[Candidate]:
    """ "Definitely not B, since ...": of two labels the other one, if the reply names no more than this."""
    match = _NOT_IT.match(reply.text) if len(reply.form.labels) == 2 else None
    if match and set(re.findall(SURE, reply.text)) == {match["name"]}:
        denied = reply.named.answer(match["name"])
        other = next(label for label in reply.form.labels if label != denied)
        yield Candidate(other, "by elimination", reply.raw(match))


def judged_labels(reply: Reply) -> Iterator[Candidate]:
    """All that these rules find, where labels can be judged as such."""
    if reply.form.kind != "choice" or reply.form.asked.lower() not in ("", "query", "wrong"):
        return
    yield from verdicts(reply)
    yield from unlike_others(reply)
    if reply.form.asked.lower() != "wrong":
        for rule in (sorted_to, fitting, denied_one):
            yield from rule(reply)
