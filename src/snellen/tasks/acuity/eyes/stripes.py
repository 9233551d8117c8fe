"""Looking at stripes: of the four ways that they may run, the one whose waves are strongest."""

import numpy as np
from numpy.typing import NDArray

from snellen.tasks.acuity.draw.gratings import ORIENTATIONS
from snellen.tasks.acuity.eyes.gaze import Gaze
from snellen.tasks.acuity.eyes.glimpse import Pixels

_SLOWEST = 2
"""Fewer cycles than this across the window are no stripes, but a patch that is lighter or darker as a whole."""
_SPREADS = 6
"""How many standard deviations of its fading a patch is wide."""


def stripes(pixels: Pixels, gaze: Gaze) -> str | None:
    """For each way the finest template is a wave of the frequency that fits best that way, in any phase; blur and
    shrinking only make it fainter, so that it need not go through the optics once more."""
    seen = gaze.at(pixels)
    if seen is None:
        return None
    grey = seen.grey.astype(np.float64)
    noisy = grey + gaze.mind.noise * gaze.source("noise").standard_normal(grey.shape)
    fading = _fading(grey.shape[0])[:, None] * _fading(grey.shape[1])[None, :]
    waves = _strongest(grey * fading)
    strength = {name: abs(complex((_wave(grey.shape, *wave) * fading * noisy).sum())) for name, wave in waves.items()}
    return max(strength, key=strength.__getitem__)


def _fading(length: int) -> NDArray[np.float64]:
    away = (np.arange(length) + 0.5) / length - 0.5
    faded: NDArray[np.float64] = np.exp(-np.square(away * _SPREADS) / 2)
    return faded


def _strongest(grey: NDArray[np.float64]) -> dict[str, tuple[float, float]]:
    """For each way the frequency (across and down, in cycles a pixel) of the strongest wave that runs so."""
    height, width = grey.shape
    power = np.abs(np.fft.fft2(grey))
    across, down = np.fft.fftfreq(width)[None, :], np.fft.fftfreq(height)[:, None]
    power[np.hypot(across * width, down * height) < _SLOWEST] = 0
    length = np.maximum(np.hypot(across, down), 1e-12)
    alike = np.stack([np.abs(across * right + down * below) / length for right, below in ORIENTATIONS.values()])
    way = alike.argmax(axis=0)
    found = {}
    for number, name in enumerate(ORIENTATIONS):
        row, column = np.unravel_index(np.where(way == number, power, -1).argmax(), power.shape)
        found[name] = float(across[0, column]), float(down[row, 0])
    return found


def _wave(shape: tuple[int, ...], across: float, down: float) -> NDArray[np.complex128]:
    rows, columns = np.arange(shape[0])[:, None], np.arange(shape[1])[None, :]
    wave: NDArray[np.complex128] = np.exp(-2j * np.pi * (across * columns + down * rows))
    return wave
