"""What was put in must come out: thresholds, and in their place the reason that there is none."""

import json
import re
from math import log, log10

import polars as pl
import pytest
from winoground_rows import winoground_rows

from snellen.analysis import to_json
from snellen.analysis.tables import render
from snellen.charts.rounds import number
from snellen.examine.findings import findings
from snellen.tasks.acuity.study import AcuityStudy
from snellen.tasks.acuity.study.differing import differences
from snellen.tasks.acuity.study.measuring import measures
from snellen.tasks.acuity.study.prescribing import prescription
from snellen.tasks.acuity.study.results import AcuityResults
from snellen.tasks.acuity.study.words import badge, details, headline
from support.acuity_rows import Sitting, table, whole_exam


def sitting(one: Sitting):
    return AcuityResults(table(one)).sittings[one.subject]


def said(one: Sitting, test: str):
    return sitting(one).reading(test)


@pytest.mark.parametrize(
    ("test", "planted", "scale"),
    [("letters", 2.1, 1), ("contrast", 0.03, 100), ("number", 7.0, 1), ("gratings-8", 0.08, 100), ("crowding", 1.6, 1)],
)
def test_a_planted_threshold_lies_within_its_interval(test, planted, scale):
    found = said(Sitting("x", seed=3).track(test, planted), test)
    assert found.kind == "threshold"
    assert found.low < scale * planted < found.high
    assert found.high / found.low < 2


def test_who_reads_everything_is_better_than_drawn_and_has_no_number():
    found = said(Sitting("x").track("letters", 0.01, slope=10), "letters")
    assert (found.kind, found.value, found.within) == ("better than drawn", None, "")
    assert found.said == "better than 0.50\u00a0px a stroke"


def test_of_what_was_not_asked_nothing_is_said():
    """Constant levels that end at 2 px: who reads them all is better than 2 px, not than what was never shown."""
    one = Sitting("x")
    for level in (2.0, 4.0, 8.0, 16.0):
        one.constant("letters", level, 12, 0)
    assert said(one, "letters").said == "better than 2.0\u00a0px a stroke"


def test_the_details_say_how_often_the_easiest_was_right():
    one = Sitting("x").constant("letters", 20.0, 11, 3)
    for level in (2.0, 4.0, 8.0):
        one.constant("letters", level, 12, 0)
    assert any("11 of 14 right at the easiest level" in line for line in details(sitting(one)))


def test_who_reads_nothing_is_worse_than_drawn():
    one = Sitting("x")
    for level in (2.0, 4.0, 8.0, 16.0):
        one.constant("letters", level, 1, 11)
    found = said(one, "letters")
    assert found.said == "worse than 16\u00a0px a stroke"
    assert "reads no letters of 16\u00a0px a stroke or less" in headline(sitting(one))


def test_who_counts_all_dots_counts_more_than_drawn():
    one = Sitting("x")
    for level in (1.0, 7.0, 44.0):
        one.constant("number", level, 12, 0)
    assert said(one, "number").said == "more than 44\u00a0dots"
    assert headline(sitting(one)) == "x counts to 44 or more."


def test_who_lapses_often_is_not_measurable_and_the_reason_is_told():
    found = said(Sitting("x", seed=1).track("letters", 2.0, lapse=0.5), "letters")
    assert found.kind == "not measurable"
    assert found.said.endswith(" % errors even on the easiest charts")


def test_unread_answers_are_neither_right_nor_wrong():
    plain, torn = Sitting("x", seed=2).track("letters", 2.0), Sitting("x", seed=2).track("letters", 2.0)
    torn.unread("letters", 50.1, 9)
    one, other = said(plain, "letters"), said(torn, "letters")
    assert (other.value, other.unread, other.trials) == (one.value, 9, one.trials + 9)
    assert any("9 unread" in line for line in details(sitting(torn)))


def test_failed_calls_are_missing():
    one = Sitting("x", seed=2).track("letters", 2.0)
    before = said(one, "letters").value
    one.unread("letters", 50.1, 5)
    for row in one.rows[-5:]:
        row["reason"] = "error"
    found = sitting(one)
    assert (found.reading("letters").value, found.reading("letters").unread, found.errors) == (before, 0, 5)


