"""Where a reply states the parts of an answer: "photo 1: C", rows of tables, lists, JSON, sentences.

A **head** is a field's name and the sign or words that lead to its value (see `heads`); an **entry** is a head with its
value. JSON needs no parser of its own: without quotes and braces (see `tidy`) it reads `photo 1: C, photo 2: F` like
anything else. What comes in another order is in `orders`.
"""

from snellen.answer.grids import in_table, one_above_the_other
from snellen.answer.heads import headed
from snellen.answer.orders import backwards, before, beside, explained, grouped, table, total_column
from snellen.answer.zones import Entry, Fields, Zone


def entries(zone: Zone, fields: Fields) -> list[Entry]:
    """All parts that the zone states, in order."""
    lower = zone.text.lower()
    found = list(grouped(zone, lower, fields))
    for other in (total_column, table, in_table, one_above_the_other):
        found += [entry for entry in list(other(zone, fields)) if _apart(entry, found)]
    found += [entry for entry in headed(zone, lower, fields) if _apart(entry, found)]
    if zone.marked:
        found += [entry for entry in beside(zone, lower, fields) if _apart(entry, found)]
        found += [entry for entry in before(zone, lower, fields) if _apart(entry, found)]
        found += [entry for entry in explained(zone, lower, fields) if _apart(entry, found)]
    if not found:
        found = list(backwards(zone, lower, fields))
    return sorted(found, key=lambda entry: entry.start)


def _apart(entry: Entry, others: list[Entry]) -> bool:
    return all(entry.end <= other.start or other.end <= entry.start for other in others)
