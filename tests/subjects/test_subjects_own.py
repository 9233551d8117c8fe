"""Somebody's own model: a function, an object, a file. What it is given, what is recorded, what goes wrong."""

import asyncio
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import closing
from functools import partial
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from PIL import Image

import snellen
from snellen.call import Abilities, Call, CallFailed, Message, Reply, Subject
from snellen.errors import UserError
from snellen.item import Picture
from snellen.prompts import load
from snellen.subjects import subject
from snellen.tasks import task


def board() -> Picture:
    fixation = task("fixation")
    return next(fixation.stimuli(fixation.design(), 1, 0, load(fixation.prompts, "fixation"))).pictures[0]


BOARD = board()


async def ask(who: Subject, *parts: str | Picture, turns: int = 1, **settings: object) -> Reply:
    messages = (Message("user", parts or ("Hello?", BOARD)),) * turns
    async with who as opened:
        return await opened.answer(Call(who.name, {**who.settings, **settings}, messages))


def test_a_function_is_a_subject() -> None:
    def my_model(parts: list[object]) -> str:
        words, picture = parts
        assert words == "Who wins?"
        assert isinstance(picture, Image.Image)
        assert picture.mode == "RGB"
        return f"seen {picture.size[0]}"

    who = subject(my_model)
    assert who.name == "my_model"
    assert set(who.settings) == {"code"}
    assert asyncio.run(ask(who, "Who wins?", BOARD)).text == "seen 384"


def test_pictures_come_as_the_very_bytes_if_that_is_wanted() -> None:
    def raw(parts: list[object]) -> str:
        assert parts[1] == BOARD.data
        return "X"

    assert asyncio.run(ask(subject(raw, pictures="bytes"))).text == "X"
    with pytest.raises(UserError, match="'pil' or 'bytes'"):
        subject(raw, pictures="numpy")  # type: ignore[arg-type]


def test_transparent_pictures_are_seen_on_white() -> None:
    out = BytesIO()
    Image.new("RGBA", (2, 2), (255, 0, 0, 0)).save(out, "PNG")

    def look(parts: list[Image.Image]) -> str:
        return str(parts[0].getpixel((0, 0)))

    assert asyncio.run(ask(subject(look), Picture(out.getvalue()))).text == "(255, 255, 255)"


def test_what_has_a_default_is_a_setting_and_a_call_may_change_it() -> None:
    def my_model(parts: list[object], temperature: float = 0.5, mode: str = "fast") -> str:
        return f"{temperature} {mode}"

    who = subject(my_model, settings={"mode": "slow", "weights": "step-1000"})
    assert {**who.settings, "code": ""} == {"code": "", "temperature": 0.5, "mode": "slow", "weights": "step-1000"}
    assert asyncio.run(ask(who)).text == "0.5 slow"
    assert asyncio.run(ask(who, temperature=0.9)).text == "0.9 slow"
    assert who.abilities.per_call["temperature"]("0.25") == 0.25
    with pytest.raises(UserError, match=r"like its default, 0\.5"):
        who.abilities.per_call["temperature"]("warm")


def test_another_function_has_another_code() -> None:
    def answer(parts: list[object]) -> str:
        return "X"

    first = subject(answer)

    def answer(parts: list[object]) -> str:  # type: ignore[no-redef]
        return "O"

    assert first.settings["code"] != subject(answer).settings["code"]


def test_an_async_function_answers_many_at_once_and_a_plain_one_one_by_one() -> None:
    together = most = 0

    async def quick(parts: list[object]) -> str:
        nonlocal together, most
        together += 1
        most = max(most, together)
        await asyncio.sleep(0.01)
        together -= 1
        return "X"

    async def many() -> None:
        async with subject(quick) as who:
            call = Call(who.name, who.settings, (Message("user", ("a",)),))
            await asyncio.gather(*(who.answer(call) for _ in range(5)))

    asyncio.run(many())
    assert most == 5
    assert subject(quick).abilities.together is None

    def slow(parts: list[object]) -> str:
        return threading.current_thread().name

    assert subject(slow).abilities.together == 1
    assert subject(slow, together=3).abilities.together == 3
    assert asyncio.run(ask(subject(slow))).text != threading.main_thread().name, "never on the loop's own thread"


