"""The words of the published labels, made regular: explanations, perception questions and their kinds.

The published questions repeat a long preface and then ask one sentence; only that sentence is kept.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from snellen.tasks.marvel.probing.texts import NUMBERS, Fine

LETTERS = "ABCD"
REFORMATION = "reformation"
"""All that the published set says about its folded solids."""

_VERDICT = re.compile(
    r"(?:\b[Oo]nly (?:item |option |items |options )?|\banswer is |\bcorresponding to (?:item |option ))([A-D])\b"
    r"|\b([A-D]) is (?:the )?(?:correct|right|answer)\b"
)
_OF_FOR_OR = re.compile(rf"\b({'|'.join(NUMBERS)}) of ({'|'.join(NUMBERS)})\b")
_SAME_WORD = {"bottom": "down", "top": "up"}
_NEAR = 0.75


@dataclass(frozen=True, slots=True)
class PublishedExplanation:
    text: str
    useful: bool
    notes: tuple[str, ...]


def explanation(published: str, answer: int) -> PublishedExplanation:
    """The explanation on one line; `useful` if it explains, and explains the answer (from 0) that is the key."""
    text, notes = published, []
    if (parts := _listed(text)) is not None:
        text = " ".join(parts)
        notes.append("the explanation is a list written as text; its parts are joined")
    text = _balanced(" ".join(text.split()))
    named = {letter for pair in _VERDICT.findall(text) for letter in pair if letter}
    agrees = not named or named == {LETTERS[answer]}
    if not agrees:
        notes.append("the explanation names another choice than the key; it is no worked example")
    says_something = len(text.split()) > 1 and text.strip(".").lower() != REFORMATION
    return PublishedExplanation(text, agrees and says_something, tuple(notes))


def _listed(text: str) -> list[str] | None:
    """The parts of a Python list of strings that was written out as one string."""
    if not text.strip().startswith("['") or len(text) > 10_000:
        return None
    try:
        parts = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    return parts if isinstance(parts, list) and all(isinstance(part, str) for part in parts) else None


def _balanced(text: str) -> str:
    """Without a quotation mark at the end that was never opened."""
    return text[:-1].rstrip() if text.endswith('"') and text.count('"') % 2 else text


@dataclass(frozen=True, slots=True)
class PublishedProbe:
    """A published perception question; `fine` is None if its options do not fit it. `about`: a choice from 0, or -1."""

    fine: Fine | None
    about: int
    notes: tuple[str, ...]


def perception(published: str, answer: str, distractor: str) -> PublishedProbe:
    """The sentence that asks, its two options as that sentence spells them, and slots where it offers them.

    An option that the sentence does not offer is replaced by the word of the sentence that it nearly is (a slip of
    spelling or of grammar). If there is none, the question cannot be answered. Number words never are nearly
    something else.
    """
    text, notes = _sentence(published)
    options = []
    for option in (answer, distractor):
        spelled = _as_offered(" ".join(option.split()), text)
        if spelled is None:
            broken = f"its fine question does not offer the answer {option.strip()!r} and is left out"
            return PublishedProbe(None, _about(text), (*notes, broken))
        if spelled.lower() != option.strip().lower():
            notes.append(f"the option {option.strip()!r} is {spelled!r} in its question")
        options.append(spelled)
    right, wrong = options
    if right.lower() == wrong.lower():
        return PublishedProbe(
            None, _about(text), (*notes, "the two options of its fine question are the same; left out")
        )
    return PublishedProbe(
        Fine(kind(text, right, wrong), _slotted(text, right, wrong), right, wrong), _about(text), (*notes,)
    )


def _sentence(published: str) -> tuple[str, list[str]]:
    """The last sentence, with its question mark."""
    notes = []
    text = " ".join(published.replace("\N{FULLWIDTH QUESTION MARK}", "?").split()).rpartition(". ")[2]
    if not text.endswith("?"):
        text += "?"
        notes.append("its fine question lacks the question mark")
    if _OF_FOR_OR.search(text):
        text = _OF_FOR_OR.sub(r"\1 or \2", text)
        notes.append("its fine question says 'of' for 'or'")
    return text, notes


def _about(text: str) -> int:
    mention = re.search(r"\bchoice ([1-4])\b", text)
    return int(mention[1]) - 1 if mention else -1


def _as_offered(option: str, text: str) -> str | None:
    """The option as the question spells it, whatever its case; whole words only."""
    if option.lower() in ("yes", "no"):
        return option.lower()
    mention = _words(option).search(text)
    if mention:
        return mention[0]
    if option.lower() in NUMBERS:
        return None
    other = _SAME_WORD.get(option.lower())
    if other and _words(other).search(text):
        return other
    near = get_close_matches(option.lower(), re.findall(r"[a-z]+", text.lower()), 1, _NEAR)
    return near[0] if near else None


def _words(option: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(option)}(?!\w)", re.IGNORECASE)


def _slotted(text: str, right: str, wrong: str) -> str:
    """The sentence with slots for its two options, if it names them on either side of an "or"."""
    safe = text.replace("{", "(").replace("}", ")")
    places = sorted(_places(safe, right, wrong))
    for middle in re.finditer(r"\bor\b", safe):
        before = [place for place in places if place[1] <= middle.start()][-1:]
        after = [place for place in places if place[0] >= middle.end()][:1]
        if before and after and before[0][2] != after[0][2]:
            (start, end, _), (start2, end2, _) = before[0], after[0]
            return f"{safe[:start]}{{a}}{safe[end:start2]}{{b}}{safe[end2:]}"
    return safe


def _places(text: str, *options: str) -> Iterator[tuple[int, int, str]]:
    for option in options:
        for mention in _words(option).finditer(text):
            yield mention.start(), mention.end(), option


# What a question is about. The published set does not say, so the words must tell.

_TONES = {"black", "white", "grey", "gray", "filled", "empty", "solid", "hollow", "dash", "shaded"}
_RELATIONS = {"same", "different", "longer", "shorter", "larger", "smaller", "parallel"}
_PLACE = re.compile(
    r"\b(left|right|top|bottom|upper|lower|up|down|above|below|inside|outside|middle|center|leftmost|rightmost|"
    r"clockwise|counterclockwise)\b"
)
_TOGETHER = re.compile(r"\b(symmetric\w*|same|larger|parallel|(dis)?connected|intersect\w*|interaction)\b")
_WHICH_IS_FILLED = re.compile(r"\bfilled( in black)?( in choice \d)?\?$")


def kind(text: str, right: str, wrong: str) -> str:
    """Which of `puzzle.FINE_TYPES` a published question is, by its words; the first rule that applies:

    1. quantity: both options are numbers;
    2. colour: both options are tones (black, hollow, ...), or it asks which part is filled, or whether something black
       is there;
    3. comparison: the options say same or different, longer or shorter, apart or crossing; or it asks, yes or no,
       whether things are alike, symmetrical, parallel, or meet;
    4. location: both options are places or directions;
    5. shape: all others (which shape, is there one, which axis of symmetry, open or closed).
    """
    low, options = text.lower(), (right.lower(), wrong.lower())
    yes_or_no = {*options} == {"yes", "no"}
    if all(option in NUMBERS or option.isdigit() for option in options):
        return "quantity"
    asks_tone = _WHICH_IS_FILLED.search(low) or (yes_or_no and "black" in low and not _TOGETHER.search(low))
    if {*options} <= _TONES or (asks_tone and "locate" not in low):
        return "colour"
    if any(option in _RELATIONS or option.startswith(("intersect", "separat")) for option in options):
        return "comparison"
    if yes_or_no and _TOGETHER.search(low):
        return "comparison"
    if all(_PLACE.search(option) for option in options):
        return "location"
    return "shape"
