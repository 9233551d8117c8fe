"""`snellen read`: a reply on the command line, and replies in a store."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import snellen as package
from snellen.engine import Store
from support.changed import change
from support.commands import fails, snellen

HUM = "Hmm, what a fine \x1b[31mboard\x1b[0m."


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store: a subject that reasons aloud, and hums where the rule is inverse and nothing is to see."""

    def aloud(parts: list[object]) -> str:
        words = str(parts)
        if "loses, and the opponent" in words:
            return HUM if len(words) % 2 else "It might be X. Or O?"
        return "At first sight O. But no: X has three in a row, so X wins."

    folder = tmp_path_factory.mktemp("home")
    levels = {"game": ("tictactoe",), "prompt": ("base",)}
    package.exam(aloud, tasks="fixation", n=3, levels=levels, store=folder / "snellen.sqlite")
    return folder


def trials(home: Path, wanted: str) -> list[str]:
    with Store.open(home / "snellen.sqlite", readonly=True) as store:
        rows = store.rows()
    return rows.filter(rows["outcome"].is_in(wanted.split())).sort("trial")["trial"].to_list()


def test_a_reply_on_the_command_line(tmp_path: Path) -> None:
    ran = snellen("read", "X has three, so O wins.", "--labels", "X,O", "--asked", "winner", "--explain", cwd=tmp_path)
    answer, *why = ran.stdout.splitlines()
    assert answer == "O"
    assert any(line.startswith("* O") for line in why)
    assert snellen("read", "No idea.", cwd=tmp_path).stdout.startswith("unread (")


def test_a_stored_reply_is_read_again_with_its_question(home: Path) -> None:
    trial = trials(home, "right wrong")[0]
    plain = snellen("read", "--trial", trial[:10], cwd=home).stdout
    assert re.match(r"X, (right|wrong); the key is [XO]\n", plain)
    assert f"trial {trial} of aloud" in plain
    assert "Which side has" in plain
    assert "so X wins." in plain
    assert "Read by" not in plain
    assert "could not ask" not in plain, "the task made the question again"
    assert "otherwise" not in plain, "as the exam has it"
    explained = snellen("read", "snellen.sqlite", "--trial", trial, "--explain", cwd=home).stdout
    assert re.search(r"^\* X", explained, re.MULTILINE)
    assert "Read by: " in explained


def test_every_trial_is_read_as_in_the_exam(home: Path) -> None:
    for trial in trials(home, "right wrong unread")[::3]:
        said = snellen("read", "--trial", trial, cwd=home).stdout
        assert "otherwise" not in said
        assert "could not ask" not in said


def changed(home: Path, tmp_path: Path, statement: str) -> str:
    """What is said of a trial after its record was changed."""
    store = tmp_path / "s.sqlite"
    store.write_bytes((home / "snellen.sqlite").read_bytes())
    change(store, statement)
    return snellen("read", store, "--trial", trials(home, "right wrong")[0], "--explain", cwd=tmp_path).stdout


def test_what_the_exam_read_otherwise_is_said(home: Path, tmp_path: Path) -> None:
    said = changed(home, tmp_path, "UPDATE trials SET outcome = 'unread', reason = 'unparsable', answer = '', how = ''")
    assert said.splitlines()[-1] == "The exam has it otherwise: unread (unparsable), unread"


@pytest.mark.parametrize(
    "statement", ["UPDATE trials SET task = 'mine'", "UPDATE trials SET pack = 'abc'", "UPDATE items SET truth = '{}'"]
)
def test_without_its_task_a_reply_is_read_by_what_is_on_record(home: Path, tmp_path: Path, statement: str) -> None:
    said = changed(home, tmp_path, statement)
    assert said.startswith("X, ")
    assert "Which side has" in said, "the prompt as it was sent"
    assert "read by the labels, the key and the prompt on record" in said


def test_unread_replies_are_listed_by_reason(home: Path) -> None:
    said = snellen("read", "--unread", cwd=home).stdout
    unread, asked = len(trials(home, "unread")), len(trials(home, "right wrong unread"))
    assert said.startswith(f"{unread} of {asked} replies unread\n")
    assert f"aloud, fixation: unparsable, {unread} of {asked}" in said
    assert "\x1b" not in said, "what a model says does not reach the terminal as it is"
    counts = [int(count) for count in re.findall(r"^  [0-9a-f]{8,}  (\d+) x ", said, re.MULTILINE)]
    assert sum(counts) == unread
    assert counts == sorted(counts, reverse=True)
    first = re.search(r"^  ([0-9a-f]{8,}) ", said, re.MULTILINE)
    assert first is not None
    assert snellen("read", "--trial", first[1], cwd=home).stdout.startswith("unread (unparsable); the key is ")


def test_of_many_replies_a_few_are_listed(tmp_path: Path) -> None:
    def babbles(parts: list[object]) -> str:
        return f"Hmm, {len(str(parts))}, {abs(hash(str(parts))) % 997} ..."

    levels = {"game": ("reversi",), "prompt": ("base", "alias")}
    package.exam(babbles, tasks="fixation", n=4, levels=levels, store=tmp_path / "snellen.sqlite")
    few, everything = (snellen("read", "--unread", *more, cwd=tmp_path).stdout for more in ((), ("--all",)))
    assert few.count("Hmm,") == 5
    left = re.search(r"\.\.\. and (\d+) more \(--all\)", few)
    assert left is not None
    assert everything.count("Hmm,") == 5 + int(left[1])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), ("nothing to read", "--trial ID or --unread")),
        (("--trial", "zz"), ("--trial zz: no such trial in snellen.sqlite", "--unread")),
        (("--trial", ""), ("no such trial",)),
        (("nix.sqlite", "--unread"), ("no store at nix.sqlite",)),
        (("--trial", "aa", "--unread"), ("--trial and --unread do not go together",)),
        (("--trial", "aa", "--labels", "X,O"), ("--labels is for a REPLY",)),
        (("--unread", "--explain"), ("--trial ID in place of --unread",)),
        (("X", "--all"), ("--all goes with --unread",)),
    ],
)
def test_mistakes_are_one_line(home: Path, words: tuple[str, ...], told: tuple[str, ...]) -> None:
    fails(snellen("read", *words, cwd=home), *told)


def test_an_id_that_several_begin_with(home: Path) -> None:
    ids = trials(home, "right wrong unread")
    several: Callable[[str], bool] = lambda letter: sum(name.startswith(letter) for name in ids) > 1  # noqa: E731
    letter = next(filter(several, "0123456789abcdef"))
    fails(snellen("read", "--trial", letter, cwd=home), "trials match", "give more of the id")


def test_a_trial_without_a_reply(home: Path, tmp_path: Path) -> None:
    def fails_always(parts: list[object]) -> str:
        raise RuntimeError("out of paper")

    levels = {"game": ("reversi",), "prompt": ("base",)}
    package.exam(fails_always, tasks="fixation", n=1, levels=levels, store=tmp_path / "s.sqlite")
    with Store.open(tmp_path / "s.sqlite", readonly=True) as store:
        trial = store.rows()["trial"][0]
    fails(snellen("read", "s.sqlite", "--trial", trial, cwd=tmp_path), "there is no reply", "out of paper")
    assert snellen("read", "s.sqlite", "--unread", cwd=tmp_path).stdout == "0 of 0 replies unread\n"


def test_a_store_given_as_a_reply_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.sqlite").write_bytes(b"")
    fails(snellen("read", "mine.sqlite", cwd=tmp_path), "is a store", "--unread")
    fails(snellen("read", "X", "--labels", ",", cwd=tmp_path), "names no label")
