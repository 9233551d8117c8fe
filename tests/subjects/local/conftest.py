"""What the tests of local models share: tiny models of four architectures."""

from collections.abc import Callable
from pathlib import Path

import pytest

from support.later import later

torch = later("torch")
later("transformers")


@pytest.fixture(scope="session", autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Digests that are kept go nowhere near the user's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture(scope="session")
def folder_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a tiny model of an architecture, made when it is first wanted; nobody changes it."""
    from tiny_models import make

    made: dict[str, Path] = {}

    def folder(architecture: str) -> Path:
        if architecture not in made:
            made[architecture] = make(architecture, tmp_path_factory.mktemp("models") / architecture)
        return made[architecture]

    return folder