def test_a_test_of_another_version_is_left_out():
    one = Sitting("x").track("letters", 2.0)
    one.rows.append({**one.rows[-1], "test": "smells", "item": "smells/1"})
    assert set(sitting(one).readings) == {"letters"}


def test_things_seen_on_blank_pages():
    one = Sitting("x").track("letters", 2.0).blank("letters", 15, 20)
    seen = sitting(one).hallucinated
    assert (seen.value, seen.n) == (75.0, 20)
    assert any("blank pages" in line for line in prescription(sitting(one)))
    few = Sitting("x").track("letters", 2.0).blank("letters", 1, 20)
    assert not any("blank pages" in line for line in prescription(sitting(few)))


def test_a_rate_of_blank_pages_says_how_many_could_be_read():
    all_read = sitting(Sitting("x").track("letters", 2.0).blank("letters", 15, 20))
    assert [line for line in details(all_read) if "(20 pages)" in line]
    assert not any("could be read" in line for line in (*details(all_read), *prescription(all_read)))
    some = sitting(Sitting("x").track("letters", 2.0).blank("letters", 15, 20, unread=10))
    assert [line for line in details(some) if line.startswith("On blank") and "20 of 30 pages could be read" in line]
    assert any("20 of 30 pages could be read" in line for line in prescription(some))
    none = sitting(Sitting("x").track("letters", 2.0).blank("letters", 0, 0, unread=3))
    assert "What it sees on blank pages is unknown (0 of 3 pages could be read)." in details(none)


def test_only_what_was_measured_is_prescribed():
    one = Sitting("x", seed=4).track("crowding", 1.6).track("letters", 0.01, slope=10)
    lines = prescription(sitting(one))
    assert len(lines) == 1
    assert lines[0].startswith("Keep neighbours 1.")
    best = Sitting("x").track("letters", 0.01, slope=10)
    assert prescription(sitting(best)) == ("No advice needed: no limit was found within the range that was drawn.",)


def prescribed(one):
    return [line.replace("\u00a0", " ") for line in prescription(sitting(one))]


def test_an_enlargement_is_prescribed_with_its_interval_and_what_came_of_it():
    one = Sitting("x", seed=4).track("letters", 2.5).constant("letters", 2, 19, 1, enlarged="1.78")
    lost, enlarge = prescribed(one)
    assert re.fullmatch(r"Letters under 2\.\d px a stroke \(1\d px high\) are lost; 95 % are right from 3\.\d px "
                        r"\([23]\.\d\u2013[45]\.\d\) on, 1\d px high\.", lost)  # fmt: skip
    assert enlarge.startswith("Enlarge small print (letters 10 px high) ")
    assert enlarge.endswith(" px, enlarged to 512 px. Checked: 19 of 20 right at 1.8 times.")
    found = re.search(
        r"high\) (\d\.\d) times \((\d\.\d)\u2013(\d\.\d)\) to reach 95 %, or send crops of (\d+) px", enlarge
    )
    times, low, high, crop = map(float, found.groups())
    assert low < times < high
    assert crop == pytest.approx(512 / times, rel=0.05)
    true = 2.5 * (log(0.9 / 0.05)) ** (1 / 4) / 2
    assert low <= true <= high, "0.1 + 0.9 (1 - exp(-(size / 2.5) ** 4)) is 0.95 there"


def test_what_failed_when_asked_again_is_said():
    one = Sitting("x", seed=4).track("letters", 2.5).constant("letters", 2, 9, 11, enlarged="1.78")
    told = prescribed(one)[1]
    assert re.search(
        r"Checked: 9 of 20 right at 1\.8 times \(1\d\u201320 were predicted\): 95 % was not reached, so", told
    )
    assert prescribed(Sitting("x", seed=4).track("letters", 2.5))[1].endswith("Not checked by asking again.")


def test_small_print_that_is_read_as_it_is_needs_no_enlarging():
    assert prescribed(Sitting("x", seed=4).track("letters", 1.0))[1:] == [
        "Small print (letters 10 px high) needs no enlarging."
    ]


