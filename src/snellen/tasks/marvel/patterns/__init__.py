"""The patterns: what rules the panels of a puzzle may follow."""
