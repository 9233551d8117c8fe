"""Write docs/guides/models.md: `make models` (three minutes, one processor).

Models with random weights of each architecture in tests/stock_models.py answer the eight kinds of calls in
tests/stock_answers.py, and each answer is compared with that of transformers' own `generate`.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import transformers

ROOT = Path(__file__).parents[1]
OUT = ROOT / "docs" / "guides" / "models.md"
PAGE = """# Which models run locally

`local/PATH_OR_HUB_ID` loads any model that transformers' `AutoModelForImageTextToText` or `AutoModelForMultimodalLM`
loads. This table is made by `make models` with transformers {release}, from models of {count} architectures with random
weights. Each answers {kinds} kinds of calls one by one and then together in one batch, and is compared with
transformers' own `generate`, which gets one call at a time.

✓: as many tokens, each with the same log-probability up to rounding, alone and in the batch. A number is a note
below.

{table}

{notes}

Other architectures run the same code and are not tested. BLIP-2, InstructBLIP, Florence-2 and Kosmos-2.5 are published
without a chat template; add one to the folder.

## Batches

When a model is opened, it answers two calls of different lengths alone and then together, two tokens each. If the
answers differ by more than rounding, a warning says so and the model is asked one call at a time, whatever `batch`
says. So answers do not depend on `batch`, and it is not recorded. With `batch=1` nothing is checked.
"""


class Row(NamedTuple):
    """An architecture with its cells: "" for equal answers, or what is to be said."""

    name: str
    cells: list[str]


def rows() -> list[Row]:
    """All architectures, answering."""
    sys.path.insert(0, str(ROOT / "tests"))
    from stock_answers import compared
    from stock_models import STOCK

    made = []
    for stock in sorted(STOCK.values(), key=lambda stock: stock.name.lower()):
        with TemporaryDirectory() as folder:
            answers, batches = compared(stock, Path(folder))
        unlike = "" if batches else f"asked one call at a time: in transformers' own batch {stock.batch}"
        install = f"needs `pip install {stock.needs}`" if stock.needs else ""
        cells = [answer and stock.refused.get(kind, answer) for kind, answer in answers.items()]
        made.append(Row(f"{stock.name} (`{stock.model_type}`)", [*cells, unlike or install]))
        print(made[-1].name, *filter(None, made[-1].cells), sep=": ", flush=True)  # noqa: T201  it takes a while
    return made


def page(rows: list[Row], kinds: list[str]) -> str:
    """The whole page."""
    notes = list(dict.fromkeys(cell for row in rows for cell in row.cells if cell))
    heads = ["", *kinds, "batches"]
    lines = [heads, ["---", *[":-:"] * (len(heads) - 1)]]
    lines += [[row.name, *(f"{notes.index(cell) + 1}" if cell else "✓" for cell in row.cells)] for row in rows]
    return PAGE.format(
        release=transformers.__version__,
        count=len(rows),
        kinds=len(kinds),
        table="\n".join(f"| {' | '.join(line)} |" for line in lines),
        notes="\n".join(f"{number}. {note[:1].upper()}{note[1:]}." for number, note in enumerate(notes, 1)),
    )


def main() -> None:
    from snellen.subjects.local.loading import quiet

    quiet()
    made = rows()
    from stock_answers import SHAPES

    OUT.write_text(page(made, list(SHAPES)), encoding="utf-8")


if __name__ == "__main__":
    main()
