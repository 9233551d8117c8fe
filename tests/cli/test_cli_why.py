"""`snellen why`: the calls of a store, two at a time."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

import snellen as package
from snellen.engine import CallRecord, Store
from support.commands import fails, snellen


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("why")
    levels = {"game": ("tictactoe",), "prompt": ("base",), "rule": ("standard", "inverse")}
    for temperature in (0, 1):
        subject = package.subject(lambda parts: "X", name="mine", settings={"temperature": temperature})
        package.exam(subject, tasks="fixation", n=1, levels=levels, store=folder / "s.sqlite")
    with Store.open(folder / "one.sqlite") as store:
        store.add_call(CallRecord(bytes(16), "m", '{"messages":[["user","?"]],"settings":{},"subject":"m"}', None))
    return folder


def pictured(home: Path) -> list[tuple[str, str, int]]:
    """Calls with a picture: key, words, temperature."""
    with Store.open(home / "s.sqlite", readonly=True) as store:
        read = [(key.hex(), json.loads(request)) for key, request in store.requests()]
    calls = [(key, request["messages"][0], request["settings"]["temperature"]) for key, request in read]
    return [(key, message[2], temperature) for key, message, temperature in calls if len(message) == 3]


def two(home: Path, *, same_words: bool) -> tuple[str, str]:
    calls = pictured(home)
    return next(
        (a, b) for a, words, hot in calls for b, others, cold in calls if hot > cold and (words == others) == same_words
    )


def test_the_field_that_differs_is_named_with_both_values(home: Path) -> None:
    first, second = two(home, same_words=True)
    lines = snellen("why", "s.sqlite", first[:12], second[:12].upper(), cwd=home).stdout.splitlines()
    assert lines[:5] == [f"- {first}", f"+ {second}", "setting temperature:", "  - 1", "  + 0"]
    assert len(lines) == 5, "and nothing else differs"


def test_without_a_second_key_the_nearest_call_is_taken(home: Path) -> None:
    first, _ = two(home, same_words=True)
    told = json.loads(snellen("why", "s.sqlite", first, "--json", cwd=home).stdout)
    assert (told["first"]["key"], len(told["differences"]), told["same"]) == (first, 1, False)


def test_words_are_shown_where_they_differ(home: Path) -> None:
    first, second = two(home, same_words=False)
    ran = snellen("why", "s.sqlite", first, second, cwd=home).stdout
    assert "setting temperature:" in ran
    assert "text of the message:" in ran
    told = json.loads(snellen("why", "s.sqlite", first, second, "--json", cwd=home).stdout)
    texts = next(each for each in told["differences"] if each["field"] == "text of the message")
    by_key = {key: words for key, words, _ in pictured(home)}
    assert (texts["first"], texts["second"]) == (by_key[first], by_key[second])


def test_a_trial_stands_for_the_call_that_brought_its_answer(home: Path) -> None:
    with Store.open(home / "s.sqlite", readonly=True) as store:
        row = store.rows().row(0, named=True)
    assert snellen("why", "s.sqlite", row["trial"], row["calls"][-1], cwd=home).stdout.endswith("the same call\n")


def test_keys_that_name_no_call_or_several(home: Path) -> None:
    key = pictured(home)[0][0]
    fails(snellen("why", "s.sqlite", key, "f" * 32, cwd=home), "f" * 32, "no call or trial", "snellen export")
    fails(snellen("why", "s.sqlite", "sim/ideal", key, cwd=home), "no call or trial")
    fails(snellen("why", "s.sqlite", "", cwd=home), "no call or trial")
    fails(snellen("why", "none.sqlite", key, cwd=home), "no store at none.sqlite")
    fails(snellen("why", "one.sqlite", "00", cwd=home), "no other call")
    with Store.open(home / "s.sqlite", readonly=True) as store:
        keys = sorted(key.hex() for key, _ in store.requests())
    alike = next(a for a, b in pairwise(keys) if a[0] == b[0])
    fails(snellen("why", "s.sqlite", alike[0], cwd=home), "calls of s.sqlite begin so", alike[:12])
