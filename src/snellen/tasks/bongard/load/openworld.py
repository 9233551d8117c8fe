"""Bongard-OpenWorld: 1,010 problems over photographs from the web, in everyday concepts.

Metadata: the three split files of the GitHub repository (JSON arrays), the union `bongard_ow.json`, or the Hub's files
with one record per line. A record has `uid` (four digits), `commonSense` (a digit, as text), `concept`, `caption`,
`imageFiles` (fourteen names: seven positives, seven negatives, the last of each the query), and in some files `urls`.

What to know about it:
- the files are shuffled; problems come out sorted by uid. The paper's subset is the first 250 by uid, each with both
  queries: 500 cases. Its category counts agree but for one case that the paper took elsewhere;
- file names contain the photograph's address: colons, question marks, brackets, up to 255 bytes, double suffixes, and
  suffixes that are wrong. Nothing is matched by pattern, content decides;
- the caption is the true rule in a sentence, `concept` has its bare words;
- many addresses are dead, so sets crawled anew lack pictures: such problems are reported, the others go on;
- fifteen problems show one photograph twice on one side. A few concepts occur twice, with different categories even.
"""

import re
from collections.abc import Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from snellen.item import NOTHING
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
    texts_at,
    usable_or_why,
)
from snellen.tasks.panels import Panel, Unfit, all_panels, file_panel, shown

OPTIONS = ("images", "split", "subset")
LOOKS_LIKE = "JSON records with uid and imageFiles"
CREDIT = "Bongard-OpenWorld (Wu et al. 2024), CC BY-NC-SA 4.0; photographs belong to others, delete them after use"
OBTAIN = (
    "Bongard-OpenWorld: metadata from GitHub joyjayng/Bongard-OpenWorld or the Hub's rujiewu/Bongard-OpenWorld, "
    "pictures from the archive linked there, unpacked so that images/<uid>/ stands beside the metadata, or given as "
    ":images=FOLDER (data CC BY-NC-SA 4.0)"
)
CATEGORIES = (
    "anything else",
    "human-object interaction",
    "taste, nutrition, food",
    "colour, material, shape",
    "functionality, status, affordance",
    "and, or, not",
    "factual knowledge",
    "meta class",
    "relationship",
    "unusual observations",
)
"""What `commonSense` 0 to 9 mean, in the words of the paper."""

PAPER = 250


def recognise(place: Path) -> bool:
    """Whether there are Bongard-OpenWorld records here."""
    return bool(files_with(place, (".json", ".jsonl"), b'"imageFiles"'))


def load(place: Path, options: Mapping[str, str] = NOTHING) -> LoadedProblems:
    """The problems by uid. Options: `images` (their folder), `split` (train, val, test), `subset` (paper)."""
    split = chosen(options, "split", ("train", "val", "test"))
    first = PAPER if chosen(options, "subset", ("paper",)) else None
    files = _files(place, split)
    near = tuple(folder for file in files for folder in between(place, file))
    roots = tuple(dict.fromkeys((*image_folder(options), *near)))
    return LoadedProblems(partial(_entries, files, roots, first), roots, CREDIT, "a photograph")


def _files(place: Path, split: str) -> list[Path]:
    """The union file if there is one and no split is asked for; otherwise the files of the splits."""
    files = files_with(place, (".json", ".jsonl"), b'"imageFiles"')
    if split:
        return [path for path in files if split_named(path) == split]
    return [path for path in files if not split_named(path)][:1] or files


def _entries(files: list[Path], roots: tuple[Path, ...], first: int | None) -> Entries:
    """Broken records, then the problems by uid."""
    fit: dict[str, tuple[str, Any]] = {}
    for entry in (entry for path in files for entry in records(path)):
        if isinstance(entry, Unusable):
            yield entry
            continue
        what, record = entry
        try:
            uid = _uid(record)
        except Unfit as fault:
            yield Unusable(what, str(fault))
            continue
        if uid in fit:
            yield Unusable(what, f"uid {uid} was there already, in {fit[uid][0]}")
        else:
            fit[uid] = entry
    for uid in islice(sorted(fit), first):
        what, record = fit[uid]
        yield usable_or_why(f"openworld/{uid} ({what})", partial(_problem, uid, record, roots))


def _uid(record: Any) -> str:
    uid = text_at(record, "uid")
    if not re.fullmatch(r"\d{1,8}", uid, re.ASCII):
        raise Unfit(f"uid should be four digits, but is {shown(uid)!r}")
    return uid


def _problem(uid: str, record: Any, roots: tuple[Path, ...]) -> Problem:
    category = _category(text_at(record, "commonSense"))
    concept = _rule(record)
    names = texts_at(record, "imageFiles", 14)
    for i, name in enumerate(names):
        if name.rpartition("/")[2].startswith("pos__" if i >= 7 else "neg__"):
            raise Unfit("imageFiles should name seven positives, then seven negatives")
    addresses: tuple[str, ...] | tuple[None, ...] = (None,) * 14
    if "urls" in record:
        addresses = texts_at(record, "urls", 14)
    panels = all_panels(partial(_panel, roots), zip(names, addresses, strict=True))
    id = f"openworld/{uid}"
    return Problem(id, id, "openworld", concept, category, panels[:7], panels[7:])


def _rule(record: Any) -> str:
    """The true rule: the caption says how the concept's words go together; where there is none, the words alone."""
    words = text_at(record, "concept")
    caption = text_at(record, "caption").strip() if record.get("caption") else ""
    return caption or words


def _panel(roots: tuple[Path, ...], source: tuple[str, str | None]) -> Panel:
    name, address = source
    # In a folder that was named as that of the pictures, the leading `images/` has gone.
    panel = file_panel(roots, name, name.removeprefix("images/"))
    return panel if address is None else {**panel, "url": address}


def _category(digit: str) -> str:
    if not re.fullmatch(r"\d", digit, re.ASCII):
        raise Unfit(f"commonSense should be a digit, but is {shown(digit)!r}")
    return CATEGORIES[int(digit)]
