"""A published folder: complete, without secrets, verified. Whoever changes it is found out, also with new hashes."""

import gzip
import json
import re
import sqlite3
from base64 import b64decode, b64encode
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from shutil import copytree
from typing import Any

import polars as pl
import pytest
from PIL import Image

import snellen
from snellen.engine.checksums import COLUMNS, register
from snellen.errors import UserError
from snellen.publish import Verification, publish, verify
from support.commands import fails
from support.commands import snellen as run
from support.lengths import few_and_more
from support.planted_keys import Planted, everything

SMALL = ("--tasks", "fixation", "--n", 1, "--set", "game=tictactoe", "--set", "prompt=base", "--set", "target=winner")
Tamper = Callable[[Path], None]


def exam_in(folder: Path, *words: Any) -> Path:
    ran = run("exam", "sim/fixated", *SMALL, *words, cwd=folder)
    assert ran.returncode == 0, ran.stderr
    return folder / "snellen.sqlite"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return exam_in(tmp_path_factory.mktemp("exam"))


@pytest.fixture(scope="module")
def published(store: Path) -> Path:
    folder = store.parent / "published"
    publish(store, folder, pictures=True)
    return folder


@pytest.fixture
def copied(published: Path, tmp_path: Path) -> Path:
    return Path(copytree(published, tmp_path / "copy"))


def with_new_hashes(folder: Path) -> None:
    """What a tamperer does: the manifest says what is there now."""
    manifest = json.loads((folder / "snellen.json").read_text())
    names = [path for path in folder.rglob("*") if path.is_file() and path.name != "snellen.json"]
    manifest["files"] = {path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in names}
    (folder / "snellen.json").write_text(json.dumps(manifest))


def edit(path: Path, column: str, change: Callable[[Any], Any], row: int = 0) -> None:
    frame = pl.read_parquet(path)
    values = frame[column].to_list()
    values[row] = change(values[row])
    frame.with_columns(pl.Series(column, values, dtype=frame[column].dtype)).write_parquet(path)


def words_of(result: Verification) -> str:
    return "\n".join(map(str, result.mismatches))


# What is there


def test_the_folder_is_complete_and_verified(published: Path) -> None:
    result = verify(published)
    assert result.is_fine, words_of(result)
    assert not result.unverified
    trials = pl.read_parquet(published / "data/trials.parquet").height
    assert result.done["replies"] == trials > 4
    assert result.done["items"] == 1
    assert result.done["pictures"] == len(list((published / "pictures").iterdir())) == 1
    assert result.done["figures"] > 100
    card = (published / "README.md").read_text()
    head, body = card.removeprefix("---\n").split("\n---\n", 1)
    assert "path: data/trials.parquet" in head
    for word in ("sim/fixated", "fixation", "seed 0", "snellen verify", "Licences", snellen.__version__):
        assert word in body


def test_publishing_twice_gives_the_same_bytes(store: Path, published: Path, tmp_path: Path) -> None:
    publish(store, tmp_path / "again", pictures=True)
    files = [path for path in published.rglob("*") if path.is_file()]
    assert all(path.read_bytes() == (tmp_path / "again" / path.relative_to(published)).read_bytes() for path in files)


def test_the_command_line_says_what_was_checked(published: Path, copied: Path) -> None:
    ran = run("verify", published, cwd=published.parent)
    assert ran.returncode == 0, ran.stderr
    assert re.search(r"checked: \d+ replies read again", ran.stdout)
    assert "checked: 1 items made again from their seeds\n" in ran.stdout
    assert ran.stdout.endswith("result: no differences\n")
    edit(copied / "data/calls-00000.parquet", "text", lambda text: "Z")
    ran = run("verify", copied, cwd=copied.parent)
    assert ran.returncode == 1
    assert "differs: file data/calls-00000.parquet: expected sha256" in ran.stdout
    assert "text: expected Z; found " in ran.stdout


# Tampering, with the hashes put right afterwards


def a_reply(folder: Path) -> None:
    edit(folder / "data/calls-00000.parquet", "text", lambda text: "O" if text == "X" else "X")


