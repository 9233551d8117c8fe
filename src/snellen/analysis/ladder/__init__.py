"""One diagnosis for all tasks: what is lost at each step of the task's ladder, and to which faculty.

`rungs` finds the rungs in the rows, `steps` pairs them, `tree` and `joint` read the joint pattern of each item,
`leaning` and `habit` look for signatures of their own, `losses` adds everything up to 100, `where` finds where the
largest loss sits, `power` says what the exam could have found. `case` puts the evidence together, `verdict` judges it
and `sentences` says so. `profile` pools over tasks.
"""

from snellen.analysis.ladder.profile import profiles
from snellen.analysis.ladder.study import LadderStudy

__all__ = ["LadderStudy", "profiles"]
