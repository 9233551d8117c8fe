"""The two forms of the published set, and a label with its picture made into a record."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

from snellen.tasks.data import Unusable, between, files_with, records, text_at, value_at
from snellen.tasks.marvel.asking import COARSE
from snellen.tasks.marvel.draw.puzzles import Layout
from snellen.tasks.marvel.load.pixels import choices, grey_pixels, layout_found
from snellen.tasks.marvel.load.record import PublishedPuzzle
from snellen.tasks.marvel.load.words import explanation, perception
from snellen.tasks.marvel.puzzle import CHOICES
from snellen.tasks.panels import LARGEST, Panel, Unfit, find, look, picture_bytes, shown
from snellen.tasks.parquet import parquet_files, parquet_rows

LABELS = "marvel_label.json"
PATTERN_NAMES = {
    "temporal movement": "temporal",
    "spatial relationship": "spatial",
    "quantities": "quantities",
    "mathematical": "mathematical",
    "2d-geometry": "2d",
    "3d-geometry": "3d",
}
CONFIGURATION_NAMES = {
    "sequence": "sequence",
    "two-row": "two-row",
    "matrix": "matrix",
    "group": "group",
    "3d": "reassembling",
    "reassembling": "reassembling",
}
_NEEDED = ("id", "pattern", "task_configuration", "answer", "image")

Entries = Iterator[PublishedPuzzle | Unusable]
Seen = tuple[bytes, Panel]
"""A picture's bytes, and the panel that says where they are."""


def _record(label: Any, picture: Callable[[int], Seen]) -> PublishedPuzzle:
    """The record of a label; Unfit if label and picture are not a puzzle."""
    number = value_at(label, "id")
    if type(number) is not int or not 0 < number < 10**6:
        raise Unfit("id should be a whole number from 1")
    pattern = _named(label, "pattern", PATTERN_NAMES)
    configuration = _named(label, "task_configuration", CONFIGURATION_NAMES)
    answer = value_at(label, "answer")
    if type(answer) is not int or not 1 <= answer <= CHOICES:
        raise Unfit(f"answer should be a number from 1 to {CHOICES}, but is {shown(str(answer))}")
    explained = explanation(text_at(label, "explanation"), answer - 1)
    asked = perception(*(text_at(label, f"f_perception_{part}") for part in ("question", "answer", "distractor")))
    data, panel = picture(number)
    pixels = grey_pixels(data, shown(str(panel["file"])))
    layout = layout_found(configuration, pixels.shape[::-1])
    seen = choices(pixels, layout)
    accepted = tuple(k for k in range(CHOICES) if seen.same[k] == seen.same[answer - 1])
    return PublishedPuzzle(
        number=number,
        pattern=pattern,
        configuration=configuration,
        rows=layout.rows,
        columns=layout.columns,
        answer=answer - 1,
        accepted=accepted,
        explanation=explained.text,
        demo_ok=explained.useful,
        fine=asked.fine,
        fine_about=asked.about,
        coarse=_coarse(label, layout),
        cluster=seen.cluster,
        panel=panel,
        asked=_asked(label),
        notes=(*_seen_notes(seen.same, seen.empty, accepted), *explained.notes, *asked.notes),
    )


def _asked(label: Any) -> dict[str, str]:
    """The questions in the words of the file, those that are there: the puzzle's, the detail's, the three numbers'."""
    told = label.get("c_perception_question_tuple")
    coarse = list(told) if told is not None else []
    questions = [label.get("avr_question"), label.get("f_perception_question"), *coarse]
    named = zip(("avr", "fine", *COARSE), questions, strict=False)
    return {name: text for name, text in named if isinstance(text, str) and text.strip()}


def _named(label: Any, key: str, names: dict[str, str]) -> str:
    name = text_at(label, key)
    if name.strip().lower() not in names:
        raise Unfit(f"{key} is {shown(name)!r}; expected one of {', '.join(names)}")
    return names[name.strip().lower()]


