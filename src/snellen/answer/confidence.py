"""How sure a subject was of its answer: the probability it gave the very tokens that say it."""

from collections.abc import Sequence
from math import exp

from snellen.call import Token


def confidence(text: str, tokens: Sequence[Token], span: tuple[int, int]) -> float | None:
    """The probability of the stretch of the reply that was read as its answer; None where nobody can tell.

    The tokens must spell the reply, or end with it (some servers count what stands before it, too).
    """
    start, end = span
    whole = "".join(token.text for token in tokens)
    if not tokens or start >= end or not whole.endswith(text):
        return None
    place, total, heard = len(text) - len(whole), 0.0, False
    for token in tokens:
        until = place + len(token.text)
        if place < end and until > start and token.text.strip():
            total += token.logprob
            heard = True
        place = until
    return min(1.0, exp(total)) if heard else None