def a_reply_and_its_row(folder: Path) -> None:
    key = pl.read_parquet(folder / "data/calls-00000.parquet")["key"][0]
    a_reply(folder)
    trials = pl.read_parquet(folder / "data/trials.parquet")
    row = trials["calls"].list.last().to_list().index(key)
    for column in ("text", "answer"):
        edit(folder / "data/trials.parquet", column, lambda text: "O" if text == "X" else "X", row)


def an_outcome(folder: Path) -> None:
    place = pl.read_parquet(folder / "data/trials.parquet")["outcome"].to_list().index("wrong")
    edit(folder / "data/trials.parquet", "outcome", lambda outcome: "right", place)


def a_prompt(folder: Path) -> None:
    edit(folder / "data/calls-00000.parquet", "request", lambda request: request.replace("Two sides", "Three sides"))


def a_key(folder: Path) -> None:
    for row in range(pl.read_parquet(folder / "data/trials.parquet").height):
        edit(folder / "data/trials.parquet", "key", lambda key: "O" if key == "X" else "X", row)


def a_key_of_a_stimulus(folder: Path) -> None:
    edit(folder / "data/stimuli.parquet", "key", lambda key: "O" if key == "X" else "X")


def a_twin(folder: Path) -> None:
    edit(folder / "data/stimuli.parquet", "twin", lambda twin: twin + " ")


def a_truth(folder: Path) -> None:
    edit(folder / "data/items.parquet", "truth", lambda truth: truth.replace('"length":3', '"length":4'))


def a_subject(folder: Path) -> None:
    edit(folder / "data/trials.parquet", "subject", lambda subject: "sim/ideal")


def a_cluster(folder: Path) -> None:
    edit(folder / "data/trials.parquet", "cluster", lambda cluster: "another")


def a_trial_left_out(folder: Path) -> None:
    frame = pl.read_parquet(folder / "data/trials.parquet")
    frame.head(frame.height - 1).write_parquet(folder / "data/trials.parquet")


def a_figure(folder: Path) -> None:
    path = folder / "findings.json"
    findings = json.loads(path.read_text())
    findings["diagnoses"][0]["right"]["value"] = 0.987
    path.write_text(json.dumps(findings))


def a_figure_of_a_table(folder: Path) -> None:
    path = folder / "tables/overview.csv"
    path.write_text(re.sub(r"\d+\.\d+|(?<=,)0(?=,)", "97.5", path.read_text(), count=1))


def a_figure_of_the_card(folder: Path) -> None:
    path = folder / "README.md"
    path.write_text(path.read_text().replace("habit ", "habit 1", 1))


def a_figure_of_the_page(folder: Path) -> None:
    path = folder / "report/index.html"
    text = path.read_text()
    packed = re.search(r'id="head">([^<]+)<', text)
    assert packed
    head = gzip.decompress(b64decode(packed[1]))
    changed = re.sub(rb'"value":[\d.]+', lambda found: b'"value":' + b"9" * (len(found[0]) - 8), head, count=1)
    assert changed != head
    path.write_text(text.replace(packed[1], b64encode(gzip.compress(changed)).decode()))


def a_script_on_the_page(folder: Path) -> None:
    path = folder / "report/index.html"
    path.write_text(path.read_text().replace("</body>", "<script>alert(1)</script></body>"))


def painted(data: bytes, kind: str) -> bytes:
    out = BytesIO()
    with Image.open(BytesIO(data)) as image:
        changed = image.convert("RGB")
        changed.paste((200, 30, 30), (0, 0, 40, 40))
        changed.save(out, kind, **({"lossless": True} if kind == "WEBP" else {}))
    return out.getvalue()


def a_picture(folder: Path) -> None:
    path = next((folder / "pictures").iterdir())
    path.write_bytes(painted(path.read_bytes(), "PNG"))


def a_picture_under_its_own_name(folder: Path) -> None:
    path = next((folder / "pictures").iterdir())
    data = painted(path.read_bytes(), "PNG")
    path.with_stem(sha256(data).hexdigest()).write_bytes(data)
    path.unlink()


def a_picture_of_the_page(folder: Path) -> None:
    path = folder / "report/index.html"
    text = path.read_text()
    shown = re.search(r'id="picture-[^>]*>image/(\w+);base64,([^<]+)<', text)
    assert shown
    path.write_text(text.replace(shown[2], b64encode(painted(b64decode(shown[2]), shown[1].upper())).decode()))


