"""What the pages tell people to type: every code block of the README and the documentation, and its commands."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")], key=lambda page: page.relative_to(ROOT)
)

SHELL, CONSOLE, PYTHON = "sh", "console", "python"
ONLY_READ = ("text", "toml", "yaml", "latex")
"""Languages of blocks that are there to be looked at."""

_FENCE = re.compile(r"^ *(```+|~~~+) *([\w-]*)(.*)$")
_LIST = re.compile(r"^\s*([-*+]|\d+\.) ")
_SNIPPET = re.compile(r'^--8<-- "(.+)"$', re.MULTILINE)
_FAILS = re.compile(r"#.*\bexit status (\d+)")


class Block(NamedTuple):
    """A block of code: where it is, the language it says it is in ("" for one that is only indented), its lines."""

    line: int
    language: str
    text: str


@dataclass(frozen=True)
class Command:
    """One command of a block. `into`: what its output is piped through; `status`: how the page says that it ends."""

    words: tuple[str, ...]
    env: tuple[tuple[str, str], ...] = ()
    into: str = ""
    status: int = 0

    def __str__(self) -> str:
        return shlex.join(self.words)


class Shown(NamedTuple):
    """A command in a console block, and what the page says that it prints."""

    command: Command
    output: str


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(text: str) -> list[Block]:
    """The code blocks of a page, fenced or indented, in order."""
    return sorted([*_fenced(text), *_indented(text)])


def _fenced(text: str) -> Iterator[Block]:
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        if (opened := _FENCE.match(lines[at])) is not None:
            end = next(n for n in range(at + 1, len(lines)) if lines[n].strip().startswith(opened[1]))
            yield Block(at + 1, opened[2], "\n".join(lines[at + 1 : end]))
            at = end
        at += 1


def _indented(text: str) -> Iterator[Block]:
    """Runs of lines that are indented by four after a blank line, and are no part of a list."""
    bare = _without_fences(text).split("\n")
    at, in_list = 0, False
    while at < len(bare):
        line = bare[at]
        if line.startswith("    ") and line.strip() and not in_list and (at == 0 or not bare[at - 1].strip()):
            end = at
            while end < len(bare) and (bare[end].startswith("    ") or not bare[end].strip()):
                end += 1
            yield Block(at + 1, "", "\n".join(found[4:] for found in bare[at:end]).strip("\n"))
            at = end
            continue
        if line.strip() and not line.startswith(" "):
            in_list = _LIST.match(line) is not None
        at += 1


def _without_fences(text: str) -> str:
    """The page with its fenced blocks blanked out, line by line."""
    kept = text.split("\n")
    for block in _fenced(text):
        many = block.text.count("\n") + 1 if block.text else 0
        kept[block.line - 1 : block.line + many + 1] = [""] * (many + 2)
    return "\n".join(kept)


def inline_code(text: str) -> list[str]:
    """What stands between single backticks outside the blocks."""
    prose = "\n".join(line for line in _without_fences(text).split("\n") if not line.startswith("    "))
    return re.findall(r"(?<!`)`([^`\n]+)`(?!`)", prose)


def kind(block: Block) -> str:
    """What a block is: its language, or, if it is only indented, commands or Python by its first word."""
    if block.language:
        return block.language
    first = block.text.split(maxsplit=1)[0]
    return PYTHON if first in ("from", "import", "async", "def") else SHELL


def python_of(block: Block) -> str:
    """A Python block with the files it includes put in."""
    return _SNIPPET.sub(lambda found: (ROOT / found[1]).read_text(encoding="utf-8"), block.text)


def commands(block: Block) -> Iterator[Command]:
    """The commands of a shell block."""
    for line in _joined(block.text):
        fails = _FAILS.search(line)
        yield from parsed(line, int(fails[1]) if fails else 0)


def shown(block: Block) -> Iterator[Shown]:
    """The commands of a console block, each with the output below it. `$ echo $?` tells how the one before it ended."""
    found: list[tuple[str, list[str]]] = []
    for line in block.text.split("\n"):
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
        else:
            raise ValueError(f"line {block.line}: a console block begins with a command: {line!r}")
    for place, (line, output) in enumerate(found):
        if line == "echo $?":
            continue
        told = found[place + 1] if place + 1 < len(found) else ("", [])
        [command] = parsed(line, int(told[1][0]) if told[0] == "echo $?" else 0)
        yield Shown(command, "".join(f"{each}\n" for each in output))


def _joined(text: str) -> Iterator[str]:
    """Lines with those that go on in the next put together."""
    for line in re.sub(r"\\\n\s*", " ", text).split("\n"):
        if line.strip() and not line.lstrip().startswith("#"):
            yield line


def parsed(line: str, status: int = 0) -> Iterator[Command]:
    """The commands of one line, as a shell would take it apart."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words = list(lexer)
    while words:
        end = next((place for place, word in enumerate(words) if word in ("&&", "|", ";")), len(words))
        here, rest = words[:end], words[end:]
        if odd := [word for word in here if set(word) <= set("();<>|&")]:
            raise ValueError(f"{line!r}: {odd[0]} means something to a shell; quote it")
        env = []
        while here and re.fullmatch(r"[A-Z_]+=.*", here[0]):
            name, _, value = here.pop(0).partition("=")
            env.append((name, value))
        if rest[:1] == ["|"]:
            yield Command(tuple(here), tuple(env), line.partition("|")[2].strip(), status)
            return
        yield Command(tuple(here), tuple(env), "", status if not rest[1:] else 0)
        words = rest[1:]
