"""`transformers serve` as it comes, but without torchvision: a build of that for GPUs cannot read pictures beside a
torch for CPUs, and the model needs none.

    python tests/support/transformers_server.py serve FOLDER --port N
"""

import importlib.util
from importlib.machinery import ModuleSpec

_find = importlib.util.find_spec


def _without_torchvision(name: str, package: str | None = None) -> ModuleSpec | None:
    return None if name.partition(".")[0] == "torchvision" else _find(name, package)


if __name__ == "__main__":
    importlib.util.find_spec = _without_torchvision
    from transformers.cli.transformers import main

    main()
