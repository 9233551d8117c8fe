"""Labels by the first token that tells them apart."""

import pytest

from snellen.errors import UserError
from snellen.lab.steer.labels import Readout, forms, readout

END = (99,)


class Characters:
    """A tokenizer of single characters, but for "ab", which is one token wherever it stands."""

    def __call__(self, text: str, add_special_tokens: bool) -> dict[str, list[int]]:
        assert not add_special_tokens
        return {"input_ids": [1000 if piece == "\0" else ord(piece) for piece in text.replace("ab", "\0")]}


def test_different_first_tokens_need_nothing_more() -> None:
    assert readout(("X", "O"), [[(1,), (11, 1)], [(2, 3), (12,)]], END) == Readout((), ((1, 11), (2, 12)))


def test_what_labels_share_goes_before() -> None:
    assert readout(("{2}", "{3}"), [[(5, 2, 6), (7, 2, 6)], [(5, 3, 6)]], END) == Readout((5,), ((2,), (3,)))


def test_a_label_that_goes_on_is_told_from_one_that_ends() -> None:
    assert readout(("1", "12"), [[(1,)], [(1, 2)]], END) == Readout((1,), ((99,), (2,)))


def test_labels_that_part_at_different_places_are_refused() -> None:
    with pytest.raises(UserError, match="12, 13, 5"):
        readout(("12", "13", "5"), [[(1, 2)], [(1, 3)], [(5,)]], END)


def test_the_same_label_twice_is_refused() -> None:
    with pytest.raises(UserError, match="do not differ at a single position"):
        readout(("X", "X"), [[(1,)], [(1,)]], END)


def test_a_label_is_written_as_the_template_writes_it_first() -> None:
    found = forms(Characters(), "Assistant:", "Assistant: X<end>", "X")
    assert found == [(ord(" "), ord("X")), (ord("X"),)]


def test_a_template_that_rewrites_the_prompt_is_not_believed() -> None:
    assert forms(Characters(), "Assistant:", "Other: X", "X")[0] == (ord("X"),)


def test_a_form_that_melts_into_the_prompt_does_not_count() -> None:
    assert forms(Characters(), "a", "ab<end>", "b") == [(ord(" "), ord("b"))]
