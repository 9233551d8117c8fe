"""The curve of a training as figures."""

from pathlib import Path

import pytest

from snellen.lab.train.figures import draw


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_short_and_flat_curves_are_drawn_or_left_out(n: int, tmp_path: Path) -> None:
    flat = [{"step": k + 1, "loss": 0.0, "mean_token_accuracy": 0.0} for k in range(n)]
    written = draw(flat, "flat", tmp_path)
    assert len(written) == (2 if n > 1 else 0)
    assert all(path.read_text().startswith("<svg") for path in written)
