"""What must hold of any diagnosis, seen from outside."""

from dataclasses import replace

import pytest

from fakes.cases import BASE, Family
from fakes.examining import Examined, examined, held
from fakes.minds import Seer, rambling, rambling_at
from fakes.players import Player, whole_board
from fakes.server import Mind
from snellen.charts.blocks import Diagnosis
from snellen.examine.findings import findings
from support.lengths import few_and_more

FEW = Family("fixation", 4, lambda shown: {}, {}, BASE)


@pytest.fixture(scope="module")
def ramblers() -> Examined:
    """All of them play well; what differs is when they give no answer that can be read."""
    good = Seer(whole_board, Player())
    minds: dict[str, Mind] = {
        "now-and-then": rambling(good, 0.15),
        "mostly": rambling(good, 0.8),
        "at-pictures": rambling_at(good, lambda parts: any(isinstance(part, bytes) for part in parts), 0.6),
        "against-habit": rambling_at(good, lambda parts: "loses, and the opponent wins" in str(parts), 0.6),
        "twin-of-mostly": rambling(good, 0.8),
    }
    return held(FEW, minds)


@pytest.mark.soak
@pytest.mark.parametrize("fake", ["now-and-then", "mostly", "at-pictures", "against-habit"])
def test_who_is_right_whenever_it_is_read_lacks_nothing_but_form(ramblers: Examined, fake: str) -> None:
    diagnosis = ramblers[0][fake]
    assert set(diagnosis.faults) <= {"form"}, diagnosis.headline
    assert diagnosis.verdict in ("form", "none", "unclear"), diagnosis.headline


@pytest.mark.soak
def test_equal_subjects_get_equal_numbers_whatever_they_are_called(ramblers: Examined) -> None:
    one, other = (ramblers[0][name] for name in ("mostly", "twin-of-mostly"))
    assert _nameless(one) == _nameless(other)


def _nameless(diagnosis: Diagnosis) -> Diagnosis:
    headline = diagnosis.headline.replace(diagnosis.subject, "it", 1)
    missing = tuple(line.replace(diagnosis.subject, "it") for line in diagnosis.missing)
    return replace(diagnosis, subject="it", headline=headline, missing=missing)


@pytest.mark.soak
@few_and_more("family", ["winoground"], ["cards"])
@few_and_more("seed", [1], [2])
def test_the_order_of_rows_and_items_does_not_matter(family: str, seed: int) -> None:
    diagnoses, rows = examined(family)
    shuffled = findings(rows.sample(fraction=1, shuffle=True, seed=seed)).diagnoses
    assert {diagnosis.subject: diagnosis for diagnosis in shuffled} == diagnoses
