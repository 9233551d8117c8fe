"""A state under a condition: the right key, the right words, the right picture."""

import re
from itertools import product
from pathlib import Path

import pytest
from PIL import Image

from snellen.errors import UserError
from snellen.item import Condition, Item, Picture, Stimulus
from snellen.prompts import Pack, load
from snellen.tasks import task
from snellen.tasks.fixation.draw.boards import Board, draw, words
from snellen.tasks.fixation.games import GAMES
from support.lengths import some_of

FIXATION = task("fixation")
ASKED = [factor for factor in FIXATION.factors if not factor.of_item]
EVERY = [
    Condition(dict(zip((f.name for f in ASKED), levels, strict=True))) for levels in product(*(f.levels for f in ASKED))
]
PLAIN = EVERY[0]


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load(FIXATION.prompts, "fixation")


def items(game: str, n: int = 4, size: str = "small", states: str = "fresh") -> list[Item]:
    return list(FIXATION.items({"game": (game,), "size": (size,), "states": (states,)}, n, 3))


def text_of(shown: Stimulus) -> str:
    return "\n".join(part for part in shown.parts if isinstance(part, str))


@some_of("states", ["fresh", "published"], 3)
@pytest.mark.parametrize("game", GAMES)
def test_key_and_habit_under_every_condition(game: str, states: str, pack: Pack) -> None:
    for item in items(game, 2, states=states):
        for condition in EVERY:
            question = FIXATION.stimulus(item, condition, pack).question
            labels = tuple(item.truth["glyphs" if condition["rendering"] == "glyph" else "players"])
            best = labels[item.truth["winner"] - 1]
            other = labels[2 - item.truth["winner"]]
            usual = best if condition["target"] == "winner" else other
            turned = other if condition["target"] == "winner" else best
            assert question.key == (usual if condition["rule"] == "standard" else turned)
            fixated = condition["rule"] == "inverse" and condition["prompt"] != "descriptive"
            assert dict(question.mechanisms) == ({usual: "default rule"} if fixated else {})
            assert question.form.labels == labels
            assert question.options == tuple(labels[player - 1] for player in item.truth["named"])
            assert " or ".join(question.options) in question.text or ", ".join(question.options) in question.text
            assert question.form.final == ("boxed" if condition["response"] == "cot" else "plain")


def test_what_is_asked_for_is_named(pack: Pack) -> None:
    [item] = items("reversi", 1)

    def asked(**levels: str) -> tuple[str, str]:
        question = FIXATION.stimulus(item, PLAIN.but(**levels), pack).question
        return question.form.asked, question.text

    assert asked()[0] == "winner"
    assert asked(target="loser", rule="inverse")[0] == "loser"
    assert asked(prompt="descriptive")[0] == ""
    tag, text = asked(prompt="alias", target="loser")
    assert tag in pack.values("tags")
    assert f"is {tag}?" in text


def test_picture_and_words_stand_in_the_order_asked_for(pack: Pack) -> None:
    [item] = items("connect4", 1)
    picture, text = FIXATION.stimulus(item, PLAIN, pack).parts
    assert isinstance(picture, Picture)
    assert isinstance(text, str)
    assert FIXATION.stimulus(item, PLAIN.but(order="text_first"), pack).parts == (text, picture)


def test_picture_is_the_drawn_board_and_no_longer_than_others(pack: Pack, tmp_path: Path) -> None:
    for game, rendering in product(GAMES, ("base", "checkerboard", "glyph")):
        lengths = set()
        for item in items(game, 6):
            truth = item.truth
            labels = tuple(truth["glyphs" if rendering == "glyph" else "players"])
            board = Board(game, truth["rows"], truth["columns"], truth["cells"], labels)
            [picture] = FIXATION.stimulus(item, PLAIN.but(rendering=rendering), pack).pictures
            lengths.add(len(picture.data))
            (tmp_path / "ours.png").write_bytes(picture.data)
            (tmp_path / "drawn.png").write_bytes(draw(board, rendering).data)
            with Image.open(tmp_path / "ours.png") as ours, Image.open(tmp_path / "drawn.png") as drawn:
                assert ours.convert("RGB").tobytes() == drawn.convert("RGB").tobytes()
        assert len(lengths) == 1, (game, rendering)


def test_text_modality_has_the_board_in_characters_and_no_picture(pack: Pack) -> None:
    [item] = items("reversi", 1)
    truth = item.truth
    twin = words(Board("reversi", 5, 5, truth["cells"], ("Black", "White")))
    for order in ("image_first", "text_first"):
        shown = FIXATION.stimulus(item, PLAIN.but(modality="text", order=order), pack)
        [text] = shown.parts
        assert shown.twin == twin
        assert shown.question.text in str(text)
        assert str(text).index(twin) < str(text).index(shown.question.text) or order == "text_first"


@pytest.mark.parametrize("game", GAMES)
def test_same_words_whoever_won(game: str, pack: Pack) -> None:
    """Under one condition prompts differ in the players' order and the tags alone, so they are equally long."""
    pool = items(game, 8)
    for condition in EVERY:
        if condition["rendering"] == "base":
            assert len({len(text_of(FIXATION.stimulus(item, condition, pack))) for item in pool}) == 1


