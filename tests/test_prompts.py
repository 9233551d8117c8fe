"""Prompt packs: pieces, alternatives, values, and what bad packs get."""

from pathlib import Path
from typing import Any

import pytest

from snellen.errors import UserError
from snellen.item import Condition
from snellen.prompts import Pack, load

PACK = r"""
[game]
prompt = ["{intro}", "{rule}", "{tags}", "{question}", "{ending}"]
intro = "A {rows}x{columns} board."
rule = [
    {when = {rule = "inverse", game = ["line", "four"]}, text = "A line loses."},
    {when = {rule = "inverse"}, text = ["Fewer", "pieces win."]},
    {text = "{usual} wins."},
]
usual = [{when = {game = "line"}, text = "A line"}, {text = "More"}]
tags = [{when = {prompt = "alias"}, text = "Tags: {t1}."}]
question = "Who is it?"
ending = 'Put {p1} or {p2} inside \boxed{ }, e.g. {9} or {P1}.'
words = ["KAP", "TOV"]

[other]
prompt = "Other words."
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "pack.toml"
    file.write_text(PACK, encoding="utf-8")
    return file


VALUES = {"rows": "3", "columns": "4", "p1": "X", "p2": "O", "t1": "KAP"}


def said(pack: Pack, values: Any = None, **levels: Any) -> str:
    return pack.say("prompt", Condition(levels), values or VALUES)


@pytest.mark.parametrize(
    ("levels", "rule"),
    [
        ({"game": "line", "rule": "standard"}, "A line wins."),
        ({"game": "count", "rule": "standard"}, "More wins."),
        ({"game": "line", "rule": "inverse"}, "A line loses."),
        ({"game": "four", "rule": "inverse"}, "A line loses."),
        ({"game": "count", "rule": "inverse"}, "Fewer pieces win."),
        ({"game": "line", "rule": "standard", "prompt": "alias"}, "A line wins. Tags: KAP."),
    ],
)
def test_the_first_fitting_alternative_is_said(path: Path, levels: dict[str, str], rule: str) -> None:
    assert said(load(path, "game"), **levels) == (
        rf"A 3x4 board. {rule} Who is it? Put X or O inside \boxed{{ }}, e.g. {{9}} or {{P1}}."
    )


def test_values_differ_from_call_to_call_and_are_not_filled_in_again(path: Path) -> None:
    pack = load(path, "game")
    assert "Put X or O" in said(pack, game="line")
    assert "Put {p2} or {intro}" in said(pack, {**VALUES, "p1": "{p2}", "p2": "{intro}"}, game="line")


def test_levels_are_told_apart(path: Path) -> None:
    pack = load(path, "game")
    assert said(pack, game="line", rule="standard") != said(pack, game="line", rule="inverse")
    assert said(pack, game="line", rule="standard") == said(pack, rule="standard", game="line")


def test_lists_of_words(path: Path) -> None:
    assert load(path, "game").values("words") == ("KAP", "TOV")
    for name in ("rule", "question", "nothing"):
        with pytest.raises(UserError, match=name):
            load(path, "game").values(name)


def test_the_digest_follows_the_words(path: Path) -> None:
    first = load(path, "game").digest
    path.write_text("# a remark\n" + PACK, encoding="utf-8")
    assert load(path, "game").digest == first
    path.write_text(PACK.replace("Who is it?", "Who is that?"), encoding="utf-8")
    assert load(path, "game").digest != first
    assert load(path, "other").digest != first


def test_a_pack_without_the_table_falls_back(path: Path, tmp_path: Path) -> None:
    partial = tmp_path / "partial.toml"
    partial.write_text('[another]\nprompt = "x"\n', encoding="utf-8")
    assert load(partial, "game", path).digest == load(path, "game").digest
    with pytest.raises(UserError, match=r"partial\.toml: no table \[game\]; found another"):
        load(partial, "game")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[game", "not valid TOML"),
        ("", r"no table \[game\]; found nothing"),
        ('game = "words"', r"no table \[game\]"),
        ("[game]\nprompt = 3", r"\[game\] prompt: expected text.*found 3"),
        ("[game]\nprompt = [1]", "found 1"),
        ('[game]\nprompt = ["a", {text = "b"}]', "expected text"),
        ('[game]\nprompt = [{text = "b"}, "a"]', "expected text"),
        ('[game]\nprompt = {text = "b"}', "expected text"),
        ('[game]\nprompt = [{when = {rule = "x"}}]', "expected text"),
        ('[game]\nprompt = [{text = "a", whem = {rule = "x"}}]', "whem"),
        ('[game]\nprompt = [{text = "a", when = "x"}]', "expected text"),
        ('[game]\nprompt = [{text = "a", when = {rule = 1}}]', "expected text"),
        ('[game.prompt]\ntext = "b"', "expected text"),
    ],
)
def test_a_bad_pack_is_refused_in_one_line(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=problem) as caught:
        load(file, "game")
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_or_unreadable_pack_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="give an existing TOML file"):
        load(tmp_path / "none.toml", "game")
    with pytest.raises(UserError, match="give an existing TOML file"):
        load(tmp_path, "game")
    (tmp_path / "latin.toml").write_bytes(b'[game]\nprompt = "\xe9"\n')
    with pytest.raises(UserError, match="not valid TOML"):
        load(tmp_path / "latin.toml", "game")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('prompt = "{intor}"\nintro = "x"', r"unknown name 'intor' in \[game\] prompt; did you mean intro\?"),
        ('prompt = "{a}"\na = "{b}"\nb = "{a}"', "refers to itself"),
        ('intro = "x"', "has no piece 'prompt'; add it"),
    ],
)
def test_a_piece_that_cannot_be_said_is_named(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "pack.toml"
    file.write_text("[game]\n" + text, encoding="utf-8")
    with pytest.raises(UserError, match=problem):
        said(load(file, "game"))


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("", 'rule = "inverse"'),
        ('rule = "inverse"', 'rule = "inverse", game = "line"'),
        ('game = ["line", "four"]', 'game = "four"'),
    ],
)
def test_an_alternative_that_is_never_reached_is_refused(tmp_path: Path, earlier: str, later: str) -> None:
    file = tmp_path / "pack.toml"
    file.write_text(f'[game]\nrule = [{{when = {{{earlier}}}, text = "a"}}, {{when = {{{later}}}, text = "b"}}]')
    with pytest.raises(UserError, match=r"pack\.toml: \[game\] rule, entry 2: never used, as entry 1 fits whenever"):
        load(file, "game")
    file.write_text(f'[game]\nrule = [{{when = {{{later}}}, text = "b"}}, {{when = {{{earlier}}}, text = "a"}}]')
    assert load(file, "game").pieces["rule"][1]["text"] == "a"


def test_what_a_when_may_name_is_checked_where_it_is_known(path: Path) -> None:
    known = {"rule": ("standard", "inverse"), "game": (), "prompt": ("base", "alias")}
    assert load(path, "game", known=known).digest == load(path, "game").digest
    with pytest.raises(
        UserError, match=r"rule, entry 1: when rule = 'inverse' can never hold; rule is one of standard"
    ):
        load(path, "game", known={**known, "rule": ("standard",)})
    with pytest.raises(
        UserError, match=r"tags, entry 1: when names 'prompt', which can never hold; allowed: rule, game"
    ):
        load(path, "game", known={name: levels for name, levels in known.items() if name != "prompt"})


def test_a_pack_may_be_a_folder_of_files(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('[game]\nrule = "Win."\n', encoding="utf-8")
    (tmp_path / "b.toml").write_text('[game]\nask = "{rule} Who won?"\n', encoding="utf-8")
    assert load(tmp_path, "game").say("ask", Condition(), {}) == "Win. Who won?"
    (tmp_path / "c.toml").write_text('[game]\nrule = "Lose."\n', encoding="utf-8")
    with pytest.raises(UserError, match="rule is in another file"):
        load(tmp_path, "game")
