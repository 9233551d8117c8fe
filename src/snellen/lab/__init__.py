"""Training and steering: a treatment after the diagnosis. Needs the extras `local` and `train`."""
