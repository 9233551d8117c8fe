"""Who holds an exam in a store: its lock, `FILE.lock`."""

from pathlib import Path

from filelock import FileLock, Timeout


def is_held(path: Path) -> bool:
    """Whether a process is holding an exam in this store."""
    if not Path(f"{path}.lock").exists():
        return False
    try:
        with FileLock(f"{path}.lock", timeout=0):
            return False
    except Timeout:
        return True
    except OSError:  # a folder that cannot be written: nobody holds an exam there
        return False
