"""One model, two servers: the tests by counting every case, the verdicts on replies made here by hand."""

from itertools import combinations, product

import numpy as np
import polars as pl
import pytest

from snellen.errors import UserError
from snellen.tasks.acuity.study.exchange import ChartReplies, exchange_tests
from snellen.tasks.acuity.study.same import same_model
from support.line_rows import LETTERS, LINES, readings, spoiled


def chart(first, second, key):
    first, second, key = (np.array([[ord(letter) for letter in word] for word in words], np.int16) for words in
                          (first, second, [key]))  # fmt: skip
    return ChartReplies("1", first, second, key[0])


def counted(charts):
    """Both p values by dealing out the replies in every way there is."""

    def score(first, second, key):
        within = sum(a != b for side in (first, second) for one, other in combinations(side, 2)
                     for a, b in zip(one, other, strict=True))  # fmt: skip
        right = [sum(a == b for word in side for a, b in zip(word, key, strict=True)) for side in (first, second)]
        return within, right[0] * len(second) - right[1] * len(first)

    ways = []
    for first, second, key in charts:
        replies = [*first, *second]
        deals = combinations(range(len(replies)), len(first))
        ways.append([score([replies[k] for k in deal], [w for k, w in enumerate(replies) if k not in deal], key)
                     for deal in deals])  # fmt: skip
    seen = [sum(way[0][k] for way in ways) for k in (0, 1)]
    sums = [[sum(value[k] for value in deal) for k in (0, 1)] for deal in product(*ways)]
    near = np.mean([total[0] <= seen[0] for total in sums])
    return near, np.mean([abs(total[1]) >= abs(seen[1]) for total in sums])


@pytest.mark.parametrize("seed", range(6))
def test_p_values_are_those_of_counting_every_case(seed):
    chances = np.random.default_rng(seed)
    charts = []
    for _ in range(4):
        key = "".join(chances.choice(list(LETTERS), 6))
        sides = [[spoiled(key, share, chances) for _ in range(replies)]
                 for share, replies in ((0.2, 2), (0.5, chances.integers(1, 3)))]  # fmt: skip
        charts.append((*sides, key))
    found = exchange_tests([chart(*each) for each in charts])
    assert (found.distance, found.letters) == pytest.approx(counted(charts))


def test_servers_that_never_vary_give_a_third_for_every_chart_they_differ_on():
    same = chart(["KDN", "KDN"], ["KDN", "KDN"], "KDN")
    differ = chart(["KDN", "KDN"], ["KDC", "KDC"], "KDN")
    for k in range(1, 6):
        assert exchange_tests([*[differ] * k, *[same] * 3]).distance == pytest.approx(3.0**-k)


@pytest.mark.soak
def test_replies_of_one_kind_are_rarely_told_apart():
    """Restless replies, one chart more variable than the next: the tests keep their level."""
    chances = np.random.default_rng(5)
    below = np.zeros(2)
    for _ in range(200):
        charts = []
        for _ in range(6):
            key, share = "".join(chances.choice(list(LETTERS), 20)), chances.random()
            words = [spoiled(key, share, chances) for _ in range(4)]
            charts.append(chart(words[:2], words[2:], key))
        found = exchange_tests(charts)
        below += [found.distance <= 0.05, found.letters <= 0.05]
    assert (below / 200 <= 0.08).all(), below


# Verdicts


def held(*subjects):
    rows = pl.DataFrame([row for rows in subjects for row in rows], infer_schema_length=None)
    first, second = rows["subject"].unique(maintain_order=True).to_list()[:2]
    return same_model(rows, first, second)


ALL = dict.fromkeys(LINES, 1.5)


def test_a_cap_shows_from_its_size_on():
    capped = {canvas: 1.5 * max(1.0, int(canvas) / 1568) for canvas in LINES}
    found = held(readings("a", ALL), readings("b", capped))
    assert found.apart == ("2048", "4096")
    for words in ("b sees worse", "a cap of 1,024\u00a0px or more, below 2,048\u00a0px, on the pictures of b",
                  "No difference shown on 512 and 1,024\u00a0px"):  # fmt: skip
        assert words in found.verdict
    assert found.sizes[3].factor.value == pytest.approx(4096 / 1568, rel=0.15)


def test_shrinking_of_everything_is_no_cap():
    found = held(readings("a", dict.fromkeys(LINES, 3.0)), readings("b", ALL))
    assert found.apart == tuple(LINES)
    assert "a sees worse" in found.verdict
    assert "Consistent with a shrinking pictures of all these sizes alike" in found.verdict


@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_what_is_excluded_is_what_was_shown(noise):
    small = {"512": 1.5, "1024": 1.5}
    found = held(readings("a", small, noise=noise, seed=1), readings("b", small, noise=noise, seed=2))
    assert found.apart == ()
    assert "no difference shown on canvases of 512 and 1,024\u00a0px." in found.verdict
    assert "Excluded there (90\u00a0% power): shrinking by 1." in found.verdict
    assert "Other sizes were not shown." in found.verdict
    assert "2,048" not in found.verdict


