"""Answers of several named parts: read as a whole, compared part by part.

A reply states parts in a few layouts (`layouts`), and each value is read by its kind (`field_values`). An answer counts
only whole: JSON that has all the parts, else what follows the last "Answer:", else a box, else the reply itself. There
**the last complete statement wins**, unless what follows it says otherwise without being a correction; one that leaves
a part out, open or stated twice in different ways is no answer.

The canonical spelling is "photo 1: C; photo 2: F": fields in the form's order, sets in the order of their labels with
blanks between ("blocks: b c"), numbers plain.

Right is what equals the key in every field: labels and sets exactly; texts as `normal` compares them; numbers within
half a unit of the last decimal that the key gives (a key without decimals is exact).
"""

import re
from collections.abc import Iterator, Mapping

from snellen.answer.boxes import contents
from snellen.answer.comparing import same
from snellen.answer.field_values import NO_MEMBERS, canonical, either, value_of
from snellen.answer.layouts import entries, listed
from snellen.answer.structured import is_json, objects, with_all
from snellen.answer.tidy import Tidy, undressed
from snellen.answer.values import Claim
from snellen.answer.zones import Entry, Zone, pieces
from snellen.item import Field, Form, Question

Values = Mapping[str, str]


def spelled(values: Values, form: Form) -> str:
    """The canonical spelling of a whole answer."""
    return "; ".join(f"{field.name}: {values[field.name]}" for field in form.fields)


def values_of(answer: str, form: Form) -> dict[str, str] | None:
    """The values of an answer in canonical spelling; None if it is none."""
    parts = _parts(answer, form)
    return parts and {field.name: canonical(parts[field.name], field) for field in form.fields}


def _parts(answer: str, form: Form) -> dict[str, str] | None:
    """The values as they are written: how many decimals a key gives matters."""
    names = "|".join(re.escape(field.name) for field in sorted(form.fields, key=lambda f: -len(f.name)))
    before, *parts = re.split(rf"(?:^|; ?)({names}): ?", answer.strip())
    if len(form.fields) == 1 and not parts:
        return {form.fields[0].name: before.strip()}
    values = {name: value.strip() for name, value in zip(parts[::2], parts[1::2], strict=True)}
    return values if not before.strip() and len(values) == len(form.fields) else None


# Where an answer may stand

_MARK = re.compile(
    rf"\b{either('mark')}\b(?:(?: [a-z'-]+){{0,6}}?(?:(?P<colon> ?:(?!:))| ?=| are:?| is:?)| ?\n)(?=[\W_]*[^\W_])"
)
_EXAMPLE = re.compile(r"(?:for example|for instance|e\.g\.|such as|in th(?:is|e) form|in the form you gave)[^\w]*$")
_WHOLE = 200
"""A reply of at most so many characters, and no more than a sentence a line, may be an answer as it stands."""
_SENTENCES = re.compile(r"(?m)^.*(?:[^\d\s]|(?<!^)\d)[.!?] [^\W_]")


def read_fields(letters: Tidy, form: Form, *, cut: bool) -> Claim | None:
    """The answer that a reply in plain letters gives; None if it has none. One cut short must go on after it."""
    stated = next((claim for claim in _claims(letters, form) if claim), None)
    closed = stated is None or stated.closed or letters.text.rstrip().endswith("}")
    return stated if closed or not cut else None


def _claims(letters: Tidy, form: Form) -> Iterator[Claim | None]:
    """What is found in the places where an answer may stand, the best place first."""
    if is_json(letters):
        yield _in_json(letters, form)
    tidy = undressed(letters)
    text, lower = tidy.text, tidy.text.lower()
    marks = list(_MARK.finditer(lower))
    examples = [mark for mark in marks if _EXAMPLE.search(lower, max(0, mark.start() - 40), mark.start())]
    marks = [mark for mark in marks if mark not in examples]
    for mark in marks[:-4:-1]:
        yield _in_zone(tidy, Zone(text, mark.end(), len(text), marked=True), form, "stated answer")
        if mark["colon"]:
            break
    if box := contents(letters):
        inner = undressed(Tidy(letters.text[box.inner : box.inner_end]))
        claim = _in_zone(inner, Zone(inner.text, 0, len(inner.text), marked=True), form, "boxed")
        yield claim and Claim(claim.answer, "boxed", letters.raw(box.start, box.end))
    if not (marks and marks[-1]["colon"]):
        yield _anywhere(tidy, text[: examples[0].start() if examples else len(text)], form)


