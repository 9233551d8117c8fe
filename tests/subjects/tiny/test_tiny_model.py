"""The tiny model that ships: what it sees, says and does not do; the same as transformers, token for token."""

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

import snellen
from snellen.call import Call, CallFailed, Message
from snellen.errors import UserError
from snellen.item import Condition, Picture, Stimulus
from snellen.prompts import load
from snellen.subjects.tiny import FILE, MAX_TOKENS, tiny_subject
from snellen.subjects.tiny.prompting import seen
from snellen.subjects.tiny.speaking import Speaker
from snellen.subjects.tiny.tokens import Vocabulary, parts
from snellen.tasks.bias import TASK as BIAS
from snellen.tasks.fixation import TASK
from snellen.tasks.task import Task
from snellen.tasks.winoground import GIVEN, generated, item_of
from snellen.tasks.winoground import TASK as SCENES


@pytest.fixture(scope="module")
def speaker() -> Speaker:
    return Speaker(FILE)


def stimuli(n: int, **levels: tuple[str, ...]) -> list[Stimulus]:
    design = TASK.changed(TASK.design("quick"), levels)
    return list(TASK.stimuli(design, n, 5, load(TASK.prompts, TASK.name)))


def test_the_file_is_small_and_its_card_beside_it() -> None:
    assert sum(file.stat().st_size for file in FILE.parent.iterdir() if file.is_file()) < 12_000_000
    assert FILE.with_name("CARD.md").exists()


def test_it_plays_by_the_usual_rule_and_by_made_up_words_but_not_by_the_inverse_rule(speaker: Speaker) -> None:
    right: dict[tuple[str, str], list[bool]] = {}
    for stimulus in stimuli(2, prompt=("base", "alias"), target=("winner",)):
        said = speaker.answer(stimulus.parts, MAX_TOKENS).text
        kind = (stimulus.condition["prompt"], stimulus.condition["rule"])
        right.setdefault(kind, []).append(said == stimulus.question.key)
    shares = {kind: sum(marks) / len(marks) for kind, marks in right.items()}
    assert shares["base", "standard"] > 0.9
    assert shares["alias", "standard"] > 0.9
    assert shares["alias", "inverse"] > 0.9
    assert shares["base", "inverse"] < 0.7


def test_it_counts_most_bare_marks(speaker: Speaker) -> None:
    shown = few(BIAS, 12, drawing=("plain",))
    assert len(shown) == 12
    counted = [speaker.answer(s.parts, MAX_TOKENS).text.replace(" ", "") == f"{{{s.question.key}}}" for s in shown]
    assert sum(counted) > 0.7 * len(counted)


def test_it_knows_what_is_in_a_scene_but_not_what_the_order_of_words_says(speaker: Speaker) -> None:
    samples = list(generated.samples(18, 991))
    mixed = [
        item_of(
            replace(one, captions=(one.captions[0], other.captions[0]), panels=(one.panels[0], other.panels[0])), ""
        )
        for one, other in zip(samples[:9], samples[9:], strict=True)
    ]
    own = [item_of(sample, "") for sample in samples[:9]]
    right, pack = [], load(SCENES.prompts, SCENES.name)
    for items in (mixed, own):
        shown = [SCENES.stimulus(item, Condition({"given": given}), pack) for item in items for given in GIVEN]
        said = [speaker.answer(s.parts, MAX_TOKENS).text for s in shown]
        assert all(text in s.question.form.labels for text, s in zip(said, shown, strict=True))
        right.append(sum(text == s.question.key for text, s in zip(said, shown, strict=True)) / len(shown))
    assert right[0] > 0.85
    assert 0.3 < right[1] < 0.7


def few(task: Task, n: int, **levels: tuple[str, ...]) -> list[Stimulus]:
    """As an exam of a held-out seed shows them."""
    design = task.changed(task.put_by(task.design("quick"), "direct", chosen=True), levels)
    return list(task.stimuli(design, n, 991, load(task.prompts, task.name)))


def test_words_before_the_picture_are_read_too(speaker: Speaker) -> None:
    marks = [
        speaker.answer(stimulus.parts, MAX_TOKENS).text == stimulus.question.key
        for stimulus in stimuli(1, prompt=("base",), rule=("standard",), order=("text_first",))
    ]
    assert sum(marks) > 0.8 * len(marks)


def test_a_picture_seen_before_gives_the_same_answer(speaker: Speaker) -> None:
    stimulus = stimuli(1)[0]
    first = speaker.answer(stimulus.parts, MAX_TOKENS)
    assert speaker.answer(stimulus.parts, MAX_TOKENS) == first == Speaker(FILE).answer(stimulus.parts, MAX_TOKENS)


def test_it_stops_at_the_token_limit(speaker: Speaker) -> None:
    picture = stimuli(1)[0].pictures[0]
    reply = speaker.answer((picture, "Read the board out, place by place and row by row."), 3)
    assert reply.finish == "length"
    assert reply.tokens_out == 3
    assert len(reply.text.split()) == 3


async def test_it_takes_one_message_with_two_pictures() -> None:
    picture = stimuli(1)[0].pictures[0]
    async with tiny_subject() as tiny:
        ask = lambda *messages: tiny.answer(Call(tiny.name, tiny.settings, messages))  # noqa: E731
        with pytest.raises(CallFailed, match="a single message"):
            await ask(Message("user", ("a",)), Message("assistant", ("b",)), Message("user", ("c",)))
        with pytest.raises(CallFailed, match="3 pictures"):
            await ask(Message("user", (picture, picture, picture, "Which?")))
        assert (await ask(Message("user", (picture, picture, "Which?")))).finish


@pytest.mark.parametrize("size", [(448, 304), (304, 448), (97, 96), (2000, 3), (1, 1)])
def test_a_picture_of_any_shape_becomes_a_square(size: tuple[int, int]) -> None:
    buffer = BytesIO()
    Image.new("RGB", size, (250, 0, 0)).save(buffer, "PNG")
    pixels = seen(Picture(buffer.getvalue()), 96)
    assert pixels.shape == (96, 96, 3)
    assert (pixels == (250, 0, 0)).all()


def test_it_has_no_settings() -> None:
    with pytest.raises(UserError, match="no settings"):
        snellen.subject("local/tiny:temperature=1")


@pytest.mark.soak
def test_other_tasks_are_not_charged_to_it(tmp_path: Path) -> None:
    exam = snellen.exam("local/tiny", tasks=("fixation", "bias", "winoground"), n=1, store=tmp_path / "exam.sqlite")
    assert {"right", "wrong"} == set(exam.trials["outcome"].unique()), "unread replies"
    with pytest.raises(UserError, match="local/tiny does not support these items"):
        snellen.exam("local/tiny", tasks="bongard", n=1, store=tmp_path / "other.sqlite")


def test_unknown_words_are_spelt_out() -> None:
    known = Vocabulary(("<pad>", "<unknown>", "<end>", "<user>", "<answer>", "<i>", "<a>", "<w>", "a", "##b", "abc"))
    assert known.read("abc") == [10]
    assert known.say(known.read("ab")) == "ab"
    assert known.read("ax") == [1]


def test_an_empty_cell_is_a_part_of_its_own() -> None:
    assert parts(" X │   │ O ") == ["X", "│", "   ", "│", "O"]
