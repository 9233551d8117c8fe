"""Small files in the formats of the published Bongard sets."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

SHARED = Path(__file__).parents[3] / ".." / "shared" / "data"


def picture(kind: str = "png", size: tuple[int, int] = (8, 6), colour: Any = (200, 30, 30), mode: str = "RGB") -> bytes:
    file = BytesIO()
    Image.new(mode, size, colour).save(file, kind)
    return file.getvalue()


def put(path: Path, content: Any) -> Path:
    """Write bytes, text, JSON, or (for .jsonl) a record a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif isinstance(content, str):
        path.write_text(content, encoding="utf-8")
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(record) + "\n" for record in content), encoding="utf-8")
    else:
        path.write_text(json.dumps(content), encoding="utf-8")
    return path


def openworld_record(uid: str, sense: str = "3", **more: Any) -> dict[str, Any]:
    names = [
        f"images/{uid}/{side}__{i}__https:__x.org__a[{i}]?b=1&c=*.jpg.webp.jpg"
        for side in ("pos", "neg")
        for i in range(7)
    ]
    return {
        "uid": uid,
        "commonSense": sense,
        "concept": "red thing",
        "caption": "A red thing.",
        "imageFiles": names,
        **more,
    }


def openworld_pictures(folder: Path, *records: dict[str, Any]) -> None:
    for record in records:
        for name in record["imageFiles"]:
            put(folder / name, picture("webp"))


def hoi_picture(name: str, box: Any = (1, 1, 5, 4)) -> dict[str, Any]:
    return {
        "im_path": name,
        "crop_bbox": list(box),
        "sub_bbox": [0, 0, 99, 99],
        "obj_bbox": [0, 0, 1, 1],
        "sub_class": "person",
        "obj_class": "tv",
        "act_class": "watch",
        "obj_id": 46,
        "sub_id": 1,
        "act_id": 2,
    }


def hoi_problem(name: str = "./hcvrd/a.jpg", *, cleaned: bool = False) -> list[Any]:
    side = [hoi_picture(name) for _ in range(7)]
    return [side, side, 17, "hop_on++tv"] if cleaned else [side, side, "hop_on++tv"]


def drawings(folder: Path, names: list[str]) -> None:
    for i, name in enumerate(names):
        put(folder / name, picture(size=(4 + i, 4)))


def logo_problem(folder: Path) -> None:
    drawings(folder, [f"{side}/{i}.png" for side in (1, 0) for i in range(7)])


def original_problem(folder: Path) -> None:
    drawings(folder, [f"{i}.png" for i in range(12)])