def _coarse(label: Any, layout: Layout) -> tuple[int, int, int]:
    """How many panels there are, as the picture has it; the label, where it tells, must agree."""
    context = layout.rows * layout.columns
    counts = context, CHOICES, context + CHOICES
    told = label.get("c_perception_answer_tuple")
    if told is not None and list(told) != list(counts):
        raise Unfit(
            f"c_perception_answer_tuple is {shown(str(told))}, but the picture has {', '.join(map(str, counts))}"
        )
    return counts


def _seen_notes(same: Sequence[int], empty: Sequence[int], accepted: Sequence[int]) -> Iterator[str]:
    if len(accepted) > 1:
        yield f"choices {_names(accepted)} look the same and one is the answer; any of them is accepted"
    elif len({*same}) < CHOICES:
        alike = [k for k in range(CHOICES) if same.count(same[k]) > 1]
        yield f"choices {_names(alike)} look the same; neither is the answer"
    if empty:
        yield f"choice {_names(empty)} is an empty panel, as it is meant to be"


def _names(places: Sequence[int]) -> str:
    return " and ".join(str(place + 1) for place in places)


def _record_or_why(what: str, label: Any, picture: Callable[[int], Seen]) -> PublishedPuzzle | Unusable:
    try:
        return _record(label, picture)
    except Unfit as fault:
        return Unusable(what, str(fault))


# The form on GitHub: one array of labels, and pictures named by id


def labels_in(place: Path) -> list[Path]:
    """The file of labels; not the copies, one a puzzle, that lie beside it."""
    files = files_with(place, (".json", ".jsonl"), b"avr_question") or files_with(place, (LABELS,), b"")
    named = [path for path in files if path.name == LABELS]
    return (named or [path for path in files if path.suffix.lower() == ".jsonl" or _is_array(path)])[:1]


def _is_array(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(64).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[")


def roots_of(place: Path, files: Sequence[Path]) -> tuple[Path, ...]:
    """The folders that names of pictures are relative to."""
    return tuple(dict.fromkeys(folder for file in files for folder in between(place, file)))


def label_entries(files: Sequence[Path], roots: tuple[Path, ...]) -> Entries:
    for path in files:
        for entry in records(path):
            yield entry if isinstance(entry, Unusable) else _record_or_why(*entry, partial(_file_picture, roots))


def _file_picture(roots: tuple[Path, ...], number: int) -> Seen:
    names = (f"Marvel/{number}.png", f"{number}.png", f"Json_data/{number}/{number}.png")
    for name in names:
        if path := find(name, roots):
            with path.open("rb") as file:
                data = file.read(LARGEST + 1)
            return data, _panel(data, {"file": name})
    raise Unfit(f"{names[0]} is missing")


def _panel(data: bytes, where: dict[str, Any]) -> Panel:
    if len(data) > LARGEST:
        raise Unfit(f"{shown(where['file'])} is larger than {LARGEST >> 20} MiB")
    seen = look(BytesIO(data), shown(where["file"]), whole=False)
    return {**where, "bytes": len(data), "crop": None, "remade": seen.remade}


# The Hub's form: Parquet with the pictures inside


def parquet_in(place: Path) -> list[Path]:
    """The Parquet files with labels and pictures."""
    return parquet_files(place, _NEEDED)


def parquet_entries(files: Sequence[Path], roots: tuple[Path, ...]) -> Entries:
    for path in files:
        for row, label in enumerate(parquet_rows(path)):
            yield _record_or_why(f"{path.name} row {row + 1}", label, partial(_cell_picture, path, roots, row, label))


def _cell_picture(path: Path, roots: tuple[Path, ...], row: int, label: Any, _: int) -> Seen:
    """The picture in the row's `image`; the column `file` is a name that nobody needs."""
    data = picture_bytes(label["image"])
    if data is None:
        raise Unfit("image holds no picture")
    name = next((path.relative_to(root) for root in roots if root in path.parents), Path(path.name)).as_posix()
    return data, _panel(data, {"file": name, "row": row, "column": "image"})
