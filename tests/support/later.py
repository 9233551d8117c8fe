"""Large libraries in tests: loaded by the first test that uses them, not while tests are collected."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest


class Later:
    """Stands for a module and imports it when something of it is wanted."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        # Pytest asks all names in a file of tests for marks of its own
        if name != "__version__" and name.startswith(("_", "pytest")):
            raise AttributeError(name)
        return getattr(import_module(self._name), name)


def later(name: str) -> Any:
    """The module, or the tests of the file that asks are skipped where its library is not installed.

    torch = later("torch")
    """
    library = name.partition(".")[0]
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed", allow_module_level=True)
    return Later(name)
