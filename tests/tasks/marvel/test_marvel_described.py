"""The descriptions of published puzzles that come with Snellen: whole, neutral, and about the puzzles they name."""

import json
import re
from collections import Counter
from io import BytesIO
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from scipy.ndimage import label

from snellen.tasks.marvel.load import Pictures, PublishedPuzzle, load
from snellen.tasks.marvel.load import texts as shipped
from support.commands import snellen

SHARED = Path(__file__).parents[3] / ".." / "shared" / "data" / "marvel"
WITH_DATA = pytest.mark.skipif(not (SHARED / "marvel_label.json").is_file(), reason="the published set is not here")
DESCRIBED = f"{SHARED}:text=snellen,only=described"
TELLING = re.compile(
    r"\b(answer|correct|wrong|rule|pattern|missing (panel|figure)|blank|choice|context|puzzle|row \d|column \d"
    r"|symmetr\w*|increas\w*|decreas\w*|alternat\w*|rotat\w*|mov(e|es|ed|ing)|turn(s|ed|ing)?|fold(s|ed|ing)?"
    r"|previous|before|next panel)\b",
    re.IGNORECASE,
)
"""Words about a rule, about how panels hang together, or about what is asked."""


def lines() -> list[dict[str, Any]]:
    path = Path(shipped.__file__).with_name("descriptions.jsonl")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def described() -> tuple[PublishedPuzzle, ...]:
    loaded = load(DESCRIBED)
    assert loaded.missing == ()  # every id is in the set, every line has as many panels as its puzzle
    return tuple(loaded.puzzles())


@pytest.mark.parametrize("line", lines(), ids=lambda line: str(line["id"]))
def test_a_description_says_what_is_seen_and_nothing_else(line: dict[str, Any]) -> None:
    said = [*line["panels"], *line["choices"]]
    assert set(line) == {"id", "panels", "choices"}
    assert [text for text in said if TELLING.search(text)] == []
    assert [text for text in said if not text.endswith(".") or text != " ".join(text.split())] == []
    assert len({*line["choices"]}) == len(line["choices"]) == 4


@pytest.mark.soak
@WITH_DATA
def test_every_cell_of_the_set_has_descriptions(described: tuple[PublishedPuzzle, ...]) -> None:
    assert [puzzle.number for puzzle in described] == [line["id"] for line in lines()]
    counts = Counter((puzzle.pattern, puzzle.configuration) for puzzle in described)
    assert len(counts) == 20
    assert {cell: number for cell, number in counts.items() if number != 5} == {("3d", "reassembling"): 3}
    assert len({puzzle.cluster for puzzle in described}) == len(described)  # no two with the same choices


NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
COUNTED = re.compile(rf"({'|'.join(NUMBERS)}) black (?:dots?|squares?|figures?)\b[^;]*", re.IGNORECASE)
ELSE = re.compile(r"\b(white|striped|grey|stroke|line|outline|triangle with|circle with)", re.IGNORECASE)


@pytest.mark.soak
@WITH_DATA
def test_words_agree_with_the_pixels(described: tuple[PublishedPuzzle, ...]) -> None:
    """So many black dots as are said to be there are there; the same picture never has other words."""
    pictures, counted = Pictures(load(DESCRIBED)), 0
    for puzzle in described:
        assert puzzle.described is not None
        said = [*puzzle.described.context, *puzzle.described.choices]
        drawn = [*chain(*pictures.panels(puzzle))]
        if puzzle.pattern == "3d":
            continue
        inks = [np.asarray(Image.open(BytesIO(picture.data)).convert("L")) < 128 for picture in drawn]
        for (words, ink), (others, ink_too) in combinations(zip(said, inks, strict=True), 2):
            assert words == others or (ink != ink_too).any(), (puzzle.number, words, others)
        for words, ink in zip(said, inks, strict=True):
            if (found := COUNTED.fullmatch(words)) and not ELSE.search(words):
                counted += 1
                parts, many = label(ink, np.ones((3, 3)))
                large = int((np.bincount(parts.ravel())[1:] >= 20).sum()) if many else 0
                assert large == 1 + NUMBERS.index(found[1].lower()), (puzzle.number, words)
    assert counted >= 40


@pytest.mark.soak
@WITH_DATA
def test_the_length_of_a_description_does_not_tell_the_key(described: tuple[PublishedPuzzle, ...]) -> None:
    """Whoever picks the longest or the shortest is right as often as by chance: 24.5 of 98, give or take two standard
    deviations."""
    for pick in (max, min):
        right = 0.0
        for puzzle in described:
            assert puzzle.described is not None
            lengths = [len(text) for text in puzzle.described.choices]
            picked = [place for place, length in enumerate(lengths) if length == pick(lengths)]
            right += (puzzle.answer in picked) / len(picked)
        assert 15.9 <= right <= 33.1


@pytest.mark.soak
@WITH_DATA
def test_words_beside_real_pictures_in_one_command(tmp_path: Path) -> None:
    """The command of the page, asked of a subject that is always right."""
    asked = ("--tasks", "marvel", "--data", f"marvel={DESCRIBED}", "--n", 4)
    ran = snellen("exam", "sim/ideal", *asked, "--set", "question=avr", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    table = snellen("table", "snellen.sqlite", "marvel-changes", cwd=tmp_path).stdout
    assert re.search(r"words: given against none +avr +100\.0 +100\.0 .* 4 ", table)
