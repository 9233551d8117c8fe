"""Findings as the page takes them: JSON, with every chart as marks, and with each diagnosis the charts made from it."""

from dataclasses import replace
from typing import Any

from snellen.analysis.history import TITLE as HISTORY
from snellen.analysis.ladder.charts import explained_ladder, largest_loss, loss_chart, loss_name, loss_table
from snellen.analysis.ladder.overview import overview, verdict_word
from snellen.charts.blocks import Block, Chart, Diagnosis, Findings, Section, ThresholdCard, to_json
from snellen.charts.numbers import share_text
from snellen.charts.palette import FACULTIES, NOT_TOLD_APART, VERDICTS, faculty_of
from snellen.charts.screen import chart_json
from snellen.charts.svg import to_svg
from snellen.faculties import ENTRIES
from snellen.report.glossary import glossary


def shown(findings: Findings) -> dict[str, Any]:
    """What the page shows of the findings; the estimates stay behind."""
    return {
        "diagnoses": [_card(diagnosis) for diagnosis in findings.diagnoses],
        "overview": to_json(overview(findings.diagnoses)),
        "profiles": to_json(findings.profiles),
        "history": next((_section(section) for section in findings.sections if _is_history(section)), None),
        "sections": [_section(section) for section in findings.sections if not _is_history(section)],
        "fingerprints": to_json(findings.fingerprints),
        "eye_cards": [_eye_card(card) for card in findings.cards],
        "looks": _looks(),
        "glossary": glossary(),
    }


def _looks() -> dict[str, Any]:
    """How right, faculties and verdicts look on light and on dark paper."""
    parts = {
        name: {
            "fill": [look.colour, look.colour.dark],
            "lines": [look.lines, look.lines.dark],
            "hatch": look.hatch,
            "words": ENTRIES[name].verdict if name in ENTRIES else "",
        }
        for name, look in FACULTIES.items()
    }
    verdicts = {name: {"ink": [ink, ink.dark], "words": words} for name, (ink, words) in VERDICTS.items()}
    return {"parts": parts, "verdicts": verdicts}


def _is_history(section: Section) -> bool:
    """Whether it is the section on subjects over time, which has its place beside the overview."""
    return section.title == HISTORY and not section.task


def _section(section: Section) -> dict[str, Any]:
    return {"title": section.title, "task": section.task, "blocks": [_block(block) for block in section.blocks]}


def _block(block: Block) -> dict[str, Any]:
    content: dict[str, Any] = chart_json(block) if isinstance(block, Chart) else to_json(block)
    return content


def _eye_card(card: ThresholdCard) -> dict[str, str]:
    """A card as a picture on light and on dark paper; a picture can hold no script that would run."""
    light, dark = card.draw(), card.draw(dark=True)
    pictures = {"light": to_svg(light, fitted=True), "dark": to_svg(dark, fitted=True)}
    return {"subject": card.subject, "told": light.told, **pictures}


def _card(diagnosis: Diagnosis) -> dict[str, Any]:
    losses, loss = loss_chart([diagnosis]), largest_loss(diagnosis.losses)
    ((_, values),) = losses.rows
    has_values = any(value.value is not None for value in values)
    return {
        **to_json(diagnosis),
        "badge": verdict_word(diagnosis),
        "bar": [
            [_look(part), value.value or 0.0, f"{part} {share_text(value)}"]
            for part, value in zip(losses.parts, values, strict=True)
            if has_values
        ],
        "losses_chart": chart_json(replace(losses, rows=(("", values),))) if has_values else None,
        "ladder_chart": chart_json(explained_ladder(diagnosis)) if diagnosis.rungs else None,
        "steps": to_json(loss_table(diagnosis)),
        "largest": loss and {"name": loss_name(loss.faculties), "share": to_json(loss.share)},
    }


def _look(part: str) -> str:
    return faculty_of(part) or NOT_TOLD_APART
