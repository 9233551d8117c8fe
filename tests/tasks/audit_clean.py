"""Made sets without a shortcut, as other makers' sets come: each a function of a seed."""

from collections.abc import Callable, Mapping

import numpy as np
from audit_plants import planted, png

from snellen.tasks.audit import Observation

Rows = list[Observation]
WORDS = (
    "which",
    "of",
    "these",
    "has",
    "more",
    "red",
    "blue",
    "green",
    "round",
    "square",
    "small",
    "large",
    "left",
    "right",
    "above",
    "below",
    "near",
    "far",
)


def words(rng: np.random.Generator, many: int = 6) -> str:
    return " ".join(rng.choice(WORDS, many))


def letters(seed: int) -> Rows:
    """Four options each, the letter of one as the key."""
    rng = np.random.default_rng([1, seed])
    return [Observation("", f"q{i}", str(rng.choice(list("ABCD"))), {}, 4, words=words(rng)) for i in range(120)]


def options(seed: int) -> Rows:
    """Four options each with words of their own, the place of one as the key."""
    rng = np.random.default_rng([2, seed])
    rows = []
    for number in range(80):
        offered = tuple(words(rng, int(rng.integers(1, 5))) for _ in range(4))
        rows.append(Observation("", f"q{number}", str(rng.integers(4)), {}, 4, words=words(rng), options=offered))
    return rows


def free(seed: int) -> Rows:
    """Free answers, some more frequent than others, about a picture of noise."""
    rng = np.random.default_rng([3, seed])
    shares = 1 / np.arange(1, 9) / np.sum(1 / np.arange(1, 9))
    rows = []
    for number in range(100):
        picture = png(rng.integers(0, 200, (8, 8, 3), dtype=np.uint8))
        key = str(rng.choice(8, p=shares))
        rows.append(Observation("", f"img_{number}", key, {}, 0, words=words(rng), pictures=(picture,)))
    return rows


def clustered(seed: int) -> Rows:
    """One to five questions about the same thing, one after another, with the same key."""
    rng = np.random.default_rng([5, seed])
    rows = []
    for cluster in range(60):
        key, asked = str(rng.integers(2)), words(rng)
        for trial in range(1 + int(rng.integers(5))):
            text = f"{asked} {words(rng, 2)}"
            features = {"thing": cluster % 7, "noise": int(rng.integers(5))}
            rows.append(Observation("", f"{cluster}-{trial}", key, features, 2, cluster=str(cluster), words=text))
    return rows


def grouped(seed: int) -> Rows:
    """Six conditions with features of their own."""
    rng = np.random.default_rng([6, seed])
    rows = []
    for number in range(240):
        features = {"steps": int(rng.integers(3)), "length": float(rng.random())}
        key = str(rng.integers(2))
        rows.append(Observation(f"g={number % 6}", f"q{number}", key, features, 2, words=words(rng)))
    return rows


CLEAN: Mapping[str, Callable[[int], Rows]] = {
    "pictures": lambda seed: planted("none", 0.5, 80, seed),
    "few": lambda seed: planted("none", 0.5, 24, seed + 1000),
    "letters": letters,
    "options": options,
    "free": free,
    "clustered": clustered,
    "grouped": grouped,
}
