"""The bundled drawings: all there, told apart, small, and free to use."""

from pathlib import Path

import numpy as np
import pytest

import snellen.draw.icons as module
from snellen.draw.icons import SIDE, icon, icons, palette, pixels
from snellen.errors import UserError

HERE = Path(module.__file__).parent


def test_a_few_hundred_things_each_named_once() -> None:
    names = [found.name for found in icons()]
    assert 250 <= len(names) <= 400
    assert names == sorted(set(names))
    assert len({found.source for found in icons()}) == len(names)


def test_every_thing_is_described_in_known_words() -> None:
    for found in icons():
        assert found.category
        assert found.life == ("living" if found.category in ("animal", "plant") else "inanimate")
        assert (
            found.colour
            in ["red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "black", "white", "grey"]
            or not found.colour
        )


def test_a_group_belongs_to_one_category_and_no_name_means_two_things() -> None:
    of_group: dict[str, set[str]] = {}
    for found in icons():
        of_group.setdefault(found.group, set()).add(found.category)
    assert all(len(categories) == 1 for group, categories in of_group.items() if group)
    classes = {found.category for found in icons()} | set(of_group)
    assert not classes & {found.name for found in icons()}


def covered(name: str) -> np.ndarray:
    """Where the drawing is: more than half covered."""
    return pixels(name)[:, :, 3] > 127


def test_every_drawing_shows_something_of_its_own() -> None:
    seen = set()
    for found in icons():
        drawing = pixels(found.name)
        assert drawing.shape == (SIDE, SIDE, 4)
        assert 0.05 < covered(found.name).mean() < 0.95
        seen.add(drawing.tobytes())
    assert len(seen) == len(icons())


def test_facts_that_anyone_can_check() -> None:
    assert (icon("dog").category, icon("dog").group, icon("dog").life) == ("animal", "mammal", "living")
    assert (icon("banana").category, icon("banana").colour) == ("fruit", "yellow")
    assert icon("sailboat").group == "boat"
    red, green, blue, _ = np.mean(pixels("fire engine")[covered("fire engine")], axis=0)
    assert red > green
    assert red > blue


def test_an_unknown_name_is_said_to_be_unknown() -> None:
    with pytest.raises(UserError, match="unicycle"):
        icon("unicycle")


def test_pixels_are_shared_and_so_not_to_be_written() -> None:
    with pytest.raises(ValueError, match="read-only"):
        pixels("dog")[0, 0] = 0


def test_licence_and_notice_travel_along_and_the_whole_is_small() -> None:
    assert "Apache License" in (HERE / "LICENSE").read_text()
    assert "Noto Emoji" in (HERE / "NOTICE").read_text()
    assert sum(path.stat().st_size for path in HERE.iterdir() if path.is_file()) < 3_000_000


def test_the_shared_palette_leaves_room_for_what_is_drawn_round_the_icons() -> None:
    assert 100 < len(palette()) <= 224
    assert len(np.unique(palette(), axis=0)) == len(palette())