def test_messages_for_those_who_want_several_turns() -> None:
    def chat(messages: list[dict[str, Any]]) -> str:
        return " ".join(f"{m['role']}:{len(m['content'])}" for m in messages)

    def once(parts: list[object]) -> str:
        return "X"

    assert asyncio.run(ask(subject(chat), "a", "b", turns=2)).text == "user:2 user:2"
    with pytest.raises(CallFailed, match=r"^mine: takes one message.* write it as once\(messages\)"):
        asyncio.run(ask(subject(once, name="mine"), turns=2))


def test_partial_functions_and_objects_with_answer() -> None:
    def base(parts: list[object], *, model: object, style: str = "plain") -> str:
        return style

    who = subject(partial(base, model=object(), style="bold"))
    assert who.name == "base"
    assert asyncio.run(ask(who)).text == "bold"

    class Mine:
        name = "mine"

        def answer(self, call: Call) -> Reply:
            assert call.about is None
            return Reply("O", tokens_out=3)

    assert asyncio.run(ask(subject(Mine()))) == Reply("O", tokens_out=3)
    assert subject(Mine(), name="ours", settings={"v": 2}).settings["v"] == 2
    assert subject(Mine()).name == "mine"


def test_a_whole_subject_is_taken_as_it_is() -> None:
    whole = subject("sim/ideal")
    assert subject(whole) is whole


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (42, "got int"),
        (lambda parts: "X", "name='mine'"),
        (lambda: "X", "takes no argument"),
        (dict, "the class dict; pass an instance"),
    ],
)
def test_what_is_no_subject_is_said_in_one_line(thing: object, words: str) -> None:
    with pytest.raises(UserError, match=words) as caught:
        subject(thing)
    assert "\n" not in str(caught.value)


def test_a_function_that_needs_more_than_parts() -> None:
    def needy(parts: list[object], model: object) -> str:
        return "X"

    with pytest.raises(UserError, match=r"needs model besides; expected needy\(parts\)"):
        subject(needy)


def test_what_a_function_may_return_and_raise() -> None:
    def numbers(parts: list[object]) -> int:
        return 7

    def broken(parts: list[object]) -> str:
        raise ZeroDivisionError("division by zero")

    with pytest.raises(CallFailed, match="returned int; expected the answer as str") as caught:
        asyncio.run(ask(subject(numbers)))
    assert caught.value.fatal
    with pytest.raises(
        CallFailed, match=r"broken: ZeroDivisionError: division by zero \(test_subjects_own.py, line \d+\)"
    ):
        asyncio.run(ask(subject(broken)))


def test_a_function_that_fails_now_and_then_is_not_given_up(tmp_path: Path) -> None:
    asked = 0

    def moody(parts: list[object]) -> str:
        nonlocal asked
        asked += 1
        if asked % 5 == 0:
            raise MemoryError
        return "X"

    result = snellen.exam(moody, n=1, levels={"game": ("tictactoe",)}, store=tmp_path / "s.sqlite")
    assert result.summary is not None
    assert result.summary.errors == 17 // 5
    assert result.summary.ended == "complete"


# In files


FILE = """
SHOUT = "!"
def answer(parts, care=0.5, loud=False, name="x"):
    pictures = [part for part in parts if not isinstance(part, str)]
    return f"{len(pictures)} {care} {loud}" + SHOUT
"""


def test_a_file_with_a_function(tmp_path: Path) -> None:
    path = tmp_path / "my_model.py"
    path.write_text(FILE)
    who = subject(str(path))
    assert who.name == "my_model"
    assert asyncio.run(ask(who)).text == "1 0.5 False!"
    tuned = subject(f"{path}:care=0.75,loud=true")
    assert tuned.name == "my_model:care=0.75,loud=true"
    assert asyncio.run(ask(tuned)).text == "1 0.75 True!"
    path.write_text(FILE.replace('"!"', '"?"'))
    assert subject(str(path)).settings["code"] != who.settings["code"], "anything in the file may matter"


