"""Everything behind docs/results/training.md: d1 to d3 by SFT and by GRPO from one base, three seeds, with controls.

    python tools/trainings.py -o trainings --jobs 14      on one GPU; trainings/ then holds the store and the curves

Every line it runs is a `snellen` command, printed before it runs. What is done is not done again.
"""

import argparse
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

SETS = ("d1", "d2", "d3")
SEEDS = (0, 1, 2)
OPTIONS = {
    # The paper's rates are for models of three billion parameters and more; this one has nine million.
    "sft": ("--lr", "1e-3", "--together", "128"),
    "grpo": ("--lr", "1e-4", "--together", "160"),
}
CONTROLS = {"sft": ("shuffled",), "grpo": ("shuffled", "random")}


@dataclass(frozen=True)
class Run:
    """One training."""

    set: str
    method: str
    seed: int
    control: str = ""

    @property
    def name(self) -> str:
        return "-".join(filter(None, (self.set, self.method, self.control, str(self.seed))))

    @property
    def command(self) -> list[str]:
        control = ["--control", self.control] if self.control else []
        line = ["train", self.method, "--model", "./tiny", "--data", self.set, "-o", self.name]
        return [*line, "--seed", str(self.seed), *OPTIONS[self.method], *control]


def runs(only: str) -> list[Run]:
    """The trainings, the longest first; controls on d2, where there is most to learn."""
    trained = [Run(name, method, seed) for method in ("grpo", "sft") for name in SETS for seed in SEEDS]
    controls = [
        Run("d2", method, seed, control) for method in OPTIONS for control in CONTROLS[method] for seed in SEEDS
    ]
    every = sorted((*trained, *controls), key=lambda run: run.method != "grpo")
    return [run for run in every if only in run.name]


def snellen(words: list[str], folder: Path, log: Path | None = None) -> int:
    sys.stdout.write(f"snellen {shlex.join(words)}\n")
    sys.stdout.flush()
    with (log or folder / "log").open("a", encoding="utf-8") as out:
        line = [sys.executable, "-m", "snellen", *words]
        return subprocess.run(line, cwd=folder, stdout=out, stderr=out, check=False).returncode  # noqa: S603


def train(run: Run, folder: Path) -> None:
    if (folder / run.name / "adapter").is_dir():
        return
    begun = (folder / run.name / "recipe.json").exists()
    words = [*run.command, "--resume"] if begun else run.command
    if snellen(words, folder, folder / f"{run.name}.log"):
        sys.stdout.write(f"failed: {run.name}; see {run.name}.log\n")


def examine(done: list[Run], folder: Path, n: int) -> None:
    adapters = [f"{run.name}=local/./tiny:adapter={run.name}" for run in done]
    snellen(["exam", "base=local/./tiny", *adapters, "--n", str(n)], folder)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("-o", "--out", type=Path, required=True)
    asked.add_argument("--jobs", type=int, default=4)
    asked.add_argument("--only", default="", help="Trainings with this in their name, such as d2-sft.")
    asked.add_argument("--n", type=int, default=15, help="Boards of each game in the exam afterwards.")
    chosen = asked.parse_args()
    folder: Path = chosen.out
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "tiny").exists():
        snellen(["lab", "unpack", "tiny", "-o", "tiny"], folder)
    with ThreadPoolExecutor(chosen.jobs) as pool:
        made = [name for name in SETS if not (folder / name).exists()]
        list(pool.map(lambda name: snellen(["trainset", name, "-o", name], folder, folder / f"{name}.log"), made))
        wanted = runs(chosen.only)
        list(pool.map(lambda run: train(run, folder), wanted))
    examine([run for run in wanted if (folder / run.name / "adapter").is_dir()], folder, chosen.n)


if __name__ == "__main__":
    main()
