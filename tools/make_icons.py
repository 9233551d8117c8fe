"""Make the bundled icons anew from Noto Emoji: `python tools/make_icons.py PACKAGE`.

PACKAGE is the unpacked npm package `@iconify-json/noto` (`npm pack @iconify-json/noto`, then `tar xzf`). Needs
resvg-py and Pillow; Snellen itself needs neither resvg nor the package. What is taken, and what we call it, is said in
`icons.toml` beside this file. Written are `icons.zip` (one small palette picture per icon), `table.csv` and
`palette.png` (the colours that scenes are drawn in).
"""

import colorsys
import csv
import io
import json
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import resvg_py
from PIL import Image

HERE = Path(__file__).parent
OUT = HERE.parent / "src" / "snellen" / "draw" / "icons"
SIDE = 160
COLOURS = 96
"""Of each icon's own palette."""
SHARED = 224
"""Of the palette all scenes share; the rest is left to what is drawn round the icons."""
CLEAR = 0.6
"""From this share of an icon's coloured part on, its colour is clear."""

Row = dict[str, str]


def chosen() -> Iterator[Row]:
    """The icons wanted, with what we say of them; an empty colour is still to be found."""
    choice = tomllib.loads((HERE / "icons.toml").read_text())
    colours = choice.pop("colours")
    for category, content in choice.items():
        life = "living" if content.pop("living", False) else "inanimate"
        for group, names in content.items():
            for entry in names.replace("\n", " ").split(","):
                source, _, name = entry.strip().partition("=")
                name = name or source.replace("-", " ")
                yield {
                    "name": name,
                    "category": category,
                    "group": "" if group == "other" else group,
                    "life": life,
                    "colour": colours.get(name, ""),
                    "source": source,
                }


def drawn(body: str) -> Image.Image:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128" width="{SIDE}" height="{SIDE}">{body}</svg>'
    data = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=SIDE, height=SIDE))
    return Image.open(io.BytesIO(data)).convert("RGBA")


def small(image: Image.Image) -> tuple[bytes, Image.Image]:
    """The picture in few colours, as a PNG file and as it then looks."""
    few = image.quantize(COLOURS, Image.Quantize.FASTOCTREE, kmeans=2, dither=Image.Dither.NONE)
    data = io.BytesIO()
    few.save(data, "PNG", optimize=True)
    return data.getvalue(), few.convert("RGBA")


def hue_name(red: int, green: int, blue: int) -> str:
    """A colour word for one colour."""
    hue, strength, light = colorsys.rgb_to_hsv(red / 255, green / 255, blue / 255)
    if strength < (0.4 if 0.45 < hue < 0.65 else 0.15) or light < 0.25:  # steel is drawn in a dull blue
        return "black" if light < 0.32 else "white" if light > 0.85 else "grey"
    if 0.02 < hue < 0.13 and (light < 0.7 or strength < 0.62):
        return "brown" if light < 0.95 else "pink" if hue < 0.06 else "brown"
    for limit, word in (
        (0.04, "red"),
        (0.105, "orange"),
        (0.18, "yellow"),
        (0.46, "green"),
        (0.72, "blue"),
        (0.84, "purple"),
    ):
        if hue < limit:
            return word
    return "pink" if hue < 0.96 or (strength < 0.6 and light > 0.8) else "red"


def colour_of(image: Image.Image) -> str:
    """The colour most of the icon has, if one clearly leads."""
    pixels = np.asarray(image.resize((40, 40), Image.Resampling.BOX)).reshape(-1, 4)
    words = [hue_name(*map(int, pixel[:3])) for pixel in pixels if pixel[3] > 200]
    best = max(sorted(set(words)), key=words.count)
    return best if words.count(best) >= CLEAR * len(words) else ""


def shared_palette(images: list[Image.Image]) -> Image.Image:
    """The colours that serve all icons best, as a picture one pixel high."""
    pixels = np.concatenate([np.asarray(image).reshape(-1, 4)[::5] for image in images])
    solid = pixels[pixels[:, 3] == 255][:, :3]
    width = 2048
    strip = Image.fromarray(solid[: len(solid) // width * width].reshape(-1, width, 3), "RGB")
    found = strip.quantize(SHARED, Image.Quantize.MEDIANCUT, kmeans=8, dither=Image.Dither.NONE).getpalette() or []
    colours = sorted({tuple(found[k : k + 3]) for k in range(0, 3 * SHARED, 3)})
    return Image.fromarray(np.array(colours, np.uint8)[None], "RGB")


def main(package: Path) -> None:
    bodies = json.loads((package / "icons.json").read_text())["icons"]
    rows = sorted(chosen(), key=lambda row: row["name"])
    looks = []
    with zipfile.ZipFile(OUT / "icons.zip", "w", zipfile.ZIP_STORED) as archive:
        for row in rows:
            data, look = small(drawn(bodies[row["source"]]["body"]))
            archive.writestr(zipfile.ZipInfo(f"{row['name']}.png"), data)
            row["colour"] = row["colour"] or colour_of(look)
            looks.append(look)
    shared_palette(looks).save(OUT / "palette.png", optimize=True)
    with (OUT / "table.csv").open("w", newline="") as file:
        table = csv.DictWriter(file, ["name", "category", "group", "life", "colour", "source"], lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
