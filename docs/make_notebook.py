"""Run docs/notebook.ipynb and keep what it shows: `python docs/make_notebook.py`."""

from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parent / "notebook.ipynb"


def run(folder: Path) -> nbformat.NotebookNode:
    """The notebook as it comes out, run in a folder."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    client = NotebookClient(notebook, record_timing=False, resources={"metadata": {"path": str(folder)}})
    return client.execute()


def main() -> None:
    with TemporaryDirectory() as folder:
        found = run(Path(folder))
    found.metadata = {"kernelspec": found.metadata["kernelspec"], "language_info": {"name": "python"}}
    nbformat.write(found, NOTEBOOK)


if __name__ == "__main__":
    main()
