"""Make the bundled real-world marks anew: `python tools/make_marks.py FOLDER`.

FOLDER is Debian's package openclipart-svg, unpacked (`apt-get download openclipart-svg`, then `dpkg -x *.deb FOLDER`).
Needs resvg-py and Pillow; Snellen itself needs neither resvg nor the package. What is taken, and what it is called, is
said in `marks.toml` beside this file; care marks of textiles are drawn from `care.toml`. Written are `marks.zip` (one
small palette picture per mark, on white), `table.csv`, `NOTICE` and, from the same table, `docs/marks.md`.
"""

import csv
import gzip
import io
import re
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import resvg_py
from PIL import Image, ImageChops, ImageOps

HERE = Path(__file__).parent
OUT = HERE.parent / "src" / "snellen" / "tasks" / "capacity" / "marks"
PAGE = HERE.parent / "docs" / "marks.md"
DRAWINGS = Path("usr/share/openclipart/svg")
SIDE = 96
COLOURS = 24
"""Of each mark's own palette."""
FINE = 6 * SIDE
UNITS = {"mm": 90 / 25.4, "cm": 900 / 25.4, "in": 90.0, "pt": 1.25, "px": 1.0, "": 1.0}
FRAME = (150, 150, 150)
"""Round a flag: white parts of it end somewhere."""
OWN = "tools/care.toml"
"""The source of care marks."""
SOURCE = """\
The drawings in marks.zip, care marks of textiles apart, come from the Open Clip Art Library
(http://www.openclipart.org) by way of Debian's package openclipart-svg 1:0.18+dfsg-19, whose copyright file states for
all of them the Creative Commons Public Domain Dedication (based on United States law) or Public Domain Certification.

The care marks are Snellen's own drawings (tools/care.toml), under its licence. In some countries the care symbols of
GINETEX, which ISO 3758 describes, are registered trademarks; these drawings only show what such marks mean.
"""
CHANGES = f"""\
Changes to the library's: each was cut to what is drawn, rasterised on white to {SIDE} x {SIDE} pixels and reduced to
at most {COLOURS} colours. tools/make_marks.py and tools/marks.toml show exactly how.
"""

Row = dict[str, str]


def chosen(drawings: Path) -> Iterator[Row]:
    """The marks wanted, with their sources below the drawings' folder."""
    for family, content in tomllib.loads((HERE / "marks.toml").read_text()).items():
        about, folder = content.pop("about"), content.pop("folder")
        for group, marks in content.items():
            for entry in filter(None, map(str.strip, marks.replace("\n", " ").split(","))):
                source, _, names = entry.partition("=")
                name, *also = map(str.strip, names.split(";"))
                near = f"{folder}/{source}.svg"
                path = near if (drawings / near).exists() else f"{source}.svg"
                text = read(drawings / path)
                author = re.search(r"<dc:creator.*?<dc:title[^>]*>(.*?)</dc:title>", text, re.DOTALL)
                yield {
                    "name": name,
                    "family": family,
                    "about": about,
                    "group": group,
                    "also": ";".join(also),
                    "source": path,
                    "author": " ".join(author[1].split()) if author else "",
                }


def own() -> Iterator[Row]:
    """The care marks, with what each is drawn of as their source."""
    content = tomllib.loads((HERE / "care.toml").read_text())
    del content["parts"]
    for group, marks in content.items():
        for name, (drawing, *also) in marks.items():
            yield {
                "name": name,
                "family": "care",
                "about": "care marks of textiles",
                "group": group,
                "also": ";".join(also),
                "source": f"{OWN}: {drawing}",
                "author": "Snellen",
            }


def own_drawing(row: Row) -> Image.Image:
    parts = tomllib.loads((HERE / "care.toml").read_text())["parts"]
    paths = (
        f'<path d="{parts[part.lstrip("!")]}" fill="{"black" if part[0] == "!" else "none"}"/>'
        for part in row["source"].removeprefix(f"{OWN}: ").split()
    )
    pen = 'stroke="black" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"'
    text = f'<svg xmlns="http://www.w3.org/2000/svg"><g {pen}>{"".join(paths)}</g></svg>'
    image = rendered(text, (0.0, 0.0, SIDE))
    flat = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")
    return flat.resize((SIDE, SIDE), Image.Resampling.BOX)


def read(path: Path) -> str:
    data = path.read_bytes()
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8", "replace")


def opening(text: str) -> str:
    return text[(start := text.index("<svg")) : text.index(">", start) + 1]


