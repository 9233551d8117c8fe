"""Refusals here and there: some servers turn a few calls away whatever one does.

A limit is met by several calls in a row. Single refusals are borne as long as enough answers make up for them. If they
are more than that, calls have to become fewer; but if that has not ended them after several times, it never will, and
they are borne from then on, until more come in a row than chance brings. Pure.
"""

from math import ceil, log

_BORNE = 0.06
"""How many refusals an answer makes up for."""
_CREDIT = 5.0
"""How many can be made up for in advance."""
_PRICE_PACED = 2.0
"""What a refusal costs where the rate is known to matter: it is a little too high, or was for a moment."""
_IN_A_ROW, _MOST_IN_A_ROW = 3, 12
_IN_VAIN = 5
_CALM = 60
_RARE = 25
_CHANCE = 1e-4


class RefusalTolerance:
    def __init__(self) -> None:
        self.is_known = False
        """Whether single refusals are borne, however many."""
        self.is_rare = False
        """Whether the last refusal came after many answers."""
        self._enough = _IN_A_ROW
        self._credit = 0.0
        self._in_a_row = 0
        self._last = -9
        self._answers = 0  # since the last refusal
        self._heeded = 0  # how often single refusals were heeded, without calm in between
        self._all = self._refusals = 0  # since it was calm

    def answered(self) -> None:
        self._answers += 1
        self._all += 1
        self._credit = min(self._credit + _BORNE, _CREDIT)

    def explains(self, number: int, paced: bool) -> bool:
        """True if a refusal is within this server's usual rate of random refusals, so that the pace may stay."""
        self._in_a_row = self._in_a_row + 1 if abs(number - self._last) <= 1 else 1
        self._last = number
        if self._answers >= _CALM and not self.is_known:
            self._forget()
        self.is_rare = self._answers >= _RARE
        self._answers = 0
        self._refusals += 1
        if self._in_a_row >= self._enough:
            self._forget()
        elif self.is_known:
            return True
        elif self._credit >= (price := _PRICE_PACED if paced else 1.0):
            self._credit -= price
            return True
        else:
            self._heed()
        return self.is_known

    def _heed(self) -> None:
        self._heeded += 1
        if self._heeded > _IN_VAIN:
            part = self._refusals / (self._refusals + self._all)
            self._enough = min(max(ceil(log(_CHANCE) / log(min(part, 0.9))), _IN_A_ROW), _MOST_IN_A_ROW)
            self.is_known = True

    def _forget(self) -> None:
        self.is_known = False
        self._enough = _IN_A_ROW
        self._heeded = self._all = self._refusals = 0
