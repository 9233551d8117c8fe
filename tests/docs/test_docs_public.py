"""What is public is declared, documented, and all that the pages use."""

import ast
import doctest
import inspect
import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from docs_pages import DOCS, PAGES, PYTHON, ROOT, blocks, name_of

_ROW = re.compile(r"^\| `(snellen[\w.]*)` \| [^|]+ \| (.+) \|$", re.MULTILINE)
PUBLIC = {
    module: re.findall(r"`([^`]+)`", names) for module, names in _ROW.findall((DOCS / "api.md").read_text("utf-8"))
}
FOR_INSPECT = "snellen.bridge.inspect_tasks"
"""It has one name for each task, and takes `inspect_ai` to import."""


def python_of_the_pages() -> Iterator[tuple[str, str]]:
    """Everything in Python that the pages show: where it stands, and its text."""
    for page in PAGES:
        for block in blocks(page.read_text(encoding="utf-8")):
            if block.language == PYTHON:
                yield f"{name_of(page)}:{block.line}", block.text
    for example in sorted((DOCS / "examples").glob("*.py")):
        yield name_of(example), example.read_text(encoding="utf-8")
    for notebook in sorted(DOCS.glob("*.ipynb")):
        for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                yield name_of(notebook), "".join(cell["source"])


def imports(text: str) -> Iterator[tuple[str, str]]:
    """The imports of ours in some Python: module and name. Lines that only bring in an example are passed over."""
    for line in re.findall(r"^\s*((?:from|import) snellen\b[^\n(]*(?:\([^)]*\))?)", text, re.MULTILINE):
        for node in ast.walk(ast.parse(line.strip())):
            if isinstance(node, ast.ImportFrom):
                yield from ((node.module or "", alias.name) for alias in node.names)
            elif isinstance(node, ast.Import):
                yield from ((alias.name, "") for alias in node.names)


def test_the_pages_use_nothing_but_what_is_public() -> None:
    used = [(place, module, name) for place, text in python_of_the_pages() for module, name in imports(text)]
    assert len(used) > 10
    hidden = [
        f"{place}: {module} {name}"
        for place, module, name in used
        if module != FOR_INSPECT and (module not in PUBLIC or (name and name not in PUBLIC[module]))
    ]
    assert not hidden


@pytest.mark.parametrize("module", PUBLIC)
def test_the_page_names_what_a_public_module_declares(module: str) -> None:
    path = ROOT / "src" / Path(*module.split("."))
    tree = ast.parse((path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text("utf-8"))
    declared = [
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and [getattr(target, "id", "") for target in node.targets] == ["__all__"]
    ]
    assert declared == [PUBLIC[module]]


NEEDS_AN_EXTRA = {"snellen.subjects.local.prompting": "jinja2", "snellen.bridge.logs": "inspect_ai"}


@pytest.mark.parametrize(("module", "name"), [(module, name) for module, names in PUBLIC.items() for name in names])
def test_what_is_public_says_how_it_is_used(module: str, name: str) -> None:
    """Classes say what they are; functions also name every argument, what they return and raise, and show a line."""
    if module in NEEDS_AN_EXTRA:
        pytest.importorskip(NEEDS_AN_EXTRA[module])
    thing = getattr(import_module(module), name)
    if inspect.isclass(thing):
        assert thing.__doc__
        assert not thing.__doc__.startswith(f"{name}(")  # what a dataclass says of itself
        return
    if not inspect.isfunction(thing):
        return
    words = inspect.getdoc(thing) or ""
    plain = [p for p in inspect.signature(thing).parameters.values() if p.kind is not p.VAR_KEYWORD]
    assert [p.name for p in plain if f"`{p.name}`" not in words and f"`{p.name}=" not in words] == []
    assert "Returns " in words
    assert "Raises " in words or "raise " not in inspect.getsource(thing)
    assert ">>> " in words
    examples = doctest.DocTestFinder().find(thing, name, globs=dict(vars(inspect.getmodule(thing))))
    assert all(doctest.DocTestRunner().run(example).failed == 0 for example in examples)
