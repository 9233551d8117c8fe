"""Findings as the page takes them: JSON, and with each diagnosis the charts that are made from it."""

from typing import Any

from snellen.analysis.ladder.charts import ladder_chart, largest_loss, loss_chart, loss_name, loss_table
from snellen.analysis.ladder.overview import overview, verdict_word
from snellen.charts.blocks import Diagnosis, Findings, ThresholdCard, to_json
from snellen.charts.svg import to_svg


def shown(findings: Findings) -> dict[str, Any]:
    """What the page shows of the findings; the estimates stay behind."""
    return {
        "diagnoses": [_card(diagnosis) for diagnosis in findings.diagnoses],
        "overview": to_json(overview(findings.diagnoses)),
        "profiles": to_json(findings.profiles),
        "sections": to_json(findings.sections),
        "fingerprints": to_json(findings.fingerprints),
        "eye_cards": [_eye_card(card) for card in findings.cards],
    }


def _eye_card(card: ThresholdCard) -> dict[str, str]:
    """A card as a picture on light and on dark paper; a picture can hold no script that would run."""
    light, dark = card.draw(), card.draw(dark=True)
    pictures = {"light": to_svg(light, fitted=True), "dark": to_svg(dark, fitted=True)}
    return {"subject": card.subject, "told": light.told, **pictures}


def _card(diagnosis: Diagnosis) -> dict[str, Any]:
    loss = largest_loss(diagnosis.losses)
    return {
        **to_json(diagnosis),
        "badge": verdict_word(diagnosis),
        "losses_chart": to_json(loss_chart([diagnosis])),
        "ladder_chart": to_json(ladder_chart(diagnosis)),
        "steps": to_json(loss_table(diagnosis)),
        "largest": loss and {"name": loss_name(loss.faculties), "share": to_json(loss.share)},
    }
