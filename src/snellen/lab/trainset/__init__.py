"""Training sets as folders, with nothing held out let in; what goes into them is `snellen.tasks.training`'s.

rows       a stimulus as a row to train on: conversation, answer, and what the reward reads answers by
folder     the set on disk: parquet in the form of TRL, of verl, or tidy; a manifest; an exam of what is held out
"""

from snellen.lab.trainset.folder import FORMATS, Form, write_trainset

__all__ = ["FORMATS", "Form", "write_trainset"]
