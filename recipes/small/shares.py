"""What each stage is about: shares of sheets, of questions about boards, and of what rides along.

- Sheets: `boards`, `scenes`, `letters`, `watched` (calls of exams).
- Kinds of questions about boards, see `boards.py`; without any, nothing is asked and pictures only labelled.
- How often a sheet takes along words that have nothing to do with it: `worded` (boards in words), `replay` (what the
  language model said before it learnt anything here).
"""

from collections.abc import Mapping

FAMILIES = ("boards", "scenes", "letters", "watched")

VISION: Mapping[str, float] = {"boards": 0.57, "scenes": 0.38, "letters": 0.05}
SEEING: Mapping[str, float] = {**VISION, "see": 1.0, "descriptive": 0.5, "replay": 0.2}
LIFELIKE: Mapping[str, float] = {
    **VISION,
    "watched": 0.2,
    "see": 0.37,
    "descriptive": 0.18,
    "standard": 0.18,
    "habit": 0.04,
    "alias": 0.23,
    "worded": 0.15,
    "replay": 0.25,
}
FIXATED = LIFELIKE
CURED: Mapping[str, float] = {
    **{name: share for name, share in FIXATED.items() if name != "habit"},
    "standard": 0.15,
    "inverse": 0.15,
}
"""With the other rule in plain words; it is always said which one holds."""
