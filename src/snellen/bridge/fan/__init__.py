"""One exam over many machines: units that Ray, Slurm or a pool of processes run, each with a store of its own."""
