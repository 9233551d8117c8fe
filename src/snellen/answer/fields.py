"""Answers of several named parts: read as a whole, compared part by part.

The canonical spelling is "photo 1: C; photo 2: F": fields in the form's order, sets in the order of their labels with
blanks between ("blocks: b c"), numbers plain. An answer counts only whole: the last complete statement wins, and one
that leaves a part out, open or stated twice in different ways is no answer. Where the reply says "Answer:", only what
follows counts.

Right is what equals the key in every field: labels and sets exactly; texts as `normal` compares them; numbers within
half a unit of the last decimal that the key gives (a key without decimals is exact).
"""

import re
from collections.abc import Mapping

from snellen.answer.boxes import contents
from snellen.answer.comparing import same
from snellen.answer.field_values import canonical, value_of
from snellen.answer.listing import listed
from snellen.answer.statements import entries
from snellen.answer.structured import is_json, objects, with_all
from snellen.answer.tidy import Tidy, undressed
from snellen.answer.values import Claim
from snellen.answer.zones import Entry, Zone, pieces
from snellen.item import Field, Form, Question

Values = Mapping[str, str]

_MARK = re.compile(
    r"\b(?:answers?|solution|result|conclusion)\b"
    r"(?:(?: [a-z'-]+){0,6}?(?P<sign> ?:(?!:)| ?=| are:?| is:?)| ?(?P<line>\n))"
)
_SAID = re.compile(r"[^\W_]")
_WITHIN_RUN = re.compile(
    r"(?:[^\w\n]|_|\n|\b(?:and|while|whereas|plus|then|also|the|respectively|x?json|total|number|of|there|are|is|in)\b)*+"
)
_WHOLE = 200
"""A reply of at most so many characters, and no more than a sentence a line, may be an answer as it stands."""
_SENTENCES = re.compile(r"(?m)^.*(?:[^\d\s]|(?<!^)\d)[.!?] [^\W_]")


def spelled(values: Values, form: Form) -> str:
    """The canonical spelling of a whole answer."""
    return "; ".join(f"{field.name}: {values[field.name]}" for field in form.fields)


def values_of(answer: str, form: Form) -> dict[str, str] | None:
    """The values of an answer in canonical spelling; None if it is none."""
    names = "|".join(re.escape(field.name) for field in sorted(form.fields, key=lambda f: -len(f.name)))
    parts = re.split(rf"(?:^|; ?)({names}): ?", answer.strip())
    found = {name: value.strip() for name, value in zip(parts[1::2], parts[2::2], strict=True)}
    if len(form.fields) == 1 and not found:
        found = {form.fields[0].name: answer.strip()}
    if (parts[0].strip() and len(parts) > 1) or found.keys() != {field.name for field in form.fields}:
        return None
    return {field.name: canonical(found[field.name], field) for field in form.fields}


# Reading


def read_fields(letters: Tidy, form: Form, *, cut: bool) -> Claim | None:
    """The answer that a reply in plain letters gives; an empty one if its last word names none, None if it has none."""
    tidy = undressed(letters)
    found = _in_json(letters, form) or _in_marked(tidy, form) or _in_box(letters, form)
    if not found and not _explicit(tidy.text):
        found = _anywhere(tidy, form)
    if found is None:
        return None
    rest = tidy.text[found.end :] if found.tidy is tidy else "}"
    if cut and not (rest.strip(" .,") or "}" in letters.text[-3:]):
        return None
    return Claim(spelled(found.values, form), found.how, found.tidy.raw(found.start, found.end))


class _Found:
    """A complete statement and where it stands."""

    def __init__(self, tidy: Tidy, how: str, values: Values, span: tuple[int, int]) -> None:
        self.tidy, self.how, self.values = tidy, how, values
        self.start, self.end = span


def _marks(text: str) -> list[re.Match[str]]:
    """Where the reply says that its answer follows; not where nothing follows, and no line that is but a word."""
    lower = text.lower()
    return [mark for mark in _MARK.finditer(lower) if _SAID.search(text, mark.end()) and not _is_example(lower, mark)]


_EXAMPLE = re.compile(r"(?:for example|for instance|e\.g\.|such as|in th(?:is|e) form|in the form you gave)[^\w]*$")


