"""What an annotator says about a text: stretches and places by their first words, found in the text again.

Quotes are looked up by letters and digits alone, since quoting changes spaces, signs and capitals. Stretches must
follow one another in the order of the text, from its first words on; where the same words stand more than once, the
first of them after the stretch before is meant.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal
from unicodedata import normalize

from snellen.analysis.thought import MARKS, STAGES, TextSpan
from snellen.answer.descriptions import read_description
from snellen.fence import fenced, harmless

STRETCHES = "stretches"
PLACES = dict(zip(("looks_back", "interruptions"), MARKS, strict=True))
"""Which list of the JSON holds which mark."""
SKIPPED = 12
"""The first stretch may be quoted from so many words on ("<think> Okay, so"): what is before it belongs to it."""
FIRST_WORDS = 8
"""A quote of ours has so many words, if that is enough."""

_STAGE = re.compile(r"\W*(?:(collect|understand)|(analy)|(conclu|verif))", re.IGNORECASE)
_KEY = re.compile(f"[\"'“‘]{STRETCHES}[\"'”’]\\s*:")
_THINKING = re.compile(r"\A\s*<(think(?:ing)?)>.*?</\1>", re.IGNORECASE | re.DOTALL)
"""The annotator's own thinking, at the beginning; such a tag further on is quoted from the text."""
_MOST, _BRACES = 8, 3
"""So many objects are tried, from the last one back, and for each so many braces before its key."""
_MOST_PLACES = 500
_FAR = 600
"""Words for a quote of ours are taken from so many characters."""

Why = Literal["", "form", "failed", "long"]
"""Why a reply is left to the rules: the annotator was out of form, the call failed, the reply is too long to be put."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """What an annotator made of a text. `lost`: how many places it quoted that are not in the text."""

    spans: tuple[TextSpan, ...] = ()
    lost: int = 0
    why: Why = ""


def shown(text: str) -> str:
    """A text as an annotator sees it: harmless, and without anything like the key of its JSON. Letters stay."""
    return _KEY.sub(f"{STRETCHES}:", harmless(text))


def read_annotation(words: str, text: str) -> Annotation | None:
    """The spans of the text that the annotator's words describe; None if they do not."""
    own = _THINKING.sub("", words).replace(fenced(shown(text)), " ")
    places = _Places(text)
    annotations = (_annotation(fields, places) for fields in _objects(own))
    return next((annotation for annotation in annotations if annotation is not None), None)


def _objects(words: str) -> Iterator[Mapping[str, Any]]:
    """The JSON objects with the key, the last one first: a reply's own JSON may be repeated before."""
    for key in islice(reversed(list(_KEY.finditer(words))), _MOST):
        start = key.start()
        for _ in range(_BRACES):
            start = words.rfind("{", 0, start)
            if start < 0:
                break
            fields = read_description(words[start:]).fields
            if fields is not None and STRETCHES in fields:
                yield fields
                break


def _annotation(fields: Mapping[str, Any], places: "_Places") -> Annotation | None:
    lists = [fields.get(name) for name in PLACES]
    if not all(isinstance(quotes, list) for quotes in lists):
        return None
    stages = _stages(fields[STRETCHES], places)
    if stages is None:
        return None
    marks: list[TextSpan] = []
    lost = 0
    for quotes, label in zip(lists, PLACES.values(), strict=True):
        placed = _marks(quotes or [], label, places)
        marks += placed
        lost += len(quotes or []) - len(placed)
    return Annotation((*stages, *sorted(marks, key=lambda mark: (mark.start, mark.label))), lost)


def _stages(entries: Any, places: "_Places") -> list[TextSpan] | None:
    """The stretches, from the first character to the last; None if one of them cannot be made out."""
    if not isinstance(entries, list):
        return None
    starts: list[tuple[int, str]] = []
    after = 0
    for entry in entries:
        stage, quote = _stretch(entry)
        place = places.find(quote, after) if stage else None
        if place is None:
            return None
        start, _, after = place
        if not starts or starts[-1][1] != stage:
            starts.append((start, stage))
    text = places.text
    if not starts or len(text[: starts[0][0]].split()) > SKIPPED:
        return None
    starts[0] = (0, starts[0][1])
    ends = [start for start, _ in starts[1:]] + [len(text)]
    return [TextSpan(start, end, stage) for (start, stage), end in zip(starts, ends, strict=True)]


