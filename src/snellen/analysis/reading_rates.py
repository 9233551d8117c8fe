"""Warnings where two sides of a comparison are not read alike.

An unread reply is not right. So if replies of one condition are unread more often than those of the other, for their
wording alone, the difference between the two is partly one of reading. Both rates are of the same pairs as the contrast
itself; the test is exact and paired (sign flips over items: McNemar's test where every item is one pair), Holm-adjusted
over the contrast's own family.
"""

from collections.abc import Callable, Sequence

from snellen.analysis.contrasts import Contrast, p_text

SURELY = 0.01
"""Unread rates differ if the adjusted p-value is below this: a family of equal rates brings a warning once in a hundred
times at most."""
MOST = 3
"""So many contrasts are named; of more only the number is said."""

Name = str | Callable[[Contrast], str]


def unread_warning(
    contrasts: Sequence[Contrast], sides: Callable[[Contrast], tuple[str, str]], where: Sequence[Name]
) -> str:
    """Sentences for the end of a table's note, with a blank before them; empty if all sides are read alike.

    `sides` names what is compared, `a` first; `where` are the keys (or functions) that say which contrast it is. Only
    what differs between the contrasts is said.
    """
    apart = [each for each in contrasts if each.get("p_unread_holm", 1.0) < SURELY]
    if not apart:
        return ""
    told = [name for name in where if len({_said(each, name) for each in contrasts}) > 1]
    worst = sorted(apart, key=lambda each: (each["p_unread_holm"], -abs(each["unread_a"] - each["unread_b"])))[:MOST]
    sentences = [_sentence(each, sides(each), [_said(each, name) for name in told]) for each in worst]
    more = len(apart) - len(worst)
    rest = f" So do those of {more} more contrast{'s' if more > 1 else ''} here." if more else ""
    return f" {' '.join(sentences)}{rest}"


def rates_differ(a: tuple[str, float], b: tuple[str, float], p: float, *, what: str, where: str = "") -> str:
    """The sentence about one comparison (`what`: "contrast", "step") of two sides, each a name and a rate from 0 to 1;
    `p` is adjusted."""
    (name, rate), (other, other_rate) = a, b
    place = f"{where}; " if where else ""
    tested = f"{place}p {p_text(p)}" if p_text(p).startswith("<") else f"{place}p = {p_text(p)}"
    rates = f"{100 * rate:.1f} % in {name}, {100 * other_rate:.1f} % in {other}"
    return f"Unread rates differ: {rates} ({tested}); this {what} may be biased."


def _sentence(each: Contrast, sides: tuple[str, str], where: Sequence[str]) -> str:
    first, second = (sides[0], each["unread_a"]), (sides[1], each["unread_b"])
    return rates_differ(first, second, each["p_unread_holm"], what="contrast", where=", ".join(filter(None, where)))


def _said(each: Contrast, name: Name) -> str:
    return str(each.get(name, "")) if isinstance(name, str) else name(each)
