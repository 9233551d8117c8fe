"""Warnings where two sides of a comparison are not read alike.

An unread reply is not right. So if replies of one condition are unread more often than those of the other, for their
wording alone, the difference between the two is partly one of reading. Both rates are of the same pairs as the contrast
itself; the test is exact and paired (sign flips over items: McNemar's test where every item is one pair), Holm-adjusted
over the contrast's own family.
"""

from collections.abc import Callable, Sequence

from snellen.analysis.contrasts import Contrast, p_equals

SURELY = 0.01
"""Unread rates differ if the adjusted p-value is below this: a family of equal rates brings a warning once in a hundred
times at most."""
MOST = 3
"""So many contrasts are named; of more only the number is said."""

Name = str | Callable[[Contrast], str]


def unread_warning(contrasts: Sequence[Contrast], where: Sequence[Name]) -> str:
    """Sentences for the end of a table's note, with a blank before them; empty if all sides are read alike.

    `where` are the factors (or functions) that say which contrast it is. Only what differs between the contrasts is
    said.
    """
    apart = [(p, row) for row in contrasts if (p := row.p_unread_holm) is not None and p < SURELY]
    if not apart:
        return ""
    told = [name for name in where if len({_level(row, name) for row in contrasts}) > 1]
    worst = sorted(apart, key=lambda pair: (pair[0], -abs(pair[1].unread_a - pair[1].unread_b)))[:MOST]
    sentences = [_sentence(row, p, [_level(row, name) for name in told]) for p, row in worst]
    more = len(apart) - len(worst)
    rest = f" So do those of {more} more contrast{'s' if more > 1 else ''} here." if more else ""
    return f" {' '.join(sentences)}{rest}"


def rates_differ(a: tuple[str, float], b: tuple[str, float], p: float, *, what: str, where: str = "") -> str:
    """The sentence about one comparison (`what`: "contrast", "step") of two sides, each a name and a rate from 0 to 1;
    `p` is adjusted."""
    (name, rate), (other, other_rate) = a, b
    place = f"{where}; " if where else ""
    tested = f"{place}{p_equals(p)}"
    rates = f"{100 * rate:.1f} % in {name}, {100 * other_rate:.1f} % in {other}"
    return f"Unread rates differ: {rates} ({tested}); this {what} may be biased."


def _sentence(row: Contrast, p: float, where: Sequence[str]) -> str:
    first, second = zip(row.sides, (row.unread_a, row.unread_b), strict=True)
    return rates_differ(first, second, p, what="contrast", where=", ".join(filter(None, where)))


def _level(row: Contrast, name: Name) -> str:
    return str(row.levels.get(name, "")) if isinstance(name, str) else name(row)
