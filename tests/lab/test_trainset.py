"""Training sets: nothing held out gets in, everything is balanced, and the same seed gives the same bytes."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

import numpy as np
import pytest

from snellen.answer import mark
from snellen.errors import UserError
from snellen.item import Item, Stimulus
from snellen.lab.trainset import write_trainset
from snellen.lab.trainset.rows import in_words, packed, unpacked
from snellen.prompts import load
from snellen.rng import stream
from snellen.tasks import task
from snellen.tasks.bias.trainsets import of_legs
from snellen.tasks.export import read_items
from snellen.tasks.fixation import pools, published
from snellen.tasks.fixation.games import GAMES, completed, game_named
from snellen.tasks.fixation.pools import left_over, pool
from snellen.tasks.fixation.states import items
from snellen.tasks.fixation.symmetry import canonical, views
from snellen.tasks.fixation.trainsets import of_split
from snellen.tasks.training import of_task
from support.later import later
from support.lengths import some_of

datasets = later("datasets")


STATES, HELD_OUT = 48, 40


def looks(name: str, cells: str) -> set[bytes]:
    """All ways to look at a board, by other means than those of the code under test: arrays, turned and flipped."""
    shape = game_named(name).shape("small")
    board = np.array([int(cell) for cell in cells], dtype="u1").reshape(shape.rows, shape.columns)
    other = np.choose(board, [0, 2, 1]).astype(board.dtype)
    seen = [np.rot90(side, turn) for side in (board, other) for turn in range(4)]
    return {np.ascontiguousarray(view).tobytes() for one in seen for view in (one, np.fliplr(one))}


@some_of("name", GAMES, 4)
@pytest.mark.parametrize("seed", [0, 3])
def test_no_state_to_train_on_is_held_out_however_one_looks_at_it(name: str, seed: int) -> None:
    made = pool(name, STATES, HELD_OUT, seed)
    apart = set(chain.from_iterable(looks(name, item.truth["cells"]) for item in made.held_out))
    assert len(made.train) == STATES
    assert len(made.held_out) == HELD_OUT
    for item in made.train:
        assert not looks(name, item.truth["cells"]) & apart


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_at_the_papers_size_no_state_to_train_on_is_held_out(name: str) -> None:
    made = pool(name, 1024, 300, 0)
    apart = set(chain.from_iterable(looks(name, item.truth["cells"]) for item in made.held_out))
    assert not any(looks(name, item.truth["cells"]) & apart for item in made.train)
    assert made.distinct == (312 if name == "tictactoe" else 1024)


def test_the_symmetry_of_the_code_is_that_of_the_arrays() -> None:
    for name, game in GAMES.items():
        for cells in published.boards(name)[:5]:
            ours = {bytes(int(cell) for cell in view) for view in views(game.shape("small"), cells)}
            assert ours == looks(name, cells)
            assert len({canonical(game.shape("small"), view) for view in views(game.shape("small"), cells)}) == 1


def test_a_board_that_is_not_square_is_looked_at_in_the_four_ways_that_keep_its_shape() -> None:
    shape = game_named("connect4").shape("large")
    cells = next(iter(items({"game": ("connect4",), "size": ("large",)}, 1, 0))).truth["cells"]
    board = np.array([int(cell) for cell in cells]).reshape(6, 7)
    kept = (board, board[::-1], board[:, ::-1], board[::-1, ::-1])
    wanted = {"".join(map(str, view.ravel())) for side in kept for view in (side, np.choose(side, [0, 2, 1]))}
    assert views(shape, cells) == wanted


def test_boards_that_would_leak_are_played_again_and_not_only_by_luck() -> None:
    # Held out are the very boards that the training seed would bring first.
    game = game_named("connect4")
    plain = [state.cells for state in pools._played(game, 8, 0, ())]
    own_seed = stream(0, "lab", "train", "connect4").below(2**53)
    held = list(items({"game": ("connect4",)}, 8, own_seed))
    assert [item.truth["cells"] for item in held] == plain
    apart = set(chain.from_iterable(looks("connect4", cells) for cells in plain))
    assert not any(looks("connect4", state.cells) & apart for state in pools._played(game, 8, 0, tuple(held)))


def test_no_exam_of_any_seed_asks_a_tictactoe_board_that_is_trained_on() -> None:
    game = game_named("tictactoe")
    trained = set(chain.from_iterable(looks("tictactoe", ending.cells) for ending in left_over(game)))
    assert len(left_over(game)) == 156
    for seed in (0, 1, 99):
        asked = [item.truth["cells"] for item in items({"game": ("tictactoe",)}, 320, seed)]
        assert not any(looks("tictactoe", cells) & trained for cells in asked)


def test_boards_left_over_are_fair_ones() -> None:
    shape = game_named("tictactoe").shape("small")
    for ending in left_over(game_named("tictactoe")):
        assert ending.cells.count("1") == ending.cells.count("2")
        assert list(completed(shape, ending.cells).values()) == [1]


def test_the_middle_cell_gives_the_winner_away_in_training_as_the_manifest_says_and_not_in_what_is_held_out() -> None:
    made = pool("tictactoe", 1024, 320, 0)

    def told_by_the_middle(boards: tuple[Item, ...]) -> float:
        held = [item for item in boards if item.truth["cells"][4] != "0"]
        by_it = sum(int(item.truth["cells"][4]) == item.truth["winner"] for item in held)
        return (by_it + (len(boards) - len(held)) / 2) / len(boards)

    assert told_by_the_middle(made.held_out) == 0.5
    assert 0.7 < told_by_the_middle(made.train) < 0.8


def test_repeated_boards_are_spread_evenly_and_name_the_players_the_other_way_round() -> None:
    made = pool("tictactoe", 1024, HELD_OUT, 0)
    times = Counter(item.truth["cells"] for item in made.train)
    assert made.distinct == len(times) == 312
    lines = Counter(tuple(item.truth["line"]) for item in made.train)
    assert set(lines.values()) == {128}
    assert {times[c] for c in times} <= {2, 3, 4}
    asked = Counter((item.truth["cells"], tuple(item.truth["named"])) for item in made.train)
    assert max(asked.values()) == 2
    named_by_winner = Counter((item.truth["winner"], tuple(item.truth["named"])) for item in made.train)
    assert named_by_winner[1, (1, 2)] == named_by_winner[2, (1, 2)]


@pytest.mark.parametrize(
    ("name", "games", "rules", "tested_games", "tested_rules"),
    [
        ("d1", list(GAMES), ["standard"], list(GAMES), ["inverse"]),
        ("d2", list(GAMES), ["inverse"], list(GAMES), ["standard"]),
        ("d3", ["tictactoe", "reversi"], ["standard", "inverse"], ["connect4", "dots_boxes"], ["standard", "inverse"]),
    ],
)
def test_splits_are_the_papers_in_its_order_and_balanced(
    name: str, games: list[str], rules: list[str], tested_games: list[str], tested_rules: list[str]
) -> None:
    made = of_split(name, states=8, held_out=4)
    for stimuli, n, own_games, own_rules in (
        (list(made.train()), 8, games, rules),
        (list(made.test()), 4, tested_games, tested_rules),
    ):
        told = [(s.item.levels["game"], s.condition["rule"], s.item.id, s.condition["target"]) for s in stimuli]
        assert len(told) == len(own_games) * len(own_rules) * n * 2
        assert list(dict.fromkeys(game for game, *_ in told)) == own_games
        assert list(dict.fromkeys(rule for _, rule, *_ in told)) == own_rules
        assert told == sorted(told, key=lambda t: (own_games.index(t[0]), own_rules.index(t[1]), t[2], t[3] == "loser"))
        for game in own_games:
            keys = Counter(s.question.key for s in stimuli if s.item.levels["game"] == game)
            assert len(set(keys.values())) == 1
            winners = Counter(s.item.truth["winner"] for s in stimuli if s.item.levels["game"] == game)
            assert winners[1] == winners[2]
        assert {s.condition["prompt"] for s in stimuli} == {"base"}


def test_the_exam_beside_a_split_asks_both_rules_of_what_is_held_out(tmp_path: Path) -> None:
    write_trainset(of_split("d3", states=4, held_out=2), tmp_path / "d3", "verl")
    asked = list(read_items(tmp_path / "d3" / "exam"))
    assert {s.item.levels["game"] for s in asked} == set(GAMES)
    assert Counter(s.condition["rule"] for s in asked) == {"standard": 16, "inverse": 16}
    plain = {item.id for item in items({"game": tuple(GAMES)}, 2, 0)}
    assert {s.item.id for s in asked} == plain, "what is held out is what a plain exam of the seed asks"
    over = task("fixation", str(tmp_path / "d3" / "exam"))
    assert over.design().n == 8


def test_the_same_seed_gives_the_same_bytes_and_another_gives_others(tmp_path: Path) -> None:
    for name, seed in (("one", 5), ("two", 5), ("three", 6)):
        pool.cache_clear()
        write_trainset(of_split("d1", seed, states=4, held_out=2), tmp_path / name)
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert all((tmp_path / "one" / f).read_bytes() == (tmp_path / "two" / f).read_bytes() for f in files)
    name = "data/train-00000.parquet"
    assert (tmp_path / "one" / name).read_bytes() != (tmp_path / "three" / name).read_bytes()


def test_rows_for_trl_are_loaded_as_conversations_with_pictures(tmp_path: Path) -> None:
    write_trainset(of_split("d1", states=4, held_out=2), tmp_path / "d1", "trl")
    loaded = datasets.load_dataset(str(tmp_path / "d1"), cache_dir=str(tmp_path / "cache"))
    assert {split: rows.num_rows for split, rows in loaded.items()} == {"train": 32, "test": 16}
    row = loaded["train"][1]
    assert [part["type"] for part in row["prompt"][0]["content"]] == ["image", "text"]
    assert row["images"][0].mode == "RGB"
    assert row["images"][0].size == (384, 384)
    assert mark(row["completion"][0]["content"][0]["text"], unpacked(row["question"])).outcome == "right"
    assert json.loads(row["levels"])["target"] == "loser"


def test_rows_for_verl_have_the_fields_it_takes(tmp_path: Path) -> None:
    write_trainset(of_legs(n=6), tmp_path / "legs", "verl")
    rows = datasets.load_dataset(str(tmp_path / "legs"), split="train", cache_dir=str(tmp_path / "cache"))
    row = rows[5]
    assert row["problem"].startswith("<image>")
    assert row["prompt"] == [{"role": "user", "content": row["problem"]}]
    assert len(row["images"]) == row["problem"].count("<image>") == 1
    assert row["reward_model"] == {"style": "rule", "ground_truth": row["answer"]}
    assert row["extra_info"]["index"] == 5
    assert row["data_source"] == "snellen/bias"
    assert unpacked(row["extra_info"]["question"]).key == row["answer"]


def test_tidy_rows_are_those_of_snellen_make(tmp_path: Path) -> None:
    write_trainset(of_split("d2", states=4, held_out=2), tmp_path / "d2", "parquet")
    assert {s.condition["rule"] for s in read_items(tmp_path / "d2" / "train")} == {"inverse"}
    assert {s.condition["rule"] for s in read_items(tmp_path / "d2" / "test")} == {"standard"}


def test_the_manifest_says_what_was_made(tmp_path: Path) -> None:
    told = write_trainset(of_split("d1", 2, states=4, held_out=2), tmp_path / "d1")
    assert told == json.loads((tmp_path / "d1" / "manifest.json").read_text()) | {"settings": told["settings"]}
    assert told["seed"] == 2
    assert told["train"] | {"answers": {}} == {"rows": 32, "items": 16, "pictures": 16, "answers": {}}
    assert set(told["train"]["answers"].values()) == {4}
    assert set(told["sha256"]) == {
        "README.md", "trained_on.json", "data/train-00000.parquet", "data/test-00000.parquet", "exam/README.md",
        "exam/data/test-00000.parquet",
    }  # fmt: skip
    assert told["settings"]["distinct_boards"]["tictactoe"] == 4


def test_legs_are_balanced_and_no_exam_draws_them() -> None:
    stimuli = list(of_legs(n=36).train())
    bias = task("bias")
    animals = bias.items(bias.item_levels(bias.design("synth-legs")), of_legs().size, 1)
    legs = Counter((item.truth["usual"], item.truth["count"]) for item in animals)
    assert sum(legs.values()) == 8192
    assert all(abs(n - 8192 / 6) < 10 for n in legs.values()), legs
    assert {s.item.levels["source"] for s in stimuli} == {"synth-legs"}
    asked = bias.stimuli(bias.design("paper"), 13, 0, load(bias.prompts, "bias"))
    drawn = {picture.digest for s in asked for picture in s.pictures}
    assert not drawn & {picture.digest for s in stimuli for picture in s.pictures}


@pytest.mark.parametrize("name", ["winoground", "bongard", "marvel"])
def test_any_task_is_a_training_set_without_the_exams_pictures(name: str, tmp_path: Path) -> None:
    told = write_trainset(of_task(name, n=2, held_out=2), tmp_path / "set")
    assert told["train"]["rows"] > 0
    assert told["test"]["rows"] > 0
    assert told["task"] == name


def test_boards_are_no_training_set_by_pictures_alone() -> None:
    with pytest.raises(UserError, match="use d1, d2 or d3, which keep boards apart"):
        of_task("fixation", n=2, held_out=2)


def test_rows_that_show_what_is_held_out_are_left_out_and_counted(tmp_path: Path) -> None:
    made = of_task("winoground", n=3, held_out=2)
    honest = [*made.train()]

    leaking = replace(made, train=lambda: chain(made.test(), honest))
    told = write_trainset(leaking, tmp_path / "set")
    assert told["left_out"]["rows"] == len(list(made.test()))
    assert told["train"]["rows"] == len(honest)


@pytest.mark.parametrize(
    "name", ["winoground", *(pytest.param(name, marks=pytest.mark.soak) for name in ("bias", "capacity"))]
)
def test_right_answers_are_read_as_right(name: str) -> None:
    for stimulus in of_task(name, n=11, held_out=0).train():
        assert mark(in_words(stimulus.question), unpacked(packed(stimulus.question))).outcome == "right"


def test_right_answers_are_put_as_the_prompt_wants_them() -> None:
    legs = next(of_legs(n=1).train())
    assert in_words(legs.question) == f"{{{legs.question.key}}}"


def test_a_folder_that_is_not_empty_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(UserError, match="exists and is not empty"):
        write_trainset(of_split("d1", states=4, held_out=2), tmp_path / "mine")
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "years of work"


def test_a_set_that_cannot_be_finished_leaves_nothing_behind(tmp_path: Path) -> None:
    made = of_split("d1", states=4, held_out=2)

    def breaks() -> Iterator[Stimulus]:
        yield from islice(made.train(), 3)
        raise UserError("no more boards")

    with pytest.raises(UserError, match="no more boards"):
        write_trainset(replace(made, train=breaks), tmp_path / "d1")
    assert list(tmp_path.iterdir()) == []


def test_an_odd_number_of_states_is_refused() -> None:
    with pytest.raises(UserError, match="--states 7: expected an even number"):
        of_split("d1", states=7, held_out=2)
    with pytest.raises(UserError, match="--test 0: expected an even number from 2"):
        of_split("d1", states=2, held_out=0)
    with pytest.raises(UserError, match="only 320 exist"):
        of_split("d1", states=2, held_out=322)
