"""Words to tokens and back, as WordPiece does it: the longest known piece first.

The very same vocabulary and pattern make the tokenizer of the Hugging Face folder (`stock.py`), so that
the model gets the same tokens from either.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from string import digits

PATTERN = r" {3}|[A-Za-z]+|[0-9]+|[─┌┐└┘├┤┬┴┼•]+|<[a-z_-]+>|[^\sA-Za-z0-9]"
"""What stands for itself: three blanks (an empty cell of a board in characters), a word, a number, a drawn edge, a
special token, any other sign. Other white space only parts them."""
PAD, UNKNOWN, END, USER, ANSWER = "<pad>", "<unknown>", "<end>", "<user>", "<answer>"
IMAGE, AROUND, WHOLE = "<image>", "<fake_token_around_image>", "<global-img>"
SPECIAL = (PAD, UNKNOWN, END, USER, ANSWER, IMAGE, AROUND, WHOLE)
"""The last three are what the Idefics3 architecture puts in a picture's place."""
INNER = "##"
"""How a piece within a word begins."""

_PARTS = re.compile(PATTERN)


def parts(text: str) -> list[str]:
    """What a text is made of, before anything is looked up."""
    return _PARTS.findall(text)


class Vocabulary:
    """Pieces by number and numbers by piece."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self.pieces = tuple(pieces)
        self.numbers = {piece: number for number, piece in enumerate(pieces)}
        self.word = lru_cache(maxsize=4096)(self._word)

    def __len__(self) -> int:
        return len(self.pieces)

    def read(self, text: str) -> list[int]:
        """The numbers of a text's tokens."""
        return [number for part in parts(text) for number in self.word(part)]

    def say(self, numbers: Iterable[int]) -> str:
        """The text of tokens; special ones are silent."""
        pieces = (self.pieces[number] for number in numbers if number >= len(SPECIAL))
        return "".join(piece[len(INNER) :] if piece.startswith(INNER) else f" {piece}" for piece in pieces).lstrip()

    def _word(self, word: str) -> tuple[int, ...]:
        pieces = tuple(self._found(word))
        return (self.numbers[UNKNOWN],) if -1 in pieces else pieces

    def _found(self, word: str) -> Iterator[int]:
        start = 0
        while start < len(word):
            inner = INNER if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if inner + word[start:end] in self.numbers), None)
            if end is None:
                yield -1
                return
            yield self.numbers[inner + word[start:end]]
            start = end


def vocabulary(texts: Iterable[str], more: Iterable[str]) -> Vocabulary:
    """Every part that occurs in the texts, and `more` words; what is unknown can be spelt letter by letter, and numbers
    are spelt digit by digit."""
    letters = [chr(code) for code in (*range(ord("a"), ord("z") + 1), *range(ord("A"), ord("Z") + 1))]
    words = {part for text in texts for part in parts(text) if not part.isdigit()} | set(more) | set(digits)
    ordered = sorted(words - set(SPECIAL) - set(letters))
    return Vocabulary((*SPECIAL, *letters, *(INNER + sign for sign in (*letters, *digits)), *ordered))
