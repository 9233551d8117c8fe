"""Torchvision beside a torch that it was not compiled for.

Some registries have torchvision only as a CUDA build. Its compiled part cannot be loaded beside a torch for CPUs, and
without the operators of that part `import torchvision` fails, and with it whatever transformers imports. No processor
uses these operators: it is enough that they are declared. They have to be declared before the first import, whoever
that is by (transformers, TRL, a user), so the import machinery does it.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

_NAMED_ON_IMPORT = ("nms", "qnms")
_declared: list[Any] = []
"""Operators last as long as the library that declared them."""


class TorchvisionFinder(MetaPathFinder):
    """Finds torchvision where it is, and has its operators declared just before its code runs."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target) if fullname == "torchvision" else None
        if spec is None or spec.loader is None or spec.origin is None:
            return None
        folder, execute = Path(spec.origin).parent, spec.loader.exec_module

        def declare_and_execute(module: ModuleType) -> None:
            _declare_if_needed(folder)
            execute(module)

        spec.loader.exec_module = declare_and_execute  # type: ignore[method-assign]
        return spec


def prepare_torchvision() -> None:
    """Have the operators declared if torchvision is imported later; costs nothing until then."""
    if not any(isinstance(finder, TorchvisionFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, TorchvisionFinder())


def _declare_if_needed(folder: Path) -> None:
    """Declare the operators unless they are there, or the compiled part in this folder brings them."""
    if _declared or find_spec("torch") is None:
        return
    import torch

    compiled = [file for file in folder.glob("_C*") if file.suffix in (".so", ".pyd")]
    try:
        for file in compiled:
            torch.ops.load_library(file)
    except (ImportError, OSError):
        compiled = []
    if not compiled:
        library = torch.library.Library("torchvision", "DEF")
        for name in _NAMED_ON_IMPORT:
            library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        _declared.append(library)
