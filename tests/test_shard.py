"""Which share of the work a process has: by what it was told, or by how it was started."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.errors import UserError
from snellen.shard import Shard, parse_shard, shard_of_process

UNITS = st.lists(st.text(max_size=5), max_size=3)


@given(UNITS, st.integers(1, 40))
def test_every_unit_is_in_exactly_one_shard(unit: list[str], of: int) -> None:
    assert sum(Shard(number, of).holds(*unit) for number in range(1, of + 1)) == 1


def test_shards_are_of_about_equal_size() -> None:
    held = [sum(Shard(number, 8).holds("task", place) for place in range(4000)) for number in range(1, 9)]
    assert sum(held) == 4000
    assert max(held) < 1.2 * min(held)


def test_a_unit_stays_where_it_is_in_every_version() -> None:
    """Machines with different versions must agree, and so must a run that is taken up later."""
    assert [place for place in range(40) if Shard(3, 8).holds("fixation", {"size": "small"}, place)] == [
        0,
        18,
        25,
        32,
        33,
    ]


def test_a_shard_is_named_by_its_place_and_all_of_them_by_none() -> None:
    assert parse_shard("3/8") == Shard(3, 8)
    assert str(Shard(3, 8)) == "3/8"
    assert parse_shard("1/1") is parse_shard(None) is None
    assert Shard(3, 8).named(Path("runs/a.sqlite")) == Path("runs/a-3-of-8.sqlite")


@pytest.mark.parametrize("words", ["0/8", "9/8", "8", "1/0", "-1/8", "1/8/2", "a/b", "", "٣/٨", "1/999999999", 3])
def test_what_is_no_shard_is_refused(words: object) -> None:
    with pytest.raises(UserError, match=r"--shard .*: expected I/N") as error:
        parse_shard(words)
    assert "\n" not in str(error.value)


ARRAY = {"SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_MAX": "16"}


@pytest.mark.parametrize(
    ("environment", "shard"),
    [
        ({}, None),
        ({"RANK": "0", "WORLD_SIZE": "2"}, "1/2"),
        ({"SLURM_PROCID": "3", "SLURM_NTASKS": "4", "RANK": "0", "WORLD_SIZE": "2"}, "4/4"),
        ({"SLURM_PROCID": "0", "SLURM_NTASKS": "1", "RANK": "1", "WORLD_SIZE": "2"}, "2/2"),
        ({"SLURM_PROCID": "0", "SLURM_NTASKS": "1"}, None),
        ({"RANK": "1"}, None),
        ({"RANK": "one", "WORLD_SIZE": "2"}, None),
        ({"SLURM_ARRAY_TASK_ID": "14", "SLURM_ARRAY_TASK_STEP": "2", **ARRAY, "SLURM_NTASKS": "1"}, "3/4"),
        ({"SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_PROCID": "0", "SLURM_NTASKS": "8"}, "3/3"),
        ({"SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_COUNT": "1", "SLURM_ARRAY_TASK_MIN": "5"}, None),
    ],
)
def test_launchers_number_their_processes(environment: dict[str, str], shard: str | None) -> None:
    found = shard_of_process(environment)
    assert (found and str(found.shard)) == shard


@pytest.mark.parametrize("task", ["10", "13", "16"])
def test_an_array_with_holes_is_refused_in_each_of_its_tasks(task: str) -> None:
    with pytest.raises(UserError, match=r"SLURM_ARRAY_TASK_ID=.*give --shard I/N"):
        shard_of_process({"SLURM_ARRAY_TASK_ID": task, "SLURM_ARRAY_TASK_STEP": "1", **ARRAY})
