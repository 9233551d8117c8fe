"""A board: one page of many published folders, with their report pages beside it.

A row is a subject of a publication. Its losses stand side by side, and nothing adds them up to a score. The page is
plain HTML; its script sorts and filters what is there.
"""

import shutil
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from snellen.charts.saving import save
from snellen.errors import UserError
from snellen.names import slug
from snellen.publish.board_page import board_page
from snellen.publish.entries import BoardRow, incomparable, rows_of

INDEX, REPORTS = "index.html", "reports"
_SIGN = b'<meta name="generator" content="snellen board">'


def write_board(folders: Sequence[Path], site: Path) -> tuple[Path, list[str]]:
    """Write a board of published `folders` into `site`; returns its page and notes for the user.

    An earlier board in `site` is replaced. Raises `UserError` for a folder that is not published or is damaged, and if
    `site` holds anything else.
    """
    _check_site(site)
    names = _names(folders)
    rows = [row for folder, name in zip(folders, names, strict=True) for row in rows_of(folder, name)]
    publications = [*{row.publication.name: row.publication for row in rows}.values()]
    links: dict[str, str] = {}
    notes = []
    shutil.rmtree(site / REPORTS, ignore_errors=True)
    for own in publications:
        if own.page is None:
            notes.append(f"{own.name}: its report page was made by another version of Snellen and is left out")
            continue
        links[own.name] = f"{REPORTS}/{_page_folder(own.name)}/index.html"
        save(site / links[own.name], [own.page.read_bytes()], "report page")
    page = board_page(_sorted(rows), incomparable(_sorted(rows)), links)
    return save(site / INDEX, [page.encode()], "board"), notes


def _sorted(rows: Sequence[BoardRow]) -> list[BoardRow]:
    return sorted(rows, key=lambda row: (row.subject.casefold(), row.publication.day, row.publication.name))


def _check_site(site: Path) -> None:
    if not site.exists() or not any(site.iterdir()):
        return
    index = site / INDEX
    others = {path.name for path in site.iterdir()} - {INDEX, REPORTS}
    if others or not index.is_file() or _SIGN not in index.read_bytes()[:4000]:
        raise UserError(f"folder {site}: holds something else than a board; choose another folder with -o")


def _names(folders: Sequence[Path]) -> list[str]:
    """A name for each folder: its own, with those above it where two are alike."""
    paths = [folder.resolve() for folder in folders]
    if doubled := next((path for path in paths if paths.count(path) > 1), None):
        raise UserError(f"folder {doubled}: named twice; name each folder once")
    depth = 1
    while len({_tail(path, depth) for path in paths}) < len(paths):
        depth += 1
    return [_tail(path, depth) for path in paths]


def _tail(path: Path, depth: int) -> str:
    return "/".join(path.parts[-depth:]).lstrip("/")


def _page_folder(name: str) -> str:
    plain = slug(name, ascii_only=True)[:40]
    return f"{plain}-{sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"
