"""The published MME-CC: 1,173 questions in twelve files; nothing of it is kept here.

A file a task, mazes in two (`Maze06.json`, `Maze10.json`); a record has `prompt`, `image_list` (paths relative to the
set's folder), `ground_truth` with `answer`, and `extra`. What to know about it:

- the answer may be wrapped: what follows "## The correct answer is:" and precedes "## Scoring criteria:" is the answer,
  and the criteria are for the judge;
- answers are free text, so a judge gives the score (`--role judge=SUBJECT`). Without one only replies that
  equal the answer literally are right;
- file names say which task a record belongs to; `extra` has a name for it too, spelled in several ways and not used.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from snellen.errors import UserError
from snellen.tasks.data import (
    LoadedSet,
    Unusable,
    between,
    check_options,
    image_folder,
    parse_where,
    place_of,
    records,
    text_at,
    tree,
    value_at,
    with_something,
)
from snellen.tasks.panels import Panel, Unfit, all_panels, file_panel

OPTIONS = ("images",)
CREDIT = "MME-CC (2025), Hugging Face MaxwellWen/MME-CC; see its card for the terms"
OBTAIN = "MME-CC: give MaxwellWen/MME-CC (on the Hugging Face Hub), or a folder with its twelve JSON files and pictures"
FILES = {
    "Satellite_Image_Matching": "satellite",
    "Indoor_Directional_Reasoning": "direction",
    "Indoor_Deduplication_Counting": "counting",
    "Gomoku_Variation": "gomoku",
    "Unblock_Me": "unblock",
    "Maze06": "maze",
    "Maze10": "maze",
    "Jigsaw_Puzzle": "jigsaw",
    "Chart_Modification": "chart",
    "Sandbagging": "sandbagging",
    "Counterfactual_Instruction": "counterfactual",
    "Finding_Wrong_Answer": "wrong_answer",
}
_ANSWER = re.compile(r"#+\s*The correct answer is\s*[:：]", re.IGNORECASE)
_CRITERIA = re.compile(r"#+\s*Scoring criteria\s*[:：]", re.IGNORECASE)
_HALF = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class PublishedQuestion:
    """One published question."""

    id: str
    kind: str
    prompt: str
    answer: str
    criteria: str
    panels: tuple[Panel, ...]


def load(where: str) -> LoadedSet[PublishedQuestion]:
    """The set at `PLACE[:images=FOLDER]`."""
    asked = parse_where(where)
    check_options(asked, OPTIONS)
    place = place_of(asked.place, OBTAIN)
    files = _files(place)
    if not files:
        raise UserError(f"{place}: none of the twelve files ({', '.join(FILES)}.json) is there; {OBTAIN}")
    near = (folder for file in files for folder in between(place, file))
    roots = tuple(dict.fromkeys((*image_folder(asked.options), *near)))
    loaded = LoadedSet(partial(_entries, files, roots), roots, CREDIT, "a picture")
    with_something(loaded, place, OBTAIN)
    return loaded


def _files(place: Path) -> list[Path]:
    """The set's files in the order of the tasks; of a file that is there twice, the one nearer to the top."""
    by_name: dict[str, Path] = {}
    for path in [place] if place.is_file() else _json_files(place):
        by_name.setdefault(path.stem, path)
    return [by_name[name] for name in FILES if name in by_name]


def _json_files(place: Path) -> Iterator[Path]:
    return (folder / name for folder, _, names in tree(place) for name in names if name.endswith(".json"))


def _entries(files: list[Path], roots: tuple[Path, ...]) -> Iterator[PublishedQuestion | Unusable]:
    for file in files:
        for number, entry in enumerate(records(file), 1):
            if isinstance(entry, Unusable):
                yield entry
                continue
            what, record = entry
            try:
                yield _published(file.stem, number, record, roots)
            except Unfit as fault:
                yield Unusable(what, str(fault))


def _published(name: str, number: int, record: Any, roots: tuple[Path, ...]) -> PublishedQuestion:
    pictures = value_at(record, "image_list")
    if not isinstance(pictures, list) or not pictures or not all(isinstance(path, str) for path in pictures):
        raise Unfit("image_list should be a list of paths")
    prompt = _words_at(record, "prompt")
    answer, criteria = unwrapped(_words_at(value_at(record, "ground_truth"), "answer"))
    if not answer:
        raise Unfit("the answer is empty")
    panels = all_panels(lambda path: file_panel(roots, path), pictures)
    return PublishedQuestion(f"{name.lower()}/{number:04}", FILES[name], prompt, answer, criteria, panels)


def _words_at(record: Any, key: str) -> str:
    """The text under a key, which must say something and be fit to be sent and kept."""
    text = text_at(record, key)
    if not text.strip():
        raise Unfit(f"{key} is empty")
    if _HALF.search(text):
        raise Unfit(f"{key} contains a lone surrogate (invalid Unicode)")
    return text


def unwrapped(text: str) -> tuple[str, str]:
    """The answer proper, and the criteria for scoring it, if there are any."""
    answer, *criteria = _CRITERIA.split(_ANSWER.split(text, maxsplit=1)[-1], maxsplit=1)
    return answer.strip(), "".join(criteria).strip()
