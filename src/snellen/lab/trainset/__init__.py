"""Training sets from the project's own generators, in the project's own words, with nothing held out let in.

pools      states to train on and states held out, disjoint up to symmetry by construction
splits     D1, D2, D3 (which rule or game is trained, which held out), animals' legs, and any task of the project
rows       a stimulus as a row to train on: conversation, answer, and what the reward reads answers by
folder     the set on disk: parquet in the form of TRL, of verl, or tidy; a manifest; an exam of what is held out
"""

from snellen.lab.trainset.folder import FORMATS, Form, write_trainset
from snellen.lab.trainset.splits import SPLITS, Trainset, of_legs, of_split, of_task

__all__ = ["FORMATS", "SPLITS", "Form", "Trainset", "of_legs", "of_split", "of_task", "write_trainset"]