def _example_start(text: str) -> int:
    """Where an example begins that shows the form of an answer; what follows it is none."""
    lower = text.lower()
    return next((mark.start() for mark in _MARK.finditer(lower) if _is_example(lower, mark)), len(text))


def _is_example(lower: str, mark: re.Match[str]) -> bool:
    return bool(_EXAMPLE.search(lower, max(0, mark.start() - 40), mark.start()))


def _explicit(text: str) -> bool:
    marks = _marks(text)
    return bool(marks) and (marks[-1]["sign"] or "").strip() == ":"


def _in_marked(tidy: Tidy, form: Form) -> _Found | None:
    for mark in reversed(_marks(tidy.text)[-3:]):
        zone = Zone(tidy.text, mark.end(), len(tidy.text), marked=True)
        found = _bare(tidy, zone, form, "stated answer") or _named(tidy, zone, form)
        if found or (mark["sign"] or "").strip() == ":":
            return found
    return None


def _in_json(letters: Tidy, form: Form) -> _Found | None:
    """The last JSON object that has all the fields."""
    if not is_json(letters):
        return None
    names = [tuple(pieces(field.name)) for field in form.fields]
    for held, start, end in objects(letters.text):
        values = with_all(held, names)
        plain = (
            [value_of(_written(value), field) for value, field in zip(values.values(), form.fields, strict=True)]
            if values
            else []
        )
        if plain and all(plain):
            known = {field.name: value for field, value in zip(form.fields, plain, strict=True) if value}
            return _Found(letters, "JSON", known, (start, end))
    return None


