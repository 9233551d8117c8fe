"""The published set in both of its forms, from pictures of our own in the same format."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from PIL import Image
from scipy import ndimage

import snellen
from snellen.errors import UserError
from snellen.item import Condition
from snellen.prompts import load
from snellen.tasks import Task, pack_of, task
from snellen.tasks.audit import audit_task
from snellen.tasks.bias.asking import HABIT, OTHER_WAY
from snellen.tasks.bias.load import load as load_set
from snellen.tasks.bias.words import counted

EXAMPLES = Path(__file__).parents[3] / ".." / "shared" / "data" / "vlmbias"
TAIL = "Answer with a number in curly brackets, e.g., {9}."
BASE = Condition(drawing="counterfactual", view="upright", prompt="base")


def picture(shade: int) -> bytes:
    file = BytesIO()
    image = Image.new("RGB", (6, 4), (shade, 0, 0))
    image.putpixel((0, 0), (0, 255, 0))
    image.save(file, "png")
    return file.getvalue()


def row(number: int, **more: Any) -> dict[str, Any]:
    return {
        "image": {"bytes": picture(number), "path": None},
        "ID": f"crane_{number}",
        "image_path": f"animals/crane_{number // 3}_{384 * (number % 3 + 1)}.png",
        "topic": "Animals",
        "sub_topic": "Birds",
        "prompt": f"How many legs does this animal have? {TAIL}",
        "ground_truth": "3",
        "expected_bias": "2",
        "with_title": False,
        "type_of_question": "Q1",
        "pixel": 384 * (number % 3 + 1),
        "metadata": "{}",
        **more,
    }


def hub(folder: Path, split: str = "main", *rows: dict[str, Any]) -> Path:
    path = folder / "data" / f"{split}-00000-of-00001.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pl.DataFrame(list(rows)).write_parquet(path)
    return folder


def over(folder: Path, options: str = "") -> Task:
    return task("bias", f"{folder}{options}")


def test_rows_of_the_hub_keep_their_words_and_bytes(tmp_path: Path) -> None:
    family = over(
        hub(
            tmp_path,
            "main",
            row(0),
            row(1),
            row(2, prompt=f"Count the legs of this animal. {TAIL}", type_of_question="Q2"),
        )
    )
    items = list(family.items({}, 3, 0))
    pack = load(family.prompts, "bias")
    shown = family.stimulus(items[0], BASE, pack)
    assert shown.question.text == f"How many legs does this animal have? {TAIL}"
    assert shown.pictures[0].data == picture(0)
    assert shown.question.key == "3"
    assert shown.question.mechanisms == {"2": HABIT, "4": OTHER_WAY}
    assert {item.cluster for item in items} == {"bias/published/animals/crane_0"}
    assert [item.levels["pixel"] for item in items] == ["384", "768", "1152"]
    assert items[2].levels["question"] == "Q2"


def test_flip_and_alias_make_four_configurations(tmp_path: Path) -> None:
    family = over(hub(tmp_path, "main", row(0)))
    assert family.size(family.design("paper"), 1) == 4
    [item] = family.items({}, 1, 0)
    pack = load(family.prompts, "bias")
    turned = family.stimulus(item, BASE.but(view="flipped"), pack).pictures[0]
    with Image.open(BytesIO(turned.data)) as image:
        assert image.convert("RGB").getpixel((0, 3)) == (0, 255, 0)
    alias = family.stimulus(item, BASE.but(prompt="alias"), pack).question.text
    assert "visible legs in this picture" in alias
    assert "one visible leg, one ITEM" in alias


@pytest.mark.parametrize(
    ("prompt", "units", "unit", "where"),
    [
        ("How many stars are there on this flag?", "stars", "star", "on this flag"),
        ("Count the horizontal lines on this board.", "horizontal lines", "horizontal line", "on this board"),
        ("Count the prongs in the logo of this car.", "prongs", "prong", "in the logo of this car"),
        (
            "How many points are there on the star in the logo of this car?",
            "points",
            "point",
            "on the star in the logo of this car",
        ),
        ("Count the legs of this animal.", "legs", "leg", "of this animal"),
        ("How many legs does this animal have?", "legs", "leg", "of this animal"),
    ],
)
def test_what_is_counted_is_read_from_the_question(prompt: str, units: str, unit: str, where: str) -> None:
    found = counted(f"{prompt} {TAIL}")
    assert found is not None
    assert (found.units, found.unit, found.where) == (units, unit, where)


def test_an_alias_that_does_not_fit_is_an_error_and_noted(tmp_path: Path) -> None:
    family = over(hub(tmp_path, "main", row(0, prompt=f"Legs, please. {TAIL}")))
    assert any("cannot be asked with prompt=alias" in note for note in family.notes)
    [item] = family.items({}, 1, 0)
    with pytest.raises(UserError, match=r"prompt=alias does not fit .*Legs, please"):
        family.stimulus(item, BASE.but(prompt="alias"), load(family.prompts, "bias"))


def test_what_is_irregular_is_said(tmp_path: Path) -> None:
    rows = (row(0), row(1, expected_bias="3"), row(2, ground_truth="some"), row(3, image=None), row(0))
    notes = "\n".join(over(hub(tmp_path, "main", *rows)).notes)
    assert "the answer is the usual number" in notes
    assert "row 3: ground_truth is 'some'" in notes
    assert "row 4: image holds no picture" in notes
    assert "is a duplicate" in notes
    assert "Animals: 2 rows; the paper's tables rest on 546" in notes


def test_topics_and_splits_are_chosen(tmp_path: Path) -> None:
    folder = hub(tmp_path, "main", row(0), row(1, topic="Optical Illusion"))
    hub(tmp_path, "original", row(2, ground_truth="2"))
    assert [r.topic for r in load_set(f"{folder}:split=main").usable()] == ["animals"]
    assert [r.topic for r in load_set(f"{folder}:split=main,topics=all").usable()] == ["animals", "optical illusion"]
    [unmodified] = load_set(f"{folder}:split=original").usable()
    assert (unmodified.answer, unmodified.usual) == ("2", "2")
    for both in (str(folder), f"{folder}:split=main+original"):
        assert [r.split for r in load_set(both).usable()] == ["main", "original"]
    with pytest.raises(UserError, match=r"unknown value 'mian' of the data option split"):
        load_set(f"{folder}:split=mian+original")
    assert "original: 1 rows of the paper's topics; the paper has 322" in over(folder, ":split=original").notes
    with pytest.raises(UserError, match=r"no split withtitle in it, only main, original"):
        load_set(f"{folder}:split=withtitle")
    with pytest.raises(UserError, match="VLMBias: give anvo25/vlms-are-biased"):
        load_set(str(tmp_path / "nowhere/at/all"))


def test_rows_that_differ_in_pixel_alone_are_no_doubles(tmp_path: Path) -> None:
    """As in a set whose ids and file names do not tell the size."""
    sizes = [row(0, ID="crane", image_path="animals/crane.png", pixel=pixel) for pixel in (384, 768, 1152)]
    in_folders = [row(0, ID="owl", image_path=f"{pixel}/owl.png", pixel=pixel) for pixel in (384, 768)]
    folder = hub(
        tmp_path, "main", *sizes, *in_folders, sizes[0], row(5, ID="crane", image_path="animals/crane.png", pixel=384)
    )
    loaded = load_set(str(folder))
    records = list(loaded.usable())
    assert [record.pixel for record in records] == ["384", "768", "1152", "384", "768", "384"]
    assert len({record.id for record in records}) == 6
    assert {record.picture for record in records} == {"animals/crane", "owl"}
    assert [str(missing) for missing in loaded.missing] == ["main/crane-Q1-384: is a duplicate; the first one is used"]


def test_modified_and_unmodified_pictures_in_one_exam(tmp_path: Path) -> None:
    """Every modified picture has beside it the unmodified one of the same thing, and as many dots."""
    folder = hub(
        tmp_path,
        "main",
        row(0),
        row(3),
        row(6, ID="zebra", image_path="zebra_384.png", sub_topic="Mammals", ground_truth="5", expected_bias="4"),
        row(9, ID="lone", image_path="lone_384.png", ground_truth="8", expected_bias="7"),
    )
    hub(
        tmp_path,
        "original",
        row(30, ID="a", image_path="animals/a_384.png", ground_truth="2"),
        row(33, ID="crane_1", image_path="animals/crane_384.png", ground_truth="2"),
        row(36, ID="b", image_path="zebra_384.png", sub_topic="Mammals", ground_truth="4", expected_bias="4"),
    )
    family = over(folder)
    pack = pack_of(family)
    items = {item.id: item for item in family.items({}, 7, 0)}
    zebra = items["bias/published/main/zebra-Q1-384"]
    ordinary = family.stimulus(zebra, BASE.but(drawing="ordinary"), pack)
    assert (ordinary.pictures[0].data, ordinary.question.key) == (picture(36), "4")
    assert not ordinary.question.mechanisms
    plain = family.stimulus(zebra, BASE.but(drawing="plain"), pack)
    assert (plain.question.key, plain.twin[:24]) == ("5", "There are exactly 5 dots")
    assert blobs(plain.pictures[0].data) == 5
    cranes = [items[f"bias/published/main/crane_{n}-Q1-384"] for n in (0, 3)]
    assert {family.stimulus(one, BASE.but(drawing="ordinary"), pack).pictures[0].data for one in cranes} == {
        picture(33)
    }
    assert cranes[0].cluster == cranes[1].cluster != zebra.cluster  # they share an unmodified picture
    lone = items["bias/published/main/lone-Q1-384"]
    asked = {c["drawing"] for c in family.conditions(family.design(), lone)}
    assert asked == {"counterfactual", "plain"}
    assert any(note.startswith("1 of 4 counting rows have no unmodified picture") for note in family.notes)
    own = items["bias/published/original/a-Q1-384"]
    assert [dict(c) for c in family.conditions(family.design("paper"), own)] == [dict(BASE.but(drawing="ordinary"))]
    assert not family.conditions(family.design(), own)


@pytest.mark.parametrize(
    ("answer", "usual"), [("0", "1"), ("100", "99"), ("999999999", "4"), ("5", "9" * 5000), ("5", "many")]
)
def test_odd_numbers_do_no_harm(tmp_path: Path, answer: str, usual: str) -> None:
    family = over(hub(tmp_path, "main", row(0, ground_truth=answer, expected_bias=usual)))
    [item] = family.items({}, 1, 0)
    for condition in family.conditions(family.design(), item):
        assert family.stimulus(item, condition, pack_of(family)).question.key == answer


def blobs(data: bytes) -> int:
    """How many dark spots a picture has."""
    with Image.open(BytesIO(data)) as image:
        return int(ndimage.label(np.asarray(image.convert("L")) < 128)[1])


def labels(folder: Path) -> Path:
    (folder / "birds").mkdir(parents=True)
    (folder / "birds" / "crane_1152.png").write_bytes(picture(1))
    names = ("Q1", "Q2", "Q3")
    asked = (
        f"How many legs does this animal have? {TAIL}",
        f"Count the legs of this animal. {TAIL}",
        "Is this an animal with 2 legs?",
    )
    line = {
        "id": 0,
        "image": "birds/crane_1152.png",
        "topic": "Animals",
        "sub_topic": "2 legs",
        "prompts": dict(zip(names, asked, strict=True)),
        "ground_truth": dict(zip(names, ("3", "3", "No"), strict=True)),
        "expected_bias": dict(zip(names, ("2", "2", "Yes"), strict=True)),
    }
    (folder / "labels.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    return folder


def test_example_pictures_with_labels(tmp_path: Path) -> None:
    folder = labels(tmp_path / "examples")
    family = over(folder)
    assert [item.levels["question"] for item in family.items({}, 2, 0)] == ["Q1", "Q2"]
    third = over(folder, ":split=identification")
    [item] = third.items({}, 1, 0)
    question = third.stimulus(item, BASE, load(third.prompts, "bias")).question
    assert (question.form.labels, question.key, question.mechanisms) == (("Yes", "No"), "No", {"Yes": HABIT})


def test_an_exam_over_published_pictures(tmp_path: Path) -> None:
    folder = labels(tmp_path / "examples")
    rows = snellen.exam(
        "sim/stubborn", tasks=["bias"], data={"bias": str(folder)}, design="paper", store=tmp_path / "s.sqlite"
    ).rows
    assert rows.height == 8
    assert set(rows["mechanism"]) == {HABIT}


def test_the_audit_reports_what_the_sub_topic_gives_away(tmp_path: Path) -> None:
    birds = [row(3 * k, sub_topic="Birds") for k in range(30)]
    mammals = [
        row(3 * k, ID=f"zebra_{k}", image_path=f"zebra_{k}_384.png", sub_topic="Mammals", ground_truth="5")
        for k in range(30)
    ]
    family = over(hub(tmp_path, "main", *birds, *mammals))
    report = audit_task(family, {}, 60, 0)
    assert "sub topic" in {row.observer for row in report.rows if row.leak}


@pytest.mark.skipif(not EXAMPLES.is_dir(), reason="the example pictures are not here")
def test_the_real_example_pictures() -> None:
    records = list(load_set(str(EXAMPLES)).usable())
    assert len(records) == 86
    assert all(counted(record.prompt) for record in records)
    assert {record.topic for record in records} == {"animals", "marks", "flags", "boards"}
