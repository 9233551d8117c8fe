"""One diagnosis for every task: the ladder of rungs, what is lost at each step, and the profile over tasks."""
