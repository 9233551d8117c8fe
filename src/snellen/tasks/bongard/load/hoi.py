"""Bongard-HOI: concepts of what people do with things, on photographs of the HAKE collection.

Annotations: `bongard_hoi_{train,val,test}_*.json`, each an array of problems; a problem is a positional list,
`[positives, negatives, concept]` as released, or `[positives, negatives, number, concept]` in the cleaned variant, so
the concept is always the last. A picture is a record with `im_path` and `crop_bbox`, the part that is to be seen.

What to know about it:
- some paths begin with `./`; `pic/image/train` and `val` are sometimes exchanged; copies of the pictures differ in
  whether OpenImages has a folder `images` and in the date of the HAKE folder. Each is tried;
- boxes on OpenImages pictures are 1.6 times too small for the files that are shipped, and are enlarged;
- boxes are clipped to the picture. The boxes of person and thing may exceed the crop; they are not used;
- some files are truncated: what is there is decoded, the rest is grey;
- the paper drew 100 cases from each of the four splits, half of them positive, by a seed that was not published.
  `subset=paper` draws fifty problems a split by our own seed; each has a positive and a negative query.
"""

import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from snellen.item import NOTHING
from snellen.rng import stream
from snellen.tasks.bongard.load.problems import Entries, LoadedProblems, split_named
from snellen.tasks.bongard.problem import Problem
from snellen.tasks.data import (
    Unusable,
    between,
    chosen,
    files_with,
    image_folder,
    records,
    text_at,
    tree,
    usable_or_why,
    value_at,
    whole_number,
)
from snellen.tasks.panels import Box, Panel, Unfit, all_panels, find, look, safe_name, shown

OPTIONS = ("images", "split", "subset", "seed")
LOOKS_LIKE = "JSON arrays of problems whose pictures have im_path and crop_bbox"
CREDIT = "Bongard-HOI (Jiang et al. 2022), research use; photographs from HAKE under its own terms"
OBTAIN = (
    "Bongard-HOI: bongard_hoi_annotations.tar and bongard_hoi_images.tar from Zenodo record 7079175, unpacked into one "
    "folder, or the pictures given as :images=FOLDER (non-commercial research; pictures from HAKE, its own terms)"
)
PAPER = 50
_SPLITS = ("test", "val", "train")
_SEEN = re.compile(r"(?:^|_)((un)?seen)_obj_((un)?seen)_act$")
_FOLDERS = ("hake_images_20190730", "hake_images_20200614", "hcvrd", "hico_20160224_det", "openimages", "pic", "vcoco")
_OTHER_PLACES = (
    ("pic/image/train/", "pic/image/val/"),
    ("pic/image/val/", "pic/image/train/"),
    ("openimages/images/", "openimages/"),
    ("hake_images_20190730/", "hake_images_20200614/"),
)
_OPENIMAGES = 1.6
_FAR = 1_000_000


def recognise(place: Path) -> bool:
    """Whether there are Bongard-HOI annotations here."""
    return bool(files_with(place, (".json",), b'"im_path"'))


def load(place: Path, options: Mapping[str, str] = NOTHING) -> LoadedProblems:
    """The problems, test before val before train.

    Options: `images` (their folder), `split` (train, val, test), `subset` (paper: fifty problems from each of the four
    test splits, or of val if there is no test), `seed` (of that draw).
    """
    files = _files(place, chosen(options, "split", _SPLITS))
    paper = chosen(options, "subset", ("paper",)) == "paper"
    seed = whole_number(options, "seed", 0)
    roots = image_folder(options) + _roots(place, files)
    if paper:
        files = [path for path in files if split_named(path) == split_named(files[0]) and category(path)]
    draw = partial(_drawn, seed) if paper else _all
    return LoadedProblems(
        lambda: (entry for path in files for entry in draw(path, roots)), roots, CREDIT, "a photograph"
    )


def category(path: Path) -> str:
    """What a split's name says of its concepts: whether training had the object, and the action."""
    seen = _SEEN.search(path.stem)
    return f"{seen[1]} object, {seen[3]} action" if seen else ""


def _files(place: Path, split: str) -> list[Path]:
    files = files_with(place, (".json",), b'"im_path"')
    order = (split,) if split else (*_SPLITS, "")
    return [path for wanted in order for path in files if split_named(path) == wanted]


