"""How long `import snellen` and `snellen --help` take, best of five."""

import subprocess
import sys
import time

Row = tuple[str, str, str]


def measure() -> list[Row]:
    return [
        ("`import snellen`", f"{_best('-c', 'import snellen'):.2f} s", "< 0.3 s"),
        ("`snellen --help`", f"{_best('-m', 'snellen', '--help'):.2f} s", "< 0.5 s"),
    ]


def _best(*arguments: str) -> float:
    return min(_once(arguments) for _ in range(5))


def _once(arguments: tuple[str, ...]) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started
