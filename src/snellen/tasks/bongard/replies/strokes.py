"""Rules and descriptions about drawings of strokes, read as claims and shapes (`figures`)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise, product
from typing import Any

from snellen.answer.descriptions import read_description
from snellen.tasks.bongard.draw.strokes import STYLES, PenStroke
from snellen.tasks.bongard.replies.figures import Claim, DescribedShape, Drawing, named
from snellen.tasks.bongard.replies.rules import without_frills
from snellen.tasks.bongard.replies.vocabulary import LONGEST, REMEMBERED, word_lists
from snellen.tasks.bongard.strokes.language import ATTRIBUTES
from snellen.tasks.bongard.strokes.names import NAMES
from snellen.tasks.bongard.strokes.path import heard
from snellen.tasks.bongard.strokes.truth import Truth

_LINES = r"(?:strokes?|lines?|segments?|sides?|edges?|parts?)"
_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBER = rf"(?P<number>\d+|{'|'.join(_DIGITS[1:])})"

_PARTS = r"(?:the )?two (?:parts|halves|loops|lobes) (?:are )?"
_CORNERS = r"(?:angle|corner)s?"
_STRAIGHT = rf"(?:straight {_LINES} only|(?:only|nothing but|exclusively) straight {_LINES})"
_MEETS = r"(?:cross(?:es)?|touch(?:es)?|intersects?|meets?|overlaps?)"
_AXIS = r"(?:mirror axis|axis of symmetry|line of symmetry|mirror line|mirror symmetry|axis of reflection)"
ATTRIBUTE_WORDS: tuple[tuple[str, bool, str], ...] = (
    ("closed", True, r"closed|closes (?:up|on itself)|(?:its |the |whose )?ends meet|ends are joined"),
    ("closed", True, r"forms? a (?:closed )?loop"),
    ("closed", False, r"open(?:-ended)?|unclosed|has two loose ends|(?:a )?gap between its ends"),
    ("convex", True, r"convex"),
    ("convex", False, r"concave|non-?convex|has a dent|dented|indented|has an indentation"),
    ("symmetric", True, rf"(?:has )?(?:an? )?{_AXIS}|symmetry"),
    ("symmetric", True, r"(?:mirror[- ]|reflection(?:ally)? |axially )?symmetric(?:al)?"),
    ("symmetric", False, r"asymmetric(?:al)?|unsymmetric(?:al)?|lopsided|asymmetry"),
    ("meets itself", True, rf"{_MEETS}(?: or {_MEETS})? itself|self[- ](?:intersect(?:ing|ion|s)|crossing|touching)"),
    ("curved", False, rf"(?:consists? of |made (?:up )?of |has |with |uses )?{_STRAIGHT}|entirely straight"),
    ("curved", False, rf"(?:every|all) {_LINES} (?:is|are) straight"),
    ("curved", True, rf"(?:curved|bent|rounded) {_LINES}|curved(?: outline)?|(?:an? )?(?:arcs?|curves?)"),
    ("right angle", True, rf"right[- ]angles?|right[- ]angled corner|90[- ]degree {_CORNERS}|perpendicular corner"),
    ("acute angle", True, rf"(?:acute|sharp) {_CORNERS}|{_CORNERS} (?:of )?less than 90 degrees"),
    ("obtuse angle", True, rf"(?:obtuse|wide) {_CORNERS}|{_CORNERS} (?:of )?more than 90 degrees"),
    ("equal parts", True, rf"{_PARTS}(?:equally (?:large|big)|equal(?: in size)?|(?:of )?(?:the same|equal) size)"),
    ("equal parts", True, r"equal(?:-sized)? (?:parts|halves|loops)"),
    ("equal parts", False, rf"{_PARTS}(?:of (?:different|unequal) sizes?|unequal|different in size|differ in size)"),
    ("equal parts", False, r"unequal (?:parts|halves|loops)"),
)
"""For each attribute words that say it is there (True), and words that say it is not."""
_DENIAL = re.compile(r"\b(?:no|not|never|without|lacks?|lacking|doesn't|isn't|don't|aren't|neither|nor|free of)\b")


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Words that say something: where, what claims they may make, and what they say of a shape."""

    start: int
    end: int
    claims: tuple[Claim, ...]
    name: str = ""
    attribute: tuple[str, bool] | None = None
    count: tuple[str, int] | None = None


