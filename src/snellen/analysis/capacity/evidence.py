"""What speaks about one subject, in the plainest setting it was asked in."""

from dataclasses import dataclass

from snellen.analysis.capacity.errors import Fate
from snellen.analysis.capacity.kinds import CATEGORIES
from snellen.analysis.capacity.results import Results, Setting
from snellen.analysis.capacity.scores import Score
from snellen.analysis.capacity.weighing import difference


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks about one subject in the setting the verdict rests on."""

    subject: str
    setting: Setting
    overall: Score
    categories: dict[str, Score]
    fate: Fate

    @property
    def weakest(self) -> tuple[Score, bool] | None:
        """The weakest category, and whether it is shown to be weaker than the next."""
        ranked = sorted(self.categories.values(), key=lambda score: score.value.value or 0.0)
        if len(ranked) < 2:
            return None
        gap = difference(ranked[1].value, ranked[0].value)
        return ranked[0], (gap.low or 0.0) > 0


def evidence(found: Results, who: str) -> Evidence | None:
    """All that speaks about one subject; None if it has answered nothing."""
    setting = next((setting for setting in found.plainest() if setting["who"] == who), None)
    overall = found.score(setting) if setting else None
    if setting is None or overall is None:
        return None
    scores = {level: score for level in CATEGORIES if (score := found.score(setting, level)) is not None}
    fate = next(each for each in found.fates if each.setting == setting)
    return Evidence(who, setting, overall, scores, fate)
