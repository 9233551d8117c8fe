"""Every compiled pattern of a package, and tokens to repeat that it looks for: the worst that a reply can be."""

import importlib
import inspect
import pkgutil
import random
import re
from collections import defaultdict, deque
from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

from snellen.answer.naming import ASKED
from snellen.answer.tidy import FIRST_NAME

_WORD = re.compile(r"(?<![\\a-z])[a-z][a-z']+")
_NAME = FIRST_NAME
_SIGNS = ("(", "[", "{", "\\boxed{", ":", ", ", ". ", "- ", "-> ", "=", "|", "\n", "\t", "  ", "**", "'", "~~", "<")
_PLAIN = ("a ", "1 ", "1.", "a", "1", "é", "X ", "O or X ", _NAME, f"{_NAME} ", f"{_NAME}, ", f"{ASKED} ")


class Used(NamedTuple):
    """A pattern and how it is used: looked for anywhere, or tried at one place only."""

    pattern: re.Pattern[str]
    anywhere: bool

    def run(self, text: str) -> None:
        """All the work that the pattern may have with a text."""
        if self.anywhere:
            deque(self.pattern.finditer(text), maxlen=0)
        else:
            self.pattern.match(text)
            self.pattern.fullmatch(text)


def patterns(package: str) -> dict[str, Used]:
    """All patterns that the modules of a package hold, by module and name; what functions compile is not among them."""
    root = importlib.import_module(package)
    names = [f"{package}.{found.name}" for found in pkgutil.iter_modules(root.__path__)]
    modules = [importlib.import_module(name) for name in (package, *names)]
    ways = _ways("".join(inspect.getsource(module) for module in modules))
    return {
        f"{module.__name__.rpartition('.')[2]}.{name}: {k}": Used(pattern, _anywhere(ways[name]))
        for module in modules
        for name, value in vars(module).items()
        if not name.startswith("__")
        for k, pattern in enumerate(_within(value))
    }


def _ways(source: str) -> dict[str, set[str]]:
    """What of each name is used in a source: of `_LINE.match(text)` that is `match`."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, way in re.findall(r"(?<!\w)(\w+)\.(?=(\w+))", source):
        found[name].add(way)
    return found


def _anywhere(ways: set[str]) -> bool:
    return not ways or bool(ways - {"match", "fullmatch", "pattern"})


def _within(value: Any) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        yield from chain.from_iterable(map(_within, value.values()))
    elif isinstance(value, list | tuple | frozenset):
        yield from chain.from_iterable(map(_within, value))


def tokens(pattern: re.Pattern[str], count: int, seed: int = 0) -> list[str]:
    """Tokens to repeat: signs, names, and words that the pattern itself is made of, alone and side by side."""
    rng = random.Random(f"{seed} {pattern.pattern}")
    words = sorted(set(_WORD.findall(pattern.pattern))) or ["answer"]
    parts = [*words, *_SIGNS, *_PLAIN]
    made = [" ".join(rng.choice(words) for _ in range(rng.randint(1, 4))) + " " for _ in range(count)]
    mixed = ["".join(rng.choice(parts) + rng.choice(("", " ")) for _ in range(rng.randint(2, 5))) for _ in range(count)]
    return [*_SIGNS, *_PLAIN, *made, *mixed]
