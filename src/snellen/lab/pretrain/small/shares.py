"""Stand-in."""

SEEING = {"boards": 0.6, "scenes": 0.4}
LIFELIKE = {"boards": 0.6, "scenes": 0.4, "watched": 1.0}
FIXATED = LIFELIKE
CURED = {**LIFELIKE}
