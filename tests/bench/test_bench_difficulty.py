"""The curves over levels: eyes see what their size allows, and what they are asked differs as it should."""

from pathlib import Path

import numpy as np
import pytest

from bench.difficulty import Measured, main, merged, read, write
from bench.difficulty_eyes import Eye
from bench.difficulty_rivals import CHANGES, every
from snellen.draw.png import encode_rgb
from snellen.item import Picture
from snellen.rng import stream
from snellen.tasks.capacity.kinds import kind_of

QUICK = ("maze", "gomoku", "unblock", "chart", "fixation: reversi", "marvel", "bias")


def spot(side: int, place: int) -> tuple[Picture]:
    """A white page of 256 px with a black square somewhere."""
    page = np.full((256, 256, 3), 255, np.uint8)
    page[100 : 100 + side, place : place + side] = 0
    return (Picture(encode_rgb(page)),)


def told(eye: Eye, side: int) -> int:
    candidates = [spot(side, 20), spot(side, 120)]
    return sum(eye.tells(candidates, np.random.default_rng(seed)) for seed in range(40))


def test_a_small_eye_sees_large_things_and_no_small_ones_that_a_large_eye_sees() -> None:
    assert told(Eye(32), 64) == told(Eye(256), 64) == told(Eye(256), 6) == 40
    assert told(Eye(32), 3) < 32


def test_an_eye_never_enlarges() -> None:
    [picture] = spot(8, 20)
    assert Eye(64).view(picture).shape == (64, 64, 3)
    assert Eye(4000).view(picture).shape == (256, 256, 3)


@pytest.mark.parametrize("name", QUICK)
def test_rivals_are_other_pictures_of_the_same_size(name: str) -> None:
    graded = every()[name]
    candidates = graded.candidates(graded.levels[0], 1)
    assert 1 < len(candidates) <= graded.rivals + 1
    assert len({tuple(picture.digest for picture in pictures) for pictures in candidates}) == len(candidates)
    assert len({Eye(64).view(pictures[-1]).shape for pictures in candidates}) == 1


def test_a_rival_of_a_maze_has_another_key() -> None:
    kind = kind_of("maze")
    truth = dict(kind.make(stream(3, "test"), "small", 0))
    other = {**truth, "digits": dict(truth["digits"])}
    CHANGES["maze"][0](other, stream(4, "test"))

    def on_route(maze: dict[str, object]) -> list[str]:
        return sorted(digit for digit, cell in maze["digits"].items() if cell in maze["route"])  # type: ignore[attr-defined, operator]

    assert on_route(truth) != on_route(other)


def test_figures_are_read_as_they_were_written_and_new_ones_replace_old_ones(tmp_path: Path) -> None:
    eye = Measured("maze", "tiny", "eye of 16 px", 3, 8, 0.2)
    model = Measured("maze", "huge", "small", 0, 8, None, 5)
    work = Measured("maze", "tiny", "work", 7.5, 8, note="cells of the route")
    rows = merged([model, eye], [work, eye._replace(right=4)])
    assert rows == [eye._replace(right=4), work, model]
    write(rows, tmp_path / "some.csv")
    assert read(tmp_path / "some.csv") == rows


def test_the_command_prints_a_line_for_every_level_and_eye(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--kinds", "unblock", "--n", "1"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert len([line for line in printed if " eye of " in line]) == 15
    assert any("moves" in line for line in printed)


def test_a_subject_is_asked_the_items_of_a_level(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--subject", "sim/ideal", "--name", "ideal", "--store", str(tmp_path / "store.sqlite")]
    assert main(["--kinds", "unblock", "--n", "2", *words]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1:4] for line in lines] == [
        [level, "ideal", "100%"] for level in ("small", "standard", "large")
    ]


def test_unknown_kinds_and_sizes_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--kinds", "mazes"], ["--n", "0"]):
        with pytest.raises(SystemExit) as stopped:
            main(words)
        assert stopped.value.code == 2
    assert "invalid choice: 'mazes'" in capsys.readouterr().err
