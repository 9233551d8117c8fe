"""The shortcut audit finds what is there, and only that."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from snellen.draw.png import encode
from snellen.errors import UserError
from snellen.item import Picture
from snellen.prompts import load
from snellen.rng import stream
from snellen.tasks import parse_levels, task
from snellen.tasks.audit import AuditReport, Observation, audit, audit_folder, audit_rows, audit_task
from snellen.tasks.export import write_items

DOT = Picture(encode(np.zeros((1, 1), np.uint8), np.zeros((1, 3), np.uint8)))


@pytest.fixture(autouse=True)
def _undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing takes time and is audited where it is tested: that all pictures of a kind are equally long."""
    monkeypatch.setattr("snellen.tasks.fixation.asking._picture", lambda board, rendering: DOT)


def rows(n: int, seed: int = 0, **features: float) -> list[Observation]:
    """Items with a fair key and features that agree with it with the given probability."""
    found = []
    for i in range(n):
        source = stream(seed, "audit", i)
        key = i % 2
        seen = {name: key if source.chance(share) else 1 - key for name, share in features.items()}
        found.append(Observation("g", f"item {i}", str(key), {"majority answer": "", **seen}, 2))
    return found


def accuracy(report: AuditReport, observer: str, group: str = "") -> float:
    [row] = [row for row in report.rows if row.observer == observer and group in row.group]
    return row.accuracy


# ---- the published set, whose leaks are known


@pytest.fixture(scope="module")
def published() -> AuditReport:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("snellen.tasks.fixation.asking._picture", lambda board, rendering: DOT)
        return audit_task(task("fixation"), parse_levels(["states=published"]), 300, 0)


def test_published_parity_gives_two_games_away(published: AuditReport) -> None:
    for game in ("tictactoe", "connect4"):
        assert accuracy(published, "piece-count parity", f"game={game},") == 1.0
    leaks = {row.group.partition(",")[0] for row in published.leaks if row.observer == "piece-count parity"}
    assert leaks == {"game=tictactoe", "game=connect4"}


def test_published_reversi_cell(published: AuditReport) -> None:
    cells = [row for row in published.rows if "game=reversi" in row.group and row.observer.startswith("cell")]
    best = max(cells, key=lambda row: row.fitted)
    assert best.observer == "cell (0,4)"
    assert round(best.fitted, 3) == 0.777
    assert round(best.accuracy, 2) == 0.78
    assert best.leak


def test_published_dots_and_boxes_are_clean(published: AuditReport) -> None:
    assert not [row for row in published.leaks if "dots_boxes" in row.group]


def test_report_in_words(published: AuditReport) -> None:
    text = str(published)
    assert text.startswith("all groups: states=published, size=small, rule=standard")
    assert "game=connect4: 300 items" in text
    assert "piece-count parity             100.0%" in text
    assert "cell (0,4)                      77.7%" in text
    assert "observers beat chance" in text.splitlines()[-1]


# ---- fresh states have none


@pytest.mark.soak
@pytest.mark.parametrize("seed", [1, 20_260])
def test_fresh_states_pass(seed: int) -> None:
    report = audit_task(task("fixation"), {}, 300, seed)
    assert {row.n for row in report.rows} == {300}
    assert not report.leaks, str(report)


@pytest.mark.soak
def test_larger_fresh_states_pass() -> None:
    larger = parse_levels(["size=medium,large", "game=tictactoe,connect4,dots_boxes"])  # large Reversi takes too long
    report = audit_task(task("fixation"), larger, 200, 7)
    assert not report.leaks, str(report)


def test_inverse_rule_is_audited_on_its_own() -> None:
    report = audit_task(task("fixation"), parse_levels(["game=connect4", "rule=standard,inverse"]), 20, 1)
    assert {row.group.split(", ")[3] for row in report.rows} == {"rule=standard", "rule=inverse"}


# ---- the rule


def test_leaks_are_found_and_noise_is_not() -> None:
    report = audit_rows(rows(300, telltale=0.85, noise=0.5, faint=0.55))
    assert [row.observer for row in report.leaks] == ["telltale"]
    assert accuracy(report, "telltale") == pytest.approx(0.85, abs=0.06)


def test_a_leak_turned_round_is_a_leak() -> None:
    assert [row.observer for row in audit_rows(rows(300, telltale=0.1)).leaks] == ["telltale"]


def test_threshold_is_exact_and_shared_among_observers() -> None:
    report = audit_rows(rows(200, a=0.5, b=0.5), alpha=0.01, tolerance=0.05)
    threshold = round(report.rows[0].threshold * 200)
    assert binom.sf(threshold - 1, 200, 0.55) <= 0.01 / 3 < binom.sf(threshold - 2, 200, 0.55)