def test_enlarging_is_not_prescribed_to_who_errs_at_any_size():
    one = Sitting("x", seed=4).track("letters", 2.5, lapse=0.2).constant("letters", 50.1, 16, 4).track("paths", 6.0)
    letters, paths = prescribed(one)
    assert re.search(
        r"are lost; enlarging cannot reach 95 % right, with \d\d % \(\d+\u2013\d\d\) errors even on the", letters
    )
    assert re.match(r"Lines closer than \d\.\d px cannot be followed; 95 % are right from \d\.\d px \(", paths)


def test_behind_a_cap_crops_are_prescribed_and_not_larger_pictures():
    told = prescribed(whole_exam())
    assert any("or send crops of" in line for line in told), "1.5 times 512 px is no more than arrives"
    far = Sitting("x", 3)
    for canvas in (256, 512, 1024, 2048, 4096):
        far.track("letters", 6.0 * max(1.0, canvas / 768), canvas=str(canvas))
    assert any("px; a whole picture enlarged this much would be shrunk again" in line for line in prescribed(far))


def test_charts_asked_to_check_are_no_part_of_the_threshold():
    one = Sitting("x", seed=4).track("letters", 2.5)
    before = said(one, "letters")
    assert said(one.constant("letters", 2, 0, 40, enlarged="1.78"), "letters").value == before.value


def test_weak_colours_are_told_only_where_they_are_weak():
    weak, even = Sitting("x", seed=5), Sitting("y", seed=5)
    for hue in ("red", "green", "blue", "yellow"):
        weak.track(f"colour-{hue}", 9.0 if hue in ("red", "green") else 3.0)
        even.track(f"colour-{hue}", 4.0)
    assert any(line.startswith("Red against green must differ") for line in prescription(sitting(weak)))
    assert not any("must differ" in line for line in prescription(sitting(even)))


def test_colours_that_are_not_seen_at_all_are_prescribed_too():
    """Found by a looker that sees grey only: of it was said that no limit was met."""
    one = Sitting("x", seed=5).track("letters", 0.01, slope=10)
    for hue in ("red", "blue"):
        for level in (2.51, 7.94, 20.0):
            one.constant(f"colour-{hue}", level, 1, 11)
    assert prescription(sitting(one)) == ("Colours within 20\u00a0\u0394E of grey are not seen (towards red, blue).",)


def test_which_letter_is_taken_for_which():
    one = Sitting("x").track("letters", 2.0)
    for row in one.rows:
        row["answer"] = row["key"] if row["outcome"] == "right" else "O" if row["key"] != "O" else "C"
    confusions = sitting(one).confusions
    wrong = {(key, said) for key, row in confusions.items() for said in row if said != key}
    assert wrong
    assert all(said == ("C" if key == "O" else "O") for key, said in wrong)
    asked = sum(row["outcome"] != "unread" for row in one.rows)
    assert sum(n for row in confusions.values() for n in row.values()) == asked


def test_the_usual_condition_counts_and_any_other_is_named():
    one = Sitting("x", seed=6).track("letters", 2.0).track("letters", 6.0, polarity="light")
    assert said(one, "letters").value < 3
    alone = said(Sitting("x", seed=6).track("letters", 6.0, polarity="light"), "letters")
    assert alone.value > 4
    assert alone.condition == "polarity light"


def test_the_exam_has_a_verdict_of_its_own_and_no_ladder():
    found = findings(table(Sitting("x", seed=3).track("letters", 2.1)))
    (diagnosis,) = found.diagnoses
    assert (diagnosis.verdict, diagnosis.task, diagnosis.losses) == ("measured", "acuity", ())
    assert diagnosis.badge == badge(sitting(Sitting("x", seed=3).track("letters", 2.1)))
    assert not any(section.title == "The ladder" for section in found.sections)
    assert [card.subject for card in found.cards] == ["x"]
    json.dumps(to_json(found), allow_nan=False)


def test_letters_that_tell_nothing_are_not_covered_up_by_another_test():
    unread = Sitting("x", seed=3).unread("letters", 50.1, 8).unread("letters", 10, 8).track("contrast", 20)
    assert badge(sitting(unread)) == "not measurable"
    assert badge(sitting(Sitting("x", seed=3).track("contrast", 20))).startswith("contrast ")