def _in_json(letters: Tidy, form: Form) -> Claim | None:
    """The last JSON object that has all the fields."""
    names = [tuple(pieces(field.name)) for field in form.fields]
    for held, start, end in objects(letters.text):
        parts = with_all(held, names) or ()
        written = [", ".join(map(str, part)) if isinstance(part, list) else str(part) for part in parts]
        values = [value_of(words, field) for words, field in zip(written, form.fields, strict=False)]
        if values and all(values):
            return _claim(letters, form, [value or "" for value in values], (start, end), "JSON")
    return None


def _in_zone(tidy: Tidy, zone: Zone, form: Form, how: str) -> Claim | None:
    return _bare(tidy, zone, form, how) or _named(tidy, zone, form)


def _anywhere(tidy: Tidy, text: str, form: Form) -> Claim | None:
    short = len(text) <= _WHOLE and not _SENTENCES.search(text)
    claim = _named(tidy, Zone(text, 0, len(text), marked=short), form)
    if claim or not text.strip():
        return claim
    line = 0 if short else text.rstrip().rfind("\n") + 1
    return _bare(tidy, Zone(text, line, len(text), marked=False), form, "whole reply" if short else "last line")


def _claim(tidy: Tidy, form: Form, values: list[str], span: tuple[int, int], how: str) -> Claim:
    named = {field.name: value for field, value in zip(form.fields, values, strict=True)}
    rest = tidy.text[span[1] :].strip(" .,")
    return Claim(spelled(named, form), how, tidy.raw(*span), closed=bool(rest) or how == "JSON")


# Values without names

_ASIDES = re.compile(r"\([^()\n]*\)")
_FENCE = re.compile(r"\A\s*(?:(?:json|text|plaintext|python|txt)\n\s*)?")
_SAYS_MORE = re.compile(rf"(?<![^\W_])(?!{either('set_plain')}\b)[^\W\d_]{{2,}}", re.IGNORECASE)
"""Words that make a sentence of a list: "3 and 9 lie in a dead end"."""


def _bare(tidy: Tidy, zone: Zone, form: Form, how: str) -> Claim | None:
    """Values without names at the start of a zone: on its first line, or one a line."""
    count = len(form.fields)
    start = zone.end - len(_FENCE.sub("", zone.words, count=1))
    lines = [match.end() for match in re.finditer(r"[^\n]+", zone.text[start : zone.end])][: count + 2]
    for length in lines[:1] + (lines[count - 1 :] if count > 1 else []):
        words = zone.text[start : start + length]
        values = listed(words, form.fields) if count > 1 else _alone(words, form.fields[0], marked=zone.marked)
        if values:
            return _claim(tidy, form, values, (start, start + len(words.rstrip())), how)
    return None


def _alone(words: str, field: Field, *, marked: bool) -> list[str]:
    """The value of the only field, said without its name. "None" may just mean that there is no answer."""
    value = value_of(words, field)
    if field.kind == "set" and (value == NO_MEMBERS or (not marked and _SAYS_MORE.search(_ASIDES.sub("", words)))):
        return []
    return [value] if value else []


# Values with names: which statement counts


def _named(tidy: Tidy, zone: Zone, form: Form) -> Claim | None:
    named_entries = entries(zone, form.fields)
    if all(field.kind == "number" and not _PART.search(field.name) for field in form.fields):
        named_entries = [entry for entry in named_entries if not _in_part(zone, entry)]
    complete = _settled(zone.text, _runs(zone.text, named_entries, len(form.fields)), len(form.fields))
    if complete is None:
        return None
    values = {entry.field: entry.value for entry in complete}
    span = min(entry.start for entry in complete), max(entry.end for entry in complete)
    return _claim(tidy, form, [values[k] for k in range(len(form.fields))], span, "named parts")


_PART = re.compile(
    rf"\b{either('photo')} ?#?\d|\b(?:first|second|third|fourth|last|next|this|that|each) {either('photo')}\b|"
    rf"\b{either('part')}\b"
)
_VIEW = re.compile(rf"[^\w\n]*(?:(?:in|on|from|for|of) (?:the )?)?{either('view')} ?#?\d{{1,2}}\b")
_ALL = re.compile(rf"\b{either('all')}\b|=")
_STOP = re.compile(r"[.!?](?:\s|$)|\n")
_ADDED_UP = re.compile(r"\([^()\n]*,[^()\n]*\)")
"""What a number in front of it is made of: "4 (2 in view 1, 2 in view 3)"."""
_REACH = 240


