"""What can be seen of a text without understanding it: length, blanks, lines, capitals, marks, and which words it has.

The same looks serve the question, the twin and the captions (`text_observers`), and each option (`choosing`).
"""

import re
import unicodedata
from collections.abc import Callable, Iterator

from snellen.tasks.audit.guessing import Feature
from snellen.tasks.audit.observer import Observation, Observer

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBER_WORDS = {
    **{word: number for number, word in enumerate(f"{_UNITS} seventeen eighteen nineteen".split())},
    **{word: 10 * number for number, word in enumerate(_TENS.split(), 2)},
}


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, for a bag of them."""
    return tuple(re.findall(r"\w+", text.lower()))


def plain(text: str) -> str:
    """The text up to case, blanks, punctuation and how numbers are written: equal texts are duplicates.

    Signs that are a text's only content, as those of a drawn board, are kept.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    words = [str(NUMBER_WORDS.get(word, word)) for word in re.findall(r"\w+|[^\w\s.,;:!?'\"()\[\]-]", folded)]
    return " ".join(words)


def number_in(text: str) -> float | None:
    """The first number in a text, in digits or in words."""
    for token in re.findall(r"-?\d[\d,]*(?:\.\d+)?|[a-z]+", text.lower()):
        if token in NUMBER_WORDS:
            return float(NUMBER_WORDS[token])
        if not token.isalpha():
            return float(token.replace(",", "")[:15])
    return None


def capitals(text: str) -> int:
    return sum(letter.isupper() for letter in text)


def marks(text: str) -> int:
    """Signs that are neither letters, digits nor blanks."""
    return len(re.findall(r"[^\w\s]", text))


def stray_blanks(text: str) -> int:
    """Blanks beyond one between two words of a line."""
    return len(re.findall(r"^[^\S\n]|[^\S\n]$|[^\S\n](?=[^\S\n])|[^\S\n ]", text, re.MULTILINE))


def first_sign(text: str) -> str:
    """How a text begins: with a capital, a small letter, a digit, or which other sign."""
    first = text[:1]
    return "capital" if first.isupper() else "small" if first.isalpha() else "digit" if first.isdigit() else first


def spelling(text: str) -> tuple[str, ...]:
    """Punctuation and capitalised spellings of a text, as a bag of words."""
    return tuple(re.findall(r"[^\W\d_]*[A-Z]\w*|[^\w\s]", text))


STYLES: dict[str, Callable[[str], Feature]] = {
    "length": len,
    "words": lambda text: len(text.split()),
    "lines": lambda text: text.count("\n"),
    "stray blanks": stray_blanks,
    "capitals": capitals,
    "punctuation": marks,
    "first character": first_sign,
    "last character": lambda text: text[-1:],
}


def text_observers(name: str, text: Callable[[Observation], str]) -> Iterator[Observer]:
    """Everyone who looks at one of the texts of a trial."""
    for style, measure in STYLES.items():
        yield Observer.of(f"{name}: {style}", text, measure)
    yield Observer.of(name, text, words_of)
    yield Observer.of(f"{name}: spelling", text, spelling)
