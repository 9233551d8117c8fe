"""Training sets as folders, with nothing held out let in; what goes into them is `snellen.tasks.training`'s.

rows       a stimulus as a row to train on: conversation, answer, and what the reward reads answers by
folder     the set on disk: rows in the form that a trainer takes, or tidy; a manifest; an exam of what is held out
lines      JSON lines with pictures in files, for LLaMA-Factory and ms-swift
"""

from snellen.lab.trainset.folder import FORMATS, Form, write_trainset

__all__ = ["FORMATS", "Form", "write_trainset"]