def _written(value: object) -> str:
    """A value of JSON as somebody would have written it."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _in_box(letters: Tidy, form: Form) -> _Found | None:
    box = contents(letters)
    if box is None:
        return None
    tidy = undressed(Tidy(letters.text[box.inner : box.inner_end]))
    zone = Zone(tidy.text, 0, len(tidy.text), marked=True)
    found = _bare(tidy, zone, form, "boxed") or _named(tidy, zone, form)
    return _Found(letters, "boxed", found.values, (box.start, box.end)) if found else None


def _anywhere(tidy: Tidy, form: Form) -> _Found | None:
    text = tidy.text[: _example_start(tidy.text)]
    short = len(text) <= _WHOLE and not _SENTENCES.search(text)
    found = _named(tidy, Zone(text, 0, len(text), marked=short), form)
    if found or not text.strip():
        return found
    if short:
        return _bare(tidy, Zone(text, 0, len(text), marked=True), form, "whole reply")
    line = text.rstrip().rfind("\n") + 1
    return _bare(tidy, Zone(text, line, len(text), marked=False), form, "last line")


_CODE = re.compile(r"\s*(?:json|text|plaintext|python|txt)\n")


def _bare(tidy: Tidy, zone: Zone, form: Form, how: str) -> _Found | None:
    """Values without names at the start of a zone: on its first line, or one a line."""
    opening = _CODE.match(zone.text, zone.start, zone.end)
    start = opening.end() if opening else zone.start
    start += len(zone.text[start : zone.end]) - len(zone.text[start : zone.end].lstrip())
    lines = [m.end() for m in re.finditer(r"[^\n]+", zone.text[start : zone.end])][: len(form.fields) + 2]
    single = form.fields[0] if len(form.fields) == 1 else None
    for length in lines[:1] if single else lines[:1] + lines[len(form.fields) - 1 :]:
        words = zone.text[start : start + length]
        value = _alone(words, single, marked=how not in ("whole reply", "last line")) if single else None
        values = [value] if value else listed(words, form.fields) if single is None else None
        if values:
            named = {field.name: value for field, value in zip(form.fields, values, strict=True)}
            return _Found(tidy, how, named, (start, start + len(words.rstrip())))
    return None


_ONLY = re.compile(r"^\W*(?:only|just)\b", re.IGNORECASE)


_ASIDES = re.compile(r"\([^()\n]*\)")
_SAYS_MORE = re.compile(
    r"(?<![^\W_])(?!(?:and|the|just|only|blocks?|digits?|pieces?|numbers?|in|ascending|order|sorted|none|answer|empty|set)\b)"
    r"[^\W\d_]{2,}",
    re.IGNORECASE,
)
"""Words that make a sentence of a list: "3 and 9 lie in a dead end"."""


def _alone(words: str, field: Field, *, marked: bool) -> str | None:
    """The value of the only field, said without its name. "None" may just mean that there is no answer."""
    if field.kind == "set" and not any(char.isdigit() or char.isalpha() for char in words):
        return None
    if field.kind == "set" and not marked and _SAYS_MORE.search(_ASIDES.sub("", words)):
        return None
    value = value_of(_ONLY.sub("", words) if field.kind == "set" else words, field)
    return None if field.kind == "set" and value == "none" else value


def _named(tidy: Tidy, zone: Zone, form: Form) -> _Found | None:
    found = _without_tallies(zone.text, entries(zone, form.fields), form, marked=zone.start > 0)
    complete = _settled(zone.text, _runs(zone.text, found, len(form.fields)), len(form.fields))
    if complete is None:
        return None
    values = {form.fields[entry.field].name: entry.value for entry in complete}
    span = min(entry.start for entry in complete), max(entry.end for entry in complete)
    return _Found(tidy, "named parts", values, span)


_TALLY = re.compile(
    r"[^\w\n]*(?:(?:in|on|from|for|of) (?:the )?)?"
    r"(?:photo|picture|image|view|wall|room|step|frame|shot|scene|corner) ?#?\d{1,2}\b",
    re.IGNORECASE,
)


def _without_tallies(text: str, found: list[Entry], form: Form, *, marked: bool) -> list[Entry]:
    """Entries but for what is counted in one photo of several: "Photo 1: 4 chairs"."""
    if any(field.kind != "number" or _TALLY.match(field.name) for field in form.fields):
        return found
    whole = [entry for entry in found if not _TALLY.match(text, text.rfind("\n", 0, entry.start) + 1)]
    return whole if marked else [entry for entry in whole if not _in_part(text, entry)]


_PART = re.compile(
    r"\b(?:photo|view|image|shot) ?#?\d|"
    r"\b(?:first|second|third|fourth|last|next|this|that|each) (?:photo|view|image|shot)\b|"
    r"\b(?:kitchen|hall|hallway|living room|bedroom|bathroom|dining room|corridor|office|so far|at least|"
    r"at first|initially|(?:may|might|could) be)\b"
)
_ALL = re.compile(
    r"\b(?:totals?|altogether|in all|overall|combined|unique|different|distinct|so|therefore|thus|hence)\b|="
)
_STOP = re.compile(r"[.!?](?:\s|$)|\n")


_ADDED_UP = re.compile(r"\([^()\n]*,[^()\n]*\)")
"""What a number in front of it is made of: "4 (2 in view 1, 2 in view 3)"."""


def _in_part(text: str, entry: Entry) -> bool:
    """Whether the sentence counts what a part of the place or one photo shows."""
    start = max((stop.end() for stop in _STOP.finditer(text, max(0, entry.start - 240), entry.start)), default=0)
    limit = entry.end + 240
    stop = _STOP.search(text, max(entry.start, entry.end - 1), limit)
    sentence = text[max(start, entry.start - 240) : stop.start() if stop else limit].lower()
    return bool(_PART.search(_ADDED_UP.sub("", sentence))) and not _ALL.search(sentence)


def _runs(text: str, found: list[Entry], count: int) -> list[list[Entry]]:
    """Entries that follow one another with nothing said between them belong together."""
    runs: list[list[Entry]] = []
    end = 0
    totals = False  # whether the run is one of totals, after running tallies
    for entry in found:
        between = text[end : entry.start].lower()
        if runs and "total" in between and not totals:
            totals = True
            runs.append([entry])
        elif runs and 1 < count == len({other.field for other in runs[-1]}) and "\n" in between:
            runs.append([entry])  # all of it is said anew, on lines of its own
        elif runs and (entry.start <= end or _WITHIN_RUN.fullmatch(text[end : entry.start].lower())):
            runs[-1].append(entry)
        else:
            runs.append([entry])
        end = max(end, entry.end)
    return runs


def _settled(text: str, runs: list[list[Entry]], count: int) -> list[Entry] | None:
    """The last run that has all fields, each stated once or alike, and nothing after it that says otherwise; else all
    runs together, if they agree."""
    for k in range(len(runs) - 1, -1, -1):
        if len({entry.field for entry in runs[k]}) == count:
            corrected = _corrected(text, runs[k], [entry for run in runs[k + 1 :] for entry in run])
            if corrected:
                return corrected
            whole = runs[k] + [entry for run in runs[k + 1 :] for entry in run]
            return runs[k] if _agree(whole) and not _gainsaid(text, runs[:k], runs[k]) else None
    whole = [entry for run in runs for entry in run]
    return whole if len({entry.field for entry in whole}) == count and _agree(whole) else None


_DRAWN = re.compile(
    r"\b(?:so|therefore|thus|hence|finally|final|answer|total|wait|no|actually|correct\w*|but|however|overall|conclu\w*)\b"
)


_CORRECTS = re.compile(r"\b(?:wait|actually|correction|sorry|scratch that|no,|recount\w*|i mean|make that)")


def _corrected(text: str, run: list[Entry], later: list[Entry]) -> list[Entry] | None:
    """The run with what is said later in place of what it says, where words of a correction lead to that."""
    if not later or not all(entry.value for entry in later) or not _agree(later) or not _agree(run):
        return None
    end = max(entry.end for entry in run)
    if not _CORRECTS.search(text[end : later[0].start].lower()):
        return None
    fields = {entry.field for entry in later}
    return [entry for entry in run if entry.field not in fields] + later


def _gainsaid(text: str, before: list[list[Entry]], run: list[Entry]) -> bool:
    """Whether the line says something else of one of the fields, and no word tells that this is the last one."""
    start = min(entry.start for entry in run)
    line = text.rfind("\n", 0, start)
    values = {entry.field: entry.value for entry in run}
    earlier = [entry for other in before for entry in other if entry.start > line]
    other = [entry for entry in earlier if entry.value != values[entry.field]]
    return bool(other) and not _DRAWN.search(text[other[0].end : start].lower())


def _agree(found: list[Entry]) -> bool:
    """Whether every field has one value and none is left open."""
    values = {(entry.field, entry.value) for entry in found}
    return len(values) == len({entry.field for entry in found}) and all(value for _, value in values)


# Comparing


def wrong_fields(values: Values, right: str, form: Form) -> list[Field]:
    """The fields in which an answer differs from a right one."""
    key = _key_values(right, form)
    return [field for field in form.fields if not same(values[field.name], key[field.name], field)]


def _key_values(right: str, form: Form) -> Values:
    """The key's values as it spells them: how many decimals it gives matters."""
    known = values_of(right, form)
    if known is None:
        raise ValueError(f"key {right!r} does not fit the fields {', '.join(field.name for field in form.fields)}")
    return {field.name: _as_written(right, field, known[field.name]) for field in form.fields}