def a_file_added(folder: Path) -> None:
    (folder / "report/more.html").write_text("<script>alert(1)</script>")


def a_setting(folder: Path) -> None:
    manifest = json.loads((folder / "snellen.json").read_text())
    manifest["exams"][0]["fingerprint"]["settings"]["sim/fixated"]["map"] = 0.9
    (folder / "snellen.json").write_text(json.dumps(manifest))


def the_seed(folder: Path) -> None:
    manifest = json.loads((folder / "snellen.json").read_text())
    manifest["exams"][0]["fingerprint"]["seed"] = 1
    (folder / "snellen.json").write_text(json.dumps(manifest))


TAMPERING = {
    a_reply: "answer: expected",
    a_reply_and_its_row: "outcome: expected",
    an_outcome: "outcome: expected wrong; found right",
    a_prompt: "key: expected",
    a_key: "key: expected",
    a_key_of_a_stimulus: "key: expected",
    a_twin: "twin: expected",
    a_truth: "truth: expected",
    a_subject: "subject: expected sim/fixated; found sim/ideal",
    a_cluster: "cluster: expected",
    a_trial_left_out: "as the exam counted",
    a_figure: "findings.json diagnoses[0].right.value: expected",
    a_figure_of_a_table: "tables/overview.csv",
    a_figure_of_the_card: "README.md",
    a_figure_of_the_page: "report/index.html: its data 'head'",
    a_script_on_the_page: "report/index.html: its frame",
    a_picture: "picture",
    a_picture_under_its_own_name: "picture",
    a_picture_of_the_page: "report/index.html: picture",
    a_file_added: "report/more.html",
    a_setting: "setting map",
    the_seed: "one that its seed gives",
}


FEW = (
    a_reply,
    an_outcome,
    a_key,
    a_subject,
    a_trial_left_out,
    a_figure,
    a_figure_of_the_page,
    a_picture,
    a_picture_of_the_page,
)


@few_and_more(
    ("tamper", "named"),
    [(tamper, TAMPERING[tamper]) for tamper in FEW],
    [(tamper, named) for tamper, named in TAMPERING.items() if tamper not in FEW],
)
def test_tampering_is_found_whatever_the_manifest_says(copied: Path, tamper: Tamper, named: str) -> None:
    tamper(copied)
    with_new_hashes(copied)
    result = verify(copied)
    assert not result.is_fine
    assert named in words_of(result)
    assert not any(mismatch.where.startswith("file data") for mismatch in result.mismatches)


def test_without_new_hashes_the_file_is_named_as_well(copied: Path) -> None:
    a_figure(copied)
    (copied / "tables/overview.csv").unlink()
    found = words_of(verify(copied))
    assert "file findings.json: expected sha256" in found
    assert "file tables/overview.csv: expected sha256" in found


# What cannot be verified is counted


