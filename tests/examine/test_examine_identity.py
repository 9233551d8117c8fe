"""Whose trials are told: those of this exam, and of the model that now goes by a name."""

from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

import snellen
from snellen.errors import UserError
from snellen.examine import Exam, make_plan

FEW: dict[str, Any] = {"n": 1, "levels": {"game": "tictactoe", "prompt": "base", "rendering": "base"}}


def share_of(exam: Exam, answer: str) -> float:
    return float(cast(Any, (exam.rows["answer"] == answer).mean()) or 0.0)


class Says:
    """A model that is told what to say."""

    def __init__(self, word: str) -> None:
        self.word = word

    def __call__(self, parts: list[Any]) -> str:
        return self.word


def saying(word: str) -> Any:
    def model(parts: list[Any]) -> str:
        return word

    return model


def say(word: str, parts: list[Any]) -> str:
    return word


@pytest.mark.parametrize("make", [Says, saying, partial(partial, say)])
def test_models_that_differ_only_in_what_they_hold_are_asked_each(make: Any, tmp_path: Path) -> None:
    for word in ("X", "O", "X"):
        exam = snellen.exam(make(word), store=tmp_path / "s.sqlite", **FEW)
        assert share_of(exam, word) == 1.0


def test_two_models_of_one_name_are_refused_unless_they_are_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="two subjects are called Says"):
        snellen.exam([Says("X"), Says("O")], store=tmp_path / "s.sqlite", **FEW)
    exam = snellen.exam({"a": Says("X"), "b": Says("O"), "c": lambda parts: "X"}, store=tmp_path / "s.sqlite", **FEW)
    answers = exam.rows.group_by("subject", maintain_order=True).agg("answer").rows()
    assert {name: set(said) for name, said in answers} == {"a": {"X"}, "b": {"O"}, "c": {"X"}}


def test_a_name_stands_for_the_model_that_had_it_last(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    for who, n in (("sim/ideal", 2), ("sim/stubborn", 1), ("sim/ideal", 1)):
        snellen.exam({"m": who}, store=store, **{**FEW, "n": n})
    whole = Exam(store)
    assert set(whole.rows["exam"]) == {1}, "all that sim/ideal answered, nothing of the other"
    assert whole.rows["outcome"].to_list().count("right") == whole.rows.height


def test_an_exam_tells_of_its_own_trials(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    first = snellen.exam("sim/guesser", store=store, **FEW)
    other = snellen.exam("sim/guesser", store=store, seed=5, **FEW)
    again = snellen.exam("sim/guesser", store=store, **FEW)
    assert set(first.rows["item"]).isdisjoint(other.rows["item"])
    assert again.rows["trial"].to_list() == first.rows["trial"].to_list()
    assert Exam(store).rows.height == first.rows.height + other.rows.height


def test_a_model_that_breaks_on_some_items_is_examined_all_the_same(tmp_path: Path) -> None:
    asked: list[int] = []

    def breaks(parts: list[Any]) -> str:
        asked.append(1)
        if len(asked) % 4 == 1:
            raise ValueError("boom\nand more")
        return "X"

    for _ in range(2):
        exam = snellen.exam(breaks, store=tmp_path / "s.sqlite", **FEW)
        assert exam.summary is not None
        assert exam.summary.ended == "complete"


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ({"n": 1.5}, "--n 1.5"),
        ({"n": "x"}, "--n x"),
        ({"samples": 0}, "--samples 0"),
        ({"concurrency": 0}, "concurrency 0"),
        ({"tasks": ""}, "--tasks ''"),
        ({"tasks": []}, "--tasks []"),
        ({"tasks": None}, "--tasks None"),
        ({"n": True}, "--n True"),
        ({"samples": True}, "--samples True"),
        ({"concurrency": "many"}, "concurrency many"),
        ({"concurrency": 1.5}, "concurrency 1.5"),
        ({"store": None}, "store=None: expected a file"),
        ({"seed": "a"}, "seed='a': expected a whole number"),
        ({"seed": None}, "seed=None: expected a whole number"),
        ({"levels": "rule=inverse"}, "levels='rule=inverse': expected levels by factor"),
        ({"levels": {"rule": None}}, "levels={'rule': None}: expected a factor and its levels"),
        ({"levels": {"rule": []}}, "levels={'rule': []}: expected a factor and its levels"),
        ({"levels": {5: "inverse"}}, "levels={5: 'inverse'}: expected a factor and its levels"),
        ({"roles": "judge=sim/ideal"}, "expected subjects by role"),
        ({"roles": {"judge": []}}, "roles={'judge': []}: no subject given"),
        ({"data": "somewhere"}, "data='somewhere': expected data sets by task"),
        ({"data": {"marvel": 5}, "tasks": "marvel"}, "data={'marvel': 5}: expected a data set"),
        ({"prompts": 5}, "prompts=5: expected a file"),
        ({"design": 5}, "design=5: expected a name, or names by task"),
    ],
)
def test_what_makes_no_sense_is_one_line(choices: dict[str, Any], expected: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as error:
        snellen.exam("sim/ideal", **{"store": tmp_path / "s.sqlite", **choices})
    assert expected in str(error.value)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"name": 5}, "name=5: expected printable text"),
        ({"name": "two\nlines"}, "name='two\\nlines': expected printable text"),
        ({"settings": ["a"]}, "settings=['a']: expected values by name"),
        ({"settings": {"a": float("nan")}}, "setting 'a' is of type float"),
        ({"together": 0}, "together=0: expected the number of calls"),
        ({"together": True}, "together=True: expected the number of calls"),
    ],
)
def test_a_model_that_is_given_oddly_is_one_line(given: dict[str, Any], expected: str) -> None:
    def mine(parts: list[Any]) -> str:
        return "X"

    with pytest.raises(UserError) as error:
        snellen.subject(mine, **given)
    assert expected in str(error.value)


@pytest.mark.parametrize("short", ["", " ", "a\tb"])
def test_a_short_name_can_be_printed(short: str) -> None:
    with pytest.raises(UserError, match="sim/ideal: the name '"):
        make_plan({short: "sim/ideal"})


def test_numbers_are_levels_of_settings() -> None:
    def mine(parts: list[Any], care: float = 0.5, loud: bool = False) -> str:
        return "X"

    numbers = make_plan(mine, levels=cast(Any, {"care": [0.3, 1], "loud": True}), n=1)
    words = make_plan(mine, levels={"care": ("0.3", "1"), "loud": "true"}, n=1)
    assert {trial.key for trial in numbers.trials()} == {trial.key for trial in words.trials()}


def test_a_set_may_be_given_as_a_path(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not a folder made by"):
        make_plan("sim/ideal", data=cast(Any, {"fixation": tmp_path / "nowhere"}))


@pytest.mark.parametrize("odd", [{"name": 5}, {"settings": None}, {"settings": {"a": object()}}])
def test_an_object_with_odd_parts_is_one_line(odd: dict[str, Any], tmp_path: Path) -> None:
    model = type("Odd", (), {**odd, "answer": lambda self, call: "X"})()
    with pytest.raises(UserError, match="Odd"):
        snellen.exam(model, store=tmp_path / "s.sqlite", **FEW)
