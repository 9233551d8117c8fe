"""The tiny model unpacked as a stock Hugging Face folder says the same, token for token."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from recipes.tiny.marks import Question, questions  # noqa: E402
from snellen.item import Picture  # noqa: E402
from snellen.subjects.local.loading import load  # noqa: E402
from snellen.subjects.tiny import FILE, MAX_TOKENS  # noqa: E402
from snellen.subjects.tiny.speaking import Speaker  # noqa: E402
from snellen.subjects.tiny.stock import unpack  # noqa: E402
from support.lengths import few_and_more  # noqa: E402

READ = "Read the board out, place by place and row by row."


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("tiny")
    unpack(FILE, folder)
    torch.set_num_threads(1)
    return load(str(folder), device="cpu")


def asked(every: int) -> Iterator[Question]:
    """Some of every kind, and whole boards to be read out."""
    for k, question in enumerate(questions(1)):
        if k % every == 0:
            yield question
            pictures = [part for part in question.parts if isinstance(part, Picture)]
            if pictures and k % (3 * every) == 0:
                yield Question("read", question.sort, (*pictures, READ), "")


@pytest.mark.soak
@few_and_more("every", [14], [6])
def test_it_says_the_same_as_transformers(stock: Any, every: int) -> None:
    speaker = Speaker(FILE)
    said = 0
    for question in asked(every):
        own = speaker.answer(question.parts, MAX_TOKENS)
        assert own.text == generated(stock, question.parts), question
        said += own.tokens_out or 0
    assert said > 480 / every


def generated(stock: Any, parts: tuple[Any, ...]) -> str:
    content, images = [], []
    for part in parts:
        if isinstance(part, Picture):
            images.append(Image.open(BytesIO(part.data)).convert("RGB"))
            content.append({"type": "image"})
        else:
            content.append({"type": "text", "text": part})
    text = stock.processor.apply_chat_template([{"role": "user", "content": content}], add_generation_prompt=True)
    inputs = stock.processor(text=[text], images=[images] if images else None, return_tensors="pt")
    with torch.inference_mode():
        out = stock.model.generate(**inputs, max_new_tokens=MAX_TOKENS, do_sample=False)
    return str(stock.processor.batch_decode(out[:, inputs["input_ids"].shape[1] :], skip_special_tokens=True)[0])
