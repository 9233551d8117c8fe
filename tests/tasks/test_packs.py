"""Prompt packs against their tasks: levels of items choose words, and a `when` that can never hold is refused."""

from dataclasses import replace
from pathlib import Path

import pytest

from snellen.errors import UserError
from snellen.item import Stimulus
from snellen.prompts import Pack
from snellen.tasks import pack_of, task, task_names
from snellen.tasks.packs import known_levels

MARK = "Words for this level alone."


@pytest.mark.parametrize(
    ("name", "piece", "factor", "one", "other"),
    [
        ("fixation", "prompt", "game", {"game": "tictactoe"}, {"game": "reversi"}),
        ("bongard", "question", "source", {"source": "strokes"}, {"source": "scenes"}),
        ("marvel", "question", "pattern", {"pattern": "temporal"}, {"pattern": "quantities"}),
        (
            "capacity",
            "gomoku_task",
            "size",
            {"kind": "gomoku", "size": "standard"},
            {"kind": "gomoku", "size": "small"},
        ),
        ("bias", "prompt", "topic", {"topic": "animals"}, {"topic": "flags"}),
        ("acuity", "question", "test", {"test": "letters"}, {"test": "number"}),
    ],
)
def test_levels_of_items_choose_words(
    name: str, piece: str, factor: str, one: dict[str, str], other: dict[str, str]
) -> None:
    own = pack_of(task(name))
    marked = [{"when": {factor: one[factor]}, "text": MARK}, {"text": "{as_before}"}]
    pack = replace(own, pieces={**own.pieces, piece: marked, "as_before": own.pieces[piece]}, _resolved={})
    assert MARK in _shown(name, one, pack)
    assert MARK not in _shown(name, other, pack)


def _shown(name: str, levels: dict[str, str], pack: Pack) -> str:
    """The words in which the first item of these levels is asked first."""
    family = task(name)
    design = family.changed(family.design_ahead(), {factor: (level,) for factor, level in levels.items()})
    item = next(iter(family.items(family.item_levels(design), 1, 3)))
    return _words(family.stimulus(item, family.conditions(design, item)[0], pack))


def _words(stimulus: Stimulus) -> str:
    return " ".join((*(part for part in stimulus.parts if isinstance(part, str)), stimulus.question.text))


def pack(folder: Path, text: str) -> Path:
    file = folder / "mine.toml"
    file.write_text(f"[bias]\n{text}\n", encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("when", "problem"),
    [
        (
            'topci = "animals"',
            "when names 'topci', which can never hold; allowed: .*source, topic, kind, scene, drawing",
        ),
        ('topic = "anmials"', "when topic = 'anmials' can never hold; topic is one of animals, "),
        ('view = ["upright", "sideways"]', "when view = 'sideways' can never hold; view is one of upright, flipped"),
        ("view = []", r"when view = \[\] can never hold; name a level"),
        ('kind = "dog", topic = "flags"', "no item of bias combines kind=dog, topic=flags"),
        ('drawing = "plain", prompt = "renamed"', "combines drawing=plain, prompt=renamed"),
        ('drawing = "ordinary", ask = "recall"', "combines drawing=ordinary, ask=recall"),
    ],
)
def test_a_when_that_can_never_hold_is_refused(tmp_path: Path, when: str, problem: str) -> None:
    file = pack(
        tmp_path, f'prompt = [{{ when = {{ ask = "usual" }}, text = "a" }}, {{ when = {{ {when} }}, text = "b" }}]'
    )
    with pytest.raises(UserError, match=rf"mine\.toml: \[bias\] prompt, entry 2.*{problem}") as caught:
        pack_of(task("bias"), file)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "when",
    [
        'kind = "dog", topic = "animals"',
        'drawing = "plain", ask = "count"',
        'split = "main", topic = "flags"',
        'sub_topic = "Birds"',
    ],
)
def test_a_when_that_can_hold_is_taken(tmp_path: Path, when: str) -> None:
    """Also one that is for the published set, as one pack serves both."""
    file = pack(tmp_path, f'prompt = [{{ when = {{ {when} }}, text = "b" }}, {{ text = "a" }}]')
    assert pack_of(task("bias"), file).pieces["prompt"][0]["text"] == "b"


@pytest.mark.parametrize("name", task_names())
def test_every_level_of_every_factor_may_be_named(name: str) -> None:
    known = known_levels(task(name))
    for factor in task(name).factors:
        assert {*factor.levels} <= {*known[factor.name]}