def rendered(text: str, view: tuple[float, float, float]) -> Image.Image:
    """A square of the drawing, given by its corner and its side."""
    root = opening(text)
    bare = re.sub(r"\s(?:width|height|viewBox|preserveAspectRatio|x|y)\s*=\s*(?:\"[^\"]*\"|'[^']*')", "", root)
    x, y, side = view
    svg = text.replace(root, f'<svg viewBox="{x} {y} {side} {side}" width="{FINE}" height="{FINE}"{bare[4:]}', 1)
    return Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg)))).convert("RGBA")


def page(text: str) -> tuple[float, float, float]:
    """The square that holds the drawing's page."""
    root = opening(text)
    if box := re.search(r"viewBox\s*=\s*[\"']([^\"']*)", root):
        x, y, wide, high = map(float, re.split(r"[\s,]+", box[1].strip()))
        return x, y, max(wide, high)
    sizes = (re.search(rf"\s{side}\s*=\s*[\"']([\d.]+)(\w*)", root) for side in ("width", "height"))
    return 0.0, 0.0, max(float(size[1]) * UNITS[size[2]] for size in sizes if size)


def drawn(text: str, *, framed: bool) -> Image.Image:
    """What the page shows, as large as fits, on white."""
    view = page(text)
    for _ in range(3):
        image = rendered(text, view)
        left, top, right, bottom = image.getbbox() or (0, 0, FINE, FINE)
        if max(right - left, bottom - top) > FINE * 9 // 10:
            break
        unit, side = view[2] / FINE, max(right - left, bottom - top) * 1.02
        middle = (left + right) / 2, (top + bottom) / 2
        view = view[0] + (middle[0] - side / 2) * unit, view[1] + (middle[1] - side / 2) * unit, side * unit
    paper = Image.new("RGBA", image.size, "white")
    flat = Image.alpha_composite(paper, image).convert("RGB")
    seen = image.getbbox() if framed else ImageChops.difference(flat, Image.new("RGB", flat.size, "white")).getbbox()
    small = ImageOps.contain(flat.crop(seen), (SIDE, SIDE), Image.Resampling.BOX)
    if framed:
        small = ImageOps.expand(small.crop((1, 1, small.width - 1, small.height - 1)), 1, FRAME)
    return ImageOps.pad(small, (SIDE, SIDE), color="white")


def packed(image: Image.Image) -> bytes:
    few = image.quantize(COLOURS, Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE)
    data = io.BytesIO()
    few.save(data, "PNG", optimize=True)
    return data.getvalue()


def picture(row: Row, drawings: Path) -> Image.Image:
    if row["family"] == "care":
        return own_drawing(row)
    return drawn(read(drawings / row["source"]), framed=row["family"] == "flag")


def notice(rows: list[Row]) -> str:
    listed = (f"- {row['name']}: {row['source']}{', by ' * bool(row['author'])}{row['author']}" for row in rows)
    return f"{SOURCE}\n{CHANGES}\nEach mark with its drawing:\n\n" + "\n".join(listed) + "\n"


def described(rows: list[Row]) -> Iterator[str]:
    yield "# The marks of sandbagging\n"
    yield f"{len(rows)} marks of the real world that `sandbagging` asks to recognise (see"
    yield "[Reproducing MME-CC](reproducing-mme-cc.md)). This page is made by `tools/make_marks.py`.\n"
    yield f"**Licence.** {SOURCE}\n{CHANGES}"
    yield "Marks of one group are look-alikes. A name in brackets is understood, too."
    for about, some in groupby(rows, key=lambda row: row["about"]):
        yield f"\n## {about.capitalize()}\n"
        yield "| mark | group | drawing |"
        yield "|---|---|---|"
        for row in some:
            also = f" ({row['also'].replace(';', ', ')})" if row["also"] else ""
            yield f"| {row['name']}{also} | {row['group']} | `{row['source']}` |"


def main(package: Path) -> None:
    drawings = package / DRAWINGS
    rows = [*chosen(drawings), *own()]
    with zipfile.ZipFile(OUT / "marks.zip", "w", zipfile.ZIP_STORED) as archive:
        for row in rows:
            archive.writestr(zipfile.ZipInfo(f"{row['name']}.png"), packed(picture(row, drawings)))
    with (OUT / "table.csv").open("w", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    (OUT / "NOTICE").write_text(notice(rows), encoding="utf-8")
    PAGE.write_text("\n".join(described(rows)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
