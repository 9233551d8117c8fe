"""Data sets on the Hugging Face Hub, and each way in which the Hub may not give them."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from published_samples import openworld_pictures, openworld_record, put

from snellen.errors import UserError
from snellen.tasks.bongard.load import load


class RepositoryNotFoundError(OSError):
    """Named like the library's own."""


class GatedRepoError(RepositoryNotFoundError):
    """A kind of the other, as in the library."""


class LocalEntryNotFoundError(FileNotFoundError):
    """What the library says when it is offline."""


class OddError(Exception):
    """Something nobody foresaw."""


def pretend(monkeypatch: pytest.MonkeyPatch, answer: Path | Exception) -> list[dict[str, Any]]:
    asked: list[dict[str, Any]] = []

    def snapshot_download(repo_id: str, **settings: Any) -> str:
        asked.append({"repo_id": repo_id, **settings})
        if isinstance(answer, Exception):
            raise answer
        return str(answer)

    library = ModuleType("huggingface_hub")
    library.snapshot_download = snapshot_download  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "huggingface_hub", library)
    return asked


def test_a_hub_id_is_fetched_as_a_data_set_without_pickles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The Hub's cache is made of links to files elsewhere.
    record = openworld_record("0001")
    blob = put(tmp_path / "blobs/abc", "")
    put(tmp_path / "blobs/abc.jsonl", [record]).rename(blob)
    snapshot = tmp_path / "snapshots/1"
    snapshot.mkdir(parents=True)
    (snapshot / "train.jsonl").symlink_to(blob)
    openworld_pictures(tmp_path / "elsewhere", record)
    asked = pretend(monkeypatch, snapshot)
    loaded = load(f"rujiewu/Bongard-OpenWorld:images={tmp_path / 'elsewhere/images'}")
    assert [problem.id for problem in loaded.usable()] == ["openworld/0001"]
    assert asked[0]["repo_id"] == "rujiewu/Bongard-OpenWorld"
    assert asked[0]["repo_type"] == "dataset"
    assert "*.pkl" in asked[0]["ignore_patterns"]


def test_a_folder_of_that_name_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    record = openworld_record("0001")
    openworld_pictures(tmp_path / "me/set", record)
    put(tmp_path / "me/set/a.json", [record])
    asked = pretend(monkeypatch, OddError())
    assert len(list(load("me/set").usable())) == 1
    assert asked == []


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (GatedRepoError("403"), r"gated; log in .* accept the terms at https://huggingface.co/datasets/me/set"),
        (RepositoryNotFoundError("401"), "no such data set"),
        (LocalEntryNotFoundError("offline"), "cannot be reached"),
        (ConnectionError("refused"), "cannot be reached"),
        (OddError("what\nis\nthis"), r"OddError: what is this"),
    ],
)
def test_what_the_hub_may_say(error: Exception, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, error)
    with pytest.raises(UserError, match=said) as caught:
        load("me/set")
    assert "\n" not in str(caught.value)


def test_the_librarys_own_errors_have_these_names() -> None:
    errors = pytest.importorskip("huggingface_hub.errors")
    assert issubclass(errors.GatedRepoError, errors.RepositoryNotFoundError)
    assert hasattr(errors, "LocalEntryNotFoundError")
    assert issubclass(errors.OfflineModeIsEnabled, ConnectionError)


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(UserError, match=r"pip install 'snellen\[hub\]'"):
        load("openworld:me/set")