def test_false_alarms_are_rare() -> None:
    """One report in a hundred may be wrong at chance + tolerance; at chance itself hardly any is."""
    alarms = sum(bool(audit_rows(rows(100, seed, **{str(k): 0.5 for k in range(15)})).leaks) for seed in range(60))
    assert alarms == 0


def test_an_imbalance_is_one_leak_not_many() -> None:
    found = [
        Observation("g", str(i), "0" if i % 5 else "1", {"majority answer": "", "noise": i % 3}, 2) for i in range(300)
    ]
    report = audit_rows(found)
    assert [row.observer for row in report.leaks] == ["majority answer"]


def test_numbers_are_cut_at_a_threshold_and_into_bins() -> None:
    found = []
    for i in range(300):
        source = stream(4, i)
        key, size = i % 2, source.between(0, 100)
        found.append(
            Observation(
                "g", str(i), str(key), {"sloping": key * 40 + size, "ringed": abs(size - 50) * 0.4 + 40 * key}, 2
            )
        )
    report = audit_rows(found)
    assert accuracy(report, "sloping (threshold)") > 0.6
    assert accuracy(report, "ringed (threshold)") > 0.9
    assert accuracy(report, "ringed (bins)") > 0.9


def test_folds_are_made_by_item() -> None:
    """A feature that names the item cannot be learned, however often the item is asked."""
    once = rows(60)
    again = [Observation("g", row.item, row.key, {"name": row.item}, 2) for row in once for _ in range(5)]
    [row] = audit_rows(again).rows
    assert row.n == 60
    assert row.fitted == pytest.approx(1.0)
    assert row.accuracy == pytest.approx(0.5)


def test_missing_features_are_a_value_of_their_own() -> None:
    found = [Observation("g", str(i), str(i % 2), {"only ones": 1} if i % 2 else {"other": 1}, 2) for i in range(200)]
    assert accuracy(audit_rows(found), "only ones") == 1.0


def test_too_few_items_are_said_to_be_too_few() -> None:
    report = audit_rows(rows(4, telltale=1.0))
    assert not report.leaks
    assert "too few items" in str(report)
    assert str(audit_rows([])) == "nothing to audit"


# ---- what every stimulus shows, and data sets on disk


def test_common_features_are_seen() -> None:
    fixation = task("fixation")
    pack = load(fixation.prompts, "fixation")
    [item] = fixation.items({"game": ("reversi",)}, 1, 0)
    shown = fixation.stimulus(item, fixation.conditions(fixation.design(), item)[0], pack)
    report = audit([shown], lambda stimulus: {})
    assert {row.observer for row in report.rows} == {
        "majority answer",
        "prompt length",
        "picture file size",
        "label offered first",
        "label offered last",
        "place in the set",
    }


def _made(folder: Path, n: int = 120) -> Path:
    fixation = task("fixation")
    pack = load(fixation.prompts, "fixation")
    design = fixation.changed(fixation.design("published"), {"game": ("connect4",), "rendering": ("base",)})

    def stimuli() -> Iterator:
        for item in fixation.items(fixation.item_levels(design), n, 0):
            yield fixation.stimulus(item, fixation.conditions(design, item)[0], pack)

    write_items(stimuli(), folder, "jsonl")
    return folder


def test_a_folder_is_audited_like_its_task(tmp_path: Path) -> None:
    report = audit_folder(_made(tmp_path / "boards"))
    assert accuracy(report, "piece-count parity") == 1.0
    assert report.leaks


def test_a_folder_of_an_unknown_task_is_never_run_as_code(tmp_path: Path) -> None:
    folder = _made(tmp_path / "boards", 20)
    evil = tmp_path / "evil.py"
    evil.write_text("raise SystemExit('ran')", encoding="utf-8")
    table = folder / "metadata.jsonl"
    changed = [{**json.loads(line), "task": str(evil)} for line in table.read_text("utf-8").splitlines()]
    table.write_text("\n".join(map(json.dumps, changed)) + "\n", "utf-8")
    report = audit_folder(folder)
    assert "piece-count parity" not in {row.observer for row in report.rows}
    assert "prompt length" in {row.observer for row in report.rows}


def test_a_folder_with_broken_truth_is_one_clear_line(tmp_path: Path) -> None:
    folder = _made(tmp_path / "boards", 4)
    table = folder / "metadata.jsonl"
    changed = [{**json.loads(line), "truth": "{}"} for line in table.read_text("utf-8").splitlines()]
    table.write_text("\n".join(map(json.dumps, changed)) + "\n", "utf-8")
    with pytest.raises(UserError, match="truth does not fit"):
        audit_folder(folder)
    with pytest.raises(UserError, match="snellen make"):
        audit_folder(tmp_path)
