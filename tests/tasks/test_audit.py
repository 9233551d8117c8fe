"""The shortcut audit finds what is there, and only that."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from snellen.draw.png import encode
from snellen.errors import UserError
from snellen.item import Picture
from snellen.prompts import load
from snellen.rng import stream
from snellen.tasks import parse_levels, task
from snellen.tasks.audit import AuditReport, Observation, audit_folder, audit_rows, audit_task
from snellen.tasks.audit.observing import observations
from snellen.tasks.export import write_items
from support.later import later

stats = later("scipy.stats")

DOT = Picture(encode(np.zeros((1, 1), np.uint8), np.zeros((1, 3), np.uint8)))


@pytest.fixture(autouse=True)
def _undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing takes time and is audited where it is tested: that all pictures of a kind are equally long."""
    monkeypatch.setattr("snellen.tasks.fixation.asking._picture", lambda board, rendering: DOT)


def rows(n: int, seed: int = 0, **features: float) -> list[Observation]:
    """Items with a fair key and features that agree with it with the given probability."""
    found = []
    keys = [i % 2 for i in range(n)]
    stream(seed, "keys").shuffle(keys)  # or the order would be the shortcut
    for i, key in enumerate(keys):
        source = stream(seed, "audit", i)
        seen = {name: key if source.chance(share) else 1 - key for name, share in features.items()}
        found.append(Observation("g", f"item {i}", str(key), seen, 2))
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


@pytest.mark.soak
def test_published_parity_gives_two_games_away(published: AuditReport) -> None:
    for game in ("tictactoe", "connect4"):
        assert accuracy(published, "piece-count parity", f"game={game},") == 1.0
    leaks = {row.group.partition(",")[0] for row in published.leaks if row.observer == "piece-count parity"}
    assert leaks == {"game=tictactoe", "game=connect4"}


@pytest.mark.soak
def test_published_reversi_cell(published: AuditReport) -> None:
    cells = [row for row in published.rows if "game=reversi" in row.group and row.observer.startswith("cell")]
    best = max(cells, key=lambda row: row.fitted)
    assert best.observer == "cell (0,4)"
    assert round(best.fitted, 3) == 0.777
    assert best.accuracy == pytest.approx(0.78, abs=0.02)
    assert best.leak


@pytest.mark.soak
def test_published_dots_and_boxes_are_clean(published: AuditReport) -> None:
    assert not [row for row in published.leaks if "dots_boxes" in row.group]


@pytest.mark.soak
def test_report_in_words(published: AuditReport) -> None:
    text = str(published)
    assert text.startswith("all groups: states=published, size=small, rule=standard")
    assert "game=connect4: 300 items" in text
    assert "piece-count parity                 100.0%" in text
    assert " 77.7% in sample" in text
    assert "observers beat chance; 90 % power to detect a leak of" in text.splitlines()[-1]


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


def test_the_test_is_exact_and_corrected_for_all_observers() -> None:
    report = audit_rows(rows(200, telltale=0.7))
    [row] = [row for row in report.rows if row.observer == "telltale"]
    assert (row.n, row.guessed, row.chance) == (200, 180, 0.5)
    assert row.p == pytest.approx(stats.binom.sf(round(row.accuracy * 180) - 1, 180, 0.5))
    assert row.holm == pytest.approx(row.p * len(report.rows))


def test_what_would_have_been_found_is_found_nine_times_in_ten() -> None:
    report = audit_rows(rows(200, noise=0.5))
    row = report.rows[-1]
    tail, enough = stats.binom.sf, 0.01 / len(report.rows)
    needed = next(k for k in range(row.guessed + 1) if tail(k - 1, row.guessed, 0.5) <= enough)
    assert tail(needed - 1, row.guessed, row.detectable) == pytest.approx(0.9, abs=1e-6)
    assert "a leak of 6" in report.power
    assert report.power in str(report)


