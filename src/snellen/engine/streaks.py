"""Failed calls in a row, and what they say of the subject.

A refused key, a missing model or a redirect concerns every call, or only this one: gateways turn single bodies away
with the same answers (401, 403, 404, 3xx). Until a subject has answered, few such failures are enough to believe the
worst. Once it has answered, they fail only their own call, until several in a row, on different contents, make chance
an unlikely reason.

A row is counted in the order in which calls began, for failures come back sooner than answers: of many slow calls
under way, all that are turned away end before the first answer. A call still under way ends a row. Pure.
"""

from collections.abc import Container
from math import ceil, log

_AT_FIRST = 3
"""Failures that might concern one call alone, until they are believed of a subject that never answered."""
_CHANCE = 1e-8
"""How unlikely a row must be, if calls were turned away one by one."""
_LEAST, _MOST = 6, 20


class FailureStreaks:
    """The calls of one subject, by the number that `begin` gave them."""

    def __init__(self) -> None:
        self.answers = 0
        self._begun = 0
        self._failed: set[int] = set()
        self._turned_away: dict[int, bytes] = {}

    def begin(self) -> int:
        self._begun += 1
        return self._begun

    def failed(self, number: int) -> int:
        """Note a failed call; returns how many in a row have failed with it."""
        self._failed.add(number)
        return len(_row(self._failed, number))

    def turned_away(self, number: int, content: bytes, clear: bool) -> bool:
        """Note a failure that may concern every call; returns True if it is to be believed.

        `content`: what tells calls with different contents apart. `clear`: whether the failure leaves no doubt as long
        as no call was answered.
        """
        self._turned_away[number] = content
        row = _row(self._turned_away, number)
        contents = {self._turned_away[other] for other in row}
        if not self.answers:
            return clear or len(row) >= _AT_FIRST
        elsewhere = (len(self._turned_away) - len(row) + 1) / (self._begun - len(row) + 2)
        enough = ceil(log(_CHANCE) / log(min(elsewhere, 0.9)))
        return len(contents) >= min(max(enough, _LEAST), _MOST)


def _row(numbers: Container[int], number: int) -> range:
    """The numbers without a gap around one of them."""
    first = last = number
    while first - 1 in numbers:
        first -= 1
    while last + 1 in numbers:
        last += 1
    return range(first, last + 1)
