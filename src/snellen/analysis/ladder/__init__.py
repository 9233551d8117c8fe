"""One diagnosis for all tasks: what is lost at each step of the task's ladder, and to which faculty.

`climb` finds the rungs in the rows, `steps` pairs them, `tree` reads the joint pattern of each item, `case` puts the
evidence together, `verdict` judges it and `sentences` says so. `profile` pools over tasks.
"""

from snellen.analysis.ladder.profile import profiles
from snellen.analysis.ladder.study import LadderStudy, outline_of

__all__ = ["LadderStudy", "outline_of", "profiles"]