def test_to_say_that_there_is_nothing_is_a_limit_and_no_leaning():
    blind = Sitting("x", seed=3)
    for level in (20, 10, 5.01, 2.51):
        blind.constant("colour-red", level, 0, 6)
    for row in blind.rows:
        row["answer"] = "nothing"
    assert said(blind, "colour-red").kind == "worse than drawn"
    for row in blind.rows:
        row["answer"] = "7"
    assert said(blind, "colour-red").kind == "not measurable"


def test_trials_of_other_tasks_have_no_cards():
    assert findings(winoground_rows(n=8)).cards == ()


def test_every_table_can_be_printed_with_nothing_and_with_everything():
    for rows in (
        table(Sitting("x").blank("letters", 1, 2)),
        table(whole_exam("y"), Sitting("x").track("letters", 2.0)),
    ):
        for name, named in AcuityStudy(rows, 0).tables().items():
            made = named.make()
            assert made.name == name
            assert all(len(row) == len(made.columns) for row in made.rows), name
            assert render(made, "md")


def test_rows_without_conditions_are_read_as_usual():
    rows = table(Sitting("x", seed=3).track("letters", 2.1)).drop("polarity", "font", "place")
    assert AcuityResults(rows).sittings["x"].reading("letters").condition == ""


def test_numbers_are_written_for_people():
    assert [number(x) for x in (0.0039, 0.0994, 0.52, 0.996, 2.06, 9.96, 12.4, 140.2, 4096)] == [
        *("0.0039", "0.099", "0.52", "1.0", "2.1", "10", "12", "140", "4,096"),
    ]


def test_the_order_of_answers_does_not_matter():
    rows = table(Sitting("x", seed=3).track("letters", 2.1))
    turned = rows.reverse()
    both = [AcuityResults(each).sittings["x"].reading("letters") for each in (rows, turned)]
    assert both[0] == both[1]
    assert isinstance(rows, pl.DataFrame)


def test_one_answer_to_everything_is_no_limit_of_sight():
    one = Sitting("x")
    for level in (1.0, 4.0, 16.0, 50.0):
        one.constant("letters", level, 1, 9)
    for row in one.rows:
        row["answer"] = "C"
        row["key"] = "C" if row["outcome"] == "right" else "K"
    (found,) = measures(table(one))
    assert found.found.kind == "not measurable"
    assert "it says C to 40 of 40 charts" in found.found.why


def test_a_difference_says_whether_both_answered_the_same_charts():
    one, two = (Sitting(name, seed=6).track("letters", 2.0).track("contrast", 0.03) for name in ("one", "two"))
    for row in two.rows:
        if row["test"] == "contrast":
            row["item"] = f"other {row['item']}"
    found = AcuityResults(table(one, two))
    letters, contrast = differences(*found.sittings.values())
    assert (letters.paired, letters.shared) == (True, 78)
    assert (contrast.paired, contrast.shared) == (False, 0)
    told = render(AcuityStudy(table(one, two), 0).tables()["acuity-differences"].make(), "text")
    assert "paired, 78 shared" in told
    assert "unpaired, 0 shared" in told


def test_charts_that_one_could_not_be_read_on_are_not_shared():
    one, two = (Sitting(name, seed=6).track("letters", 2.0) for name in ("one", "two"))
    for row in two.rows[:10]:
        row["outcome"] = "unread"
    (letters,) = differences(*AcuityResults(table(one, two)).sittings.values())
    assert letters.shared == 68


def test_one_server_in_two_is_known_to_see_alike_the_better_for_the_same_answers():
    one, two = Sitting("one", seed=6).track("letters", 2.0), Sitting("one", seed=6).track("letters", 2.0)
    other = Sitting("two", seed=6).track("letters", 2.0)
    for row in two.rows:
        row.update(subject="two", trial=f"two-{row['trial']}")
    (same,) = differences(*AcuityResults(table(one, two)).sittings.values())
    for row in other.rows:
        row["item"] = f"other {row['item']}"
    (fresh,) = differences(*AcuityResults(table(one, other)).sittings.values())
    doubt = [log10(each.ratio.high / each.ratio.low) for each in (same, fresh)]
    assert doubt[0] < 0.8 * doubt[1]
