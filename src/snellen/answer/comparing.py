"""Whether two values mean the same: texts, numbers, labels, sets."""

import re
import unicodedata
from decimal import Decimal, InvalidOperation

from snellen.answer.field_values import canonical
from snellen.item import Field

_PLAIN = re.compile(r"-?\d+(?:\.\d+)?")
_ORNAMENT = " .,;:!?…*_`'\"«»‹›‘’“”„()[]{}"


def normal(text: str) -> str:
    """A free text as it is compared: compatibility forms, case, blanks and ornament at the ends set aside."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return folded.strip(_ORNAMENT) or folded


def same(value: str, right: str, field: Field) -> bool:
    """Whether a field's value, in canonical spelling, is the right one."""
    if field.kind == "number":
        return same_number(value, right if _PLAIN.fullmatch(right) else canonical(right, field))
    if field.kind == "text":
        return normal(value) == normal(right)
    return value == canonical(right, field)


def same_number(value: str, right: str) -> bool:
    """Whether a number is as near to the right one as that is exact: a key of 12.5 stands for 12.45 to 12.55, a key
    of 12 for 12 and nothing else."""
    try:
        number, key = Decimal(value), Decimal(right)
    except InvalidOperation:
        return value == right
    exponent = key.as_tuple().exponent
    decimals = -exponent if isinstance(exponent, int) and exponent < 0 else 0
    if decimals == 0 and number == number.to_integral_value():
        return number == key
    half_a_unit = Decimal(5).scaleb(-decimals - 1) if decimals else Decimal(0)
    return abs(number - key) <= max(abs(key) * Decimal("1e-6"), half_a_unit)
