"""Run the commands in `console` blocks and put what they print below them: `python docs/make_consoles.py [PAGE...]`.

A block has commands after `$ ` and what they print. The commands of a page run in order in one folder, which has the
files of docs/examples. `tests/docs` holds the pages to what is printed.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

DOCS = Path(__file__).parent
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COLUMNS = "80"
PROGRESS = re.compile(r": [\d,]+ of [\d,]+ · [\d,]+/s")
"""How far an exam has come: a matter of the machine, not of the page."""


def printed(command: str, folder: Path, before: int) -> tuple[str, int]:
    """What a command prints in a folder, and how it ends; `before` is how the one before it ended."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    ran = subprocess.run(  # noqa: S603 - commands of our own pages
        ["bash", "-c", f"set -o pipefail; (exit {before}); {command}"],  # noqa: S607
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": COLUMNS},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    lines = (line for line in ran.stdout.splitlines() if not PROGRESS.search(line))
    return "".join(f"{line.rstrip()}\n" for line in lines), ran.returncode


def renewed(page: str, folder: Path) -> str:
    """The page with what its commands print today."""
    status = 0

    def block(found: re.Match[str]) -> str:
        nonlocal status
        lines = []
        for command in re.findall(r"^\$ (.+)$", found[1], re.MULTILINE):
            output, status = printed(command, folder, status)
            lines.append(f"$ {command}\n{output}")
        return f"```console\n{''.join(lines)}```"

    return BLOCK.sub(block, page)


def main(names: list[str]) -> None:
    pages = [Path(name) for name in names] or sorted(DOCS.rglob("*.md"))
    for path in pages:
        text = path.read_text(encoding="utf-8")
        if BLOCK.search(text):
            with TemporaryDirectory() as folder:
                shutil.copytree(DOCS / "examples", folder, dirs_exist_ok=True)
                path.write_text(renewed(text, Path(folder)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
