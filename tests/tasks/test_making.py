"""Items made ahead and elsewhere: the same ones in the same order, whoever makes them, and whatever becomes of them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import wait
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from snellen.errors import UserError
from snellen.item import Item
from snellen.prompts import load
from snellen.tasks import task as find_task
from snellen.tasks.making import ItemPool, ItemRequest, Origin, make_stimuli, pool
from snellen.tasks.making.order import ItemMaker
from snellen.tasks.making.pool import start_worker
from snellen.tasks.making.worker import WorkerOrder, receive, send
from support.lengths import some_of

KIND = {"game": "dots_boxes", "states": "fresh", "size": "small"}
LAMPS = Path(__file__).parents[2] / "docs" / "examples" / "lamps.py"


def order(
    name: str = "fixation", n: int = 3, seed: int = 5, known: bool = True, **levels: tuple[str, ...]
) -> ItemRequest:
    task = find_task(name)
    design = task.changed(task.design(), levels)
    return ItemRequest(task, design, n, seed, load(task.prompts, task.name), Origin(name) if known else None)


def looks(stimuli: Iterator) -> list[tuple[str, str, str, tuple[str, ...]]]:
    return [
        (shown.item.id, shown.item.digest, str(shown.condition), tuple(picture.digest for picture in shown.pictures))
        for shown in stimuli
    ]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes are started at once for anything, however little it is, and waited for."""
    monkeypatch.setattr(pool, "WORTH_SECONDS", -1.0)
    prepare = ItemPool._prepare

    def waited_for(makers: ItemPool, *told: Any) -> None:
        prepare(makers, *told)
        prepared.append(makers)

    def make(makers: ItemPool, wanted: ItemRequest, first: int, count: int) -> Any:
        made = ordered(makers, wanted, first, count)
        if not makers._ready.is_set():
            wait([made])
        while makers._elsewhere is not None and len(prepared) < 2:
            time.sleep(0.01)
        return made

    prepared: list[ItemPool] = []
    ordered = ItemPool.make
    monkeypatch.setattr(ItemPool, "_prepare", waited_for)
    monkeypatch.setattr(ItemPool, "make", make)


@pytest.mark.soak
@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("name", ["fixation", "marvel", "winoground", "bias", str(LAMPS)])
def test_processes_make_the_same_in_the_same_order(name: str) -> None:
    wanted = order(name, 9)
    here = looks(wanted.task.stimuli(wanted.design, wanted.n, wanted.seed, wanted.pack))
    assert looks(make_stimuli(wanted, 1)) == here
    assert looks(make_stimuli(wanted, 2)) == here


@some_of("name", ["fixation", "marvel", "bongard", "winoground", "bias"], 3)
def test_any_stretch_can_be_made_by_itself(name: str) -> None:
    wanted = order(name, 4)
    whole = [made.item.digest for made in ItemMaker(wanted).make(0, wanted.size)]
    maker = ItemMaker(wanted)
    assert [made.item.digest for made in maker.make(2, 2)] == whole[2:4]
    assert [made.item.digest for made in maker.make(0, 1)] == whole[:1], "going back is allowed"
    assert len(whole) == wanted.size


@pytest.mark.soak
def test_an_address_is_the_same_in_every_order_that_has_the_item() -> None:
    few, many = order("marvel", 8), order("marvel", 16)
    by_address = {few.address(place): made.item.digest for place, made in enumerate(ItemMaker(few).make(0, few.size))}
    more = {many.address(place): made.item.digest for place, made in enumerate(ItemMaker(many).make(0, many.size))}
    shared = by_address.keys() & more.keys()
    assert len(shared) == few.size
    assert all(by_address[address] == more[address] for address in shared)
    assert order("marvel", 8, seed=6).address(0) not in by_address
    assert order(str(LAMPS)).address(0) is None, "somebody's own code may change without our knowing"
    assert order("fixation", known=False).address(0) is None


def test_a_task_that_only_this_process_has_is_made_here(at_once: None) -> None:
    wanted = order("fixation", 2, known=False)
    with ItemPool(2) as makers:
        made = [makers.make(wanted, place, 1).result() for place in range(wanted.size)]
        assert makers._elsewhere is None
    assert len(made) == 8


def test_one_core_starts_no_process(at_once: None) -> None:
    with ItemPool(1) as makers:
        makers.make(order(), 0, 1).result()
        makers.make(order(), 1, 1).result()
        assert makers._elsewhere is None


