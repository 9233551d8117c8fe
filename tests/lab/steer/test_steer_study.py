"""A study in a folder: what it leaves, what it does not do again, and what it refuses."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import planted
import polars as pl
import pytest

from snellen import cli
from snellen.errors import UserError
from snellen.lab.steer import keeping
from snellen.lab.steer.curves import figures, tables
from snellen.lab.steer.logistic import Floats
from snellen.lab.steer.patches import Activations
from snellen.lab.steer.rows import Ints, SteeringRows, wording
from snellen.lab.steer.study import Lab, SteeringSettings, SteeringStudy, study
from snellen.lab.steer.whom import whom
from snellen.tasks.making.source import source_digest
from support.lengths import some_of

SETTINGS = SteeringSettings(
    "fixation", ("tictactoe", "reversi"), 12, 3, (1.0, 2.0), (1, 2), 0, "words", "code", {"weights": "planted"}
)
Patch = pytest.MonkeyPatch
Capture = pytest.CaptureFixture[str]


class Seat:
    """Puts the planted model before any rows, and remembers how often."""

    def __init__(self, breaks: str = "") -> None:
        self.sat: list[str] = []
        self.breaks = breaks

    def __call__(self, asked: SteeringRows) -> planted.Planted:
        self.sat.append(asked.rows.setup)
        if asked.rows.setup == self.breaks:
            raise KeyboardInterrupt
        return planted.Planted(asked.rows)


def studied(
    folder: Path, seat: Seat, settings: SteeringSettings = SETTINGS, donor: Seat | None = None
) -> SteeringStudy:
    return study(folder, settings, Lab(seat, donor, 16, lambda parts, total, label: parts))


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> SteeringStudy:
    return studied(tmp_path_factory.mktemp("study") / "out", Seat())


def test_a_folder_holds_the_settings_the_splits_the_passes_and_tidy_tables(done: SteeringStudy) -> None:
    meta = json.loads((done.folder / "meta.json").read_text())
    assert meta["settings"]["seeds"] == [1, 2]
    assert meta["settings"]["model"] == {"weights": "planted"}
    assert {"snellen", "numpy"} <= set(meta["versions"])
    assert meta["passes"]["read"] == 2 * 8 * 12
    states = json.loads((done.folder / "states.json").read_text())
    assert set(states) == {"tictactoe", "reversi"}
    for seeds in states.values():
        assert all(len(one["tested"]) == 4 and not set(one["tested"]) & set(one["learnt"]) for one in seeds.values())
    runs = pl.read_parquet(done.folder / "runs.parquet")
    assert {"setup", "seed", "layer", "alpha", "control", "rule", "accuracy", "margin"} <= set(runs.columns)
    assert runs["layer"].drop_nulls().unique().sort().to_list() == [6, 7, 8]  # the last three of eight, from 1


def test_what_is_done_is_not_done_again(done: SteeringStudy) -> None:
    seat = Seat()
    again = studied(done.folder, seat)
    assert seat.sat == []
    assert again.runs.equals(done.runs)
    assert again.passes == done.passes


def test_a_study_that_was_stopped_goes_on_where_it_was(done: SteeringStudy, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        studied(tmp_path / "out", Seat(breaks="reversi"))
    seat = Seat()
    assert studied(tmp_path / "out", seat).runs.equals(done.runs)
    assert seat.sat == ["reversi"]


def test_activations_that_were_read_are_not_read_again(done: SteeringStudy, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    studied(folder, Seat())
    (folder / "rows" / "reversi.parquet").unlink()
    again = studied(folder, Seat())
    assert again.runs.equals(done.runs)
    with np.load(folder / "activations" / "reversi.npz", allow_pickle=False) as kept:
        assert kept["hidden"].shape == (3, 96, planted.WIDTH)
    assert again.passes["read"] == done.passes["read"]


def test_other_settings_in_the_same_folder_are_refused_and_nothing_is_lost(done: SteeringStudy) -> None:
    others = {"states": 13, "alphas": (1.0,), "wording": "w", "source": "s", "model": {"weights": "other"}}
    for name, value in others.items():
        other = SteeringSettings(**{**SETTINGS.__dict__, name: value})
        with pytest.raises(UserError, match=f"contains a study with {name} .*; give -o a new folder"):
            studied(done.folder, Seat(), other)
    assert studied(done.folder, Seat()).runs.equals(done.runs)


def test_a_study_is_not_gone_on_with_by_other_versions(done: SteeringStudy, monkeypatch: Patch) -> None:
    ours = keeping.versions()
    monkeypatch.setattr(keeping, "versions", lambda: {**ours, "numpy": "0.1"})
    with pytest.raises(UserError, match=r'contains a study with numpy ".*", not "0\.1"; give -o a new folder'):
        studied(done.folder, Seat())


def test_a_folder_of_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("all of it")
    with pytest.raises(UserError, match=r"is not empty and has no meta\.json"):
        studied(tmp_path, Seat())
    (tmp_path / "meta.json").write_text("[]")
    with pytest.raises(UserError, match="not the notes of a steering study"):
        studied(tmp_path, Seat())
    assert sorted(file.name for file in tmp_path.iterdir()) == ["meta.json", "thesis.tex"]


def test_a_donor_is_read_and_counted_apart(tmp_path: Path) -> None:
    donor = Seat()
    found = studied(
        tmp_path / "out", Seat(), SteeringSettings(**{**SETTINGS.__dict__, "donor": {"weights": "d"}}), donor
    )
    assert donor.sat == ["tictactoe", "reversi"]
    assert found.passes["read"] == 2 * 2 * 8 * 12
    assert "donor" in set(found.runs["control"])


def test_a_donor_of_another_build_is_refused(tmp_path: Path, monkeypatch: Patch) -> None:
    donor = SteeringSettings(**{**SETTINGS.__dict__, "donor": {"weights": "d"}})
    other = Seat()
    monkeypatch.setattr(
        Seat, "__call__", lambda self, asked: planted.Planted(asked.rows) if self is not other else Deep(asked.rows)
    )
    with pytest.raises(UserError, match=r"3 layers up to 9, 24 wide\) do not fit the model's \(3 layers up to 8"):
        studied(tmp_path / "out", Seat(), donor, other)


class Deep(planted.Planted):
    """One layer more than the others have."""

    depth = planted.DEPTH + 1

    def read(self, which: Ints, layers: Sequence[int]) -> tuple[Activations, Floats]:
        return super().read(which, [layer - 1 for layer in layers])


@some_of("file", ["activations/reversi.npz", "rows/reversi.parquet"], 2)
def test_a_file_that_was_damaged_is_one_line(tmp_path: Path, file: str) -> None:
    studied(tmp_path / "out", Seat())
    (tmp_path / "out/rows/reversi.parquet").unlink()
    (tmp_path / "out" / file).write_bytes(b"PAR1 not quite")
    with pytest.raises(UserError, match="delete it to rebuild it"):
        studied(tmp_path / "out", Seat())


def test_the_curve_shows_every_control_and_no_layer_is_picked(done: SteeringStudy) -> None:
    shown = figures(done)
    assert list(shown) == ["curve", "margins", "alphas"]
    curve = shown["curve"]
    assert curve.xs == (6, 7, 8)
    assert [title for title, _ in curve.rows] == [
        "tictactoe", "reversi", "tictactoe, inverse only", "reversi, inverse only"
    ]  # fmt: skip
    assert len(curve.series) == 9
    assert curve.flat == ("no patch",)
    lines = dict(zip(curve.series, curve.rows[2][1], strict=True))
    assert lines["oracle routing"][-1].value == 100  # type: ignore[union-attr]
    assert lines["patched, routed"][0].low is not None  # type: ignore[union-attr]
    assert "router alone (no model)" not in shown["margins"].series  # it has none
    assert shown["alphas"].xs == (1, 2)


def test_tables_have_a_line_for_each_layer(done: SteeringStudy) -> None:
    first, *others = tables(done)
    assert [row[0] for row in first.rows] == ["6", "7", "8"]
    assert first.columns[:7] == ("layer", "router", "sd", "oracle", "means", "random", "shuffled")
    assert first.columns[7:] == ("early", "picture", "probe", "none")
    assert len(others) == 3


# The command


def steer(monkeypatch: Patch, *words: object) -> int:
    monkeypatch.setattr(sys, "argv", ["snellen", "lab", "steer", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    import torch

    import tiny_models

    torch.set_num_threads(1)
    return tiny_models.make("idefics3", tmp_path_factory.mktemp("model"))


@pytest.mark.soak
def test_the_command_from_a_model_to_figures(model: Path, tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    words: tuple[object, ...] = (
        "--model",
        f"{model}:dtype=float32",
        "fixation",
        "--kinds",
        "tictactoe",
        "--states",
        6,
    )
    words = (*words, "--layers", 3, "--alpha", "1,3", "--seeds", "1,2", "-o", tmp_path / "out")
    assert steer(monkeypatch, *words) == 0
    told = capsys.readouterr().out
    assert "tictactoe, inverse only: right (%), alpha 1" in told
    for name in ("curve.svg", "curve.pdf", "margins.svg", "alphas.svg"):
        assert str(tmp_path / "out" / name) in told
        assert (tmp_path / "out" / name).stat().st_size > 1000
    root = ElementTree.fromstring((tmp_path / "out" / "curve.svg").read_bytes())  # noqa: S314 - our own
    assert "oracle routing" in "".join(root.itertext())
    meta = json.loads((tmp_path / "out" / "meta.json").read_text())
    assert (meta["settings"]["wording"], meta["settings"]["source"]) == (wording("fixation"), source_digest())
    assert meta["settings"]["model"]["architecture"] == "Idefics3ForConditionalGeneration"
    assert meta["passes"]["times_fewer"] > 5
    # the second time nothing is loaded
    monkeypatch.setattr("snellen.subjects.local.loading._model", None)
    assert steer(monkeypatch, *words) == 0
    assert capsys.readouterr().out == told


@pytest.mark.soak
def test_twelve_layers_cost_a_fifth_of_the_passes_of_the_routed_patch_alone(tmp_path: Path, monkeypatch: Patch) -> None:
    """All controls together, against one generation for each tested row and layer of that one curve."""
    pytest.importorskip("torch")
    import tiny_models

    monkeypatch.setitem(tiny_models.TEXT, "num_hidden_layers", 12)
    model = tiny_models.make("idefics3", tmp_path / "model")
    words = ("fixation", "--kinds", "reversi", "--states", 7, "-o", tmp_path / "out")
    assert steer(monkeypatch, "--model", model, *words) == 0
    passes = json.loads((tmp_path / "out" / "meta.json").read_text())["passes"]
    assert passes["one_curve"] == 56 + 3 * 24 * 12
    assert passes["read"] + passes["pictures"] < passes["total"] < passes["one_curve"] / 5
    assert passes["times_fewer"] > 25


def test_legs_are_steered_with_another_models_donors(
    model: Path, tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    words = ("--model", model, "--donor", model, "bias", "--kinds", "birds", "--states", 4, "--seeds", 1)
    assert steer(monkeypatch, *words, "--layers", 1, "-o", tmp_path / "out") == 0
    assert "birds, changed only" in capsys.readouterr().out
    runs = pl.read_parquet(tmp_path / "out" / "runs.parquet")
    same = runs.filter(pl.col("control").is_in(["none", "donor"])).group_by("rule").agg(pl.col("margin").n_unique())
    assert same["margin"].to_list() == [1, 1, 1]  # the very same model


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--states", 3), "--states 3: a study needs 4 states or more"),
        (("--states", 99_999, "--kinds", "tictactoe"), "states"),
        (("--kinds", "chess"), "unknown kind of fixation 'chess'"),
        (("--alpha", "0"), "--alpha '0': expected numbers other than 0"),
        (("--alpha", "much"), "--alpha 'much': expected numbers between commas"),
        (("--seeds", "1.5"), "--seeds '1.5': expected whole numbers"),
        (("--seeds", "1,-1"), "--seeds '1,-1': expected whole numbers from 0"),
    ],
)
def test_bad_input_is_one_line(
    model: Path, tmp_path: Path, monkeypatch: Patch, capsys: Capture, words: tuple[object, ...], line: str
) -> None:
    assert steer(monkeypatch, "--model", model, "fixation", "-o", tmp_path / "out", *words) == 2
    told = capsys.readouterr().err
    assert line in told
    assert told.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_model_that_is_not_there(model: Path, tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    where = tmp_path / "nowhere"
    assert steer(monkeypatch, "--model", where, "fixation", "-o", tmp_path / "out") == 2
    assert "no such folder" in capsys.readouterr().err
    assert steer(monkeypatch, "--model", f"{model}:dtyp=x", "bias", "-o", tmp_path / "out") == 2
    assert "did you mean dtype" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["tiny", "local/tiny"])
def test_the_model_that_comes_along_must_be_unpacked_first(
    name: str, model: Path, tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    assert steer(monkeypatch, "--model", name, "fixation", "-o", tmp_path / "out") == 2
    told = capsys.readouterr().err
    assert "unpack it first: `snellen lab unpack tiny -o DIR`" in told
    assert told.count("\n") == 1
    (tmp_path / "tiny").symlink_to(model)
    assert whom(name).identity["architecture"] == "Idefics3ForConditionalGeneration"


def test_without_the_extra_it_is_one_line(tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert steer(monkeypatch, "--model", "some/model", "fixation", "-o", tmp_path / "out") == 2
    told = capsys.readouterr().err
    assert "local models need torch and transformers: pip install 'snellen[local]'" in told
    assert told.count("\n") == 1
