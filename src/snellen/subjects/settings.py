"""Settings of a subject, written after its name: `openai/gpt-4o:temperature=0.5,max_tokens=200`.

A schema says which names there are and what each expects; a wrong name or value gets one line that says so.
Model names may hold colons themselves (`ollama/llama3.2-vision:11b`), so settings begin at the first colon
that is followed by `name=`. A comma ends a value only where another `name=` follows, so a system prompt may
contain commas.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from snellen.errors import UserError, refuse_secret, unknown
from snellen.masking import names_key

Value = str | int | float

_INSTEAD = "set the key in the environment"
_START = re.compile(r":(?=\s*[A-Za-z_]\w*=)")
_COMMA = re.compile(r",(?=\s*[A-Za-z_]\w*=)")
_WHOLE = re.compile(r"[+-]?[0-9]{1,20}")
_NUMBER = re.compile(r"[+-]?([0-9]{1,20}\.?[0-9]{0,20}|\.[0-9]{1,20})([eE][+-]?[0-9]{1,3})?")


@dataclass(frozen=True, slots=True)
class SubjectSetting:
    """One setting. `read` gives None for a value that is not as `expected`.

    `in_key`: whether it can change the answer, and so is part of a call's identity.
    """

    name: str
    expected: str
    read: Callable[[str], Value | None]
    default: Value | None = None
    in_key: bool = True


Schema = tuple[SubjectSetting, ...]
STOP = 'some words, or a JSON list of strings such as ["\\n\\n", "###"]: the reply ends before the first of them'


def split(name: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The bare name and the settings written after it, in pairs."""
    start = _START.search(name)
    if start is None:
        return name, ()
    pairs = (pair.partition("=") for pair in _COMMA.split(name[start.end() :]))
    return name[: start.start()], tuple((key.strip(), value.strip()) for key, _, value in pairs)


def read(pairs: Iterable[tuple[str, str]], schema: Schema, whose: str) -> dict[str, Value]:
    """Every setting that is given or has a default, in the schema's order."""
    by_name = {setting.name: setting for setting in schema}
    given: dict[str, Value] = {}
    for name, text in pairs:
        if name not in by_name:
            if names_key(name):
                raise UserError(f"{whose}: {name} is no setting; {_INSTEAD}")
            raise unknown(f"setting of {whose}", name, by_name)
        if name in given:
            raise UserError(f"{whose}: {name} is set twice; give it once")
        given[name] = reader(by_name[name], whose)(text)
    chosen = ((setting.name, given.get(setting.name, setting.default)) for setting in schema)
    return {name: value for name, value in chosen if value is not None}


def written(values: Mapping[str, Value], schema: Schema) -> str:
    """The settings as they are written after a name: those that matter and are not at their default."""
    pairs = [
        f"{setting.name}={values[setting.name]}"
        for setting in schema
        if setting.in_key and values.get(setting.name, setting.default) != setting.default
    ]
    return ":" + ",".join(pairs) if pairs else ""


def keyed(values: Mapping[str, Value], schema: Schema) -> dict[str, Value]:
    """The settings that can change an answer."""
    return {setting.name: values[setting.name] for setting in schema if setting.in_key and setting.name in values}


def number(low: float, high: float, *words: str) -> Callable[[str], Value | None]:
    """Reads a number from low to high, or one of the words. Whole numbers come out whole: 1.0 is 1."""

    def read_number(text: str) -> Value | None:
        if text in words:
            return text
        if not _NUMBER.fullmatch(text) or not low <= (value := float(text)) <= high:
            return None
        return int(value) if value == int(value) else value

    return read_number


def whole(low: int, high: int) -> Callable[[str], Value | None]:
    """Reads a whole number from low to high."""

    def read_whole(text: str) -> Value | None:
        return int(text) if _WHOLE.fullmatch(text) and low <= int(text) <= high else None

    return read_whole


def one_of(*words: str) -> Callable[[str], Value | None]:
    """Reads one of the words."""
    return lambda text: text if text in words else None


def words(text: str) -> Value | None:
    """Reads any words, but not none."""
    return text or None


def json_object(text: str) -> Value | None:
    """Reads a JSON object; its text, in one spelling, is the value."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return json.dumps(value, sort_keys=True) if isinstance(value, dict) else None


def strings(text: str) -> Value | None:
    """Reads a string, or a JSON list of several; the list, in one spelling, is the value."""
    try:
        several = json.loads(text) if text.startswith("[") else [text]
    except (ValueError, RecursionError):
        several = [text]
    if not several or not all(isinstance(each, str) and each for each in several):
        return None
    return json.dumps(several, ensure_ascii=False)


def strings_of(value: Any) -> tuple[str, ...]:
    """The strings of a value read by `strings`; of None: none."""
    return () if value is None else tuple(json.loads(value))


def reader(setting: SubjectSetting, whose: str) -> Callable[[str], Value]:
    """What reads one setting's value from a word."""

    def read_value(text: str) -> Value:
        refuse_secret(f"{setting.name}={text}", f"{whose}: {setting.name}", _INSTEAD)
        value = setting.read(text)
        if value is None:
            raise UserError(f"{whose}: {setting.name}={text!r}: expected {setting.expected}")
        return value

    return read_value
