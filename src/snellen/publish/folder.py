"""What a published folder holds, and its manifest.

| file | content |
|---|---|
| `snellen.json` | the manifest: sha256 of every other file, the exams with their fingerprints, what items come from |
| `README.md` | the card |
| `data/trials.parquet` | one tidy row per trial |
| `data/calls-00000.parquet`, ... | every call with its request and reply |
| `data/items.parquet` | the items with what their makers know |
| `data/stimuli.parquet` | each item under each condition: question, key, labels, twin, digests of its pictures |
| `findings.json`, `tables/*.csv` | all numbers |
| `report/index.html` | the report page |
| `pictures/*` | pictures of generated items, if asked for |
"""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from snellen.errors import UserError

MANIFEST, CARD, FINDINGS, PAGE = "snellen.json", "README.md", "findings.json", "report/index.html"
TRIALS, ITEMS, STIMULI = "data/trials.parquet", "data/items.parquet", "data/stimuli.parquet"
CALLS, PICTURES, TABLES = "data/calls-*.parquet", "pictures", "tables"
FORMAT = 1
_CHUNK = 1 << 20


def write_manifest(folder: Path, content: Mapping[str, Any]) -> None:
    """Write the manifest with a digest of every file that is in the folder."""
    files = {name: digest_of(folder / name) for name in files_in(folder)}
    text = json.dumps({"format": FORMAT, **content, "files": files}, indent=1, ensure_ascii=False)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8", newline="\n")


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a published folder. Raises `UserError` if this is none."""
    path = folder / MANIFEST
    if not path.is_file():
        raise UserError(f"folder {folder}: found no {MANIFEST}; give a folder made by `snellen publish`")
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror}); get the folder again") from None
    except (ValueError, RecursionError):
        raise UserError(f"{path}: not JSON; get the folder again") from None
    if not isinstance(content, dict) or not all(
        isinstance(content.get(name), kind) for name, kind in (("files", dict), ("exams", list), ("sources", dict))
    ):
        raise UserError(f"{path}: not a manifest of a published folder; get the folder again")
    if content.get("format") != FORMAT:
        found = str(content.get("format"))[:20]
        raise UserError(f"{path}: format {found}; this version of Snellen reads format {FORMAT}")
    return content


def files_in(folder: Path) -> Iterator[str]:
    """The names of all files in a folder but the manifest, with forward slashes; no hidden ones, such as .git."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name != MANIFEST and not any(part.startswith(".") for part in name.split("/")):
            yield name


def digest_of(path: Path) -> str:
    sha = sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            sha.update(chunk)
    return sha.hexdigest()


def changed_files(folder: Path, manifest: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Files that are not as the manifest says: name, what was expected, what was found."""
    there = set(files_in(folder))
    for name, expected in manifest["files"].items():
        if name not in there:
            yield name, f"sha256 {str(expected)[:12]}", "no such file"
        elif (found := digest_of(folder / name)) != expected:
            yield name, f"sha256 {str(expected)[:12]}", f"sha256 {found[:12]}"
    for name in sorted(there - set(manifest["files"])):
        yield name, "no such file in the manifest", "a file"