def _as_written(right: str, field: Field, value: str) -> str:
    if field.kind != "number":
        return value
    written = re.search(rf"(?:^|; ?){re.escape(field.name)}: ?([^;]*)", right)
    plain = (written[1] if written else right).strip()
    return plain if re.fullmatch(r"-?\d+(?:\.\d+)?", plain) else value


def judged(answer: str, question: Question) -> tuple[bool, str]:
    """Whether an answer in canonical spelling is right, and the mechanism that it betrays if it is wrong."""
    form = question.form
    values = values_of(answer, form)
    if values is None:
        return False, ""
    wrongs = [wrong_fields(values, right, form) for right in (question.key, *question.also)]
    nearest = min(wrongs, key=len)
    return (True, "") if not nearest else (False, _mechanism(values, nearest, question))


def _mechanism(values: Values, wrong: list[Field], question: Question) -> str:
    """What the wrong fields have in common; empty if they betray different things, or one of them nothing."""
    whole = spelled(values, question.form)
    for stated, mechanism in question.mechanisms.items():
        known = values_of(stated, question.form)
        if stated == whole or (known and all(same(values[f.name], known[f.name], f) for f in question.form.fields)):
            return mechanism
    betrayed = {_betrayed(field, values[field.name], question) for field in wrong}
    return betrayed.pop() if len(betrayed) == 1 else ""


def _betrayed(field: Field, value: str, question: Question) -> str:
    for stated, mechanism in question.mechanisms.items():
        if stated.startswith(f"{field.name}=") and same(value, stated[len(field.name) + 1 :], field):
            return mechanism
    return ""
