"""A page of marks as a file: SVG and PNG always, PDF with the extra `pdf`."""

from pathlib import Path

from snellen.charts.marks import MarksPage
from snellen.charts.png import to_png
from snellen.charts.saving import save
from snellen.charts.svg import to_svg
from snellen.errors import UserError

ENDINGS = ("svg", "pdf", "png")


def save_page(sheet: MarksPage, path: str | Path) -> Path:
    """Write the page as the file's ending says; where it is."""
    path = Path(path)
    return save(path, [_data(sheet, check_ending(path))], "card")


def check_ending(path: Path) -> str:
    """What kind of file a path names."""
    ending = path.suffix.lower().removeprefix(".")
    if ending not in ENDINGS:
        raise UserError(
            f"{path}: cards are written as {', '.join(f'.{e}' for e in ENDINGS)}; use one of these suffixes"
        )
    return ending


def _data(sheet: MarksPage, ending: str) -> bytes:
    if ending == "svg":
        return to_svg(sheet, fitted=True).encode()
    if ending == "png":
        return to_png(sheet)
    from snellen.charts.pdf import to_pdf

    return to_pdf(sheet)
