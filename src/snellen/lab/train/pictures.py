"""Pictures are made ready once a step. GRPO shows each prompt to the model several times, and TRL has all of them
resized and cut anew each time, twice: most of a step of a small model is spent on that. Pictures that carry their
digest are known by it: to read all their pixels again takes as long as to resize them.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from PIL import Image

from snellen.subjects.local.prompting import DIGEST


def once(image_processor: Any) -> None:
    """Have an image processor give tensors, and look at each row of pictures once, where it makes one entry of each.

    By a class of the same name: processors write down whatever they hold themselves when they are saved.
    """
    kind = type(image_processor)
    last: dict[str, Any] = {}

    def preprocess(self: Any, images: Any, *rest: Any, **more: Any) -> Any:
        more["return_tensors"] = "pt"  # TRL asks for arrays first, of which it makes tensors, and then for tensors

        def process(some: Any) -> Any:
            return kind.preprocess(self, some, *rest, **more)

        rows = _rows(images)
        if rows is None:
            return process(images)
        shown = [" ".join(picture.info.get(DIGEST) or _digest(picture) for picture in row) for row in rows]
        key = f"{shown} {rest} {sorted(more.items(), key=str)}"
        if last.get("key") != key:
            last.update(key=key, found=_spread(process, images, shown))
        tensors = last["found"]
        return type(tensors)(dict(tensors))  # processors take out what they need

    image_processor.__class__ = type(kind.__name__, (kind,), {"preprocess": preprocess})


def _spread(process: Callable[[Any], Any], images: Sequence[Any], shown: Sequence[str]) -> Any:
    """What is made of all rows, though only those that differ were looked at."""
    numbers = {identity: number for number, identity in enumerate(dict.fromkeys(shown))}
    if len(numbers) < len(shown):
        tensors = process([images[shown.index(identity)] for identity in numbers])
        if all(hasattr(value, "__len__") and len(value) == len(numbers) for value in tensors.values()):
            places = [numbers[identity] for identity in shown]
            return type(tensors)({name: _taken(value, places) for name, value in tensors.items()})
    return process(images)


def _rows(images: Any) -> list[list[Image.Image]] | None:
    """The pictures row by row; None if they come in another way."""
    if not isinstance(images, list | tuple) or not images:
        return None
    rows = [list(row) if isinstance(row, list | tuple) else [row] for row in images]
    return rows if all(isinstance(picture, Image.Image) for row in rows for picture in row) else None


def _digest(picture: Image.Image) -> str:
    return sha256(f"{picture.mode} {picture.size} ".encode() + picture.tobytes()).hexdigest()


def _taken(value: Any, places: list[int]) -> Any:
    return [value[place] for place in places] if isinstance(value, list | tuple) else value[places]