def _in_part(zone: Zone, entry: Entry) -> bool:
    """Whether the sentence counts what a part of the place or one photo shows. After "Answer:" only a line that begins
    with the photo does."""
    text, start, end = zone.lower, entry.start, max(entry.start, entry.end - 1)
    view = _VIEW.match(text, text.rfind("\n", 0, start) + 1)
    if view or zone.start > 0:
        return bool(view)
    before, after = text[max(0, start - _REACH) : start], text[end : entry.end + _REACH]
    sentence = _STOP.split(before)[-1] + text[start:end] + _STOP.split(after)[0]
    return bool(_PART.search(_ADDED_UP.sub("", sentence))) and not _ALL.search(sentence)


_WITHIN = re.compile(rf"(?:[^\w\n]|_|\n|\b{either('between')}\b)*+")
_DRAWN = re.compile(rf"\b{either('drawn')}\b")
_CORRECTS = re.compile(rf"\b(?:{either('corrects')}\b|no,)")


def _runs(text: str, run: list[Entry], count: int) -> list[list[Entry]]:
    """Entries that follow one another with nothing said between them belong together."""
    runs: list[list[Entry]] = []
    end = 0
    totals = False  # whether the run is one of totals, after running tallies
    for entry in run:
        between = text[end : entry.start].lower()
        first_total = "total" in between and not totals
        anew = "\n" in between and 1 < count == len({other.field for other in runs[-1]}) if runs else True
        if runs and not anew and not first_total and (entry.start <= end or _WITHIN.fullmatch(between)):
            runs[-1].append(entry)
        else:
            totals = totals or bool(runs and first_total)
            runs.append([entry])
        end = max(end, entry.end)
    return runs


def _settled(text: str, runs: list[list[Entry]], count: int) -> list[Entry] | None:
    """The last run that has all fields, each stated once or alike, if nothing else is said of them in its line; with
    what is said after it if that agrees, or corrects it. Without such a run all of them together, if they agree."""
    k = next((k for k in reversed(range(len(runs))) if len(_fields(runs[k])) == count), None)
    if k is None:
        whole = [entry for run in runs for entry in run]
        return whole if len(_fields(whole)) == count and _agree(whole) else None
    run, later = runs[k], [entry for other in runs[k + 1 :] for entry in other]
    if later and _agree(later) and _agree(run):
        between = text[max(entry.end for entry in run) : later[0].start].lower()
        if _CORRECTS.search(between):
            return [entry for entry in run if entry.field not in _fields(later)] + later
    return run if _agree(run + later) and not _gainsaid(text, runs[:k], run) else None


def _fields(run: list[Entry]) -> set[int]:
    return {entry.field for entry in run}


def _gainsaid(text: str, before: list[list[Entry]], run: list[Entry]) -> bool:
    """Whether the line says something else of one of the fields, and no word tells that this is the last one."""
    start = min(entry.start for entry in run)
    line = text.rfind("\n", 0, start)
    values = {entry.field: entry.value for entry in run}
    other = [e for earlier in before for e in earlier if e.start > line and e.value != values[e.field]]
    return bool(other) and not _DRAWN.search(text[other[0].end : start].lower())


def _agree(run: list[Entry]) -> bool:
    """Whether every field has one value and none is left open."""
    values = {(entry.field, entry.value) for entry in run}
    return len(values) == len(_fields(run)) and all(value for _, value in values)


# Comparing


def judged(answer: str, question: Question) -> tuple[bool, str]:
    """Whether an answer in canonical spelling is right, and the mechanism that it betrays if it is wrong."""
    form = question.form
    values = values_of(answer, form)
    if values is None:
        return False, ""
    wrong = min((_wrong_fields(values, right, form) for right in (question.key, *question.also)), key=len)
    return (False, _mechanism(values, wrong, question)) if wrong else (True, "")


def _wrong_fields(values: Values, right: str, form: Form) -> list[Field]:
    """The fields in which an answer differs from a right one."""
    key = _parts(right, form)
    if key is None:
        raise ValueError(f"key {right!r} does not fit the fields {', '.join(field.name for field in form.fields)}")
    return [field for field in form.fields if not same(values[field.name], key[field.name], field)]


def _mechanism(values: Values, wrong: list[Field], question: Question) -> str:
    """That of the whole answer, or what the wrong fields have in common; empty if they betray different things, or one
    of them nothing."""
    for stated, mechanism in question.mechanisms.items():
        given = values_of(stated, question.form)
        if given and all(same(values[field.name], given[field.name], field) for field in question.form.fields):
            return mechanism
    betrayed = {_betrayed(field, values[field.name], question) for field in wrong}
    return betrayed.pop() if len(betrayed) == 1 else ""


def _betrayed(field: Field, value: str, question: Question) -> str:
    for stated, mechanism in question.mechanisms.items():
        if stated.startswith(f"{field.name}=") and same(value, stated[len(field.name) + 1 :], field):
            return mechanism
    return ""
