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
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from snellen.errors import UserError, unknown
from snellen.item import content_digest

_SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_DEPTH = 12


@dataclass(frozen=True)
class Pack:
    """The wording of one task. `digest` is part of every result's fingerprint."""

    task: str
    origin: str
    pieces: Mapping[str, Any]
    digest: str
    _resolved: dict[tuple[str, Mapping[str, str]], str] = field(default_factory=dict, repr=False, compare=False)

    def say(self, piece: str, levels: Mapping[str, str], values: Mapping[str, str]) -> str:
        """The piece's words under these levels, with these values filled in.

        `levels` must be hashable (a Condition): choosing among alternatives is remembered per levels, so that a
        hundred thousand prompts cost little more than filling in their values.
        """
        template = self._resolved.get((piece, levels))
        if template is None:
            template = self._resolve(piece, levels, values, _DEPTH)
            self._resolved[piece, levels] = template
        return _SLOT.sub(lambda slot: values[slot[1]], template)

    def values(self, name: str) -> tuple[str, ...]:
        """A list of plain words, such as tags to draw from."""
        words = self.pieces.get(name)
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise UserError(f"{self.origin}: [{self.task}] needs {name!r} as a list of words")
        return tuple(words)

    def _resolve(self, piece: str, levels: Mapping[str, str], values: Mapping[str, str], depth: int) -> str:
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
        if isinstance(content, list) and content and isinstance(content[0], dict):
            fitting = (a["text"] for a in content if _fits(a.get("when", {}), levels))
            return words(next(fitting, ""))
        return words(content)


def _fits(when: Mapping[str, Any], levels: Mapping[str, str]) -> bool:
    """Whether every named factor has (one of) the wanted level(s)."""
    return all(
        levels.get(factor) in (wanted if isinstance(wanted, list) else [wanted]) for factor, wanted in when.items()
    )


def load(path: Path, task: str, fallback: Path | None = None) -> Pack:
    """The task's wording from a pack, a file or a folder of files that make up one; from `fallback` where the pack has
    no table for it."""
    tables = _tables(path)
    if not isinstance(tables.get(task), dict):
        if fallback is not None and task not in tables:
            return load(fallback, task)
        raise UserError(f"prompt pack {path}: no table [{task}]; found {', '.join(tables) or 'nothing'}")
    pieces = tables[task]
    _check(path, task, pieces)
    return Pack(task, path.name, pieces, content_digest(repr(sorted(pieces.items()))))


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
        alternatives = isinstance(piece, list) and isinstance(options[0] if options else None, dict)
        for option in options:
            if not (_is_alternative(option) if alternatives else isinstance(option, str)):
                raise UserError(
                    f"prompt pack {path}: [{task}] {name}: expected text, a list of texts, or a list of "
                    f"{{when = {{...}}, text = ...}}; found {option!r}"
                )


def _is_alternative(option: Any) -> bool:
    if not isinstance(option, dict) or not {"text"} <= option.keys() <= {"when", "text"}:
        return False
    when = option.get("when", {})
    return _is_text(option["text"]) and isinstance(when, dict) and all(map(_is_text, when.values()))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(line, str) for line in value))
