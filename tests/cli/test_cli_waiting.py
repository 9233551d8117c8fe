"""A line on the terminal for what takes long; none where nobody sees it, and none for what is quick."""

import io
import sys

import pytest

from snellen.cli import waiting as module
from snellen.cli.waiting import waiting


class Terminal(io.StringIO):
    """A screen: `is_seen` says whether there is one."""

    is_seen = True

    def isatty(self) -> bool:
        return self.is_seen


@pytest.mark.parametrize(("patience", "seen", "told"), [(0.0, True, True), (0.0, False, False), (60.0, True, False)])
def test_a_line_after_a_while(patience: float, seen: bool, told: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    screen.is_seen = seen
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(module, "PATIENCE", patience)
    with waiting("Reading runs.sqlite"):
        while told and "Reading runs.sqlite" not in screen.getvalue():
            pass
    assert ("Reading runs.sqlite" in screen.getvalue()) == told
    assert not told or screen.getvalue().endswith("\x1b[K")


def test_the_line_makes_way_for_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    with waiting("Reading runs.sqlite") as end:
        while "Reading runs.sqlite" not in screen.getvalue():
            pass
        end()
        before = screen.getvalue()
        assert before.endswith("\x1b[K")
    assert screen.getvalue() == before
