"""What generated items come from: the code that makes them. The same code and seed make the same items, so that whoever
remembers them need not make them again."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from snellen.tasks.task import Task

_ROOT = Path(__file__).parents[2]
_ROOMS = ("tasks", "draw")
_MODULES = ("item.py", "rng.py", "prompts.py", "pictures.py")
_KINDS = {".py", ".toml", ".csv", ".txt", ".json"}


@cache
def source_digest() -> str:
    """A digest of all code and tables that our items are made by."""
    files = [path for room in _ROOMS for path in sorted((_ROOT / room).rglob("*")) if path.suffix in _KINDS]
    sha = sha256()
    for path in (*files, *(_ROOT / name for name in _MODULES)):
        data = path.read_bytes()
        sha.update(f"{path.relative_to(_ROOT).as_posix()} {len(data)}\n".encode() + data)
    return sha.hexdigest()[:32]


def is_ours(task: Task) -> bool:
    """Whether all that makes the task's items is in the package, so that the digest stands for it."""
    return str(task.items.__module__).startswith("snellen.tasks.")
