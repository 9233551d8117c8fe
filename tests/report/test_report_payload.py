"""What goes into the page: columns, prompts, pictures, and a file that appears whole or not at all."""

import gzip
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from PIL import Image
from report_samples import FACTORS, Sample, findings, sample, staged

from snellen.call import Call, Message
from snellen.errors import UserError
from snellen.item import Picture
from snellen.report import write_report
from snellen.report.calls import Replies, collect
from snellen.report.columns import coded, factors, pack_trials, short_ids
from snellen.report.container import pack, squeeze, texts
from snellen.report.page import built
from snellen.report.pictures import by_urgency, choose


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What the page does, in Python: an independent reading of the layout."""
    length = int.from_bytes(data[:4], "little")
    head = json.loads(data[4 : 4 + length])
    arrays = {
        name: np.frombuffer(data, dtype="<" + kind, count=size, offset=4 + length + start)
        for name, (kind, start, size) in head["arrays"].items()
    }
    assert (4 + length) % 8 == 0
    return head, arrays


def text_at(arrays: dict[str, np.ndarray], i: int) -> str:
    start = int(arrays["ends"][i - 1]) if i else 0
    return arrays["bytes"].tobytes()[start : int(arrays["ends"][i])].decode()


def test_arrays_come_back_as_they_went_in() -> None:
    arrays: dict[str, Any] = {"a": np.arange(5, dtype=np.uint16), "b": np.array([1.5, np.nan], dtype=np.float32)}
    head, back = unpack(pack({"x": "é\u2028"}, arrays))
    assert head["x"] == "é\u2028"
    assert back["a"].tolist() == [0, 1, 2, 3, 4]
    assert back["b"][0] == 1.5
    assert np.isnan(back["b"][1])


def test_squeezed_bytes_are_the_same_every_time_and_inert() -> None:
    once, again = squeeze(b"</script>" * 50), squeeze(b"</script>" * 50)
    assert once == again
    assert "<" not in once
    assert gzip.decompress(b64decode(once)) == b"</script>" * 50


def test_texts_keep_places_when_a_lone_surrogate_is_replaced() -> None:
    arrays = texts(["a\ud800b", "", "né\U0001f600"])
    assert [text_at(arrays, i) for i in range(3)] == ["a\ufffdb", "", "né\U0001f600"]


def test_codes_follow_first_appearance_and_gaps_are_a_level() -> None:
    levels, codes = coded(pl.Series(["b", None, "a", "b"]))
    assert levels == ["b", None, "a"]
    assert codes.tolist() == [0, 1, 2, 0]
    assert codes.dtype == np.uint8


def test_many_levels_get_wider_codes() -> None:
    _, codes = coded(pl.Series([str(i) for i in range(300)]))
    assert codes.dtype == np.uint16
    assert codes.tolist() == list(range(300))


def test_every_column_nobody_knows_is_a_factor_unless_it_is_empty() -> None:
    rows = sample(1).rows.with_columns(glasses=pl.lit("on"), nothing=pl.lit(None))
    assert factors(rows) == ["game", "states", "size", *FACTORS, "modality", "glasses"]


def test_trials_say_what_the_rows_say() -> None:
    rows = sample(2).rows
    head, arrays = unpack(pack_trials(rows))
    assert head["rows"] == rows.height
    for name in ("item", "outcome", "rule", "answer", "mechanism"):
        assert [head["levels"][name][code] for code in arrays[name]] == rows[name].to_list()
    assert [json.loads(head["levels"]["labels"][c]) for c in arrays["labels"]] == rows["labels"].to_list()
    assert arrays["span_end"].tolist() == rows["span_end"].to_list()
    assert arrays["tokens_in"].tolist() == rows["tokens_in"].to_list()


def test_missing_numbers_are_marked_not_zero() -> None:
    rows = sample(1).rows.with_columns(tokens_in=pl.lit(None), seconds=pl.lit(None))
    _, arrays = unpack(pack_trials(rows))
    assert set(arrays["tokens_in"].tolist()) == {-1}
    assert np.isnan(arrays["seconds"]).all()


def test_tokens_of_a_cache_take_room_only_where_there_are_any() -> None:
    rows = sample(1).rows.with_columns(tokens_cached=pl.lit(0), tokens_written=pl.lit(None, pl.Int64))
    assert not {"tokens_cached", "tokens_written"} & set(unpack(pack_trials(rows))[1])
    _, arrays = unpack(pack_trials(rows.with_columns(tokens_cached=pl.int_range(pl.len()))))
    assert arrays["tokens_cached"].tolist() == list(range(rows.height))
    assert "tokens_written" not in arrays


def test_replies_are_kept_once() -> None:
    rows = sample(3).rows
    _, arrays = unpack(Replies(rows).packed())
    assert arrays["ends"].size == rows["text"].n_unique()
    assert [text_at(arrays, code) for code in arrays["codes"]] == rows["text"].to_list()


def test_ids_are_cut_no_shorter_than_they_differ() -> None:
    assert short_ids(["aaaaaaaaaa1x", "aaaaaaaaaa2x"]) == ["aaaaaaaaaa1", "aaaaaaaaaa2"]
    assert short_ids(["0123456789ab"]) == ["01234567"]
    assert short_ids([]) == []


def trials_with(calls: list[list[str] | None], texts: list[str]) -> pl.DataFrame:
    return pl.DataFrame({"calls": calls, "text": texts}, schema_overrides={"calls": pl.List(pl.String)})


def test_prompts_are_kept_once_and_in_order() -> None:
    picture = Picture(b"png")
    first = Call("s/one", {"temperature": 0}, (Message("system", ("be brief",)), Message("user", (picture, "who?"))))
    other = Call("s/two", {"temperature": 0}, first.messages)
    calls = {call.key.hex(): (call.request, "X", "stop", "") for call in (first, other)}
    rows = trials_with([list(calls), [first.key.hex()], None, ["unknown"]], ["X"] * 4)
    asked = collect(rows, Replies(rows), calls.get)
    assert list(asked.pictures(0)) == [picture.digest] * 2
    head, arrays = unpack(asked.packed())
    assert arrays["prompt_ends"].tolist() == [5], "the same words to two subjects are one prompt"
    pieces = [(text_at(arrays, t // 4), t % 4) for t in arrays["tokens"]]
    assert pieces == [("system", 1), ("be brief", 0), ("user", 1), (picture.digest, 2), ("who?", 0)]
    assert [json.loads(head["setups"][s])["subject"] for s in arrays["setup"]] == ["s/one", "s/two"]
    assert arrays["steps"].tolist() == [0, 1, 0]
    assert arrays["step_ends"].tolist() == [2, 3, 3, 3]


def test_a_description_is_kept_once_however_many_trials_use_it() -> None:
    made = staged()
    replies = Replies(made.rows)
    asked = collect(made.rows, replies, made.call_of)
    _, said = unpack(replies.packed())
    _, arrays = unpack(asked.packed())
    texts = [text_at(said, i) for i in range(said["ends"].size)]
    pieces = [text_at(arrays, i) for i in range(arrays["ends"].size)]
    described = [words for words in made.replies.values() if words.startswith('{"objects"')]
    assert len(described) > 10
    for words in described:
        assert texts.count(words) == 1
        assert pieces.count(words) == 1, "quoted in a prompt"
    for trial, keys in enumerate(made.rows["calls"]):
        start = int(arrays["step_ends"][trial - 1]) if trial else 0
        calls = arrays["steps"][start : int(arrays["step_ends"][trial])]
        assert [texts[arrays["reply"][c] - 1] for c in calls] == [made.replies[key] for key in keys]


def test_a_call_that_failed_has_no_reply_but_a_reason() -> None:
    call = Call("s/one", {}, (Message("user", ("one\n\ntwo\n\n\nthree",)),))
    rows = trials_with([[call.key.hex()]], [""])
    head, arrays = unpack(collect(rows, Replies(rows), lambda _: (call.request, None, "timeout", "")).packed())
    assert arrays["reply"].tolist() == [0]
    assert head["finishes"] == ["timeout"]
    pieces = [(text_at(arrays, t // 4), t % 4) for t in arrays["tokens"]]
    assert pieces == [("user", 1), ("one", 0), ("two", 3), ("\nthree", 3)]


def test_pictures_of_wrong_trials_come_first_when_room_is_short() -> None:
    pictures = [Picture(bytes([i]) * 1000) for i in range(3)]
    outcomes = ["right", "unread", "wrong"]
    order = [pictures[i].digest for i in by_urgency(outcomes)]
    album = choose(order, {p.digest: p for p in pictures}.get, cap=2000)
    assert list(album.pictures) == [pictures[2].digest, pictures[1].digest]
    assert album.head() == {"wanted": 3, "shown": 2, "over_cap": 1}


@pytest.mark.parametrize("kind", ["image/svg+xml", "text/html", 'image/png"><script>'])
def test_only_plain_pictures_are_shown(kind: str) -> None:
    picture = Picture(b"x", kind)
    assert choose([picture.digest], {picture.digest: picture}.get).pictures == {}


def test_a_digest_that_is_not_one_never_reaches_the_page() -> None:
    name = '"><script>alert(1)</script>'
    assert choose([name], lambda _: Picture(b"x")).pictures == {}


def head_of(page: str) -> dict[str, Any]:
    (squeezed,) = re.findall(r'id="head">([A-Za-z0-9+/=]*)</script>', page)
    return unpack(gzip.decompress(b64decode(squeezed)))[0]


def test_findings_in_the_page_cannot_end_their_element(tmp_path: Path) -> None:
    hostile = {"sections": ["</script><!--<script>\u2028&\ud800"]}
    path = write_report(pl.DataFrame(), hostile, tmp_path, call_of=lambda _: None, image_of=lambda _: None)
    assert head_of(path.read_text(encoding="utf-8"))["findings"] == hostile


def write(made: Sample, folder: Path, **more: Any) -> Path:
    return write_report(made.rows, findings(), folder, call_of=made.call_of, image_of=made.pictures.get, **more)


def test_the_page_is_the_same_every_time(tmp_path: Path) -> None:
    made = sample(2)
    assert write(made, tmp_path / "a").read_bytes() == write(made, tmp_path / "b").read_bytes()


def test_the_policy_names_exactly_our_script_and_style(tmp_path: Path) -> None:
    text = write(sample(1), tmp_path).read_text(encoding="utf-8")
    policy = unescape(re.findall(r'Content-Security-Policy" content="([^"]*)"', text)[0])
    for name, rule in (("report.js", "script-src"), ("report.css", "style-src")):
        digest = b64encode(sha256(built(name).encode()).digest()).decode()
        assert f"{rule} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert not re.search(r"https?://(?!www\.w3\.org/)", text), "the page must not know any address"


def test_each_picture_is_in_the_page_once(tmp_path: Path) -> None:
    made = sample(4, distinct=3)
    text = write(made, tmp_path).read_text(encoding="utf-8")
    assert text.count('id="picture-') == 3
    for digest, picture in made.pictures.items():
        (shown,) = re.findall(
            rf'id="picture-{digest}"[^>]*data-copy="lossless"[^>]*>image/webp;base64,(.*?)</script>', text
        )
        copy = Image.open(BytesIO(b64decode(shown)))
        assert copy.tobytes() == Image.open(BytesIO(picture.data)).tobytes(), "the same pixels"


def test_the_cap_is_kept_and_said(tmp_path: Path) -> None:
    made = sample(4, distinct=8)
    cap = max(len(p.data) for p in made.pictures.values()) // 2
    text = write(made, tmp_path, picture_cap=cap).read_text(encoding="utf-8")
    head = head_of(text)
    shown = text.count('id="picture-')
    wanted = head["pictures"]["wanted"]
    assert 0 < shown < wanted <= 8
    assert head["pictures"] == {"wanted": wanted, "shown": shown, "over_cap": wanted - shown}


def test_originals_are_the_very_bytes_and_the_page_names_their_files(tmp_path: Path) -> None:
    made = sample(4, distinct=8)
    text = write(made, tmp_path, picture_cap=1500, originals=True).read_text(encoding="utf-8")
    assert 0 < head_of(text)["pictures"]["shown"] < 8, "some are left out of the page"
    for digest in re.findall(r'id="picture-(.*?)"', text):
        assert f'data-file="pictures/{digest}.png"' in text
        assert (tmp_path / "pictures" / f"{digest}.png").read_bytes() == made.pictures[digest].data
    assert len(list((tmp_path / "pictures").iterdir())) == head_of(text)["pictures"]["wanted"]


def test_a_folder_that_cannot_be_made_gets_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UserError, match=r"cannot write the report .*index\.html: .*another folder"):
        write(sample(1), tmp_path / "file" / "deeper")


def test_a_full_disk_leaves_the_old_page_and_no_scraps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = sample(1)
    path = write(made, tmp_path)
    before = path.read_bytes()

    def full(_: object) -> Iterator[str]:
        yield "<script"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("snellen.report.pictures.Album.elements", full)
    with pytest.raises(UserError, match="No space left on device"):
        write(made, tmp_path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["index.html"]


def test_rows_without_any_column_still_make_a_page(tmp_path: Path) -> None:
    path = write_report(pl.DataFrame(), {}, tmp_path, call_of=lambda _: None, image_of=lambda _: None)
    assert "<title>Snellen</title>" in path.read_text(encoding="utf-8")


def test_the_title_names_the_subjects(tmp_path: Path) -> None:
    made = sample(1, subjects=("<b>one</b>", "two\u202e", "three", "four"))
    text = write(made, tmp_path).read_text(encoding="utf-8")
    assert "<title>Snellen: &lt;b&gt;one&lt;/b&gt;, two\ufffd, three and 1 more</title>" in text
