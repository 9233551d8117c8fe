"""The edge to the model, on four stock architectures: what is read is what is patched, and the short way is the long
way with less work."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiny_models
from snellen.errors import UserError
from snellen.lab.steer.labels import Readout
from snellen.lab.steer.rows import SteeringRows, asked, family
from snellen.subjects.local.loading import LoadedModel, load
from snellen.subjects.local.prompting import inputs_of
from support.later import later

torch, _ = later("torch"), later("transformers")
benches, edge, prefixes, tails = (
    later(f"snellen.lab.steer.{name}") for name in ("bench", "decoder", "prefix", "tails")
)
BOARDS, ROOM = 4, 1 << 30
READOUT = Readout((), ((5,), (6, 9)))


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module", params=tiny_models.EACH)
def loaded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    return load(tiny_models.make(request.param, tmp_path_factory.mktemp(request.param)))


@pytest.fixture(scope="module")
def boards() -> SteeringRows:
    return asked(family("fixation"), "tictactoe", BOARDS, 0)


def batch(loaded: LoadedModel, boards: SteeringRows, lead: tuple[int, ...] = ()) -> dict[str, Any]:
    """Three prompts of different lengths, so that two are padded."""
    from snellen.call import Message
    from snellen.subjects.local.prompting import pictures_of, text_of

    told = [(Message("user", (*stimulus.parts, "." * k)),) for k, stimulus in enumerate(boards.stimuli[:3])]
    inputs = inputs_of(loaded, [text_of(loaded, each) for each in told], [pictures_of(each) for each in told])
    assert not bool(inputs["attention_mask"][0, 0])
    return prefixes.led(inputs, lead)


@pytest.mark.parametrize("lead", [(), (20, 21)])
def test_a_vector_in_its_own_place_changes_nothing_at_any_layer(
    loaded: LoadedModel, boards: SteeringRows, lead: tuple[int, ...]
) -> None:
    of, inputs = edge.decoder(loaded.model, "tiny"), batch(loaded, boards, lead)
    prefix = prefixes.read(of, inputs)
    plain = tails.label_scores(edge.run(of, inputs), READOUT)
    assert torch.allclose(tails.label_scores(prefix.logits, READOUT), plain, atol=1e-5)
    found = tails.follow(of, prefix, list(enumerate(prefix.outputs)), READOUT)
    assert len(found) == tiny_models.LAYERS
    assert torch.allclose(found, plain.expand_as(found), atol=1e-5)


def test_the_short_way_is_a_plain_hook_in_a_whole_pass(loaded: LoadedModel, boards: SteeringRows) -> None:
    of, inputs = edge.decoder(loaded.model, "tiny"), batch(loaded, boards)
    prefix = prefixes.read(of, inputs)
    random = torch.Generator().manual_seed(0)
    layers = [*range(tiny_models.LAYERS)] * 2
    starts = [(layer, torch.randn(3, tiny_models.WIDTH, generator=random)) for layer in layers]
    found = tails.follow(of, prefix, starts, READOUT)
    plain = tails.label_scores(prefix.logits, READOUT)
    for (layer, point), short in zip(starts, found, strict=True):
        handle = loaded.model.get_decoder().layers[layer].register_forward_hook(_replacing(point))
        try:
            with torch.no_grad():
                logits = loaded.model(**inputs).logits[:, -1]
        finally:
            handle.remove()
        assert torch.allclose(short, tails.label_scores(logits, READOUT), atol=1e-4)
        assert not torch.allclose(short, plain, atol=1e-2)


def _replacing(point: Any):
    def hook(module: object, given: object, output: Any) -> Any:
        hidden = (output[0] if isinstance(output, tuple) else output).clone()
        hidden[:, -1] = point
        return (hidden, *output[1:]) if isinstance(output, tuple) else hidden

    return hook


def test_the_last_layer_is_read_before_the_final_norm(loaded: LoadedModel, boards: SteeringRows) -> None:
    """Hugging Face's own last hidden state is after it: the two must differ, by exactly that norm."""
    of, inputs = edge.decoder(loaded.model, "tiny"), batch(loaded, boards)
    prefix = prefixes.read(of, inputs)
    with torch.no_grad():
        theirs = loaded.model(**inputs, output_hidden_states=True).hidden_states[-1][:, -1]
        ours = of.norm(prefix.outputs[-1])
    assert torch.allclose(theirs, ours, atol=1e-5)
    assert not torch.allclose(theirs, prefix.outputs[-1], atol=1e-2)


def test_many_at_once_are_as_one_by_one(
    loaded: LoadedModel, boards: SteeringRows, monkeypatch: pytest.MonkeyPatch
) -> None:
    of, inputs = edge.decoder(loaded.model, "tiny"), batch(loaded, boards)
    prefix = prefixes.read(of, inputs)
    random = torch.Generator().manual_seed(1)
    starts = [(layer, torch.randn(3, tiny_models.WIDTH, generator=random)) for layer in (2, 0, 3, 1, 0)]
    together = tails.follow(of, prefix, starts, READOUT)
    monkeypatch.setattr("snellen.lab.steer.tails.TOGETHER", 1)
    assert torch.allclose(together, tails.follow(of, prefix, starts, READOUT), atol=1e-5)


def test_work_is_tokens_through_layers(loaded: LoadedModel, boards: SteeringRows) -> None:
    of, inputs = edge.decoder(loaded.model, "tiny"), batch(loaded, boards)
    prefix = prefixes.read(of, inputs)
    lengths = inputs["attention_mask"].sum(dim=1).tolist()
    point = prefix.outputs[0]
    assert tails.work(of, prefix, [(3, point)]) == 0  # nothing runs after the last layer but the head
    found = tails.work(of, prefix, [(0, point), (2, point)])
    assert found == pytest.approx(sum((3 + 1) / (4 * length) for length in lengths))


