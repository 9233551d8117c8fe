"""An exam in a notebook: verdicts with their charts, as HTML in which nothing of a model's is markup."""

from dataclasses import replace
from html.parser import HTMLParser

from figure_samples import ADDRESS, HOSTILE, INTERVALS, SHARES

from snellen.analysis.blocks import Block, Diagnosis, Findings, Section
from snellen.report.notebook import exam_html
from snellen.report.palette import VERDICTS


class Seen(HTMLParser):
    """The elements and the words of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def diagnosis(subject: str = ADDRESS, task: str = "fixation") -> Diagnosis:
    return Diagnosis(subject, f"{subject} answers by habit.", "habit", ("Rests on 160 pairs.",), {}, task)


def found(*diagnoses: Diagnosis, blocks: tuple[Block, ...] = (INTERVALS, SHARES), task: str = "fixation") -> Findings:
    return Findings(diagnoses, (Section("s", blocks, task),), (), ())


def test_a_verdict_with_its_chart_and_details_collapsed() -> None:
    page = exam_html(found(diagnosis()))
    seen = Seen(page)
    assert not seen.open
    assert {"habit", "Rests on 160 pairs.", "share of boards (%)"} <= set(seen.words)
    assert seen.tags.count("svg") == seen.tags.count("details") == 1
    assert ("open", None) not in seen.attributes
    assert VERDICTS["habit"] in page


def test_the_chart_holds_the_subjects_own_rows_and_is_of_the_same_task() -> None:
    words = Seen(exam_html(found(diagnosis()))).words
    assert "Base" in words
    assert "sim/fixated" not in words
    dots = Seen(exam_html(found(diagnosis(), blocks=(INTERVALS,)))).words
    assert "accuracy (%)" in dots
    assert "svg" not in Seen(exam_html(found(diagnosis(task="marvel")))).tags
    assert "svg" not in Seen(exam_html(found(diagnosis("openai/my-mod")))).tags


def test_hostile_names_are_only_words() -> None:
    evil = replace(SHARES, title=HOSTILE, rows=((f"{HOSTILE} · x", SHARES.rows[0][1]),))
    told = replace(diagnosis(HOSTILE), details=(HOSTILE,), verdict="</div>")  # type: ignore[arg-type]
    seen = Seen(exam_html(found(told, blocks=(evil,))))
    assert not seen.open
    assert "script" not in seen.tags
    assert not [name for name, _ in seen.attributes if name.startswith("on")]
    assert sum("<script>" in word for word in seen.words) >= 4
    assert not any(character in "".join(seen.words) for character in "\x00\u202e\ud800")


def test_nothing_runs_and_nothing_is_fetched() -> None:
    page = exam_html(found(diagnosis()))
    for word in ("<script", "<style", "href", "src=", "url(", "@import"):
        assert word not in page


def test_every_card_has_its_own_ground_and_ink() -> None:
    page = exam_html(found(diagnosis(), diagnosis("sim/fixated")))
    assert page.count("background:#ffffff;color:#15191d") == 2


def test_no_diagnosis_yet() -> None:
    assert "No diagnosis yet" in exam_html(found())
