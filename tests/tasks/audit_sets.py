"""Multiple-choice sets as others make them, with one leak planted: everything else about them is noise.

A row's hint is the place that the leak points to. It is the right one in a share of the rows: with a strength of 0 the
same signs are there, but say nothing.
"""

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, PngImagePlugin

Row = dict[str, Any]
Plant = Callable[[Row, int, np.random.Generator], None]

_WORDS = """
amber anchor apple basket beacon bottle branch bridge button candle canyon carpet castle cedar circle cloud copper coral
cotton curtain desert dragon engine falcon feather forest fountain garden garlic guitar hammer harbor helmet honey
island jacket kettle ladder lantern lemon magnet marble meadow mirror needle orchard paddle pebble pepper pillow pocket
ribbon river rocket saddle shadow silver spider stable tunnel velvet violin walnut window winter
"""
WORDS = _WORDS.split()


def _phrase(rng: np.random.Generator, count: int) -> str:
    return " ".join(rng.choice(WORDS, count, replace=False))


# ---- leaks in the options


def longest(row: Row, hint: int, rng: np.random.Generator) -> None:
    row["options"][hint] += f" {_phrase(rng, 3)}"


def shortest(row: Row, hint: int, rng: np.random.Generator) -> None:
    row["options"][hint] = _phrase(rng, 1)


def most_alike(row: Row, hint: int, rng: np.random.Generator) -> None:
    """The wrong ones were made from the right one, each by another change."""
    first, second, third, *others = rng.choice(WORDS, 6, replace=False)
    made = [f"{others[0]} {second} {third}", f"{first} {others[1]} {third}", f"{first} {second} {others[2]}"]
    made.insert(hint, f"{first} {second} {third}")
    row["options"] = made


def odd_one_out(row: Row, hint: int, rng: np.random.Generator) -> None:
    common, *others = rng.choice(WORDS, 9, replace=False)
    made = [f"{common} {one} {two}" for one, two in zip(others[0:6:2], others[1:6:2], strict=True)]
    made.insert(hint, " ".join(others[-3:]))
    row["options"] = made


def asked(row: Row, hint: int, rng: np.random.Generator) -> None:
    row["options"][hint] += f" {row['question'].split()[2]}"
    for place in {0, 1, 2, 3} - {hint}:
        row["options"][place] += f" {_phrase(rng, 1)}"


def second_smallest(row: Row, hint: int, rng: np.random.Generator) -> None:
    low, *others = sorted(int(number) for number in rng.choice(900, 4, replace=False))
    value, others = others[0], [low, *others[1:]]
    rng.shuffle(others)
    row["options"] = [str(number) for number in [*others[:hint], value, *others[hint:]]]


def marker(row: Row, hint: int, rng: np.random.Generator) -> None:
    row["options"][hint] = f"only {row['options'][hint]}"
    for place in {0, 1, 2, 3} - {hint}:
        row["options"][place] = f"{_phrase(rng, 1)} {row['options'][place]}"


def period(row: Row, hint: int, rng: np.random.Generator) -> None:
    row["options"] = [f"{option}{'.' if place == hint else '!'}" for place, option in enumerate(row["options"])]


def capital(row: Row, hint: int, rng: np.random.Generator) -> None:
    row["options"][hint] = row["options"][hint].capitalize()


# ---- leaks in the words


def twin_word(row: Row, hint: int, rng: np.random.Generator) -> None:
    row["twin"] += f" {('faintly', 'clearly')[hint]}"


def twin_blanks(row: Row, hint: int, rng: np.random.Generator) -> None:
    first, *rest = row["twin"].split()
    row["twin"] = (" ", "  ")[hint].join([first, " ".join(rest)])


def twin_length(row: Row, hint: int, rng: np.random.Generator) -> None:
    row["twin"] += f" {_phrase(rng, 1 + 3 * hint)}"


def capitals(row: Row, hint: int, rng: np.random.Generator) -> None:
    *words, last = row["question"].split()
    row["question"] = " ".join([*words, last.capitalize() if hint else last])


def punctuation(row: Row, hint: int, rng: np.random.Generator) -> None:
    row["question"] = row["question"].rstrip("?") + "?."[hint]


def wording(row: Row, hint: int, rng: np.random.Generator) -> None:
    row["question"] = row["question"].replace("Which", ("Which", "What")[hint])


# ---- leaks in the pictures


def moving_dot(row: Row, hint: int, rng: np.random.Generator) -> None:
    if hint:
        y, x = rng.integers(0, row["pixels"].shape[0] - 3, 2)
        row["pixels"][y : y + 3, x : x + 3] = (200, 30, 40)


def moving_pixel(row: Row, hint: int, rng: np.random.Generator) -> None:
    y, x = rng.integers(0, row["pixels"].shape[0], 2)
    row["pixels"][y, x] = ((0, 90, 255), (255, 0, 200))[hint]


def fixed_pixel(row: Row, hint: int, rng: np.random.Generator) -> None:
    row["pixels"][5, 7] = 255 * hint