def test_a_file_with_an_object(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("class Model:\n    def answer(self, call):\n        return 'X'\nSUBJECT = Model()\n")
    assert asyncio.run(ask(subject(str(path)))).text == "X"
    (tmp_path / "helper.py").write_text("WORD = 'O'\n")
    path.write_text("from helper import WORD\ndef answer(parts):\n    return WORD\n")
    assert asyncio.run(ask(subject(str(path)))).text == "O", "what stands beside the file can be imported"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "no such file; give a Python file with a function answer"),
        ("x = 1", "it defines neither"),
        ("import nothing_of_the_kind", "ModuleNotFoundError.*line 1"),
        ("raise SystemExit(0)", r"SystemExit: 0 \(bad.py, line 1\)"),
        ("def answer(:\n  pass", r"SyntaxError.*\(line 1\)"),
        ("def answer(a, b): pass", "needs b besides"),
    ],
)
def test_a_file_that_is_no_subject_is_one_line(tmp_path: Path, content: str | None, words: str) -> None:
    path = tmp_path / "bad.py"
    if content is not None:
        path.write_text(content)
    with pytest.raises(UserError, match=words) as caught:
        subject(str(path))
    assert "\n" not in str(caught.value)


def test_settings_of_a_file_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "my_model.py"
    path.write_text(FILE)
    with pytest.raises(UserError, match="did you mean care"):
        subject(f"{path}:cara=1")
    with pytest.raises(UserError, match=r"like its default, 0\.5"):
        subject(f"{path}:care=lots")
    with pytest.raises(UserError, match="like its default, False"):
        subject(f"{path}:loud=perhaps")


# From installed packages


class Point:
    """An entry point as `importlib.metadata` gives it."""

    def __init__(self, name: str, value: object) -> None:
        self.name, self._value = name, value

    def load(self) -> object:
        return self._value