def _others(name: str) -> Sequence[str]:
    """Other words for a name."""
    return word_lists()["shapes"].get(name, ())


@cache
def _named() -> re.Pattern[str]:
    words = {form: name for name in NAMES for form in (name.lower(), *_others(name)) if form}
    listed = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?P<name>{'|'.join(map(re.escape, listed))})(?:s|es)?(?![\w-])")


@cache
def _name_of(words: str) -> str:
    for name in NAMES:
        if words == name.lower() or words in _others(name):
            return name
    raise KeyError(words)


_COUNT = re.compile(rf"{_NUMBER} (?P<kind>straight|curved|bent|rounded)? ?(?P<what>{_LINES}|arcs?|curves?)\b")
_SHAPES = re.compile(rf"{_NUMBER} (?:separate |different )?(?:shapes|figures|drawings|shape|figure)\b")
_SIZE = re.compile(r"\b(small|medium|large)(?:-sized)? (?:shape|figure|drawing)")
_ATTRIBUTES = tuple(
    (attribute, re.compile(rf"(?<![\w-])(?:{words})(?![\w-])"), yes) for attribute, yes, words in ATTRIBUTE_WORDS
)


@lru_cache(maxsize=REMEMBERED)
def _phrases(text: str) -> tuple[_Phrase, ...]:
    """What is said, without overlaps: the longest first."""
    found = [*_counted(text), *_attributed(text), *_called(text), *_other(text)]
    kept: list[_Phrase] = []
    for phrase in sorted(found, key=lambda each: each.start - each.end):
        if all(phrase.end <= other.start or phrase.start >= other.end for other in kept):
            kept.append(phrase)
    return tuple(sorted(kept, key=lambda each: each.start))


def _denied(text: str, start: int) -> bool:
    """Whether a denial stands before this, in the same clause and not far."""
    clause = re.split(r"[,;.:]|\bbut\b|\band\b", text[:start])[-1]
    return bool(_DENIAL.search(" ".join(clause.split()[-5:])))


def _counted(text: str) -> Iterator[_Phrase]:
    for match in _COUNT.finditer(text):
        number = _number(match["number"])
        if number == 1 and text[: match.start()].endswith("at least "):
            continue  # "at least one curve" counts nothing
        round_ = match["kind"] in ("curved", "bent", "rounded") or match["what"].startswith(("arc", "curve"))
        kind = "curved" if round_ else "straight" if match["kind"] else "strokes"
        yield _Phrase(*match.span(), (["count", kind, number],), count=(kind, number))
    for match in _SHAPES.finditer(text):
        yield _Phrase(*match.span(), (["shapes", _number(match["number"])],))


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else _DIGITS.index(word)


def _attributed(text: str) -> Iterator[_Phrase]:
    for attribute, pattern, yes in _ATTRIBUTES:
        for match in pattern.finditer(text):
            so = yes is not _denied(text, match.start())
            claims: tuple[Claim, ...] = (["is", attribute, so],)
            if so:
                claims = (*claims, ["some", attribute])
            yield _Phrase(*match.span(), claims, attribute=(attribute, so))


def _called(text: str) -> Iterator[_Phrase]:
    for match in _named().finditer(text):
        name = _name_of(match["name"])
        claim: Claim = ["name", name]
        denied = _denied(text, match.start())
        yield _Phrase(*match.span(), (["not", claim] if denied else claim,), name="" if denied else name)


def _other(text: str) -> Iterator[_Phrase]:
    for style, words in word_lists()["styles"].items():
        for match in re.finditer(rf"(?<![\w-])(?:{'|'.join(words)})(?: {_LINES})?(?![\w-])", text):
            yield _Phrase(*match.span(), (["style", style],))
    for match in _SIZE.finditer(text):
        yield _Phrase(*match.span(), (["size", match[1]],))


