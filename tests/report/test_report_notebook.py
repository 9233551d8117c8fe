"""An exam in a notebook: verdicts with their charts, as HTML in which nothing of a model's is markup."""

from dataclasses import replace
from html.parser import HTMLParser

from figure_samples import HOSTILE

from snellen.charts.blocks import Diagnosis, Findings
from snellen.charts.palette import VERDICTS
from snellen.report.notebook import exam_html
from support.made_findings import eyes_and_thinking, habit, many, sections, together, unclear


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


def found(*diagnoses: Diagnosis) -> Findings:
    return Findings(diagnoses, sections("marvel"), (), ())


def test_a_verdict_with_its_charts_and_details_collapsed() -> None:
    page = exam_html(found(habit()))
    seen = Seen(page.replace("\u00a0", " "))
    assert not seen.open
    assert {"habit", *habit().details, "share of items (%)", "accuracy (%)"} <= set(seen.words)
    assert seen.tags.count("svg") == 2
    assert seen.tags.count("details") == 1
    assert ("open", None) not in seen.attributes
    assert VERDICTS["habit"][0] in page


def test_a_card_names_its_task_and_draws_its_own_ladder() -> None:
    page = Seen(exam_html(found(eyes_and_thinking()))).words
    assert "sim/nearsighted · marvel" in page
    assert {"told", "words", "pictures"} <= set(page)
    assert "against habit" not in page
    assert not any("Boards by game" in word for word in page), "no chart of a section"
    assert "svg" not in Seen(exam_html(found(replace(unclear(), rungs=())))).tags


def test_what_could_not_be_told_apart_comes_with_its_command() -> None:
    page = exam_html(found(together()))
    assert "thinking or eyes" in page
    assert "<code>snellen exam sim/nearsighted --tasks winoground --set modality=words,pictures</code>" in page


def test_several_begin_with_an_overview_and_fold() -> None:
    findings = many()
    page = exam_html(findings)
    seen = Seen(page)
    assert not seen.open
    assert seen.tags.count("tr") == 1 + 3, "subjects are counted by name"
    assert seen.words.count("not asked") == 3 * 6 - len(findings.diagnoses)
    assert page.index("<table") < page.index("Profile of sim/fixated") < page.index("loses 41\u00a0% of items")
    assert seen.tags.count("summary") >= len(findings.diagnoses) + len(findings.profiles)


def test_hostile_names_are_only_words() -> None:
    evil = replace(habit(HOSTILE, HOSTILE), details=(HOSTILE,), missing=(HOSTILE,), verdict="</div>", faults=())  # type: ignore[arg-type]
    evil = replace(evil, rungs=tuple(replace(rung, rung=HOSTILE) for rung in evil.rungs))
    for page in (exam_html(found(evil)), exam_html(found(evil, evil))):
        seen = Seen(page)
        assert not seen.open
        assert "script" not in seen.tags
        assert not [name for name, _ in seen.attributes if name.startswith("on")]
        assert sum("<script>" in word for word in seen.words) >= 4
        assert not any(character in "".join(seen.words) for character in "\x00\u202e\ud800")


def test_nothing_runs_and_nothing_is_fetched() -> None:
    page = exam_html(many())
    for word in ("<script", "<style", "href", "src=", "url(", "@import"):
        assert word not in page


def test_every_card_has_its_own_ground_and_ink() -> None:
    page = exam_html(found(habit(), habit("sim/other")))
    assert page.count("background:#ffffff;color:#15191d") == 2 + 2, "two cards, and the overview with its table"
    several, findings = exam_html(many()), many()
    grounds = several.count("background:#ffffff;color:#15191d")
    assert grounds == len(findings.diagnoses) + len(findings.profiles) + 2


def test_no_diagnosis_yet() -> None:
    assert "No diagnosis yet" in exam_html(found())
