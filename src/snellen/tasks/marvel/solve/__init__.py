"""An independent solver: which choice fits, from the panels alone."""
