"""What an audit says: a row for every observer in every group, and the same in words."""

import re
from collections.abc import Iterable, Iterator
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
class CopiedRow:
    """A row that repeats an earlier one, exactly or nearly; with another key (`conflicting`), in another split."""

    item: str
    of: str
    exact: bool
    conflicting: bool
    across: bool

    def __str__(self) -> str:
        kinds = ["exact" if self.exact else "near"]
        kinds += ["conflicting keys"] * self.conflicting + ["across splits"] * self.across
        return f"{self.item} = {self.of} ({', '.join(kinds)})"


@dataclass(frozen=True, slots=True)
class AuditReport:
    """`left_out`: what could not be audited, in words."""

    rows: tuple[AuditRow, ...]
    duplicates: tuple[CopiedRow, ...] = ()
    left_out: str = ""

    @property
    def leaks(self) -> tuple[AuditRow, ...]:
        return tuple(row for row in self.rows if row.leak)

    @property
    def faulty(self) -> bool:
        """Whether there is a leak, a row in two splits, or one question with two keys."""
        return bool(self.leaks) or any(row.across or (row.exact and row.conflicting) for row in self.duplicates)

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
        left_out = [f"{self.left_out}\n"] if self.left_out else []
        return "\n".join([*lines, *self._looked(), *self._copies(), *left_out, self._verdict()])

    def _looked(self) -> Iterator[str]:
        """What was looked at: by how many observers, in how many groups, and how many of them beat chance."""
        looks: dict[str, list[AuditRow]] = {}
        for row in self.rows:
            looks.setdefault(_LOOKS.get(re.split(r"[:( ]", row.observer)[0], "the task's own"), []).append(row)
        if looks:
            yield f"looked at{'':<11} observers  leaks"
            for name, rows in looks.items():
                yield f"  {name:<18} {len({row.observer for row in rows}):>9} {sum(row.leak for row in rows):>6}"
            yield ""

    def _copies(self) -> Iterator[str]:
        if self.duplicates:
            exact, across, torn = (
                sum(getattr(row, name) for row in self.duplicates) for name in ("exact", "across", "conflicting")
            )
            yield (
                f"duplicates: {len(self.duplicates)} rows repeat an earlier one ({exact} exact, "
                f"{len(self.duplicates) - exact} near), {across} across splits, {torn} with conflicting keys"
            )
            ranked = sorted(self.duplicates, key=lambda row: (not row.conflicting, not row.across))
            yield from (f"  {row}" for row in ranked[:_SHOWN])
            if len(ranked) > _SHOWN:
                yield f"  and {len(ranked) - _SHOWN} more"
            yield ""

    def _verdict(self) -> str:
        if not self.rows:
            return "nothing to audit: observers need items to learn from and others to test on"
        blind = len({row.group for row in self.rows if row.blind and not row.part})
        weak = f"; {blind} groups have too few items to tell (raise --n)" if blind else ""
        judged = sum(not row.part for row in self.rows)
        if not self.leaks:
            return f"no shortcut found by {judged} observers; {self.power}{weak}"
        return f"{len(self.leaks)} of {judged} observers beat chance; {self.power}{weak}"


_SHOWN = 12
_LOOKS = {
    "majority": "answer position",
    "id": "id",
    "order": "order of rows",
    "wording": "question",
    "label": "question",
    "twin": "twin",
    "options": "options",
    **dict.fromkeys(("picture", "first", "last", "brightest", "widest", "largest"), "pictures"),
}
"""What observers look at, by the first word of their names."""
_CLEAN_SHOWN = 12


def _power(rows: Iterable[AuditRow]) -> str:
    """The weakest promise of these observers. Chance differs between groups, and so may what can be found."""
    able = sorted(row.detectable for row in rows if not row.blind and not row.part)
    if not able:
        return "too few items to detect any leak"
    least, most = f"{able[0]:.0%}", f"{able[-1]:.0%}"
    span = least if least == most else f"{least} to {most}"
    return f"90 % power to detect a leak of {span.replace('%', ' %')}"


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
        lines.append(f"  part of the task, so not a shortcut: {told}")
    return "\n".join(lines) + "\n"


def _row_text(row: AuditRow) -> str:
    fitted = "" if row.fitted is None else f", {row.fitted:6.1%} in sample"
    verdict = "too few items to tell" if row.blind else f"p = {row.holm:.2g}"
    return (
        f"  {'LEAK' if row.leak else 'ok  '}  {row.observer:<34} {row.accuracy:6.1%} on unseen items{fitted}; "
        f"chance {row.chance:.1%}, {verdict}"
    )
