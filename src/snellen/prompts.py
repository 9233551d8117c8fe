"""Prompt packs: all wording, in TOML, one table per task.

A pack table holds named **pieces**. A piece is a string, a list of strings (joined by single spaces, empty ones
dropped), or a list of alternatives, of which the first whose `when` fits the levels at hand is taken:

    prompt = ["{intro}", "{rule}", "{question}"]
    intro = "Here is a {rows}x{columns} board."
    rule = [
        {when = {rule = "inverse", game = ["tictactoe", "connect4"]}, text = "Whoever has a line loses."},
        {text = "Whoever has a line wins."},
    ]

`{name}` is replaced by another piece of that name or by a value the task gives; anything else in braces, as in
`\\boxed{ }` or `{9}`, stands as it is. If no alternative fits, the piece is empty.

`when` may name any factor of the task, of its conditions (`rule`, `prompt`) and of its items (`game`, `topic`). One
that can never hold is an error: a factor or level that the task does not have, levels that never go together, or an
alternative whose place an earlier one always takes.
"""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

from snellen.errors import UserError, refuse_secret, unknown
from snellen.item import content_digest

__all__ = ["Pack"]

Known = Mapping[str, Collection[str]]
"""The factors that a `when` may name, and their levels; no levels where these are not known: then any will do."""
_SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_DEPTH = 12
_LISTED = 300


@dataclass(frozen=True)
class Pack:
    """The wording of one task. `digest` is part of every result's fingerprint."""

    task: str
    origin: str
    pieces: Mapping[str, Any]
    digest: str
    _resolved: dict[tuple[str, Mapping[str, str]], str] = field(default_factory=dict, repr=False, compare=False)

    def say(self, piece: str, levels: Mapping[str, str], values: Mapping[str, str]) -> str:
        """The text of the piece under these levels, with the values filled in.

        `levels` must be hashable (a Condition): choosing among alternatives is remembered per levels, so that a
        hundred thousand prompts cost little more than filling in their values.
        """
        return _SLOT.sub(lambda slot: values[slot[1]], self._template(piece, levels, values))

    def uses(self, piece: str, levels: Mapping[str, str], values: Collection[str]) -> set[str]:
        """The names of the values that the piece uses under these levels."""
        return set(_SLOT.findall(self._template(piece, levels, values)))

    def conditions(self) -> Iterator[tuple[str, dict[str, list[str]]]]:
        """Every `when` of the pack: its location, and the levels it requires by factor."""
        for name, piece in self.pieces.items():
            if _has_alternatives(piece):
                for number, option in enumerate(piece, 1):
                    yield f"[{self.task}] {name}, entry {number}", _wanted(option)

    def _template(self, piece: str, levels: Mapping[str, str], values: Collection[str]) -> str:
        template = self._resolved.get((piece, levels))
        if template is None:
            template = self._resolve(piece, levels, values, _DEPTH)
            self._resolved[piece, levels] = template
        return template

    def values(self, name: str) -> tuple[str, ...]:
        """A list of words in the pack, such as tags to draw from."""
        words = self.pieces.get(name)
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise UserError(f"{self.origin}: [{self.task}] needs {name!r} as a list of words")
        return tuple(words)

    def _resolve(self, piece: str, levels: Mapping[str, str], values: Collection[str], depth: int) -> str:
        if depth == 0:
            raise UserError(f"{self.origin}: [{self.task}] piece {piece!r} refers to itself")

        def fill(slot: re.Match[str]) -> str:
            name = slot[1]
            if name in values:
                return slot[0]  # differs from item to item: filled in by `say`
            if name in self.pieces:
                return self._resolve(name, levels, values, depth - 1)
            problem = unknown(f"name in [{self.task}] {piece}", name, [*self.pieces, *values])
            raise UserError(f"{self.origin}: {problem}")

        def words(text: Any) -> str:
            parts = [text] if isinstance(text, str) else text
            return " ".join(filled for part in parts if (filled := _SLOT.sub(fill, part)))

        if piece not in self.pieces:
            raise UserError(f"{self.origin}: [{self.task}] has no piece {piece!r}; add it")
        content = self.pieces[piece]
        if _has_alternatives(content):
            fitting = (a["text"] for a in content if _fits(_wanted(a), levels))
            return words(next(fitting, ""))
        return words(content)


def _fits(when: Mapping[str, list[str]], levels: Mapping[str, str]) -> bool:
    """True if every named factor has one of the wanted levels."""
    return all(levels.get(factor) in wanted for factor, wanted in when.items())


def _has_alternatives(piece: Any) -> bool:
    return isinstance(piece, list) and bool(piece) and isinstance(piece[0], dict)


