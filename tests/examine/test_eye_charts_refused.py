"""Servers that do not take what they are sent: one clear line, never an invented number."""

import io

import pytest
from PIL import Image

import snellen
from fakes.lessons import lesson
from fakes.lookers import Looker
from fakes.server import Refused, served
from snellen.errors import UserError


def no_large_ones(mind):
    """Somebody behind a server that takes no picture over 1024 px."""

    def answers(parts):
        if any(isinstance(part, bytes) and max(Image.open(io.BytesIO(part)).size) > 1024 for part in parts):
            raise Refused("Image dimensions exceed the maximum of 1024 pixels")
        return mind(parts)

    return answers


def halved(picture):
    """Whoever sees half of the pixels has a threshold within what is drawn, the same at every size."""
    return picture.resize((picture.width // 2, picture.height // 2), Image.Resampling.LANCZOS)


def no_pictures(parts):
    if any(isinstance(part, bytes) for part in parts):
        raise Refused("Attachments are switched off")
    return "C"


def no_eyes(parts):
    raise Refused("This model does not support image input")


@pytest.fixture
def card(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")

    def of(mind, **choices):
        with served({"it": mind}) as address:
            found = snellen.exam({"it": f"openai/it@{address}"}, tasks="acuity", store=tmp_path / "s.db", **choices)
            (card,) = found.cards()
            return card

    return of


@pytest.mark.soak
def test_a_size_that_a_server_refuses_is_named(card):
    mind = no_large_ones(Looker(lesson(), halved))
    told = card(mind, design="resolution", levels={"canvas": ("256", "512", "1024", "2048")})
    assert any("2048\u00a0px were not taken" in line for line in told.resolution_lines)
    assert sum(point.threshold is not None for point in told.resolution.points) >= 2, "there is something to go by"
    assert told.resolution.largest == (1024, 1024)
    assert told.resolution.side is None
    assert "calls failed" in told.asked


def test_a_subject_that_takes_no_pictures_has_no_numbers(card):
    told = card(no_pictures, levels={"test": ("letters",)})
    assert "no picture was taken" in told.headline
    assert told.prescription == ("Nothing was measured.",)
    assert all(each.value is None for each in told.readings)


def test_a_model_that_accepts_no_images_is_named_before_much_is_asked(card):
    with pytest.raises(UserError, match=r"if the model accepts no images, write openai/it@.*:pictures=0"):
        card(no_eyes, levels={"test": ("letters",)})