def _roots(place: Path, files: list[Path]) -> tuple[Path, ...]:
    """The folders that hold folders named like those of the pictures, then those near the annotations."""
    walk = tree(place) if place.is_dir() else ()
    holders = [path / inner for path, _, _ in walk for inner in ("", "images") if _holds_pictures(path / inner)]
    return tuple(dict.fromkeys((*holders, *(folder for file in files for folder in between(place, file)))))


def _holds_pictures(folder: Path) -> bool:
    return any((folder / name).is_dir() for name in _FOLDERS)


def _all(path: Path, roots: tuple[Path, ...]) -> Entries:
    for i, entry in enumerate(records(path)):
        yield entry if isinstance(entry, Unusable) else _entry(path, i, entry, roots)


def _drawn(seed: int, path: Path, roots: tuple[Path, ...]) -> Entries:
    """The first fifty usable problems in a random order that depends on the split and the seed alone."""
    numbered = list(enumerate(records(path)))
    stream(seed, "bongard", "hoi", path.stem).shuffle(numbered)
    entries = (entry if isinstance(entry, Unusable) else _entry(path, i, entry, roots) for i, entry in numbered)
    yield from _until_enough(entries)


def _until_enough(entries: Entries) -> Entries:
    got = 0
    for entry in entries:
        yield entry
        got += isinstance(entry, Problem)
        if got == PAPER:
            return


def _entry(path: Path, i: int, named_record: tuple[str, Any], roots: tuple[Path, ...]) -> Problem | Unusable:
    what, record = named_record
    return usable_or_why(what, partial(_problem, f"hoi/{path.stem}/{i:05d}", category(path), record, roots))


def _problem(id: str, category: str, record: Any, roots: tuple[Path, ...]) -> Problem:
    if not isinstance(record, list) or len(record) not in (3, 4):
        raise Unfit("expected a list of positives, negatives and the concept")
    positives, negatives, concept = record[0], record[1], record[-1]
    if not isinstance(concept, str):
        raise Unfit("the concept, the last of the list, should be a text")
    for side, name in ((positives, "positives"), (negatives, "negatives")):
        if not isinstance(side, list) or len(side) != 7:
            raise Unfit(f"expected seven {name}")
    panels = all_panels(partial(_panel, roots), (*positives, *negatives))
    return Problem(id, id, "hoi", _words(concept), category, panels[:7], panels[7:])


def _words(concept: str) -> str:
    """`hop_on++motorcycle` as `hop on motorcycle`."""
    return " ".join(concept.replace("++", " ").replace("_", " ").split())


def _panel(roots: tuple[Path, ...], record: Any) -> Panel:
    name = safe_name(text_at(record, "im_path"))
    box = _box(value_at(record, "crop_bbox"), _OPENIMAGES if name.startswith("openimages/") else 1)
    spelling, path = _picture_file(name, roots)
    crop = _clipped(box, look(path, shown(name), whole=False).size)
    if crop[0] >= crop[2] or crop[1] >= crop[3]:
        raise Unfit(f"{shown(name)}: crop_bbox {list(box)} lies outside the picture")
    facts = {"action": text_at(record, "act_class"), "object": text_at(record, "obj_class")}
    return {"file": spelling, "bytes": path.stat().st_size, "crop": list(crop), "remade": "cropped", **facts}


def _picture_file(name: str, roots: tuple[Path, ...]) -> tuple[str, Path]:
    """The picture, under its name or in one of the places where it may have gone."""
    others = (there + name.removeprefix(here) for here, there in _OTHER_PLACES if name.startswith(here))
    for spelling in (name, *others):
        if path := find(spelling, roots):
            return spelling, path
    raise Unfit(f"{shown(name)} is missing")


def _box(value: Any, scale: float) -> Box:
    if not isinstance(value, list) or len(value) != 4 or not all(type(edge) in (int, float) for edge in value):
        raise Unfit("crop_bbox should be four numbers")
    if not all(-_FAR < edge < _FAR for edge in value):
        raise Unfit("crop_bbox should be in pixels")
    left, top, right, bottom = (int(edge * scale) for edge in value)
    return left, top, right, bottom


def _clipped(box: Box, size: tuple[int, int]) -> Box:
    width, height = size
    left, top, right, bottom = box
    return max(left, 0), max(top, 0), min(right, width), min(bottom, height)
