"""Replies as the store can hold them."""

from math import isfinite

from snellen.call import Reply, Token

_LARGEST = 2**63 - 1


def storable(reply: Reply) -> Reply:
    """The reply as the store can hold it, so that this run and the next see the same one.

    Lone surrogates, which JSON can smuggle in and UTF-8 cannot hold, become the replacement character; counts of tokens
    that no database can hold are dropped, and so are log-probabilities that are no numbers.
    """
    counts = (
        *(reply.tokens_in, reply.tokens_out, reply.tokens_reasoning, reply.tokens_picture),
        *(reply.tokens_cached, reply.tokens_written),
    )
    plain = reply.text.isascii() and reply.model.isascii() and reply.reasoning.isascii()
    if plain and not reply.tokens and tuple(map(_count, counts)) == counts:
        return reply  # as nearly all are
    storable = Reply(
        storable_text(reply.text),
        reply.finish,
        _count(reply.tokens_in),
        _count(reply.tokens_out),
        storable_text(reply.model),
        storable_text(reply.reasoning),
        _count(reply.tokens_reasoning),
        _count(reply.tokens_picture),
        tuple(map(_token, reply.tokens)) if all(map(_has_numbers, reply.tokens)) else (),
        _count(reply.tokens_cached) or 0,
        _count(reply.tokens_written) or 0,
    )
    return reply if storable == reply else storable


def _token(token: Token) -> Token:
    return Token(
        storable_text(token.text), token.logprob, tuple((storable_text(text), chance) for text, chance in token.others)
    )


def _has_numbers(token: Token) -> bool:
    return isfinite(token.logprob) and all(isfinite(chance) for _, chance in token.others)


def storable_text(text: str) -> str:
    if text.isascii():  # at no cost: strings know
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _count(tokens: int | None) -> int | None:
    return tokens if tokens is None or 0 <= tokens <= _LARGEST else None
