"""Lookers from outside, examined through a real server: what was expected of each, written down before, is found."""

from math import inf, sqrt

import pytest

import snellen
from fakes import sights
from fakes.lessons import lesson
from fakes.server import served
from snellen.analysis.estimates import wilson
from snellen.tasks.acuity.view import ALONG, WIDE

QUICK = {"six": ("letters", "number"), "always-c": ("letters", "contrast"), "refuses-most": ("letters", "alignment")}
BLAME = ("are lost", "reads no letters", "go unseen", "run together", "cannot be followed", "count more than")
"""What is said of eyes that do not see."""
ODD = 0.02
"""So much more or less is unread, beyond chance, by an answer that happens to be odd."""
SHAPES = ("256", "512", "768", "1024", "1536", "2048", *(shape for shape in WIDE if not shape.startswith("4096")))


def examined(minds, folder, **choices):
    """The cards of these minds, by name."""
    with served(minds) as address:
        who = {name: f"openai/{name}@{address}" for name in minds}
        found = snellen.exam(who, tasks="acuity", store=folder / "s.sqlite", **choices)
        return {card.subject: card for card in found.cards()}


def held_to(name, card, tests):
    expected = sights.EXPECTED[name]
    found = {each.test: each for each in (*card.readings, *card.gratings, *card.colours) if each.test in tests}
    assert set(found) == set(tests), (name, "every test that was asked is on the card")
    for test, each in found.items():
        assert each.kind in expected.kinds.get(test, sights.SEES), (name, test, each.said)
    if expected.number is not None and "number" in found:
        assert found["number"].low <= expected.number <= found["number"].high, found["number"].said
    if card.blank is not None and "letters" in tests and expected.unread < 50:
        assert card.blank.low <= expected.blank <= card.blank.high, (name, card.blank)
    told = " ".join((card.headline, *card.prescription))
    assert all(words not in told for words in expected.unsaid), told
    assert all(words in told for words in expected.said), told
    if expected.one_thing:
        assert not any(words in told for words in BLAME), (name, told)
    if "letters" not in expected.kinds:
        reads_as_measured(name, card.letters)
    unread_as_expected(name, expected, found)


def unread_as_expected(name, expected, found):
    """As often as chance allows with so many charts; of who says one thing only where all tests are there."""
    counts: dict[str, tuple[int, ...]] = {test: (each.unread, each.trials) for test, each in found.items()}
    if expected.one_thing:
        counts = {"all": tuple(map(sum, zip(*counts.values(), strict=True)))} if set(found) == set(sights.TESTS) else {}
    share = expected.unread / 100
    for test, (unread, trials) in counts.items():
        tolerance = 3 * sqrt(share * (1 - share) / trials) + ODD
        assert abs(unread / trials - share) <= tolerance, (name, test, unread, trials)


def reads_as_measured(name, letters):
    """At the sizes that were measured apart from any exam the curve goes through what was read there."""
    curve = letters.curve
    for size, right in sights.LETTERS.items():
        at = min(range(len(curve.xs)), key=lambda k: abs(curve.xs[k] - size))
        low, high = wilson(right / sights.SHOWN, sights.SHOWN)
        assert curve.low[at] <= high, (name, size, curve.low[at])
        assert curve.high[at] >= low, (name, size, curve.high[at])


def ends(letters):
    """The threshold with the ends of its interval; of who reads the smallest drawn, that and all below."""
    if letters.kind == "better than drawn":
        return letters.hardest, 0.0, letters.hardest
    return letters.value, letters.low or 0.0, letters.high or inf


@pytest.mark.soak
def test_lookers_from_outside_are_found_to_be_what_they_are(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    minds = sights.minds(lesson())
    for name, tests in QUICK.items():
        folder = tmp_path / name
        folder.mkdir()
        cards = examined({name: minds[name]}, folder, levels={"test": tests})
        held_to(name, cards[name], tests)


@pytest.mark.soak
def test_all_lookers_from_outside_are_found_to_be_what_they_are(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    cards = examined(sights.minds(lesson()), tmp_path, levels={"test": sights.TESTS})
    for name, card in cards.items():
        held_to(name, card, sights.TESTS)
    for name, expected in sights.EXPECTED.items():
        if expected.like:
            mine, theirs = (cards[who].letters for who in (name, expected.like))
            (a, low, high), (b, least, most) = ends(mine), ends(theirs)
            assert low <= most, (name, mine.said, theirs.said)
            assert least <= high, (name, mine.said, theirs.said)
            assert max(a, b) / min(a, b) <= 1.3, (name, mine.said, theirs.said)


@pytest.mark.soak
@pytest.mark.parametrize("name", ["whole", "edge-768", "half-megapixel"])
def test_who_shrinks_pictures_is_found_out(name, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    mind = sights.shrinkers(lesson())[name]
    card = examined({name: mind}, tmp_path, design="resolution", levels={"canvas": SHAPES})[name]
    found, expected = card.resolution, sights.SHRUNK[name]
    if expected.rule is None:
        assert found.kind == "whole", card.resolution_lines
    else:
        assert found.kind == "shrunk", card.resolution_lines
        assert expected.rule in found.told
        cap = found.caps[expected.rule]
        assert cap.low <= expected.cap <= cap.high, card.resolution_lines


@pytest.mark.soak
@pytest.mark.parametrize("side", [None, *sights.BLOCKS])
def test_who_looks_block_by_block_is_found_out(side, tmp_path, monkeypatch):
    """A real grid that nobody here made: that of JPEG."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    mind = sights.packers(lesson())[f"blocks-{side}"] if side else sights.shrinkers(lesson())["whole"]
    found = examined({"who": mind}, tmp_path, design="field", levels={"place": ALONG})["who"].period
    if side is None:
        assert found is None or not found.grid, found
    else:
        assert found.grid, found
        assert found.period == side or any(low <= side <= high for low, high in found.between), found