def test_a_data_set_that_is_not_here_is_counted_and_can_be_given(tmp_path: Path) -> None:
    words = ("--n", 1, "--set", "game=tictactoe", "--set", "prompt=base")
    assert run("make", "fixation", *words, "-o", "boards", cwd=tmp_path).returncode == 0
    ran = run("exam", "sim/fixated", "--tasks", "fixation", "--data", f"fixation={tmp_path}/boards", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    publish(tmp_path / "snellen.sqlite", tmp_path / "published", pictures=True)
    assert not (tmp_path / "published/pictures").exists() or not list((tmp_path / "published/pictures").iterdir())
    page = (tmp_path / "published/report/index.html").read_text()
    assert 'id="picture-' not in page
    assert "its pictures are not included" in (tmp_path / "published/README.md").read_text()
    assert str(tmp_path).encode() not in everything(tmp_path / "published")
    without = verify(tmp_path / "published")
    assert without.is_fine, words_of(without)
    assert any("boards" in what for what in without.unverified)
    assert without.done["items"] == 0
    given = verify(tmp_path / "published", {"fixation": str(tmp_path / "boards")})
    assert given.is_fine, words_of(given)
    assert given.done["items"] == 1
    assert not given.unverified
    ran = run("verify", "published", "--strict", cwd=tmp_path)
    assert ran.returncode == 1
    assert "not verified: " in ran.stdout
    assert "not everything could be verified" in ran.stdout


def test_scores_of_a_judge_and_readings_by_a_reader_are_read_again(tmp_path: Path) -> None:
    words = ("--role", "judge=sim/ideal", "--role", "reader=sim/ideal", "--samples", 2, "--seed", 5)
    publish(exam_in(tmp_path, *words), tmp_path / "published")
    result = verify(tmp_path / "published")
    assert result.is_fine, words_of(result)
    assert any("judge" in what for what in result.unverified)
    trials = pl.read_parquet(tmp_path / "published/data/trials.parquet")
    judged = trials["judge"].is_not_null().to_list().index(True)
    edit(tmp_path / "published/data/trials.parquet", "outcome", lambda o: "wrong" if o == "right" else "right", judged)
    assert "outcome: expected" in words_of(verify(tmp_path / "published"))


# No secrets


def checksummed(db: sqlite3.Connection, table: str) -> None:
    db.execute(f"UPDATE {table} SET checksum = row_checksum({', '.join(COLUMNS[table])})")  # noqa: S608 - our own names


def test_no_key_is_published_from_whatever_field_it_stands_in(store: Path, tmp_path: Path) -> None:
    planted = Planted()
    path = tmp_path / "leaky.sqlite"
    path.write_bytes(store.read_bytes())
    fields = {
        "calls": ("text", "reasoning", "model", "message", "problem"),
        "items": ("truth",),
        "trials": ("answer", "mechanism", "how", "cluster", "expected", "pack"),
        "exams": ("spec", "fingerprint", "counts"),
    }
    with closing(sqlite3.connect(path)) as db:
        register(db)
        for table, columns in fields.items():
            for column in columns:
                key = planted.key("openai", f"{table}.{column}")
                is_json = column in ("truth", "spec", "fingerprint", "counts")
                new = f"json_set({column}, '$.note', ?)" if is_json else f"{column} || ' ' || ?"
                db.execute(f"UPDATE {table} SET {column} = {new}", (key,))  # noqa: S608 - our own names
            checksummed(db, table)
        db.commit()
    assert planted.found(everything(tmp_path))
    publish(path, tmp_path / "published", pictures=True)
    assert planted.found(everything(tmp_path / "published")) == []
    assert b"[masked: looks like an API key]" in everything(tmp_path / "published")


def test_a_reply_that_was_masked_is_counted_where_it_reads_differently(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "leaky.sqlite"
    path.write_bytes(store.read_bytes())
    with closing(sqlite3.connect(path)) as db:
        register(db)
        key = Planted().key("openai", "a reply")
        db.execute("UPDATE calls SET text = 'I say ' || ? || ' and ' || text WHERE rowid = 1", (key,))
        checksummed(db, "calls")
        db.commit()
    publish(path, tmp_path / "published")
    result = verify(tmp_path / "published")
    assert result.is_fine, words_of(result)
    assert result.unverified == {"trials in which a key was masked, and which differ": 1}


# Mistakes


def test_mistakes_are_told_in_one_line(published: Path, copied: Path, tmp_path: Path) -> None:
    fails(run("verify", tmp_path, cwd=tmp_path), "snellen.json", "snellen publish")
    fails(run("publish", "no.sqlite", cwd=tmp_path), "no store at no.sqlite")
    fails(run("publish", published.parent / "snellen.sqlite", "-o", published, cwd=tmp_path), "not empty")
    fails(run("verify", published, "--data", "fixation", cwd=tmp_path), "--data")
    fails(run("verify", published, "--data", "fixation=x", cwd=tmp_path), "no item in this folder is from a data set")
    (copied / "data/items.parquet").unlink()
    fails(run("verify", copied, cwd=tmp_path), "data/items.parquet: no such file")
    (copied / "snellen.json").write_text("{}")
    fails(run("verify", copied, cwd=tmp_path), "not a manifest")


@pytest.mark.parametrize("broken", ["data/trials.parquet", "data/items.parquet", "data/calls-00000.parquet"])
def test_a_broken_table_is_no_traceback(copied: Path, broken: str) -> None:
    (copied / broken).write_bytes(b"PAR1 and nothing more")
    with pytest.raises(UserError, match="cannot be read"):
        verify(copied)
