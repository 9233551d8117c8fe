"""What an audit says: a row for every observer in every group, and the same in words."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AuditRow:
    """How well one observer did in one group.

    `accuracy` is on items it had not seen; `fitted`, where it is known, on the very items it learned from. `guessed` is
    how many independent guesses its trials are worth, `p` the probability that chance does as well, `holm` the same
    corrected for all observers of the report. A leak of `detectable` would have been found (above 1: none would).
    `part` says that what it goes by is part of the task itself: such a one is shown, but is no shortcut.
    """

    group: str
    observer: str
    n: int
    guessed: int
    accuracy: float
    fitted: float | None
    chance: float
    p: float
    holm: float = 1.0
    leak: bool = False
    detectable: float = 1.01
    part: bool = False

    @property
    def blind(self) -> bool:
        """Whether even an observer that is always right would have gone unnoticed."""
        return self.detectable > 1


@dataclass(frozen=True, slots=True)
class AuditReport:
    rows: tuple[AuditRow, ...]

    @property
    def leaks(self) -> tuple[AuditRow, ...]:
        return tuple(row for row in self.rows if row.leak)

    @property
    def power(self) -> str:
        """What the audit would have found, in words: "a leak of 61 % would have been found"."""
        return _power(self.rows)

    def __str__(self) -> str:
        """Group by group, each named by what sets it apart from the others, and the verdict."""
        groups: dict[str, list[AuditRow]] = {}
        for row in self.rows:
            groups.setdefault(row.group, []).append(row)
        parts = [name.split(", ") for name in groups]
        shared = [part for part in parts[0] if all(part in other for other in parts)] if len(parts) > 1 else []
        lines = [f"all groups: {', '.join(shared)}\n"] if shared else []
        clean = [name for name, rows in groups.items() if not any(row.leak for row in rows)]
        crowded = len(clean) > _CLEAN_SHOWN
        for name, rows in groups.items():
            if not (crowded and name in clean):
                own = ", ".join(part for part in name.split(", ") if part not in shared)
                lines.append(_group_text(own or "all items", rows))
        if crowded:
            lines.append(f"{len(clean)} groups show no leak\n")
        return "\n".join([*lines, self._verdict()])

    def _verdict(self) -> str:
        if not self.rows:
            return "nothing to audit: observers need some items to learn from and others to guess"
        blind = len({row.group for row in self.rows if row.blind and not row.part})
        weak = f"; {blind} groups have too few items to tell (raise --n)" if blind else ""
        judged = sum(not row.part for row in self.rows)
        if not self.leaks:
            return f"no shortcut found by {judged} observers; {self.power}{weak}"
        return f"{len(self.leaks)} of {judged} observers beat chance; {self.power}{weak}"


_SHOWN = 12
_CLEAN_SHOWN = 12


def _power(rows: Iterable[AuditRow]) -> str:
    """The weakest promise of these observers. Chance differs between groups, and so may what can be found."""
    able = sorted(row.detectable for row in rows if not row.blind and not row.part)
    if not able:
        return "no leak could have been found"
    least, most = f"{able[0]:.0%}", f"{able[-1]:.0%}"
    span = least if least == most else f"{least} to {most}"
    return f"a leak of {span.replace('%', ' %')} would have been found"


def _group_text(name: str, rows: list[AuditRow]) -> str:
    """The leaks of a group, strongest first, or the three observers that came nearest."""
    ranked = sorted((row for row in rows if not row.part), key=lambda row: (row.p, -row.accuracy, row.observer))
    leaks = [row for row in ranked if row.leak]
    lines = [f"{name}: {rows[0].n} items, {len(ranked)} observers, {len(leaks)} leaks; {_power(ranked)}"]
    lines += map(_row_text, leaks[:_SHOWN] or ranked[:3])
    if len(leaks) > _SHOWN:
        lines.append(f"        and {len(leaks) - _SHOWN} more")
    parts = sorted((row for row in rows if row.part), key=lambda row: -row.accuracy)
    if parts:
        told = ", ".join(f"{row.observer} {row.accuracy:.0%}" for row in parts)
        lines.append(f"  part of the task, so no shortcut: {told}")
    return "\n".join(lines) + "\n"


def _row_text(row: AuditRow) -> str:
    fitted = "" if row.fitted is None else f", {row.fitted:6.1%} in sample"
    verdict = "too few items to tell" if row.blind else f"p = {row.holm:.2g}"
    return (
        f"  {'LEAK' if row.leak else 'ok  '}  {row.observer:<34} {row.accuracy:6.1%} on unseen items{fitted}; "
        f"chance {row.chance:.1%}, {verdict}"
    )