@lru_cache(maxsize=REMEMBERED)
def claims(rule: str) -> tuple[Claim, ...]:
    """Everything the rule may mean; nothing if it is not understood."""
    text = " ".join(rule.lower().replace("’", "'").split())[:LONGEST]
    if heard(text):
        return (["path", text],)
    text = without_frills(text, names_something)
    phrases = _phrases(text)
    if not phrases or any(word not in word_lists()["idle"]["strokes"] for word in _rest(text, phrases)):
        return ()
    joint = "or" if re.search(r"\bor\b", _between(text, phrases)) else "and"
    return tuple(_joined(joint, choice) for choice in product(*(phrase.claims for phrase in phrases)))[:16]


def names_something(rule: str) -> bool:
    """Whether any words of the rule are about what drawings can differ in."""
    text = " ".join(rule.lower().split())[:LONGEST]
    return bool(heard(text) or _phrases(text))


def _joined(joint: str, parts: Sequence[Claim]) -> Claim:
    return parts[0] if len(parts) == 1 else [joint, *parts]


def _between(text: str, phrases: Sequence[_Phrase]) -> str:
    """The words between the phrases."""
    return " ".join(text[a.end : b.start] for a, b in pairwise(phrases))


def _rest(text: str, phrases: Sequence[_Phrase]) -> list[str]:
    left, at = [], 0
    for phrase in phrases:
        left.append(text[at : phrase.start])
        at = phrase.end
    return re.findall(r"[^\W_]+", " ".join((*left, text[at:])))


# Descriptions

_STEPS = re.compile(r"(?<=[.!?])\s+|\n+|;\s*")
_NEXT = re.compile(r"\b(?:shape \d|first shape|second shape|third shape|another|other shape|the other)\b")
_UNNAMED = re.compile(r"\b(?:unnamed|irregular|free-?form|abstract|no name|nameless)\b")


@lru_cache(maxsize=REMEMBERED)
def read_drawing(text: str) -> Drawing:
    """The drawing that the words describe."""
    fields = read_description(text).fields
    if fields is not None:
        entries = next((value for value in fields.values() if isinstance(value, list) and value), None)
        if entries and all(isinstance(entry, dict) for entry in entries):
            return tuple(_entry(entry) for entry in entries)
        text = "\n".join(_flat(value) for value in fields.values())
    return tuple(_prose(text[:LONGEST].lower()))


def _flat(value: Any) -> str:
    if isinstance(value, Mapping):
        return ". ".join(f"{name}: {_flat(part)}" for name, part in value.items())
    return "\n".join(map(_flat, value)) if isinstance(value, list) else str(value)


def _entry(entry: Mapping[str, Any]) -> DescribedShape:
    """A shape in JSON: attributes by name, counts, strokes; other entries as words."""
    known = {str(name).lower().replace("_", " "): value for name, value in entry.items()}
    spoken = ". ".join(str(value) for value in known.values() if isinstance(value, str)).lower()
    shape = _shape(spoken)
    attributes = {**shape.attributes, **{name: known[name] for name in ATTRIBUTES if isinstance(known.get(name), bool)}}
    if known.get("name") == "unnamed":
        shape = replace(shape, names={})
    counts = {
        kind: known[f"{kind} strokes"]
        for kind in ("straight", "curved")
        if isinstance(known.get(f"{kind} strokes"), int)
    }
    strokes = _strokes(known.get("strokes"), known.get("turns"))
    styles = [stroke.get("style") for stroke in known.get("strokes", ()) if isinstance(stroke, dict)]
    return replace(
        shape,
        names=_by_attributes(shape.names, attributes),
        attributes=attributes,
        strokes=strokes,
        styles=frozenset(style for style in styles if style in STYLES) or None,
        said=", ".join(f"{name}: {known[name]}" for name in known if name not in ("strokes", "turns"))[:200],
        **counts,
    )