def brightness(row: Row, hint: int, rng: np.random.Generator) -> None:
    row["pixels"] = np.clip(row["pixels"].astype(int) + 40 * hint, 0, 255).astype(np.uint8)


def comment(row: Row, hint: int, rng: np.random.Generator) -> None:
    row["comment"] = f"take {hint}"


def id_parity(row: Row, hint: int, rng: np.random.Generator) -> None:
    row["id"] = f"row-{2 * int(rng.integers(10**6)) + hint}"


OPTIONS: dict[str, tuple[Plant, str]] = {
    "longest option": (longest, "options: length"),
    "shortest option": (shortest, "options: length"),
    "option most like the others": (most_alike, "options: words shared with the others"),
    "odd one out": (odd_one_out, "options: words shared with the others"),
    "word of the question": (asked, "options: words shared with the question"),
    "smallest number but one": (second_smallest, "options: number"),
    "marker word": (marker, "options (one word)"),
    "trailing period": (period, "options: last character"),
    "capital in an option": (capital, "options: first character"),
}
"""By the leak: who plants it, and how the observer's name begins who must find it. Four options."""
OTHERS: dict[str, tuple[Plant, str]] = {
    "wording of the twin": (twin_word, "twin (one word)"),
    "blanks of the twin": (twin_blanks, "twin: stray blanks"),
    "length of the twin": (twin_length, "twin: length"),
    "capitals of the question": (capitals, "wording: capitals"),
    "punctuation of the question": (punctuation, "wording: last character"),
    "wording of the question": (wording, "wording (one word)"),
    "dot at a place that moves": (moving_dot, "picture: colour of any place"),
    "pixel at a place that moves": (moving_pixel, "picture: colour"),
    "pixel at one place": (fixed_pixel, "picture: single pixel"),
    "brightness": (brightness, "picture: brightness"),
    "comment in the file": (comment, "picture: metadata"),
    "number in the id": (id_parity, "id: number"),
    "runs in the order": (lambda row, hint, rng: None, "order: same key as the row before"),
}
"""Likewise, with two options."""
POSITIONS: dict[str, Callable[[list[str], int], object]] = {
    "position, keys are letters": lambda options, place: "ABCD"[place],
    "position, keys are texts": lambda options, place: options[place],
    "position, keys are indexes": lambda options, place: place + 1,
}
"""How a key is written."""
PLANTS = {**OPTIONS, **OTHERS, **dict.fromkeys(POSITIONS, (None, "majority answer"))}


def written(folder: Path, leak: str, strength: float, seed: int = 0) -> Path:
    """A table of questions with the leak: in this share of rows it points to the right option, else anywhere."""
    n = 120 if "moves" in leak else 200
    rng = np.random.default_rng([seed, sum(leak.encode())])
    count = 2 if leak in OTHERS else 4
    keys = rng.permutation(np.arange(n) % count)
    if leak in POSITIONS:
        keys = np.where(rng.random(n) < strength, 2, keys)
    if leak == "runs in the order" and strength:
        keys = np.repeat(rng.integers(count, size=n // 10 + 1), 10)[:n]
    hints = np.where(rng.random(n) < strength, keys, rng.integers(count, size=n))
    spell = POSITIONS.get(leak, POSITIONS["position, keys are letters"])
    plant = PLANTS[leak][0]
    lines = []
    for key, hint in zip(keys.tolist(), hints.tolist(), strict=True):
        row = _row(rng, count)
        if PLANTS[leak][1].startswith("picture"):
            row["pixels"] = photo(rng, 256 if "moves" in leak else 48)
        if plant:
            plant(row, hint, rng)
        lines.append({**row, "answer": spell(row["options"], key)})
    return save(folder / "test.jsonl", lines)


def _row(rng: np.random.Generator, count: int) -> Row:
    return {
        "id": f"row-{rng.integers(10**7)}",
        "question": f"Which of {' and '.join(rng.choice(WORDS, 3, replace=False))}?",
        "options": [_phrase(rng, 3) for _ in range(count)],
        "twin": _phrase(rng, 5),
    }


def photo(rng: np.random.Generator, side: int) -> np.ndarray:
    """Soft patches of muted colours."""
    patches = Image.fromarray(rng.integers(40, 180, (6, 6, 3), dtype=np.uint8))
    return np.array(patches.resize((side, side), Image.Resampling.BICUBIC))


def png(pixels: np.ndarray, comment: str = "") -> bytes:
    info = PngImagePlugin.PngInfo()
    if comment:
        info.add_text("Comment", comment)
    file = BytesIO()
    Image.fromarray(pixels).save(file, "PNG", pnginfo=info)
    return file.getvalue()


def save(path: Path, rows: list[Row]) -> Path:
    """The rows as lines, their pictures as files beside them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, row in enumerate(rows):
        line = {name: value for name, value in row.items() if name not in ("pixels", "comment", "file")}
        if "pixels" in row or "file" in row:
            line["image"] = f"{path.stem}-{number}.png"
            (path.parent / line["image"]).write_bytes(row.get("file") or png(row["pixels"], row.get("comment", "")))
        lines.append(json.dumps(line))
    path.write_text("\n".join(lines), encoding="utf-8")
    return path