def test_packages_may_bring_subjects(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(model: str, **settings: str) -> object:
        def run(parts: list[object]) -> str:
            return f"{model} {settings}"

        return run

    monkeypatch.setattr("snellen.subjects.published", lambda group: {"acme": Point("acme", make)})
    who = subject("acme/eye-1:size=3")
    assert who.name == "acme/eye-1:size=3"
    assert asyncio.run(ask(who)).text == "eye-1 {'size': '3'}"
    with pytest.raises(UserError, match="did you mean acme"):
        subject("acmee/eye")


def test_a_package_that_fails_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(model: str) -> object:
        raise RuntimeError("no such checkpoint")

    monkeypatch.setattr("snellen.subjects.published", lambda group: {"acme": Point("acme", make)})
    with pytest.raises(UserError, match="acme/eye: RuntimeError: no such checkpoint"):
        subject("acme/eye")


def test_abilities_of_an_object_are_heeded() -> None:
    class Careful:
        abilities = Abilities(pictures=1, roles=("describer",))

        async def answer(self, call: Call) -> Reply:
            return Reply("X")

    assert subject(Careful()).abilities.pictures == 1
    assert subject(Careful()).abilities.roles == ("describer",)


# Whatever somebody's code comes up with


def stops(parts: list[object]) -> str:
    return next(iter([]))


async def stops_later(parts: list[object]) -> str:
    await asyncio.sleep(0)
    return next(iter([]))


def leaves(parts: list[object]) -> str:
    sys.exit(3)


async def gives_up(parts: list[object]) -> str:
    raise asyncio.CancelledError


class Stops:
    """All that a subject must be, in somebody else's hand."""

    name = "stops"
    settings: Mapping[str, object] = MappingProxyType({})
    abilities = Abilities()

    async def __aenter__(self) -> "Stops":
        return self

    async def __aexit__(self, *error: object) -> None:
        pass

    async def answer(self, call: Call) -> Reply:
        return next(iter([]))


class StopsAtOnce(Stops):
    def answer(self, call: Call) -> Reply:  # type: ignore[override]
        return next(iter([]))


@pytest.mark.parametrize(
    ("model", "line"),
    [
        (stops, "stops: StopIteration"),
        (stops_later, "stops_later: StopIteration"),
        (leaves, "leaves: SystemExit: 3"),
        (gives_up, "gives_up: CancelledError"),
        (Stops(), "stops: StopIteration"),
        (StopsAtOnce(), "stops: StopIteration"),
    ],
)
def test_no_exception_gets_past_the_call_it_befell(model: Any, line: str, tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    result = snellen.exam(model, n=1, levels={"game": "tictactoe", "prompt": "base"}, store=store)
    assert result.summary is not None
    assert result.summary.done == result.summary.errors == result.rows.height > 0
    with closing(sqlite3.connect(store)) as opened:
        told = {message for (message,) in opened.execute("select message from calls")}
    assert {message.rpartition(" (")[0] for message in told} == {line}
    assert all("test_subjects_own.py" in message for message in told)


def test_an_exception_that_no_future_can_carry_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("def answer(parts):\n    return next(part for part in parts if part is None)\n")
    with pytest.raises(CallFailed, match=r"mine: StopIteration \(mine.py, line 2\)"):
        asyncio.run(ask(subject(str(path))))


def test_being_cancelled_is_not_taken_for_an_answer() -> None:
    async def waits(parts: list[object]) -> str:
        await asyncio.sleep(60)
        return "X"

    async def cancelled() -> None:
        task = asyncio.create_task(ask(subject(waits)))
        await asyncio.sleep(0.01)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())


@pytest.mark.parametrize(("method", "words"), [("__aenter__", "be opened"), ("__aexit__", "be closed")])
def test_a_model_that_cannot_be_opened_or_closed_is_one_line(method: str, words: str) -> None:
    async def fails(self: object, *error: object) -> None:
        raise ValueError("no memory left")

    broken = type("Broken", (Stops,), {method: fails, "answer": lambda self, call: "X"})()
    with pytest.raises(UserError, match=rf"stops cannot {words}: ValueError: no memory left \(test_subjects_own"):
        asyncio.run(ask(subject(broken)))


def test_abilities_that_are_none_are_one_line() -> None:
    odd = type("Odd", (Stops,), {"abilities": {"pictures": 1}})()
    with pytest.raises(UserError, match=r"Odd: its abilities must be snellen\.call\.Abilities"):
        subject(odd)


STUCK = """
import asyncio, time
from snellen.call import Call, Message
from snellen.subjects import subject

def stuck(parts):
    time.sleep(600)

async def main():
    async with subject(stuck) as who:
        with __import__("contextlib").suppress(TimeoutError):
            await asyncio.wait_for(who.answer(Call("stuck", who.settings, (Message("user", ("a",)),))), 0.2)

asyncio.run(main())
"""


def test_a_model_that_hangs_does_not_keep_the_process_from_ending() -> None:
    done = subprocess.run([sys.executable, "-c", STUCK], timeout=60, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_threads_are_no_more_than_asked_for_and_no_more_than_needed() -> None:
    def slow(parts: list[object]) -> str:
        time.sleep(0.02)
        return threading.current_thread().name

    async def names(many: int) -> set[str]:
        async with subject(slow, together=3) as who:
            call = Call(who.name, who.settings, (Message("user", ("a",)),))
            return {reply.text for reply in await asyncio.gather(*(who.answer(call) for _ in range(many)))}

    assert len(asyncio.run(names(9))) == 3
    assert len(asyncio.run(names(1))) == 1


async def test_a_subject_may_say_once_it_is_open_how_much_it_can_take() -> None:
    class Growing:
        name = "growing"
        settings: Mapping[str, Any] = {}
        abilities = Abilities(together=2)

        async def __aenter__(self) -> "Growing":
            self.abilities = Abilities(together=200)
            return self

        async def __aexit__(self, *_: object) -> None:
            return

        async def answer(self, call: Call) -> Reply:
            return Reply("!")

    async with subject(Growing()) as who:
        assert who.abilities.together == 200
