"""What one sentence says for each stage, by its words, its form and where it stands."""

import re
from collections.abc import Iterable

from snellen.analysis.thought.cues import Cues, Plain, Weights
from snellen.analysis.thought.lexicon import (
    ANALYSING_WORDS,
    ANSWERING,
    CHINESE,
    COLLECTING_WORDS,
    CONCLUDING_WORDS,
    HEADINGS,
    NUMBER,
    ORDINAL,
    PART,
    PICTURE,
    TAKING_IN,
    WEIGHING,
)

_SEEING, _WEIGHING, _STATING, _MOST = 0.8, 0.7, 0.8, 2.1
"""What a single word of each stage counts, and all of them together at most."""
_PHRASES = Cues(*TAKING_IN.cues, *WEIGHING.cues, *ANSWERING.cues)
_HEADING = re.compile(r"\A[\s>\d.-]*+(?:\*\*|#++ )\W*+([a-z]+(?:-[a-z]+)*+)[^*\n:.]{0,80}+(?:\*\*)?\W*+\Z")
_SUM = re.compile(r"\d\s?[+×*/]\s?\d|\d [-=x] \d|=\s?\d+\s?[+*/×-]|->|→|⇒")
_CALLED = (
    rf"\A\W*+(?:(?:in|on|from) )?(?:(?:the|this) )?(?:{ORDINAL} )*+(?:(?:{PICTURE}|caption|left|right|top|middle|"
    rf"bottom|row|column|positives?|negatives?)\b(?: (?:row|column|{PICTURE}))?(?: \(?{NUMBER}\b\)?)?)"
)
_LISTED = re.compile(rf"{_CALLED}(?: [–—-] [^:.]{{1,30}})?(?:\*\*)?(?:\s?[:–—]|\s?\([^)]{{1,12}}\))")
"""A picture, or a part of it, by name, and what is there: "Photo 2 - hall: a mirror", "Row 5: white at b5"."""
_DESCRIBED = re.compile(
    rf"{_CALLED}(?:,| (?:is|has|have|shows?|contains?|depicts?|displays?|presents?|i see|there|holds?|are|reads?|"
    r"features?|points?|one has)\b)"
)
_READING = re.compile(rf"\A\W*+(?:{PART} )?[\w ]{{1,24}}[=:] ?[^=→>+?]{{1,120}}\Z")
"""A reading jotted down: "Black: d4 e5 f6", "A=12, B=30"."""


def together(weights: Iterable[Weights]) -> Weights:
    """All that speaks for the stages."""
    collect = analyse = conclude = 0.0
    for for_collecting, for_analysing, for_concluding in weights:
        collect += for_collecting
        analyse += for_analysing
        conclude += for_concluding
    return collect, analyse, conclude


def evidence(sentence: Plain) -> Weights:
    """What a sentence says for each stage, wherever it stands."""
    phrases = [phrase.weights for phrase, _ in _PHRASES.matches(sentence)]
    if not sentence.english:
        phrases += [weights for pattern, weights in CHINESE if pattern.search(sentence.text)]
    return together([_words(sentence), *phrases, _form(sentence)])


def _words(sentence: Plain) -> Weights:
    tokens = sentence.tokens
    return (
        min(_SEEING * len(tokens & COLLECTING_WORDS), _MOST),
        min(_WEIGHING * len(tokens & ANALYSING_WORDS), _MOST),
        min(_STATING * len(tokens & CONCLUDING_WORDS), _MOST),
    )


def _form(sentence: Plain) -> Weights:
    """What the look of a sentence says, apart from its words."""
    text = sentence.text
    heading = _HEADING.match(text) if "*" in text or "#" in text else None
    if heading:
        collect, analyse, conclude = (3.0 * (heading[1] in known) for known in HEADINGS)
        return collect, analyse, conclude
    if _SUM.search(text):
        return 0.0, 1.6, 0.0
    weighs = not sentence.tokens.isdisjoint(ANALYSING_WORDS)
    if _LISTED.match(text):
        return 2.4, 0.0, 0.0
    if _DESCRIBED.match(text):
        return 0.9 if weighs else 1.8, 0.0, 0.0
    if _READING.match(text) and not weighs:
        return 0.8, 0.0, 0.0
    return 0.0, 0.5 * text.rstrip().endswith(("?", "？")), 0.0


def standing(k: int, n: int, bare: bool) -> Weights:
    """What the place of the k-th of n sentences says: chains begin by collecting and end with their answer, in a bare
    word or two if they are terse."""
    if n == 1:
        return 0.0, 0.0, 0.0
    if k == n - 1:
        return 0.0, 0.0, 1.6 + 0.8 * bare + 0.8 * (n > 2)
    along = k / (n - 1)
    return max(0.8 * (1 - 3 * along), 0.0), 0.0, 0.2 if along > 0.8 else -0.8 if along < 0.5 else 0.0
