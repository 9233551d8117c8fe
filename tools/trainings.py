"""Everything behind docs/results/training.md: trainings by SFT and by GRPO from one base, three seeds, with controls.

    python tools/trainings.py tiny -o trainings --jobs 14             d1, d2, d3 from local/tiny, on one GPU
    python tools/trainings.py small -o legs --model ./small           legs from small, examined on bias

Every line it runs is a `snellen` command, printed before it runs. What is done is not done again.
"""

import argparse
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

SEEDS = (0, 1, 2)
CONTROLS = {"sft": ("shuffled",), "grpo": ("shuffled", "random")}


@dataclass(frozen=True)
class Base:
    """A model to begin with: what it is trained on, what it is examined on, and how fast it learns."""

    sets: tuple[str, ...]
    controlled: str
    exam: tuple[str, ...]
    options: Mapping[str, tuple[str, ...]]


# The paper's rates are for models of three billion parameters and more. A step of tiny is taken in one piece: it is so
# small that each piece costs the same, however many rows it has.
BASES = {
    "tiny": Base(
        ("d1", "d2", "d3"),
        "d2",
        ("--tasks", "fixation", "--n", "15"),
        {"sft": ("--lr", "1e-3", "--together", "128"), "grpo": ("--lr", "1e-4", "--together", "640")},
    ),
    "small": Base(
        ("legs",),
        "legs",
        ("--tasks", "bias,fixation"),
        {"sft": ("--together", "64"), "grpo": ("--lr", "1e-4", "--together", "160")},
    ),
}


@dataclass(frozen=True)
class Run:
    """One training."""

    base: str
    set: str
    method: str
    seed: int
    control: str = ""

    @property
    def name(self) -> str:
        return "-".join(filter(None, (self.set, self.method, self.control, f"seed{self.seed}")))

    @property
    def command(self) -> list[str]:
        control = ["--control", self.control] if self.control else []
        line = ["lab", "train", self.method, "--model", f"./{self.base}", "--data", self.set, "-o", self.name]
        return [*line, "--seed", str(self.seed), *BASES[self.base].options[self.method], *control]


def runs(name: str, only: str) -> list[Run]:
    """The trainings, the longest first; controls on one set, where there is most to learn."""
    base = BASES[name]
    trained = [Run(name, each, method, seed) for method in CONTROLS for each in base.sets for seed in SEEDS]
    controls = [
        Run(name, base.controlled, method, seed, control)
        for method, known in CONTROLS.items()
        for control in known
        for seed in SEEDS
    ]
    every = sorted((*trained, *controls), key=lambda run: run.method != "grpo")
    return [run for run in every if only in run.name]


def snellen(words: list[str], folder: Path, log: Path | None = None, jobs: int = 1) -> int:
    """Run a command. Each of several `jobs` gets its share of the cores: left to themselves all would take all of them,
    and spend their time waiting for one another."""
    sys.stdout.write(f"snellen {shlex.join(words)}\n")
    sys.stdout.flush()
    env = {"OMP_NUM_THREADS": str(max(1, (os.cpu_count() or 1) // jobs)), **os.environ}
    with (log or folder / "log").open("a", encoding="utf-8") as out:
        line = [sys.executable, "-m", "snellen", *words]
        return subprocess.run(line, cwd=folder, env=env, stdout=out, stderr=out, check=False).returncode  # noqa: S603


def train(run: Run, folder: Path, jobs: int) -> None:
    if (folder / run.name / "adapter").is_dir():
        return
    begun = (folder / run.name / "recipe.json").exists()
    words = [*run.command, "--resume"] if begun else run.command
    if snellen(words, folder, folder / f"{run.name}.log", jobs):
        sys.stdout.write(f"failed: {run.name}; see {run.name}.log\n")


def examine(name: str, done: list[Run], folder: Path) -> None:
    adapters = [f"{run.name}=local/./{name}:adapter={run.name}" for run in done]
    snellen(["exam", f"base=local/./{name}", *adapters, *BASES[name].exam], folder)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("base", choices=BASES)
    asked.add_argument("-o", "--out", type=Path, required=True)
    asked.add_argument("--model", type=Path, help="Where small is; tiny comes with Snellen.")
    asked.add_argument("--jobs", type=int, default=4)
    asked.add_argument("--only", default="", help="Trainings with this in their name, such as d2-sft.")
    chosen = asked.parse_args()
    folder: Path = chosen.out
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / chosen.base
    if not place.exists() and chosen.base == "tiny":
        snellen(["lab", "unpack", "tiny", "-o", "tiny"], folder)
    elif not place.exists():
        if chosen.model is None:
            asked.error("small: name its folder with --model; `snellen lab unpack small` makes it")
        place.symlink_to(chosen.model.resolve())
    jobs: int = chosen.jobs
    with ThreadPoolExecutor(jobs) as pool:
        made = [name for name in BASES[chosen.base].sets if not (folder / name).exists()]
        list(
            pool.map(
                lambda name: snellen(["lab", "trainset", name, "-o", name], folder, folder / f"{name}.log", jobs), made
            )
        )
        wanted = runs(chosen.base, chosen.only)
        list(pool.map(lambda run: train(run, folder, jobs), wanted))
    examine(chosen.base, [run for run in wanted if (folder / run.name / "adapter").is_dir()], folder)


if __name__ == "__main__":
    main()
