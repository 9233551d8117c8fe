"""From what a store holds back to values, checked: a store is handed on and kept for years, and disks decay.

What no version of ours can have written is damage, and is said in one line instead of met as a riddle further on.
"""

import json
from pathlib import Path
from typing import Any, TypeVar

from snellen.call import FINISHES, Reply, Token
from snellen.engine.schema import Damaged, problem
from snellen.errors import UserError

T = TypeVar("T")


class Stored:
    """Decodes the values of one store; the path is for error messages."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def reply(self, row: tuple[Any, ...]) -> Reply:
        """A reply from its columns, in the order of `Reply`'s fields."""
        text, finish, tokens_in, tokens_out, model, reasoning, tokens_reasoning, tokens_picture, tokens = row
        if not isinstance(text, str) or finish not in FINISHES or not isinstance(reasoning, str):
            raise self.damaged(f"a reply that ended with {finish!r}")
        cached, written, tokens = self._usage(tokens) if tokens else (0, 0, ())
        counts = (tokens_reasoning, tokens_picture)
        return Reply(text, finish, tokens_in, tokens_out, model, reasoning, *counts, tokens, cached, written)

    def _usage(self, text: Any) -> tuple[int, int, tuple[Token, ...]]:
        """Tokens read from a provider's cache and written to it, and those of the reply: alone a list."""
        if not str(text).startswith("{"):
            return 0, 0, self._tokens(self.list(text))
        usage = self.mapping(text)
        cached, written, tokens = usage.get("cached"), usage.get("written"), usage.get("tokens")
        if type(cached) is not int or type(written) is not int or not isinstance(tokens, list):
            raise self.damaged("tokens that cannot be read")
        return cached, written, self._tokens(tokens)

    def _tokens(self, tokens: list[Any]) -> tuple[Token, ...]:
        try:
            return tuple(
                Token(word, float(logprob), tuple((other, float(chance)) for other, chance in others))
                for word, logprob, others in tokens
            )
        except (TypeError, ValueError):
            raise self.damaged("tokens that cannot be read") from None

    def mapping(self, text: Any) -> dict[str, Any]:
        return self._decoded(text, dict)

    def list(self, text: Any) -> "list[Any]":
        return self._decoded(text, list)

    def _decoded(self, text: Any, kind: type[T]) -> T:
        try:
            value = json.loads(text)
        except (TypeError, ValueError, RecursionError):
            value = None
        if not isinstance(value, kind):
            raise self.damaged(f"{str(text)[:40]!r} where a {kind.__name__} was expected")
        return value

    def damaged(self, what: str) -> UserError:
        return problem(self._path, Damaged(what))