def _wanted(alternative: Mapping[str, Any]) -> dict[str, list[str]]:
    """The levels that an alternative's `when` wants, by factor."""
    when: Mapping[str, Any] = alternative.get("when", {})
    return {factor: [levels] if isinstance(levels, str) else levels for factor, levels in when.items()}


def load(path: Path, task: str, fallback: Path | None = None, known: Known | None = None) -> Pack:
    """The task's wording from a pack, a file or a folder of files that make up one; from `fallback` where the pack has
    no table for it. `known`: what a `when` may name, where that is to be checked."""
    tables = _tables(path)
    if not isinstance(tables.get(task), dict):
        if fallback is not None and task not in tables:
            return load(fallback, task)
        raise UserError(f"prompt pack {path}: no table [{task}]; found {', '.join(tables) or 'nothing'}")
    pieces = tables[task]
    refuse_secret(repr(pieces), f"prompt pack {path}: [{task}]", "write a placeholder")
    _check(path, task, pieces)
    pack = Pack(task, path.name, pieces, content_digest(repr(sorted(pieces.items()))))
    _check_conditions(path, pack, known)
    return pack


def _tables(path: Path) -> dict[str, Any]:
    """The tables of a pack. Tables of one name in several files are put together."""
    if not path.is_dir():
        return _read(path)
    files = sorted(path.glob("*.toml"))
    if not files:
        raise UserError(f"prompt pack {path}: no TOML files in it; give an existing TOML file or a folder of them")
    tables: dict[str, Any] = {}
    for file in files:
        for name, table in _read(file).items():
            together = tables.setdefault(name, {})
            if twice := together.keys() & table.keys():
                raise UserError(f"prompt pack {file}: [{name}] {min(twice)} is in another file of the folder already")
            together.update(table)
    return tables


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"prompt pack {path}: {error.strerror or error}; give an existing TOML file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"prompt pack {path}: not valid TOML ({error})") from None


def _check(path: Path, task: str, pieces: Mapping[str, Any]) -> None:
    for name, piece in pieces.items():
        options = piece if isinstance(piece, list) else [piece]
        alternatives = _has_alternatives(piece)
        for option in options:
            if not (_is_alternative(option) if alternatives else isinstance(option, str)):
                raise UserError(
                    f"prompt pack {path}: [{task}] {name}: expected text, a list of texts, or a list of "
                    f"{{when = {{...}}, text = ...}}; found {option!r}"
                )


def _check_conditions(path: Path, pack: Pack, known: Known | None) -> None:
    """Refuse a `when` that can never hold."""
    for name, piece in pack.pieces.items():
        earlier: list[dict[str, list[str]]] = []
        for number, option in enumerate(piece if _has_alternatives(piece) else [], 1):
            at, when = f"prompt pack {path}: [{pack.task}] {name}, entry {number}", _wanted(option)
            if known is not None:
                _check_levels(at, when, known)
            if covering := [n for n, other in enumerate(earlier, 1) if _covers(other, when)]:
                raise UserError(
                    f"{at}: never used, as entry {covering[0]} fits whenever it does; put it before that one"
                )
            earlier.append(when)


def _check_levels(at: str, when: Mapping[str, list[str]], known: Known) -> None:
    for factor, wanted in when.items():
        if factor not in known:
            raise UserError(f"{at}: when names {factor!r}, which can never hold; allowed: {_listed(known)}")
        if not wanted:
            raise UserError(f"{at}: when {factor} = [] can never hold; name a level")
        for level in wanted:
            if known[factor] and level not in known[factor]:
                raise UserError(
                    f"{at}: when {factor} = {level!r} can never hold; {factor} is one of {_listed(known[factor])}"
                )


def _listed(names: Collection[str]) -> str:
    """The allowed names, shortened to fit in one line."""
    first = [
        name for name, length in zip(names, accumulate(len(name) for name in names), strict=True) if length <= _LISTED
    ]
    first = first or list(names)[:1]
    return ", ".join(first) + (f" and {len(names) - len(first)} more" if len(names) > len(first) else "")


def _covers(earlier: Mapping[str, list[str]], later: Mapping[str, list[str]]) -> bool:
    """True if the earlier condition holds wherever the later one does."""
    return all(factor in later and {*later[factor]} <= {*wanted} for factor, wanted in earlier.items())


def _is_alternative(option: Any) -> bool:
    if not isinstance(option, dict) or not {"text"} <= option.keys() <= {"when", "text"}:
        return False
    when = option.get("when", {})
    return _is_text(option["text"]) and isinstance(when, dict) and all(map(_is_text, when.values()))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(line, str) for line in value))
