"""Duplicates: copies are found, to the byte and to the eye; what differs in a word or a digit is no copy."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from snellen.curation.duplicates import Duplicate, ItemFace, duplicates, face_of, whole
from snellen.draw.letters import font
from snellen.errors import UserError
from snellen.item import Condition, Form, Item, Picture, Question, Stimulus
from snellen.tasks.prints import PictureFingerprint, print_of


def encoded(image: Image.Image, kind: str = "PNG", **settings: Any) -> Picture:
    file = BytesIO()
    image.save(file, kind, **settings)
    return Picture(file.getvalue(), f"image/{kind.lower()}")


def board(digits: str = "123456789", spot: str = "red") -> Image.Image:
    """A grid with a digit in some of its cells."""
    image = Image.new("RGB", (480, 480), "white")
    pen = ImageDraw.Draw(image)
    for k in range(10):
        pen.rectangle((k * 48, 0, k * 48 + 1, 479), "black")
        pen.rectangle((0, k * 48, 479, k * 48 + 1), "black")
        if k < len(digits):
            pen.text((k * 48 + 14, (7 * k % 10) * 48 + 8), digits[k], "black", font(28))
    pen.rectangle((400, 20, 420, 40), spot)
    return image


def stimulus(name: str, *pictures: Picture, text: str = "Which?", key: str = "A", twin: str = "") -> Stimulus:
    item = Item(name, "sample", {"kind": "board"}, {}, name)
    return Stimulus(item, Condition(), (*pictures, text), Question(text, Form("choice", ("A", "B")), key), twin)


def found(*stimuli: Stimulus) -> dict[str, Duplicate]:
    """The duplicates among the items, and that no print is asked for in vain."""
    pictures = {picture.digest: picture for each in stimuli for picture in each.pictures}

    def prints(digests: frozenset[str]) -> Mapping[str, PictureFingerprint]:
        return {digest: print_of(pictures[digest], "test") for digest in digests}

    return duplicates([whole([face_of(stimulus)]) for stimulus in stimuli], prints)


PLAIN = encoded(board())


def test_the_same_bytes_words_and_key_are_a_copy_of_the_first() -> None:
    copies = found(*(stimulus(name, PLAIN) for name in "abc"))
    assert copies == {"b": Duplicate("a", exact=True), "c": Duplicate("a", exact=True)}


@pytest.mark.parametrize("change", [{"text": "Which not?"}, {"key": "B"}])
def test_other_words_or_another_key_are_another_item(change: dict[str, str]) -> None:
    assert found(stimulus("a", PLAIN), stimulus("b", PLAIN, **change)) == {}


def test_words_alone_can_be_copies_and_spacing_does_not_matter() -> None:
    assert found(stimulus("a", text="Who  wins?"), stimulus("b", text="who wins?\n")) == {
        "b": Duplicate("a", exact=True)
    }


@pytest.mark.parametrize(
    "copy",
    [
        encoded(board(), "JPEG", quality=75),
        encoded(board(), "WEBP", quality=80),
        encoded(board().quantize(16)),
        encoded(board().resize((960, 960), Image.Resampling.BOX)),
    ],
    ids=["jpeg", "webp", "palette", "enlarged"],
)
def test_a_picture_saved_anew_is_a_copy(copy: Picture) -> None:
    assert found(stimulus("a", PLAIN), stimulus("b", copy)) == {"b": Duplicate("a", exact=False)}
    assert found(stimulus("a", PLAIN), stimulus("b", copy, key="B")) == {}


@pytest.mark.parametrize("other", [board("723456189"), board("123456798"), board("12345678"), board(spot="blue")])
def test_a_digit_elsewhere_or_another_colour_is_another_item(other: Image.Image) -> None:
    assert found(stimulus("a", PLAIN), stimulus("b", encoded(other))) == {}


def test_every_picture_counts_in_its_order() -> None:
    other, again = encoded(board("987654321")), encoded(board(), "JPEG", quality=90)
    assert found(stimulus("a", PLAIN, other), stimulus("b", other, PLAIN)) == {}
    assert found(stimulus("a", PLAIN, other), stimulus("b", again, other)) == {"b": Duplicate("a", exact=False)}
    assert found(stimulus("a", PLAIN, other), stimulus("b", PLAIN)) == {}


def test_different_twins_prove_different_content_and_nothing_is_decoded() -> None:
    broken = Picture(b"no picture at all")
    assert found(stimulus("a", broken, twin="X on a1"), stimulus("b", PLAIN, twin="X on a2")) == {}
    again = encoded(board(), "JPEG", quality=90)
    assert found(stimulus("a", again, twin="X"), stimulus("b", PLAIN, twin="X")) == {"b": Duplicate("a", exact=False)}


def test_what_a_copy_is_a_copy_of_stays() -> None:
    again = encoded(board(), "JPEG", quality=90)
    copies = found(stimulus("a", PLAIN), stimulus("b", again), stimulus("c", again), stimulus("d", PLAIN))
    assert {name: copy.of for name, copy in copies.items()} == {"b": "a", "c": "a", "d": "a"}


def test_an_item_is_a_copy_only_if_it_is_under_all_conditions() -> None:
    one, other = face_of(stimulus("a", PLAIN)), face_of(stimulus("a", text="And now?"))
    changed = ItemFace("b", other.words + "x", other.pictures, other.twin)
    assert duplicates([whole([one, other]), whole([ItemFace("b", *_rest(one)), changed])], lambda digests: {}) == {}
    same = whole([ItemFace("b", *_rest(one)), ItemFace("b", *_rest(other))])
    assert duplicates([whole([one, other]), same], lambda digests: {}) == {"b": Duplicate("a", exact=True)}


def _rest(one: ItemFace) -> tuple[str, tuple[str, ...], str]:
    return one.words, one.pictures, one.twin


def test_transparent_pictures_are_seen_on_white() -> None:
    clear = Image.new("RGBA", (200, 200), (0, 0, 0, 0))
    white = encoded(Image.new("RGB", (100, 100), "white"))
    assert found(stimulus("a", encoded(clear)), stimulus("b", white)) == {"b": Duplicate("a", exact=False)}


def test_a_picture_that_cannot_be_decoded_is_one_line() -> None:
    cut = Picture(PLAIN.data[: len(PLAIN.data) // 2])
    with pytest.raises(UserError, match="cannot be decoded"):
        found(stimulus("a", PLAIN), stimulus("b", cut))


@given(st.integers(1, 90), st.integers(1, 90), st.integers(0, 255))
def test_pictures_of_any_size_have_a_print(width: int, height: int, shade: int) -> None:
    made = print_of(encoded(Image.new("L", (width, height), shade)), "test")
    assert made.hash.size == 32
    assert not made.hash.any()
    assert np.unique(made.thumbnail).tolist() == [shade]
