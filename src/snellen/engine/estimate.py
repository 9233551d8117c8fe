"""What an exam would cost, before it costs anything.

Calls already in the store are free, and the same call is counted once. Tokens are an estimate: a quarter of
the characters for words; for a picture one token per patch of 28 x 28 pixels, and no fewer than 85 (providers
differ, most come within a factor of two); for a reply the subject's mean so far in this store, else
`REPLY_TOKENS`, and never more than the call allows. Whoever lists the calls decides what stands for a reply
that a later call quotes and nobody has given yet.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import islice

from PIL import Image, UnidentifiedImageError

from snellen.call import Call
from snellen.engine.engine import CallTally
from snellen.engine.store import Store
from snellen.item import Picture

REPLY_TOKENS = 200
MESSAGE_TOKENS = 4
PATCH = 28
LEAST_PER_PICTURE = 85
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Price:
    """Price of a million tokens, in the user's currency."""

    tokens_in: float
    tokens_out: float
    batch: float = 1.0
    """What calls cost in a batch, as a share of this."""

    @property
    def batched(self) -> "Price":
        """The price of calls that all go in batches."""
        return Price(self.tokens_in * self.batch, self.tokens_out * self.batch)

    def spent(self, tally: CallTally) -> float:
        """What these calls cost, some of which may have gone in batches."""
        alone = self.of(tally.tokens_in - tally.batched_in, tally.tokens_out - tally.batched_out)
        return alone + self.batched.of(tally.batched_in, tally.batched_out)

    def of(self, tokens_in: float, tokens_out: float) -> float:
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / 1e6


@dataclass(slots=True)
class SubjectEstimate:
    """The calls of one subject: `known` are answered in the store, `to_make` are not. Tokens and cost are
    those of `to_make`; `cost` is None without a price.
    """

    known: int = 0
    to_make: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None


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
            to_make=sum(part.to_make for part in parts),
            tokens_in=sum(part.tokens_in for part in parts),
            tokens_out=sum(part.tokens_out for part in parts),
            cost=sum(costs) if costs else None,
        )


class Estimator:
    """Adds up calls, each once; without a store, nothing is known yet."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._seen: set[bytes] = set()
        self._sums: dict[str, list[float]] = {}
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
                    sums[0] += times
                else:
                    sums[1] += times
                    sums[2] += times * request_tokens(call)
                    sums[3] += times * _reply_tokens(call, self._reply_length(call.subject))

    def add_answered(self, keys: Iterable[bytes]) -> None:
        """Count calls of an earlier run, of which only the keys are known."""
        new = [key for key in dict.fromkeys(keys) if key not in self._seen]
        self._seen.update(new)
        for subject in (self._store.answered(new) if self._store else {}).values():
            self._of(subject)[0] += 1

    def estimate(self, prices: Mapping[str, Price] | None = None) -> CallEstimate:
        by_subject = {name: SubjectEstimate(*map(round, sums)) for name, sums in self._sums.items()}
        for subject, price in (prices or {}).items():
            if (part := by_subject.get(subject)) is not None:
                part.cost = price.batched.of(part.tokens_in, part.tokens_out)
        return CallEstimate(by_subject, self._sampled)

    def _of(self, subject: str) -> list[float]:
        return self._sums.setdefault(subject, [0.0] * 4)

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
