"""The paper's base and alias prompts of every VLMBias row, from a typed pack.

The published files are not here. The rows below have their numbers, sizes, topics and questions: 91 animals, 69 logos,
40 flags and 28 boards at three sizes under two wordings, 1,368 in all, and 86 rows are those of the example pictures,
where these are at hand. What is expected is worked out here, from the question alone, by the rules of the paper's code.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from PIL import Image

import snellen
from snellen.errors import UserError
from snellen.item import Condition, Picture
from snellen.tasks import Task, pack_of, task
from snellen.tasks.bias.published import PAPER_ROWS, asking

ROOT = Path(__file__).parents[3]
PAPER = ROOT / "docs" / "examples" / "vlmbias-paper.toml"
EXAMPLES = ROOT / ".." / "shared" / "data" / "vlmbias"
PIXELS = (384, 768, 1152)
TAIL = "Answer with a number in curly brackets, e.g., {9}."
ANIMALS = [("How many legs does this animal have?", "Count the legs of this animal.")]
LOGOS = [
    *(
        (f"How many {what} are there in the logo of the left shoe?", f"Count the {what} in the logo on the left shoe.")
        for what in (
            "visible stripes",
            "visible black stripes",
            "visible white stripes",
            "visible white stylized curves",
            "visible black stylized curves",
        )
    ),
    *(
        (f"How many {what} are there {where}?", f"Count the {what} {where}.")
        for what, where in (
            ("overlapping circles", "in the logo of this car"),
            ("prongs", "in the logo of this car"),
            ("points", "on the star in the logo of this car"),
        )
    ),
]
FLAGS = [
    (f"How many {what} are there {where} this flag?", f"Count the {what} {where} this flag.")
    for what in ("stars", "stripes")
    for where in ("on", "in")
]
BOARDS = [
    (f"How many {what} are there on this {where}?", f"Count the {what} on this {where}.")
    for what, where in (
        *(("rows", "board"), ("columns", "board"), ("rows", "puzzle"), ("columns", "puzzle")),
        *(("horizontal lines", "board"), ("vertical lines", "board")),
    )
]
SET = {"Animals": (91, ANIMALS), "Logos": (69, LOGOS), "Flags": (40, FLAGS), "Game Boards": (28, BOARDS)}


def alias(topic: str, prompt: str) -> str:
    """The paper's alias of a question: a first sentence by topic, and one and the same end."""
    question = prompt.removesuffix(TAIL).strip()
    if topic == "Animals":
        what, one, where = "visible legs", "visible leg", "in this image"
    elif topic == "Logos":
        if question.startswith("How many "):
            what, where = question.removeprefix("How many ").removesuffix("?").split(" are there ")
        else:
            places = ("in the logo on the left shoe", "on the star in the logo of this car", "in the logo of this car")
            where = next(place for place in places if question.endswith(f" {place}."))
            what = question.removeprefix("Count the ").removesuffix(f" {where}.")
        one = what[:-1]
    else:
        words = ("horizontal lines", "vertical lines", "rows", "columns") if "Boards" in topic else ("stars", "stripes")
        what = next(word for word in words if word in question.lower())
        one, where = what[:-1], f"{'on' if 'Boards' in topic else 'in'} this image"
    first = f"Count the {what} {where}, but report them as ITEMs (one ITEM = one {one})."
    return f"{first} How many ITEMs are there? {TAIL}"


def _png() -> bytes:
    file = BytesIO()
    Image.new("RGB", (4, 4), "white").save(file, "png")
    return file.getvalue()


PNG = _png()


def rows() -> Iterator[dict[str, Any]]:
    for topic, (pictures, questions) in SET.items():
        for number, pair in enumerate(islice(cycle(questions), pictures)):
            for pixel in PIXELS:
                for name, question in zip(("Q1", "Q2"), pair, strict=True):
                    yield {
                        "image": {"bytes": PNG, "path": None},
                        "ID": f"{topic} {number}",
                        "image_path": f"{topic}/{number}_{pixel}.png",
                        "topic": topic,
                        "sub_topic": "some",
                        "prompt": f"{question} {TAIL}",
                        "ground_truth": "5",
                        "expected_bias": "4",
                        "type_of_question": name,
                        "pixel": pixel,
                    }


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def asked(family: Task, prompt: str) -> dict[str, str]:
    """What is asked about every row, as a digest."""
    pack = pack_of(family, PAPER)
    condition = Condition(drawing="counterfactual", view="upright", prompt=prompt)
    items = family.items({}, family.design().n, 0)
    unopened = asking(lambda panel: Picture(b""))
    return {item.id: digest(unopened(item, condition, pack).question.text) for item in items}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vlmbias")
    pl.DataFrame(list(rows())).write_parquet(folder / "main-00000-of-00001.parquet")
    return folder


