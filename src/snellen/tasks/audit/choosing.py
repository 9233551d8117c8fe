"""Observers of the options alone, where every question offers others: which one is right, going by what it says?

Options change places, so who learns which place is right learns nothing. Who learns which words are right may.
"""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from snellen.tasks.audit.guessing import Feature, Guesses, Ints, Trials, shared_credit
from snellen.tasks.audit.learning import START, regressed, vectors_of
from snellen.tasks.audit.looking import words_of

Options = Sequence[Sequence[str]]
"""For each trial what it offers, in the order offered."""


def option_features(options: Options) -> dict[str, list[Feature | None]]:
    """The place of the option that stands out: the longest, the highest number, the first in the alphabet."""
    return {
        "longest option": [standout([len(text) for text in offered]) for offered in options],
        "option with the highest number": [standout([_number(text) for text in offered]) for offered in options],
        "option last in the alphabet": [offered.index(max(offered)) for offered in options],
    }


def _number(text: str) -> float:
    digits = re.findall(r"\d+", text)
    return float(digits[0][:15]) if digits else -1.0


def standout(values: Sequence[float]) -> int:
    """The place of the one highest value; -1 if there is none."""
    highest = [place for place, value in enumerate(values) if value == max(values)]
    return highest[0] if len(highest) == 1 < len(values) else -1


def choosing(options: Options, questions: Sequence[str], right: Ints, known: Trials) -> Iterator[Guesses]:
    """An observer that scores every option by its words, each by itself and with each word of the question."""
    owner = np.repeat(np.arange(len(options)), [len(offered) for offered in options])
    place = np.concatenate([np.arange(len(offered)) for offered in options])
    texts = [_pairs(question, text) for question, offered in zip(questions, options, strict=True) for text in offered]
    vectors = vectors_of(texts)
    if not vectors.size:
        return
    hit = (right[owner] == place).astype(np.float64)[:, None]
    credit = known.unguessed()
    for learn, test in known.rounds(START):
        scores = np.full((len(options), int(place.max()) + 1), -np.inf)
        asked = test[owner]
        scores[owner[asked], place[asked]] = regressed(
            vectors[learn[owner]], hit[learn[owner]], vectors[asked], scaled=False
        )[:, 0]
        credit[test] = shared_credit(scores[test], right[test])
    yield Guesses("options (bag of words)", credit)


def _pairs(question: str, option: str) -> list[str]:
    """The words of an option, and what makes them an answer to this question."""
    own = [option.lower(), *words_of(option)]
    return [*own, *(f"{asked} {option.lower()}" for asked in set(words_of(question)))]
