"""The same seed gives the same bytes, release after release: what the kinds drew before stands here as digests.

A kind that is changed on purpose gets a new digest, and a line in the changelog.
"""

import hashlib
import json

from snellen.rng import stream
from snellen.tasks.capacity.kinds import kind_of
from support.lengths import few_and_more

DRAWN = {
    ("satellite", 0): "d2798a1632dc5d8c",
    ("direction", 0): "4cdd1ebdc3902222",
    ("counting", 3): "12ec4bfe0f361dcf",
    ("jigsaw", 0): "290ca11ee75798a6",
    ("gomoku", 0): "6f3e10062e0b99ab",
    ("unblock", 0): "518fe8003cb7a4ca",
    ("maze", 0): "5da97e7a3c9d2a81",
    ("chart", 0): "b262dfa085709f69",
    ("sandbagging", 0): "42baf0220e4ba11b",
    ("counterfactual", 0): "4eb6492640561039",
    ("wrong_answer", 0): "9dcf2500d7fb2c90",
    ("wrong_answer", 1): "fccffa1a87e8c4e3",
}

DEAREST = ("counting", "satellite", "direction", "sandbagging", "jigsaw", "chart")


def drawn(kind: str, index: int) -> str:
    """The digest of an item's truth and pictures."""
    found = kind_of(kind)
    truth = found.make(stream(index, "bytes", kind), found.sizes[0], index)
    whole = hashlib.sha256(json.dumps(truth, sort_keys=True).encode())
    for picture in found.show(truth):
        whole.update(picture.data)
    return whole.hexdigest()[:16]


@few_and_more(
    ("kind", "index"),
    [pair for pair in DRAWN if pair[0] not in DEAREST],
    [pair for pair in DRAWN if pair[0] in DEAREST],
)
def test_a_seed_gives_the_bytes_it_has_always_given(kind: str, index: int) -> None:
    assert drawn(kind, index) == DRAWN[kind, index]
