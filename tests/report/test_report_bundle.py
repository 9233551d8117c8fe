"""The built page that is committed was built from the sources that are committed; told without node."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from snellen.report.page import built

WEB = Path(__file__).parents[2] / "web"
MANIFEST = json.loads(built("manifest.json"))
BUDGET = 131_500

needs_sources = pytest.mark.skipif(not WEB.is_dir(), reason="the page's sources are not here")


def digest(text: str) -> str:
    return sha256(text.replace("\r\n", "\n").encode()).hexdigest()


@needs_sources
def test_sources_are_those_it_was_built_from() -> None:
    files = [*WEB.glob("src/**/*.ts"), *WEB.glob("src/**/*.tsx"), *WEB.glob("src/**/*.css")]
    files += [WEB / name for name in ("build.mjs", "package.json", "package-lock.json", "tsconfig.json")]
    found = {file.relative_to(WEB).as_posix(): digest(file.read_text(encoding="utf-8")) for file in files}
    assert found == MANIFEST["sources"], "run `npm run build` in web/ and commit what it writes"


@pytest.mark.parametrize("name", ["report.js", "report.css"])
def test_built_files_are_untouched(name: str) -> None:
    assert digest(built(name)) == MANIFEST["built"][name]


def test_built_files_are_small_plain_and_cannot_end_their_element() -> None:
    script, style = built("report.js"), built("report.css")
    assert len(script) + len(style) < BUDGET
    for text in (script, style):
        assert text.isascii()
        assert not any(end in text.lower() for end in ("</script", "</style", "<!--"))
    assert "eval(" not in script


@needs_sources
def test_the_lock_file_names_no_registry() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))
    assert not [name for name, package in lock["packages"].items() if "resolved" in package]