def test_where_no_process_can_be_started_we_make_it(at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(pool, "start_worker", refused)
    wanted = order("fixation", 2)
    assert looks(make_stimuli(wanted, 2)) == looks(make_stimuli(wanted, 1))


@pytest.mark.soak
def test_processes_take_over_what_was_ordered_before_they_were_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """With many cores a whole exam may be ordered at once."""
    monkeypatch.setattr(pool, "WORTH_SECONDS", -1.0)
    wanted = order("fixation", 4)
    by_hand: list[int] = []
    make = ItemPool._by_hand

    def slowly(makers: ItemPool, wanted: ItemRequest, first: int, count: int) -> Any:
        made = make(makers, wanted, first, count)
        by_hand.append(first)
        assert makers._ready.wait(60), "processes start while the first is made"
        return made

    monkeypatch.setattr(ItemPool, "_by_hand", slowly)
    with ItemPool(2) as makers:
        under_way = [makers.make(wanted, place, 1) for place in range(wanted.size)]
        found = [future.result()[0].item.digest for future in under_way]
    assert by_hand == [0]
    assert found == [made.item.digest for made in ItemMaker(wanted).make(0, wanted.size)]


@pytest.mark.parametrize("known", [True, False], ids=["anybody's", "ours alone"])
def test_nothing_is_begun_once_all_is_over(known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits is told, and no processes are started that nobody would end."""
    monkeypatch.setattr(pool, "WORTH_SECONDS", -1.0)
    wanted = order("fixation", 4, known=known)
    begun, over = Event(), Event()
    make = ItemMaker.make

    def slowly(maker: ItemMaker, first: int, count: int) -> Any:
        begun.set()
        assert over.wait(60)
        return make(maker, first, count)

    monkeypatch.setattr(ItemMaker, "make", slowly)
    with ItemPool(2) as makers:
        first, *others = [makers.make(wanted, place, 1) for place in range(4)]
        assert begun.wait(60)
    over.set()
    assert len(first.result()) == 1
    assert all(each.cancelled() for each in others)
    assert makers._elsewhere is None


def test_work_may_be_taken_while_the_rest_is_dropped() -> None:
    with ItemPool(1) as makers, makers._alone:
        *_, one, last = [makers.make(order("fixation", 4), place, 1) for place in range(4)]
        one.add_done_callback(lambda _: makers._waiting.pop())  # as a thread would at that moment
        makers.close()
    assert one.cancelled()
    assert not last.done(), "whoever took it sees to it"


def test_a_worker_that_is_killed_is_stood_in_for(at_once: None) -> None:
    wanted = order("fixation", 4)
    with ItemPool(2) as makers:
        first = makers.make(wanted, 0, 1).result()
        assert makers._ready.is_set()
        for worker in makers._workers:
            worker.kill()
            worker.wait()
        again = [makers.make(wanted, place, 1).result()[0].item.digest for place in range(3)]
    assert makers._workers
    assert again[0] == first[0].item.digest


def test_bad_input_is_one_line_from_elsewhere_too(at_once: None) -> None:
    wanted = order("fixation", 400, game=("tictactoe",))
    with pytest.raises(UserError, match="only 320 exist"):
        looks(make_stimuli(wanted, 2))


@pytest.mark.soak
@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signals here")
def test_a_worker_ends_with_its_input_and_not_with_the_terminal() -> None:
    wanted = order("fixation", 1)
    worker = start_worker()
    try:
        send(worker.stdin, (WorkerOrder(wanted.origin, wanted.design, 1, 5, False), None, None, 0, 1))
        assert len(receive(worker.stdout)) == 1
        ours, theirs = (os.getpriority(os.PRIO_PROCESS, process) for process in (0, worker.pid))
        assert theirs > ours or theirs == 19, "calls go first"
        for number in (signal.SIGINT, signal.SIGHUP):
            os.kill(worker.pid, number)
        send(worker.stdin, (WorkerOrder(wanted.origin, wanted.design, 1, 5, False), None, None, 1, 1))
        [made] = receive(worker.stdout)
        assert isinstance(made.item, Item)
        worker.stdin.close()
        assert worker.wait(timeout=60) == 0
    finally:
        worker.kill()


@pytest.mark.soak
def test_what_a_task_prints_does_not_get_in_the_way(tmp_path: Path, at_once: None) -> None:
    noisy = tmp_path / "noisy.py"
    noisy.write_text(LAMPS.read_text().replace("TASK = Task(", "print('loading lamps')\nTASK = Task("))
    (tmp_path / "noisy.toml").write_text(LAMPS.with_suffix(".toml").read_text())
    assert len(looks(make_stimuli(order(str(noisy), 4), 2))) == 8


@pytest.mark.soak
def test_a_script_without_a_guard_is_not_run_again(tmp_path: Path) -> None:
    """multiprocessing would run the script once more in every process; ours must not."""
    script = tmp_path / "script.py"
    script.write_text(
        "from pathlib import Path\n"
        "with Path('ran').open('a') as file:\n"
        "    file.write('once ')\n"
        "from snellen.tasks.making import pool\n"
        "pool.WORTH_SECONDS = -1.0\n"
        "pool.cores = lambda: 2\n"
        "import snellen\n"
        "print(snellen.exam('sim/ideal', n=2, store='s.sqlite').rows.height)\n"
    )
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "136"
    assert (tmp_path / "ran").read_text() == "once "


def test_chosen_items_are_the_same_whoever_makes_them(at_once: None) -> None:
    wanted = order("fixation", 3)
    places = (({"game": "reversi", "states": "fresh", "size": "large"}, 2), ({**KIND, "game": "connect4"}, 1))
    chosen = replace(wanted, chosen=places, to_come=100)
    here = [made.item.digest for made in ItemMaker(chosen).make(0, 2)]
    one_by_one = [replace(wanted, chosen=(place,)) for place in places]
    assert [ItemMaker(alone).make(0, 1)[0].item.digest for alone in one_by_one] == here
    with ItemPool(2) as makers:
        assert [made.item.digest for made in makers.make(chosen, 0, 2).result()] == here
        assert makers._ready.is_set()
        assert [made.item.digest for made in makers.make(chosen, 0, 2).result()] == here, "made by a process"
    assert [chosen.address(k) for k in range(2)] == [alone.address(0) for alone in one_by_one]


def test_how_long_items_take_is_known_of_all_that_are_chosen_alike() -> None:
    wanted = order("fixation", 3)
    with ItemPool(1) as makers:
        for number in range(3):
            makers.make(replace(wanted, chosen=((KIND, number),)), 0, 1).result()
        assert makers.stretch(replace(wanted, chosen=((KIND, 9),)), 0) > 1
        assert makers.stretch(wanted, 0) == 1, "of others nothing is known yet"
