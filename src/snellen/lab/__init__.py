"""The lab: training sets, post-training and steering. Nothing of it loads torch before a command needs it."""