@some_of("size", ["small", "medium", "large"], 4)
@pytest.mark.parametrize("game", GAMES)
def test_wording_names_no_game_and_leaves_nothing_open(game: str, size: str, pack: Pack) -> None:
    [item] = items(game, 1, size)
    for condition in EVERY:
        shown = FIXATION.stimulus(item, condition, pack)
        for question in (shown.question, *shown.probes):
            assert not re.search(
                r"tic.?tac|noughts|reversi|othello|connect.?(4|four)|dots and boxes", question.text, re.I
            )
            assert not re.search(r"\{[a-z]|  |\s$", question.text)
        # Each player is named exactly twice, and nothing else could be taken for one of them.
        for label in shown.question.form.labels:
            assert len(re.findall(rf"(?<!\w){label}(?!\w)", shown.question.text)) == 2
        won = re.search(r"\b(win|won|lose|lost|loses|wins)\b", shown.question.text)
        assert bool(won) == (condition["prompt"] == "base")


def test_names_are_offered_in_the_items_own_order(pack: Pack) -> None:
    orders = set()
    for item in items("tictactoe", 8):
        text = FIXATION.stimulus(item, PLAIN, pack).question.text
        first, second = (item.truth["players"][player - 1] for player in item.truth["named"])
        assert f"{first} and {second}" in text
        assert f"{first} or {second}" in text
        orders.add(first)
    assert orders == {"X", "O"}


def test_descriptive_words_depend_on_what_they_ask_for_alone(pack: Pack) -> None:
    for game in GAMES:
        [item] = items(game, 1)
        said = {
            (rule, target): FIXATION.stimulus(
                item, PLAIN.but(prompt="descriptive", rule=rule, target=target), pack
            ).question.text
            for rule, target in product(("standard", "inverse"), ("winner", "loser"))
        }
        assert said["standard", "winner"] == said["inverse", "loser"]
        assert said["standard", "loser"] == said["inverse", "winner"]
        assert len(set(said.values())) == 2


def test_fresh_states_keep_their_tags_under_all_conditions(pack: Pack) -> None:
    tags = pack.values("tags")
    assert len({len(tag) for tag in tags}) == 1
    pairs = set()
    for item in items("dots_boxes", 12):
        used = set()
        for condition in EVERY:
            if condition["prompt"] in ("alias", "semalias"):
                text = FIXATION.stimulus(item, condition, pack).question.text
                used.add(frozenset(tag for tag in tags if tag in text))
        assert len(used) == 1
        pairs |= used
    assert len(pairs) > 3


@pytest.mark.parametrize("game", GAMES)
def test_probes_ask_what_is_there(game: str, pack: Pack) -> None:
    seen = set()
    for item in items(game, 20):
        cell, goal = FIXATION.stimulus(item, PLAIN, pack).probes
        place = re.search(r"row (\d+), column (\d+)", cell.text)
        assert place is not None
        held = item.truth["cells"][(int(place[1]) - 1) * item.truth["columns"] + int(place[2]) - 1]
        assert cell.key == ("nothing", *item.truth["players"])[int(held)]
        assert cell.key in cell.form.labels
        assert goal.key == item.truth["players"][item.truth["winner"] - 1]
        seen.add(cell.key)
    assert len(seen) >= 2


def test_glyph_probes_speak_of_the_letters(pack: Pack) -> None:
    [item] = items("connect4", 1)
    _, goal = FIXATION.stimulus(item, PLAIN.but(rendering="glyph"), pack).probes
    assert goal.form.labels == tuple(item.truth["glyphs"])


def test_a_pack_without_tags_or_prompt_is_refused_in_one_line(tmp_path: Path) -> None:
    [item] = items("reversi", 1)
    (tmp_path / "mine.toml").write_text('[fixation]\nprompt = "{p1} or {p2}?"\n', encoding="utf-8")
    mine = load(tmp_path / "mine.toml", "fixation")
    assert FIXATION.stimulus(item, PLAIN, mine).question.text == "Black or White?"
    with pytest.raises(UserError, match="tags"):
        FIXATION.stimulus(item, PLAIN.but(prompt="alias"), mine)
    (tmp_path / "one.toml").write_text('[fixation]\nprompt = "{t1}"\ntags = ["DAB"]\n', encoding="utf-8")
    with pytest.raises(UserError, match="two or more"):
        FIXATION.stimulus(item, PLAIN.but(prompt="alias"), load(tmp_path / "one.toml", "fixation"))
    with pytest.raises(UserError, match="with_board"):
        FIXATION.stimulus(item, PLAIN.but(modality="text"), mine)


def test_items_say_what_they_are() -> None:
    [item] = items("connect4", 1, "large")
    assert item.id == "fixation/connect4/fresh-large-3/0000"
    assert item.truth["players"] == ["Red", "Yellow"]
    assert (item.truth["rows"], item.truth["columns"], item.truth["length"]) == (6, 7, 4)
    assert {item.truth["cells"][cell] for cell in item.truth["line"]} == {str(item.truth["winner"])}
    assert len({each.digest for each in items("connect4", 4)}) == 4


def test_no_items_is_refused() -> None:
    with pytest.raises(UserError, match="at least one"):
        items("reversi", 0)