def test_trials_of_one_cluster_do_not_count_as_many() -> None:
    once = rows(100, telltale=0.7)
    again = [replace(row, item=f"{row.item} {turn}", cluster=row.item) for row in once for turn in range(5)]
    [one], [five] = ([r for r in audit_rows(some).rows if r.observer == "telltale"] for some in (once, again))
    assert (five.n, five.guessed, five.accuracy) == (100, one.guessed, pytest.approx(one.accuracy))


def test_who_sees_a_part_of_the_answer_is_no_leak_up_to_what_is_due() -> None:
    told = [replace(row, due={"whole": 1.0, "half": 0.75}) for row in rows(300, whole=1.0, half=0.76, halfway=0.95)]
    report = audit_rows(told)
    assert [row.observer for row in report.leaks] == ["halfway"]
    assert "part of the task, so not a shortcut: whole 100%" in str(report)


def test_an_imbalance_is_one_leak_not_many() -> None:
    keys = ["0" if i % 5 else "1" for i in range(300)]
    stream(0, "keys").shuffle(keys)
    report = audit_rows(Observation("g", str(i), key, {"noise": i % 3}, 2) for i, key in enumerate(keys))
    assert [row.observer for row in report.leaks] == ["majority answer"]


def _of_two_and_of_four(first_of_two: float) -> AuditReport:
    """Two questions of three have two labels, of which the first is right so often, one has four."""
    source = stream(5, "labels")
    sizes = [4 if i % 3 == 0 else 2 for i in range(600)]
    keys = [source.below(4) if size == 4 else int(not source.chance(first_of_two)) for size in sizes]
    made = zip(keys, sizes, strict=True)
    return audit_rows(Observation("g", str(i), str(key), {}, size) for i, (key, size) in enumerate(made))


def test_luck_is_greater_among_two_labels_than_among_four() -> None:
    clean = _of_two_and_of_four(0.5)
    assert not clean.leaks
    [majority] = [row for row in clean.rows if row.observer == "majority answer"]
    assert majority.chance == pytest.approx((400 / 2 + 200 / 4) / 600)
    assert [row.observer for row in _of_two_and_of_four(0.8).leaks] == ["majority answer"]


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
    [row] = [row for row in audit_rows(again).rows if row.observer == "name"]
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
    assert str(audit_rows([])).startswith("nothing to audit")


# ---- what every stimulus shows, and data sets on disk


def test_common_features_are_seen() -> None:
    fixation = task("fixation")
    pack = load(fixation.prompts, "fixation")
    [item] = fixation.items({"game": ("reversi",)}, 1, 0)
    shown = fixation.stimulus(item, fixation.conditions(fixation.design(), item)[0], pack)
    [row] = observations([shown], lambda stimulus: {})
    assert set(row.features) == {"label offered first", "label offered last"}
    assert row.pictures == shown.pictures
    assert shown.question.text in row.words


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
    assert "majority answer" in {row.observer for row in report.rows}


def test_a_folder_with_broken_truth_is_one_clear_line(tmp_path: Path) -> None:
    folder = _made(tmp_path / "boards", 4)
    table = folder / "metadata.jsonl"
    changed = [{**json.loads(line), "truth": "{}"} for line in table.read_text("utf-8").splitlines()]
    table.write_text("\n".join(map(json.dumps, changed)) + "\n", "utf-8")
    with pytest.raises(UserError, match="truth does not fit"):
        audit_folder(folder)


def test_where_questions_offer_more_or_fewer_answers_chance_is_their_average() -> None:
    """A letter is right of four more often than of seven; that is no leak."""
    rng = stream(0, "letters")
    offered = [4 + i % 4 for i in range(400)]
    letters = [rng.below(choices) for choices in offered]
    seen = [Observation("g", f"i{i}", "ABCDEFG"[k], {}, offered[i]) for i, k in enumerate(letters)]
    report = audit_rows(seen)
    [majority] = [row for row in report.rows if row.observer == "majority answer"]
    assert majority.chance == pytest.approx(np.mean([1 / 4, 1 / 5, 1 / 6, 1 / 7]))
    assert not report.leaks
    always = audit_rows(replace(row, key="A") for row in seen)
    assert [row.observer for row in always.leaks] == ["majority answer"]
