"""The same seed gives the same bytes, release after release: what the kinds drew before stands here as digests.

A kind that is changed on purpose gets a new digest, and a line in the changelog.
"""

import hashlib
import json

import pytest

from snellen.rng import stream
from snellen.tasks.capacity.kinds import kind_of

DRAWN = {
    "satellite": "d2798a1632dc5d8c",
    "direction": "4cdd1ebdc3902222",
    "gomoku": "6f3e10062e0b99ab",
    "unblock": "518fe8003cb7a4ca",
    "maze": "5da97e7a3c9d2a81",
}


def drawn(kind: str, index: int = 0) -> str:
    """The digest of an item's truth and pictures."""
    found = kind_of(kind)
    truth = found.make(stream(index, "bytes", kind), found.sizes[0], index)
    whole = hashlib.sha256(json.dumps(truth, sort_keys=True).encode())
    for picture in found.show(truth):
        whole.update(picture.data)
    return whole.hexdigest()[:16]


@pytest.mark.parametrize("kind", DRAWN)
def test_a_seed_gives_the_bytes_it_has_always_given(kind: str) -> None:
    assert drawn(kind) == DRAWN[kind]