def _stretch(entry: Any) -> tuple[str, str]:
    """Stage and quote of an entry; no stage if it has none that is known."""
    if not isinstance(entry, dict):
        return "", ""
    match = _STAGE.match(str(entry.get("stage", "")))
    quotes = [value for name, value in entry.items() if name != "stage" and isinstance(value, str)]
    return (STAGES[(match.lastindex or 1) - 1] if match else ""), str(entry.get("begins") or "".join(quotes[:1]))


def _marks(quotes: list[Any], label: str, places: "_Places") -> list[TextSpan]:
    """The places that can be found: each after the one before, or, if the order was not kept, anywhere."""
    by_start: dict[int, TextSpan] = {}
    after = 0
    for quote in quotes[:_MOST_PLACES]:
        place = places.find(str(quote), after) or places.find(str(quote), 0)
        if place is not None:
            start, end, after = place
            by_start.setdefault(start, TextSpan(start, end, label))
    return list(by_start.values())


class _Places:
    """Where quotes stand in a text, by letters and digits alone: quoting changes spaces, signs and capitals."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._letters, self._at = _letters(text)

    def find(self, quote: str, after: int) -> tuple[int, int, int] | None:
        """Where the quote first begins and ends at or after a place, and the place to go on from. Places to go on from
        count letters. A quote may break off with dots."""
        for wanted in (quote, re.split(r"\.\.\.|…", quote)[0]):
            letters, _ = _letters(wanted)
            at = self._letters.find(letters, after) if letters else -1
            while at >= 0:
                if self._begins_word(at):
                    return self._start(self._at[at]), self._at[at + len(letters) - 1] + 1, at + 1
                at = self._letters.find(letters, at + 1)
        return None

    def _begins_word(self, at: int) -> bool:
        k = self._at[at]
        before = self.text[k - 1] if k else " "
        return not before.isalnum() or max(before, self.text[k]) >= "\u2e80"  # scripts without spaces begin here

    def _start(self, k: int) -> int:
        """The word's beginning with the signs before it, such as asterisks, unless they belong to the word before."""
        first = k
        while first and not self.text[first - 1].isspace():
            first -= 1
            if self.text[first].isalnum():
                return k
        return first


def _letters(text: str) -> tuple[str, Sequence[int]]:
    """The letters and digits of a text in plain small letters, and where each stands in it."""
    if text.isascii():
        at = [k for k, char in enumerate(text) if char.isalnum()]
        small = text.lower()
        return "".join([small[k] for k in at]), at
    pairs = [(c, k) for k, char in enumerate(text) for c in normalize("NFKD", char).casefold() if c.isalnum()]
    return "".join(c for c, _ in pairs), [k for _, k in pairs]


def written(text: str, spans: Iterable[TextSpan]) -> str:
    """Spans as an annotator would put them: by the first words, as many as it takes to tell the place from others."""
    places = _Places(text)
    after = dict.fromkeys((STRETCHES, *PLACES), 0)
    lists: dict[str, list[Any]] = {name: [] for name in after}
    names = {**dict.fromkeys(STAGES, STRETCHES), **{mark: name for name, mark in PLACES.items()}}
    for span in spans:
        name = names[span.label]
        quote, after[name] = _first_words(places, span.start, after[name])
        lists[name].append({"stage": span.label, "begins": quote} if name == STRETCHES else quote)
    return json.dumps(lists, ensure_ascii=False)


def _first_words(places: "_Places", start: int, after: int) -> tuple[str, int]:
    """Words from a place on that are not found before it, and the place to go on from."""
    parts = re.findall(r"\S+\s*", places.text[start : start + _FAR])
    for n in range(min(FIRST_WORDS, len(parts)), len(parts) + 1):
        quote = "".join(parts[:n]).strip()
        place = places.find(quote, after)
        if place is not None and place[0] >= start:
            return quote, place[2]
    return "".join(parts[:FIRST_WORDS]).strip(), after
