"""The board: a row for each subject of each folder, no single score, nothing that hostile folders can make it run."""

import json
import re
from hashlib import sha256
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from snellen.errors import UserError
from snellen.publish import publish, write_board
from support.commands import fails
from support.commands import snellen as run

EVIL = "</td><script>alert('x')</script>\"\u202e"


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    home = tmp_path_factory.mktemp("board")
    for name, words in (("one", ("sim/fixated", "sim/nearsighted")), ("two", ("sim/fixated", "--set", "rule=inverse"))):
        words = (*words, "--tasks", "fixation", "--n", 2, "--set", "game=tictactoe", "--store", f"{name}.sqlite")
        assert run("exam", *words, cwd=home).returncode == 0
        publish(home / f"{name}.sqlite", home / name)
    return home / "one", home / "two"


def changed(folder: Path, name: str, edit: Any) -> None:
    content = json.loads((folder / name).read_text())
    edit(content)
    (folder / name).write_text(json.dumps(content))
    manifest = json.loads((folder / "snellen.json").read_text())
    for file in manifest["files"]:
        manifest["files"][file] = sha256((folder / file).read_bytes()).hexdigest()
    (folder / "snellen.json").write_text(json.dumps(manifest))


def test_a_row_for_each_subject_and_exam_with_links_that_lead_somewhere(
    folders: tuple[Path, Path], tmp_path: Path
) -> None:
    page, notes = write_board(folders, tmp_path / "site")
    text = page.read_text()
    assert not notes
    assert text.count("<tr data-tasks") == 3
    links = {link.partition("#")[0] for link in re.findall(r'href="([^"]+)"', text)}
    assert len(links) == 2
    assert all((tmp_path / "site" / link).is_file() for link in links)
    assert "loss to habit" in text
    assert "no single score" in text
    assert "<h2>Not comparable</h2>" in text
    assert "levels of rule (inverse / standard, inverse)" in text
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", text)


def test_a_board_is_made_again_and_nothing_else_is_overwritten(folders: tuple[Path, Path], tmp_path: Path) -> None:
    site = tmp_path / "site"
    write_board(folders, site)
    write_board(folders[:1], site)
    assert len(list((site / "reports").iterdir())) == 1
    (site / "thesis.md").write_text("mine")
    fails(run("board", *folders, "-o", site, cwd=tmp_path), "holds something else than a board")
    fails(run("board", folders[0], folders[0], cwd=tmp_path), "named twice")
    fails(run("board", tmp_path, cwd=tmp_path), "snellen.json")


def test_hostile_names_stay_words_and_hostile_pages_are_left_out(folders: tuple[Path, Path], tmp_path: Path) -> None:
    folder = Path(copytree(folders[0], tmp_path / "evil<b>"))
    page = folder / "report/index.html"
    page.write_text(page.read_text().replace("<body>", f"<body>{EVIL}"))

    def edit(findings: Any) -> None:
        for own in (*findings["diagnoses"], *findings["profiles"]):
            own["subject"] += EVIL
        findings["diagnoses"][0]["headline"] = EVIL

    changed(folder, "findings.json", edit)
    made, notes = write_board([folder], tmp_path / "site")
    text = made.read_text()
    assert text.count("<script>") == 1
    assert "alert('x')" not in text
    assert "\u202e" not in text
    assert "evil&lt;b&gt;" in text
    assert "left out" in notes[0]
    assert not (tmp_path / "site/reports").exists()


@pytest.mark.parametrize(
    "edit",
    [
        lambda findings: findings.pop("profiles"),
        lambda findings: findings["diagnoses"][0].update(verdict="x' onload='y"),
        lambda findings: findings["diagnoses"][0].update(subject=7),
        lambda findings: findings["profiles"][0]["pooled"][0]["mean"].update(value="9"),
        lambda findings: findings["profiles"][0]["pooled"][0]["mean"].update(value=1e9),
    ],
)
def test_findings_that_are_none_are_refused(folders: tuple[Path, Path], tmp_path: Path, edit: Any) -> None:
    folder = Path(copytree(folders[0], tmp_path / "odd"))
    changed(folder, "findings.json", edit)
    with pytest.raises(UserError, match="not findings"):
        write_board([folder], tmp_path / "site")


def test_a_damaged_folder_is_refused(folders: tuple[Path, Path], tmp_path: Path) -> None:
    folder = Path(copytree(folders[0], tmp_path / "damaged"))
    (folder / "README.md").write_text("short")
    fails(run("board", folder, cwd=tmp_path), "README.md is not what its manifest says", "verify")
