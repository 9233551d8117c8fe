"""The notebook runs, and shows what it showed when it was kept: `make notebook` renews it."""

import ast
import asyncio
import io
import json
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from docs_numbers import difference
from docs_pages import DOCS

RENEW = "`make notebook` renews what the notebook shows"
WAYS = {"text/html": "_repr_html_", "image/svg+xml": "_repr_svg_", "text/plain": "__repr__"}


@pytest.mark.soak
def test_the_notebook_shows_what_its_cells_give(tmp_path: Path) -> None:
    notebook = json.loads((DOCS / "notebook.ipynb").read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}

    async def run() -> None:  # a notebook's cells run within a loop
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                value, printed = executed("".join(cell["source"]), names)
                check(cell["outputs"], value, printed)

    with chdir(tmp_path):
        asyncio.run(run())


def executed(source: str, names: dict[str, Any]) -> tuple[Any, str]:
    """The value of a cell's last line, if it has one, and what the cell printed."""
    *body, last = ast.parse(source).body
    result = last.value if isinstance(last, ast.Expr) else None
    with redirect_stdout(io.StringIO()) as out:
        exec(compile(ast.Module([*body, last] if result is None else body, []), "a cell", "exec"), names)
        value = eval(compile(ast.Expression(result), "a cell", "eval"), names) if result is not None else None
    return value, out.getvalue()


def check(outputs: list[Any], value: Any, printed: str) -> None:
    kept = "".join("".join(output["text"]) for output in outputs if output["output_type"] == "stream")
    assert not (apart := difference(kept, printed)), f"{apart}; {RENEW}"
    shown = [output["data"] for output in outputs if output["output_type"] == "execute_result"]
    assert len(shown) == (value is not None), RENEW
    for data in shown:
        for kind, way in WAYS.items():
            if kind in data:
                apart = difference("".join(data[kind]), getattr(value, way)())
                assert not apart, f"{kind}: {apart}; {RENEW}"
