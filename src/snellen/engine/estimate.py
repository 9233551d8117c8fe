"""What an exam would cost, before it costs anything.

Calls already in the store, and those in batches under way, are free, and the same call is counted once. Tokens are an
estimate: a quarter of the characters for words; for a picture one token per patch of 28 x 28 pixels, and no fewer than
85 (providers differ, most come within a factor of two); for a reply the subject's mean so far in this store, else
`REPLY_TOKENS`, and never more than the call allows. As much of the input comes from the provider's cache as so far in
this store; before that nothing does. Whoever lists the calls decides what stands for a reply that a later call quotes
and nobody has given yet.
"""

from collections.abc import Container, Iterable, Mapping
from dataclasses import astuple, dataclass, field, replace
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING

from PIL import Image, UnidentifiedImageError

from snellen.call import Call
from snellen.defaults import CACHE_WRITE
from snellen.engine.store import Store
from snellen.item import Picture

if TYPE_CHECKING:
    from snellen.engine.engine import CallTally

REPLY_TOKENS = 200
MESSAGE_TOKENS = 4
PATCH = 28
LEAST_PER_PICTURE = 85
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Price:
    """Price of a million tokens, in the user's currency.

    `cached`: of input that the provider reads from its cache; None: as other input. `written`: of input that it writes
    to its cache and reports so; None: 1.25 times other input, as Anthropic and OpenAI charge. `writes`: whether all
    input has to be taken for written as long as nothing is known. `batch`: what calls cost in a batch, as a share.
    """

    tokens_in: float
    tokens_out: float
    cached: float | None = None
    written: float | None = None
    writes: bool = field(default=False, kw_only=True)
    batch: float = field(default=1.0, kw_only=True)

    @property
    def batched(self) -> "Price":
        """The price of calls that all go in batches."""
        prices = {name: getattr(self, name) for name in ("tokens_in", "tokens_out", "cached", "written")}
        own = {name: price * self.batch for name, price in prices.items() if price is not None}
        return replace(self, **own, batch=1.0)

    def __str__(self) -> str:
        """As it is written after a subject's name on the command line."""
        cached = self.tokens_in if self.cached is None and self.written is not None else self.cached
        return "/".join(str(n) for n in (self.tokens_in, self.tokens_out, cached, self.written) if n is not None)

    def of(self, tokens_in: float, tokens_out: float, cached: float = 0, written: float = 0) -> float:
        """What so many tokens cost; `cached` and `written` are parts of `tokens_in`."""
        read_price = self.tokens_in if self.cached is None else self.cached
        write_price = CACHE_WRITE * self.tokens_in if self.written is None else self.written
        plain = (tokens_in - cached - written) * self.tokens_in + tokens_out * self.tokens_out
        return (plain + cached * read_price + written * write_price) / 1e6

    def spent(self, tally: "CallTally") -> float:
        """What the calls of a run cost, some of which may have gone in batches: these have their share of what was
        read from a cache and written to one."""
        share = tally.batched_in / tally.tokens_in if tally.tokens_in else 0.0
        batched = (tally.batched_in, tally.batched_out, share * tally.tokens_cached, share * tally.tokens_written)
        whole = (tally.tokens_in, tally.tokens_out, tally.tokens_cached, tally.tokens_written)
        return self.of(*whole) - (1 - self.batch) * self.of(*batched)


@dataclass(slots=True)
class SubjectEstimate:
    """The calls of one subject: `known` are answered in the store, `in_batch` are in batches under way, `to_make` are
    neither. Tokens and cost are those of `to_make`; `cost` is None without a price, `tokens_cached` are those of
    `tokens_in` that a provider's cache will save.
    """

    known: int = 0
    in_batch: int = 0
    to_make: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    tokens_cached: int = 0


@dataclass(frozen=True, slots=True)
class CallEstimate:
    """`sampled`: some calls stand for others like them, so that numbers are about right."""

    by_subject: Mapping[str, SubjectEstimate]
    sampled: bool = False

    @property
    def total(self) -> SubjectEstimate:
        """All subjects together; the cost is that of the subjects with a price."""
        parts = self.by_subject.values()
        costs = [part.cost for part in parts if part.cost is not None]
        return SubjectEstimate(
            known=sum(part.known for part in parts),
            in_batch=sum(part.in_batch for part in parts),
            to_make=sum(part.to_make for part in parts),
            tokens_in=sum(part.tokens_in for part in parts),
            tokens_out=sum(part.tokens_out for part in parts),
            cost=sum(costs) if costs else None,
            tokens_cached=sum(part.tokens_cached for part in parts),
        )