def _strokes(listed: Any, turns: Any) -> tuple[PenStroke, ...]:
    """Strokes and the turns between them, where both are listed whole."""
    if not isinstance(listed, list) or not isinstance(turns, list) or len(turns) != len(listed) - 1:
        return ()
    try:
        return tuple(
            PenStroke(float(one.get("arc", one.get("line"))), _degrees(one.get("angle")), _degrees(turn))
            for one, turn in zip(listed, [None, *turns], strict=True)
        )
    except (TypeError, ValueError, AttributeError):
        return ()


def _degrees(words: str | None) -> float:
    if words is None:
        return 0.0
    side, number = words.split()
    return float(number) * (1 if side == "left" else -1)


def _prose(text: str) -> Iterator[DescribedShape]:
    """Shapes one after another: a name or "another shape" begins a new one, all else is said of the last."""
    parts: list[str] = []
    for sentence in filter(str.strip, _STEPS.split(text)):
        starts = [0, *_starts(sentence), len(sentence)]
        for number, (a, b) in enumerate(pairwise(starts)):
            piece = sentence[a:b]
            if number or not parts or _begins(piece, parts[-1]):
                parts.append(piece)
            else:
                parts[-1] += " . " + piece
    return (_shape(part) for part in parts if _phrases(part) or _UNNAMED.search(part) or heard(part))


def _starts(sentence: str) -> list[int]:
    """Where a second name begins, in one sentence."""
    names = [phrase for phrase in _phrases(sentence) if phrase.name]
    return [_joint_before(sentence, one.end, other.start) for one, other in pairwise(names)]


def _joint_before(sentence: str, low: int, high: int) -> int:
    joints = [
        low + match.start() for match in re.finditer(r",|\band\b|\bbeside\b|\bnext to\b|\bplus\b", sentence[low:high])
    ]
    return joints[-1] if joints else high


def _begins(piece: str, before: str) -> bool:
    """Whether this is about another shape than what was said before."""
    new = [phrase.name for phrase in _phrases(piece) if phrase.name]
    old = [phrase.name for phrase in _phrases(before) if phrase.name]
    named_before = bool(old) or bool(_UNNAMED.search(before))
    if new and not (set(new) & set(old) and re.match(r"\s*(?:the|it|this)\b", piece)):
        return named_before
    return bool(_NEXT.search(piece)) and bool(_phrases(before))


def _shape(text: str) -> DescribedShape:
    phrases = _phrases(text)
    own = [phrase.name for phrase in phrases if phrase.name]
    shape = named(own[0]) if own else DescribedShape({}, names={} if _UNNAMED.search(text) else None)
    said = {phrase.attribute[0]: phrase.attribute[1] for phrase in phrases if phrase.attribute}
    counts = {phrase.count[0]: phrase.count[1] for phrase in phrases if phrase.count}
    if counts.get("strokes") is not None and said.get("curved") is False:
        counts |= {"straight": counts["strokes"], "curved": 0}
    sizes = [phrase.claims[0][1] for phrase in phrases if phrase.claims[0][0] == "size"]
    return replace(
        shape,
        names=_by_attributes(shape.names, said),
        attributes={**shape.attributes, **_curved_by(counts), **said},
        straight=counts.get("straight", shape.straight),
        curved=counts.get("curved", shape.curved),
        size=sizes[0] if sizes else "",
        strokes=heard(text),
        said=" ".join(text.split())[:200],
    )


def _by_attributes(own: Mapping[str, Truth] | None, said: Mapping[str, Truth]) -> Mapping[str, Truth] | None:
    """A triangle, whatever its name, is a right one if it has a right angle, and isosceles if it is symmetric."""
    if own is None or not own.get("triangle"):
        return own
    kinds = {"right triangle": "right angle", "isosceles triangle": "symmetric"}
    known = {kind: said[attribute] for kind, attribute in kinds.items() if said.get(attribute) is not None}
    return {**own, **{kind: truth for kind, truth in known.items() if own.get(kind) is not True}}


def _curved_by(counts: Mapping[str, int]) -> dict[str, bool]:
    return {"curved": counts["curved"] > 0} if "curved" in counts else {}
