"""Which unmodified picture of the published set stands beside a modified one.

The set does not say it. Both must be of one topic, ask for the same parts, and the usual number of the one must be the
right one of the other; of several such pictures that whose name is most alike is taken, and of equally alike ones that
which was taken least. All rows of a modified picture, whatever size and wording, get rows of the same unmodified one.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from snellen.tasks.bias.load import ORIGINAL, PublishedCount, is_number
from snellen.tasks.bias.words import counted

_WORDS = re.compile(r"[^\W\d_]+")
_Sort = tuple[str, str, str]


def counterparts(records: Iterable[PublishedCount]) -> dict[str, PublishedCount]:
    """For rows of modified pictures, by their id, the row about the unmodified picture; rows without one are absent."""
    records = list(records)
    unmodified: dict[_Sort, dict[str, list[PublishedCount]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        if record.split == ORIGINAL and is_number(record.answer):
            unmodified[_sort(record, record.answer)][record.picture].append(record)
    chosen: dict[tuple[_Sort, str], list[PublishedCount]] = {}
    taken: Counter[str] = Counter()
    pairs: dict[str, PublishedCount] = {}
    for record in records:
        sort = _sort(record, record.usual)
        if record.split == ORIGINAL or not is_number(record.answer) or sort not in unmodified:
            continue
        if (sort, record.picture) not in chosen:
            picture, rows = min(
                unmodified[sort].items(), key=lambda pair: (-_alike(record, pair[1][0]), taken[pair[0]])
            )
            taken[picture] += 1
            chosen[sort, record.picture] = rows
        pairs[record.id] = min(chosen[sort, record.picture], key=lambda row: _unlike(record, row))
    return pairs


def clusters(records: Iterable[PublishedCount], pairs: Mapping[str, PublishedCount]) -> dict[str, str]:
    """For every picture the name of what its trials are clustered on: pictures that share a counterpart go together."""
    above: dict[str, str] = {}

    def top(picture: str) -> str:
        while above.get(picture, picture) != picture:
            picture = above[picture]
        return picture

    records = list(records)
    for record in records:
        if record.id in pairs:
            one, other = sorted((top(record.picture), top(pairs[record.id].picture)))
            above[other] = one
    return {record.picture: top(record.picture) for record in records}


def _sort(record: PublishedCount, usual: str) -> _Sort:
    """What two rows must have in common: topic, what is counted, and the usual number of it."""
    asks = counted(record.prompt)
    return record.topic, asks.units if asks else record.prompt, usual


def _alike(one: PublishedCount, other: PublishedCount) -> int:
    """How many words the names of two pictures share."""
    words = ({*_WORDS.findall(f"{row.picture} {row.sub_topic}".casefold())} for row in (one, other))
    return len(set.intersection(*words))


def _unlike(record: PublishedCount, row: PublishedCount) -> tuple[bool, int]:
    """How unlike a row of the counterpart is: another wording of the question, another size."""
    sizes = [int(side.pixel) if is_number(side.pixel) else 0 for side in (record, row)]
    return record.question != row.question, abs(sizes[0] - sizes[1])