@pytest.mark.soak
def test_the_least_shrinking_that_is_said_to_show_does_show():
    """Replies made anew with eyes so much worse, by a way of their own."""
    one = {"1024": 1.5}
    said = held(readings("a", one, noise=0.05, seed=1), readings("b", one, noise=0.05, seed=2)).sizes[0].least_factor
    found = 0
    for seed in range(20):
        worse = {"1024": 1.5 * said}
        shown = held(readings("a", one, noise=0.05, seed=seed), readings("b", worse, noise=0.05, seed=100 + seed))
        found += "1024" in shown.apart
    assert found >= 17, (said, found)


def test_who_reads_nothing_is_not_alike():
    blind = dict.fromkeys(LINES, 99.0)
    for limits in (blind, dict.fromkeys(LINES, "refused")):
        found = held(readings("a", limits), readings("b", limits))
        assert found.apart == ()
        assert not found.compared
        assert "not measurable, so no conclusion" in found.verdict
        assert "no difference" not in found.verdict


def test_one_that_cannot_read_a_size_that_the_other_reads_is_different():
    found = held(readings("a", ALL), readings("b", {**ALL, "4096": "refused"}))
    assert found.apart == ("4096",)


def test_a_size_that_failed_or_was_not_asked_is_not_compared():
    failed = held(readings("a", ALL), readings("b", {**ALL, "4096": "error"}))
    assert failed.apart == ()
    assert "Not compared on 4,096\u00a0px: 36 calls of b failed." in failed.verdict
    rows = [{**row, "reason": "error"} if k % 36 == 0 else row for k, row in enumerate(readings("b", ALL))]
    some = held(readings("a", ALL), rows)
    assert some.apart == ()
    assert "4 calls failed and are excluded" in some.verdict
    lacking = held(readings("a", ALL), readings("b", {"512": 1.5}))
    assert "Not compared on 1,024\u00a0px: b was not asked." in lacking.verdict
    assert "no difference shown on canvases of 512\u00a0px." in lacking.verdict


def test_too_few_charts_exclude_nothing():
    found = held(readings("a", {"512": 1.5}, n=1), readings("b", {"512": 3.0}, n=1))
    assert found.apart == ()
    assert not found.compared
    assert "Nothing is excluded on 512\u00a0px" in found.verdict
    assert "Excluded there" not in found.verdict


def test_a_letter_read_otherwise_by_one_of_them_alone_is_found_without_saying_who_is_worse():
    first = readings("a", ALL)
    second = [{**row, "subject": "b", "answer": row["answer"][:-1] + ("K" if row["answer"][-1] != "K" else "C")}
              for row in first]  # fmt: skip
    found = held(first, second)
    assert found.apart == tuple(LINES)
    assert "Neither is shown to read fewer letters" in found.verdict
    assert "another filter or with compression" in found.verdict


def test_tokens_that_grow_otherwise_are_a_difference():
    def bill(cap):
        return lambda side: 30 + (min(side, cap) // 28) ** 2

    found = held(readings("a", ALL, tokens=bill(4096)), readings("b", ALL, tokens=bill(1568)))
    assert found.apart == ("tokens",)
    assert "Reported tokens grow" in found.verdict
    assert held(readings("a", ALL, tokens=bill(1568)), readings("b", ALL, tokens=bill(1568))).apart == ()


def test_one_long_line_is_split_and_lines_left_out_are_not_read():
    """Who writes all letters in a row, or stops halfway, is compared by what it gave."""
    first = readings("a", {"512": 0.1})
    flat = [{**row, "subject": "b", "answer": row["answer"].replace("/", "")} for row in first]
    assert held(first, flat).apart == ()
    half = [{**row, "subject": "b", "answer": "/".join(row["answer"].split("/")[:7])} for row in first]
    found = held(first, half)
    assert found.apart == ("512",)
    assert found.sizes[0].factor.value == pytest.approx(10 ** (6 * 0.1 / 0.9), rel=1e-6)


def test_subjects_that_cannot_be_compared():
    rows = pl.DataFrame(readings("a", ALL) + [{**row, "subject": "b", "test": "letters"} for row in readings("b", ALL)])
    with pytest.raises(UserError, match=r"'b': no charts for comparing servers .* `snellen exam A B --design same`"):
        same_model(rows, "a", "b")
    with pytest.raises(UserError, match="both sides"):
        same_model(rows, "a", "a")
    with pytest.raises(UserError, match="unknown subject"):
        same_model(rows, "a", "nobody")
    other = [
        {**row, "subject": "b", "item": f"x{row['item']}", "cluster": f"x{row['item']}"} for row in readings("b", ALL)
    ]
    apart = same_model(pl.DataFrame(readings("a", ALL) + other), "a", "b")
    assert not apart.compared
    assert "Not compared on 512\u00a0px: no chart in common" in apart.verdict
