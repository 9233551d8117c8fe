"""Contact sheets: readable, safe whatever the text, and in two kinds."""

import io
import re
from base64 import b64decode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from PIL import Image
from sheet_samples import HOSTILE, some, stimulus

from snellen.errors import UserError
from snellen.item import Picture
from snellen.tasks.sheet import write_sheet


class Reader(HTMLParser):
    """What a browser would make of the page: tags, images and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.images: list[bytes] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag == "img":
            source = dict(attrs)["src"] or ""
            assert source.startswith(("data:image/png;base64,", "data:image/jpeg;base64,"))
            self.images.append(b64decode(source.partition(",")[2]))

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture
def page(tmp_path: Path) -> str:
    write_sheet(some(), tmp_path / "sheet.html", "Items & more <1>")
    return (tmp_path / "sheet.html").read_text(encoding="utf-8")


def test_the_page_shows_pictures_words_keys_and_twins(page: str) -> None:
    seen = Reader(page)
    assert seen.images == [picture.data for each in some() for picture in each.pictures]
    assert seen.tags.count("article") == len(some())
    assert "Items & more <1>" in seen.text
    assert some()[0].twin in seen.text
    assert "What is in row 1, column 1?" in seen.text
    assert "All: game=tictactoe, size=small." in seen.text
    assert "rule=inverse, modality=text" in seen.text
    assert "X would be: default rule" in seen.text


def test_hostile_text_is_text(page: str) -> None:
    seen = Reader(page)
    assert HOSTILE in seen.text
    assert '<pre class="words">Who is the winner?\n</pre>\n<pre class="board">' in page
    assert "script" not in seen.tags
    assert seen.tags.count("img") == sum(len(each.pictures) for each in some())


def test_the_page_allows_nothing_but_itself(page: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert policy is not None
    assert style is not None
    assert "default-src 'none'; img-src data:" in policy[1]
    allowed = re.search(r"style-src 'sha256-([^']*)'", policy[1])
    assert allowed is not None
    assert b64decode(allowed[1]) == sha256(style[1].encode()).digest()
    assert "http" not in page.replace("http-equiv", "")


def test_a_media_type_cannot_break_out(tmp_path: Path) -> None:
    first = stimulus()
    bad = Picture(first.pictures[0].data, 'image/png" onload="x', '" onerror="x')
    odd = type(first)(first.item, first.condition, (bad, "words"), first.question)
    write_sheet([odd], tmp_path / "sheet.html", "t")
    page = (tmp_path / "sheet.html").read_text(encoding="utf-8")
    assert 'onload="x' not in page
    assert 'onerror="x' not in page


def test_the_picture_shows_every_stimulus(tmp_path: Path) -> None:
    write_sheet(some(), tmp_path / "sheet.PNG", "Items")
    write_sheet(some()[:1], tmp_path / "one.png", "Items")
    with Image.open(tmp_path / "sheet.PNG") as sheet, Image.open(tmp_path / "one.png") as one:
        assert sheet.format == "PNG"
        assert sheet.height > 3 * 300
        assert one.width < 400 < one.height
        assert one.convert("L").getextrema() == (0, 255)


def test_a_picture_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    first = stimulus()
    broken = type(first)(first.item, first.condition, (Picture(b"nonsense", alt="the broken one"),), first.question)
    with pytest.raises(UserError, match="the broken one: cannot be shown"):
        write_sheet([broken], tmp_path / "sheet.png", "t")
    assert list(tmp_path.iterdir()) == []


def test_long_words_and_many_lines_fit(tmp_path: Path) -> None:
    write_sheet([stimulus(text="w" * 3000 + "\n" * 400 + "end")], tmp_path / "sheet.png", "t")
    with Image.open(tmp_path / "sheet.png") as sheet:
        assert sheet.height < 2000


def test_bad_requests(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"unknown suffix '.gif'; expected .html or .png"):
        write_sheet(some(), tmp_path / "sheet.gif", "t")
    with pytest.raises(UserError, match="nothing to show"):
        write_sheet([], tmp_path / "sheet.html", "t")
    with pytest.raises(UserError, match="do not fit one picture"):
        write_sheet([stimulus()] * 241, tmp_path / "sheet.png", "t")
    with pytest.raises(UserError, match="No such file or directory"):
        write_sheet(some(), tmp_path / "no" / "sheet.html", "t")
    assert list(tmp_path.iterdir()) == []


def test_an_old_sheet_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "sheet.png"
    target.write_bytes(b"old")
    write_sheet([stimulus()], target, "t")
    assert io.BytesIO(target.read_bytes()).read(4) == b"\x89PNG"
    assert [path.name for path in tmp_path.iterdir()] == ["sheet.png"]


def test_a_failure_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(UserError, match="No space left on device"):
        write_sheet(some(), tmp_path / "sheet.html", "t")
    assert list(tmp_path.iterdir()) == []