def test_the_paper_s_prompts_of_all_1368_rows(published: Path) -> None:
    family = task("bias", str(published))
    assert not [note for note in family.notes if "rows; the paper's tables" in note]
    expected = {
        f"bias/published/main/{row['ID']}-{row['type_of_question']}-{row['pixel']}": (
            digest(row["prompt"]),
            digest(alias(row["topic"], row["prompt"])),
        )
        for row in rows()
    }
    assert len(expected) == sum(PAPER_ROWS.values()) == 1368
    assert asked(family, "base") == {name: base for name, (base, _) in expected.items()}
    assert asked(family, "alias") == {name: renamed for name, (_, renamed) in expected.items()}


def test_the_figure_s_alias_is_the_pack_s(published: Path) -> None:
    """Figure 3 of the paper, word for word."""
    printed = (
        "Count the visible legs in this image, but report them as ITEMs (one ITEM = one visible leg). How many ITEMs"
        " are there? Answer with a number in curly brackets, e.g., {9}."
    )
    assert asked(task("bias", str(published)), "alias")["bias/published/main/Animals 0-Q2-768"] == digest(printed)


@pytest.mark.soak
def test_an_exam_sends_these_prompts(published: Path, tmp_path: Path) -> None:
    sent: set[str] = set()

    def subject(parts: list[Any]) -> str:
        sent.update(part for part in parts if isinstance(part, str))
        return "{5}"

    snellen.exam(
        {"mine": subject},
        tasks="bias",
        data={"bias": str(published)},
        design="paper",
        levels={"pixel": ["384"], "view": ["upright"], "topic": ["marks", "boards"]},
        prompts=PAPER,
        store=tmp_path / "s.sqlite",
    )
    of_384 = [row for row in rows() if row["pixel"] == 384 and row["topic"] in ("Logos", "Game Boards")]
    assert sent == {row["prompt"] for row in of_384} | {alias(row["topic"], row["prompt"]) for row in of_384}


@pytest.mark.skipif(not EXAMPLES.is_dir(), reason="the example pictures are not here")
def test_the_paper_s_prompts_of_the_example_pictures() -> None:
    labels = [json.loads(line) for line in (EXAMPLES / "labels.jsonl").read_text().splitlines()]
    known = [(label, q) for label in labels if label["topic"] in SET for q in ("Q1", "Q2")]
    names = [f"bias/published/main/{label['id']}-{q}-1152" for label, q in known]
    family = task("bias", str(EXAMPLES))
    base, renamed = asked(family, "base"), asked(family, "alias")
    assert len(names) == len(base) == 86
    for name, (label, q) in zip(names, known, strict=True):
        assert base[name] == digest(label["prompts"][q])
        assert renamed[name] == digest(alias(label["topic"], label["prompts"][q]))


def test_a_row_may_be_named_word_for_word(published: Path, tmp_path: Path) -> None:
    """What the paper's code cannot rewrite it leaves as it is: a pack can say so."""
    odd = "Count the legs of this animal. Answer with a number in curly brackets, e.g., {9}."
    entry = f'    {{ when = {{ prompt = "alias", asked = "{odd}" }}, text = "{{as_published}}" }},\n'
    file = tmp_path / "pack.toml"
    lines = PAPER.read_text().splitlines(keepends=True)
    at = lines.index("published = [\n") + 2
    file.write_text("".join([*lines[:at], entry, *lines[at:]]))
    family = task("bias", str(published))
    [first, second] = list(family.items({}, family.design().n, 0))[:2]
    condition = Condition(drawing="counterfactual", view="upright", prompt="alias")
    pack = pack_of(family, file)
    assert family.stimulus(second, condition, pack).question.text == odd
    assert "ITEM" in family.stimulus(first, condition, pack).question.text
    file.write_text(file.read_text().replace("Count the legs of this", "Count the legs on this"))
    with pytest.raises(UserError, match=r"published, entry 2: when asked = .* can never hold"):
        pack_of(family, file)
