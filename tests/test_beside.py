"""A second process returns what a function makes, or nothing: then whoever asked does the work."""

import os

import pytest

from snellen.beside import Beside


def test_the_result_comes_from_another_process() -> None:
    with Beside("os:getpid") as other, Beside("math:gcd", 12, 18) as divisor:
        assert divisor.result == 6
        assert other.result not in (None, os.getpid())


@pytest.mark.parametrize("function", ["math:factorial", "math:no_such_function", "os:abort"])
def test_what_fails_there_has_no_result(function: str, capfd: pytest.CaptureFixture[str]) -> None:
    values = ("five",) if function == "math:factorial" else ()
    with Beside(function, *values) as failing:
        assert failing.result is None
    assert capfd.readouterr() == ("", "")


def test_what_is_printed_there_is_no_result() -> None:
    with Beside("builtins:print", "words") as printing:
        assert printing.result is None


def test_nothing_is_started_that_is_not_wanted() -> None:
    with Beside("math:gcd", 12, 18, is_wanted=False) as idle:
        assert idle.result is None


def test_a_process_ends_with_its_block() -> None:
    with Beside("time:sleep", 60) as asleep:
        process = asleep._process
    assert process is not None
    assert process.poll() is not None
