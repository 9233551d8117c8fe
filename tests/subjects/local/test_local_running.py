"""Running models of four architectures: whatever way a call is answered, it is answered the same."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import log
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from local_calls import CALLS, GREEN, RED, WORDS, YELLOW, call, picture

import tiny_models
from snellen.call import Call, Reply
from snellen.subjects.batched import TooMuch
from snellen.subjects.local.features import CannotRemember, Features
from snellen.subjects.local.loading import load
from snellen.subjects.local.memory import TensorCache
from snellen.subjects.local.processing import ProcessingHere
from snellen.subjects.local.prompting import inputs_of, text_of
from snellen.subjects.local.prompts import PromptMaker
from snellen.subjects.local.running import Runner, side_by_side
from snellen.subjects.local.scoring import ScoredLabel, chances, labels_of
from support.later import later

torch = later("torch")
later("transformers")


class Model:
    """A tiny model, and how to ask it."""

    def __init__(self, folder: Path, remember: int = 2**20) -> None:
        self.loaded = load(folder)
        self.prompts = PromptMaker(ProcessingHere(self.loaded))
        (self.runner,) = side_by_side(self.loaded, 1, remember)

    def together(self, calls: Sequence[Call]) -> list[Reply]:
        return self.runner.answer([self.prompts.of(call) for call in calls])

    def one_by_one(self, calls: Sequence[Call]) -> list[Reply]:
        return [reply for call in calls for reply in self.together([call])]


@pytest.fixture(
    scope="module",
    params=[
        tiny_models.EACH[0],
        *(pytest.param(name, marks=pytest.mark.soak) for name in tiny_models.ARCHITECTURES[1:]),
    ],
)
def model(request: pytest.FixtureRequest, folder_of: Callable[[str], Path]) -> Model:
    return Model(folder_of(request.param))


def same(one: Sequence[Reply], other: Sequence[Reply]) -> None:
    """Token for token, and as likely up to rounding."""
    for a, b in zip(one, other, strict=True):
        assert (a.text, a.finish, a.tokens_in, a.tokens_out) == (b.text, b.finish, b.tokens_in, b.tokens_out)
        for said, again in zip(a.tokens, b.tokens, strict=True):
            assert said.logprob == pytest.approx(again.logprob, abs=1e-3)


def listening(calls: Sequence[Call]) -> list[Call]:
    return [Call(c.subject, {**c.settings, "logprobs": 2}, c.messages) for c in calls]


def test_a_batch_is_answered_as_one_by_one(model: Model) -> None:
    alone = model.one_by_one(listening(CALLS))
    same(model.together(listening(CALLS)), alone)
    assert len({reply.text for reply in alone}) > 1
    assert all(reply.tokens_picture for reply in alone)


def test_words_alone_are_answered(model: Model) -> None:
    same(model.together(WORDS), model.one_by_one(WORDS))
    assert {reply.tokens_picture for reply in model.together(WORDS)} == {0}


def test_words_alone_and_pictures_are_answered_in_one_batch(model: Model) -> None:
    mixed = [WORDS[0], *CALLS[:3], WORDS[1], CALLS[4]]
    alone = model.one_by_one(mixed)
    same(model.together(mixed), alone)
    same(Model(model.loaded.folder, remember=0).together(mixed), alone)


def test_remembered_pictures_change_no_reply(model: Model) -> None:
    plain = Model(model.loaded.folder, remember=0)
    reference = plain.one_by_one(listening(CALLS))
    same(plain.together(listening(CALLS)), reference)
    same(model.together(listening(CALLS)), reference)


def test_what_is_in_a_picture_matters(model: Model) -> None:
    """Else nothing here would show anything."""
    shown = [call(each, "Who won?", logprobs=1) for each in (RED, YELLOW, GREEN)]
    assert len({reply.tokens[0].logprob for reply in model.one_by_one(shown)}) == 3


def test_a_picture_is_looked_at_once(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = Model(model.loaded.folder)
    looked: list[int] = []
    compute = Features._compute
    monkeypatch.setattr(Features, "_compute", lambda self, views: (looked.append(len(views)), compute(self, views))[1])
    asked = [call(each, f"Number {place}?") for place in range(3) for each in (RED, RED, YELLOW)]
    fresh.together(asked)
    fresh.one_by_one(asked)
    assert sum(looked) == 2


def test_words_are_made_ready_once_for_all_pictures_of_a_size(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    blue, slim = picture("blue"), picture("blue", (40, 60))
    asked = [call(each, "Who won?", logprobs=1) for each in (RED, blue, slim, GREEN)]
    asked += [call(one, "or", other, logprobs=1) for one, other in ((RED, blue), (blue, RED), (blue, slim))]
    expected = [reply for each in asked for reply in Model(model.loaded.folder).together([each])]
    processed: list[str] = []
    written = ProcessingHere.written

    def counted(self: ProcessingHere, shape: Any, labels: Any) -> Any:
        processed.append(str(shape))
        return written(self, shape, labels)

    monkeypatch.setattr(ProcessingHere, "written", counted)
    same(Model(model.loaded.folder).together(asked), expected)
    assert sum("won" in shape for shape in processed) == 2


def test_runners_side_by_side_do_not_disturb_each_other(model: Model) -> None:
    """In one thread each, at the same time, on the same weights: what a model notes down while it runs is its own."""
    calls = [Call(c.subject, {**c.settings, "max_tokens": 12}, c.messages) for c in CALLS]
    halves = calls[::2], calls[1::2]
    alone = [model.one_by_one(half) for half in halves]
    runners = side_by_side(model.loaded, 2)
    weights = [list(runner._loaded.model.parameters()) for runner in runners]
    assert all(one is other for one, other in zip(*weights, strict=True))
    with ThreadPoolExecutor(2) as threads:
        for _ in range(3):
            prompts = [[model.prompts.of(each) for each in half] for half in halves]
            for replies, reference in zip(threads.map(Runner.answer, runners, prompts), alone, strict=True):
                same(replies, reference)


def test_the_memory_for_pictures_has_an_end(model: Model) -> None:
    replies = model.one_by_one(CALLS)
    assert model.runner._features is not None
    all_of_them = model.runner._features._known
    forgetful = Model(model.loaded.folder, remember=2 * all_of_them.nbytes // 3)
    same(forgetful.one_by_one(CALLS), replies)
    assert forgetful.runner._features is not None
    assert 1 <= len(forgetful.runner._features._known) < len(all_of_them)


def test_a_reply_is_told_token_by_token(model: Model) -> None:
    [reply] = model.together([call(RED, "Who won?", logprobs=3)])
    assert "".join(token.text for token in reply.tokens) == reply.text
    for token in reply.tokens:
        assert len(token.others) == 3
        assert token.logprob == max(chance for _, chance in token.others)
    [silent] = model.together([call(RED, "Who won?")])
    assert silent.tokens == ()
    assert silent.text == reply.text


def test_a_reply_ends_at_its_end_or_at_the_limit(model: Model) -> None:
    replies = model.together([call(RED, "Who won?", max_tokens=3)])
    assert [(reply.finish, reply.tokens_out) for reply in replies] == [("length", 3)]
    first = model.runner._ends
    try:
        [said] = model.loaded.tokenizer(replies[0].text[:1], add_special_tokens=False)["input_ids"]
        model.runner._ends = [*first, said]
        model.loaded.model.generation_config.eos_token_id = [*first, said]
        [ended] = model.together([call(RED, "Who won?", max_tokens=3)])
    finally:
        model.runner._ends = model.loaded.model.generation_config.eos_token_id = first
    assert (ended.text, ended.finish, ended.tokens_out) == ("", "stop", 1)


def test_chance_draws_the_same_in_any_company(model: Model) -> None:
    warm = {"max_tokens": 6, "temperature": 1.0, "top_p": 0.9}
    hot = [Call(c.subject, warm, c.messages, sample=sample) for c in CALLS[:2] for sample in (0, 1)]
    drawn = model.together(hot)
    same(model.one_by_one(hot), drawn)
    assert len({reply.text for reply in drawn}) == 4


def test_labels_of_one_token_are_weighed_as_generation_would(model: Model) -> None:
    labels = ("X", "O", "Yes", "No")
    every = len(model.loaded.tokenizer)
    [said] = model.together([call(RED, "Who won?", max_tokens=1, logprobs=every)])
    known = dict(said.tokens[0].others)
    [reply] = model.together([call(RED, "Who won?", labels=labels)])
    weighed = dict(reply.tokens[0].others)
    assert set(weighed) == set(labels)
    assert reply.text == max(weighed, key=lambda label: weighed[label]) == reply.tokens[0].text
    for label in labels:
        assert weighed[label] == pytest.approx(known[label], abs=1e-3)
    assert reply.tokens_out == 1


def test_labels_of_several_tokens_are_weighed_in_company(model: Model) -> None:
    mixed = [
        call(RED, "Who won?", labels=("X", "Nobody", "XO")),
        call(GREEN, "Who won, X or O?", labels=("O", "X")),
        call(YELLOW, "Hm?", labels=("left", "right")),
    ]
    together, alone = model.together(mixed), model.one_by_one(mixed)
    same(together, alone)
    for reply in together:
        assert [chance for _, chance in reply.tokens[0].others] == sorted(
            (chance for _, chance in reply.tokens[0].others), reverse=True
        )


def test_a_label_of_several_tokens_is_as_likely_as_its_tokens_one_after_another(model: Model) -> None:
    label, asked = "Nobody", call("Who won?", labels=("Nobody", "O"))
    [reply] = model.together([asked])
    text = text_of(model.loaded, asked.messages)
    inputs = inputs_of(model.loaded, [text + label], [[]])
    with torch.inference_mode():
        known = model.loaded.model(**inputs).logits[0].log_softmax(-1)
    ids = inputs["input_ids"][0]
    wanted = sum(float(known[place - 1, ids[place]]) for place in range(len(ids) - len(label), len(ids)))
    assert dict(reply.tokens[0].others)[label] == pytest.approx(wanted, abs=1e-3)


def test_a_label_that_begins_another_has_what_the_other_leaves_it() -> None:
    labels = (ScoredLabel("1", ((7,),)), ScoredLabel("12", ((7, 8),)), ScoredLabel("3", ((9,), (5, 9))))
    found = {(7,): log(0.5), (7, 8): log(0.4), (9,): log(0.15), (5, 9): log(0.05)}
    told = chances(labels, found)
    assert list(told) == ["12", "3", "1"]
    assert told == pytest.approx({"12": log(0.4), "3": log(0.2), "1": log(0.1)})


def test_a_label_may_begin_with_a_space_after_a_word(folder_of: Callable[[str], Path]) -> None:
    tokenizer = load(folder_of("idefics3")).tokenizer
    after_word, after_space = (labels_of(tokenizer, text, ["X"])[0].ways for text in ("assistant:", "assistant:\n"))
    [x], [space] = (tokenizer(text, add_special_tokens=False)["input_ids"] for text in ("X", " "))
    assert after_word == ((x,), (space, x))
    assert after_space == ((x,),)


def test_of_the_likeliest_tokens_one_is_always_left(model: Model) -> None:
    [likeliest] = model.together([call(RED, "Who won?")])
    [drawn] = model.together([call(RED, "Who won?", temperature=1.0, top_p=0.0)])
    assert drawn.text == likeliest.text


CPU = (
    "[enforce fail at alloc_cpu.cpp:127] . DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes. E"
)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (torch.OutOfMemoryError("CUDA out of memory. Tried to allocate much."), "^CUDA out of memory$"),
        (RuntimeError(CPU), "^can't allocate memory: you tried to allocate 9 bytes$"),
        (MemoryError(), "^out of memory$"),
    ],
)
def test_what_is_too_much_for_the_device_is_said(
    error: Exception, said: str, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(type(model.loaded.model), "generate", full)
    with pytest.raises(TooMuch, match=said):
        model.together(CALLS[:1])


def test_an_error_that_is_not_about_memory_is_none(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("shapes do not fit")

    monkeypatch.setattr(type(model.loaded.model), "generate", broken)
    with pytest.raises(RuntimeError, match="shapes do not fit"):
        model.together(CALLS[:1])


def test_features_that_go_into_several_layers_are_remembered(
    folder_of: Callable[[str], Path], recwarn: pytest.WarningsRecorder
) -> None:
    deep = Model(folder_of(tiny_models.DEEP))
    reference = Model(folder_of(tiny_models.DEEP), remember=0).one_by_one(listening(CALLS))
    same(deep.together(listening(CALLS)), reference)
    same(deep.one_by_one(listening(CALLS)), reference)
    assert deep.runner._features is not None
    assert not recwarn.list


@pytest.fixture
def strange(folder_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> Model:
    """A model whose features are given in a way that nobody here knows."""

    def unknown(*_: Any) -> None:
        raise CannotRemember("it gives more than one kind of features")

    monkeypatch.setattr("snellen.subjects.local.features._apart", unknown)
    return Model(folder_of("idefics3"))


def test_a_model_whose_pictures_cannot_be_remembered_goes_without_and_says_so(
    strange: Model, folder_of: Callable[[str], Path]
) -> None:
    with pytest.warns(UserWarning, match="image features are not cached between calls"):
        replies = strange.together(CALLS)
    same(replies, Model(folder_of("idefics3"), remember=0).together(CALLS))


def test_what_was_not_wanted_for_longest_is_forgotten() -> None:
    memory: TensorCache[str, Any] = TensorCache(100)
    for key in "ab":
        memory.keep(key, torch.zeros(10))  # 40 bytes each
    assert memory.get("a") is not None
    memory.keep("c", [torch.zeros(5), {"more": torch.zeros(5)}])
    assert memory.get("b") is None
    assert memory.get("a") is not None
    memory.keep("large", torch.zeros(100))
    assert memory.get("large") is None
    assert (len(memory), memory.nbytes) == (2, 80)


def test_what_many_want_at_a_time_is_made_once() -> None:
    memory: TensorCache[str, Any] = TensorCache(100)
    begun, made = Event(), []

    def make() -> Any:
        made.append("it")
        begun.wait(5)  # until the others want it, too
        return torch.zeros(1)

    with ThreadPoolExecutor(4) as threads:
        wanted = [threads.submit(memory.made, "a", make) for _ in range(4)]
        begun.set()
        first, *others = [each.result() for each in wanted]
    assert made == ["it"]
    assert all(other is first for other in others)
    assert memory.made("a", make) is first


def test_a_making_that_fails_is_told_and_tried_again() -> None:
    memory: TensorCache[str, Any] = TensorCache(100)

    def fail() -> Any:
        raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            memory.made("a", fail)
    assert memory.made("a", lambda: "made") == "made"