def test_a_bench_reads_follows_and_counts(loaded: LoadedModel, boards: SteeringRows) -> None:
    bench = benches.Bench(loaded, boards, ROOM)
    which = np.arange(5)
    hidden, scores = bench.read(which, (1, 3))
    assert hidden.shape == (2, 5, tiny_models.WIDTH)
    still = np.zeros((5, tiny_models.WIDTH))
    found = bench.follow(which, [(1, still), (3, still), (1, still + 1)])
    assert found[0] == pytest.approx(scores, abs=1e-4)
    assert found[1] == pytest.approx(scores, abs=1e-4)
    assert np.abs(found[2] - scores).max() > 1e-4
    assert bench.at_pictures(which, (1, still)) == pytest.approx(scores, abs=1e-4)
    assert np.abs(bench.at_pictures(which, (0, still + 3)) - scores).max() > 1e-6
    assert bench.at_pictures(which, (3, still + 3)) == pytest.approx(scores, abs=1e-4)  # too late to be looked at
    assert bench.counts["read"] == 5
    assert bench.counts["read_again"] == 0
    assert bench.counts["pictures"] == 15
    assert 0 < bench.counts["tails"] < 0.5


def test_without_room_a_prompt_is_read_again_with_the_same_result(loaded: LoadedModel, boards: SteeringRows) -> None:
    which, results = np.arange(3), []
    for room in (ROOM, 0):
        bench = benches.Bench(loaded, boards, room)
        bench.read(which, (0,))
        results.append(bench.follow(which, [(0, np.ones((3, tiny_models.WIDTH)))]))
        assert bench.counts["read_again"] == (0 if room else 3)
    assert results[0] == pytest.approx(results[1], abs=1e-6)


def test_labels_that_begin_alike_are_asked_for_after_what_they_share(loaded: LoadedModel) -> None:
    birds = asked(family("bias"), "birds", BOARDS, 0)
    bench = benches.Bench(loaded, birds, ROOM)
    token = loaded.tokenizer.convert_tokens_to_ids
    assert bench._readout == Readout((token("{"),), ((token("2"),), (token("3"),)))
    _, scores = bench.read(np.arange(2), (0,))
    with torch.no_grad():
        inputs = bench._inputs(np.arange(2))
        assert inputs["input_ids"][:, -1].tolist() == [token("{")] * 2
        logits = torch.log_softmax(loaded.model(**inputs).logits[:, -1], dim=-1)
    assert scores == pytest.approx(logits[:, [token("2"), token("3")]].numpy(), abs=1e-4)


# What cannot be steered


def test_a_model_without_layers_we_know(boards: SteeringRows) -> None:
    with pytest.raises(UserError, match="tiny: found no stack of decoder layers in Linear"):
        edge.decoder(torch.nn.Linear(2, 2), "tiny")


@pytest.fixture
def idefics(tmp_path: Path) -> LoadedModel:
    return load(tiny_models.make("idefics3", tmp_path))


def test_a_model_with_something_after_its_layers_that_we_do_not_know(
    idefics: LoadedModel, boards: SteeringRows
) -> None:
    head = idefics.model.lm_head
    idefics.model.lm_head.register_forward_hook(lambda module, given, output: output * (1 + given[0].shape[1] % 2))
    assert head is idefics.model.get_output_embeddings()
    with pytest.raises(UserError, match="restoring its own activations changes its answers"):
        benches.Bench(idefics, boards, ROOM).read(np.arange(2), (0,))
    with pytest.raises(UserError, match="restoring its own activations changes its answers"):
        benches.Bench(idefics, boards, ROOM).follow(
            np.arange(2), [(0, np.zeros((2, tiny_models.WIDTH)))]
        )  # gone on with


def test_a_model_that_reads_in_both_directions(idefics: LoadedModel, boards: SteeringRows) -> None:
    bench = benches.Bench(idefics, boards, ROOM)
    layer = idefics.model.get_decoder().layers[1]

    def both(module: object, given: object, named: dict[str, object]) -> tuple[object, dict[str, object]]:
        length = given[0].shape[1]  # type: ignore[index]
        return given, {**named, "attention_mask": torch.zeros(len(given[0]), 1, length, length)}  # type: ignore[index]

    layer.register_forward_pre_hook(both, with_kwargs=True)
    with pytest.raises(UserError, match="in both directions"):
        bench.read(np.arange(2), (0,))


FULL = (
    lambda: torch.OutOfMemoryError("CUDA out of memory. Tried to allocate ..."),
    lambda: RuntimeError(
        "[enforce fail at alloc_cpu.cpp:127] . DefaultCPUAllocator: can't allocate memory: you tried ..."
    ),
)


@pytest.mark.parametrize("error", FULL, ids=["gpu", "cpu"])
def test_a_device_that_is_full_is_one_line(
    error: Callable[[], Exception], idefics: LoadedModel, boards: SteeringRows, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise error()

    monkeypatch.setattr("snellen.lab.steer.bench.read", full)
    with pytest.raises(UserError, match="lower --batch or --keep"):
        benches.Bench(idefics, boards, ROOM).read(np.arange(2), (0,))


def test_hooks_are_gone_afterwards(idefics: LoadedModel, boards: SteeringRows) -> None:
    of, inputs = edge.decoder(idefics.model, "tiny"), batch(idefics, boards)
    before = edge.run(of, inputs)
    prefixes.read(of, inputs)
    with pytest.raises(ZeroDivisionError), edge.changed(of, 1, lambda hidden: hidden + 1):
        raise ZeroDivisionError
    assert torch.equal(edge.run(of, inputs), before)
    assert not any(layer._forward_hooks or layer._forward_pre_hooks for layer in of.layers)