@dataclass(slots=True)
class _Sums:
    """The first fields of a `SubjectEstimate`; calls that stand for others make fractions."""

    known: float = 0.0
    in_batch: float = 0.0
    to_make: float = 0.0
    tokens_in: float = 0.0
    tokens_out: float = 0.0


class Estimator:
    """Adds up calls, each once; without a store, nothing is known yet. `in_batch`: the keys of calls in batches under
    way."""

    def __init__(self, store: Store | None, in_batch: Container[bytes] = ()) -> None:
        self._store = store
        self._in_batch = in_batch
        self._seen: set[bytes] = set()
        self._sums: dict[str, _Sums] = {}
        self._cache_shares: dict[str, tuple[float, float] | None] = {}
        self._reply_lengths: dict[str, float | None] = {}
        self._sampled = False

    def add(self, calls: Iterable[Call], times: float = 1.0) -> None:
        """Calls that will be asked for; `times`: how many others like it each stands for, itself included."""
        self._sampled = self._sampled or times != 1.0
        source = iter(calls)
        while chunk := list(islice(source, _CHUNK)):
            new = {call.key: call for call in chunk if call.key not in self._seen}
            self._seen.update(new)
            answered = self._store.answered(new) if self._store else {}
            for key, call in new.items():
                sums = self._of(call.subject)
                if key in answered:
                    sums.known += times
                elif key in self._in_batch:
                    sums.in_batch += times
                else:
                    sums.to_make += times
                    sums.tokens_in += times * request_tokens(call)
                    sums.tokens_out += times * _reply_tokens(call, self._reply_length(call.subject))

    def add_answered(self, keys: Iterable[bytes]) -> None:
        """Count calls of an earlier run, of which only the keys are known."""
        new = [key for key in dict.fromkeys(keys) if key not in self._seen]
        self._seen.update(new)
        for subject in (self._store.answered(new) if self._store else {}).values():
            self._of(subject).known += 1

    def estimate(self, prices: Mapping[str, Price] | None = None) -> CallEstimate:
        by_subject = {name: SubjectEstimate(*map(round, astuple(sums))) for name, sums in self._sums.items()}
        for subject, part in by_subject.items():
            price = (prices or {}).get(subject)
            cached, written = self._cache_shares[subject] or (0.0, 1.0 if price and price.writes else 0.0)
            part.tokens_cached = round(cached * part.tokens_in)
            if price is not None:
                whole = (part.tokens_in, part.tokens_out, part.tokens_cached, written * part.tokens_in)
                part.cost = price.batched.of(*whole)
        return CallEstimate(by_subject, self._sampled)

    def _of(self, subject: str) -> "_Sums":
        if subject not in self._sums:
            self._sums[subject] = _Sums()
            self._cache_shares[subject] = self._store.cache_shares(subject) if self._store else None
        return self._sums[subject]

    def _reply_length(self, subject: str) -> float | None:
        if subject not in self._reply_lengths:
            self._reply_lengths[subject] = self._store.reply_length(subject) if self._store else None
        return self._reply_lengths[subject]


def estimate(calls: Iterable[Call], store: Store | None, prices: Mapping[str, Price] | None = None) -> CallEstimate:
    """Number, tokens and cost of these calls."""
    estimator = Estimator(store)
    estimator.add(calls)
    return estimator.estimate(prices)


def request_tokens(call: Call) -> int:
    """About how many tokens this call sends."""
    tokens = 0
    for message in call.messages:
        tokens += MESSAGE_TOKENS
        for part in message.parts:
            tokens += picture_tokens(part) if isinstance(part, Picture) else -(-len(part) // 4)
    return tokens


def picture_tokens(picture: Picture) -> int:
    """About how many tokens a picture takes."""
    width, height = _size(picture)
    return max(LEAST_PER_PICTURE, -(-width // PATCH) * -(-height // PATCH))


def _size(picture: Picture) -> tuple[int, int]:
    """Width and height, from the first bytes where that is easy."""
    if picture.data[:8] == b"\x89PNG\r\n\x1a\n":
        return int.from_bytes(picture.data[16:20], "big"), int.from_bytes(picture.data[20:24], "big")
    try:
        with Image.open(BytesIO(picture.data)) as image:
            return image.size
    except (UnidentifiedImageError, OSError):
        return 0, 0


def _reply_tokens(call: Call, mean: float | None) -> int:
    expected = round(mean) if mean is not None else REPLY_TOKENS
    allowed = call.settings.get("max_tokens")
    return min(expected, allowed) if isinstance(allowed, int) else expected
