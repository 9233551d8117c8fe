"""What was made of pictures, kept as long as there is room: what was not wanted for longest goes first. And how a
device says that it has no room at all."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future
from threading import Lock
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
_FULL_CPU = "can't allocate memory"


class TensorCache(Generic[K, V]):
    """Values that hold tensors or arrays, no more than so many bytes of them. Safe to use from several threads."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self.nbytes = 0
        self._kept: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._making: dict[K, Future[V]] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: K) -> V | None:
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def keep(self, key: K, value: V) -> V:
        """Keep a value, unless it is too large by itself; the one that is kept already, if there is one."""
        size = size_of(value)
        with self._lock:
            if key in self._kept:
                return self._kept[key][0]
            if size > self._most:
                return value
            self._kept[key] = value, size
            self.nbytes += size
            while self.nbytes > self._most:
                _, (_, gone) = self._kept.popitem(last=False)
                self.nbytes -= gone
        return value

    def made(self, key: K, make: Callable[[], V]) -> V:
        """The value that is kept, or else is made and kept: once, however many threads want it at a time."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][0]
            first = key not in self._making
            done: Future[V] = self._making.setdefault(key, Future())
        if first:
            try:
                done.set_result(self.keep(key, make()))
            except BaseException as error:  # whoever waits is told, whatever it is
                done.set_exception(error)
            finally:
                with self._lock:
                    del self._making[key]
        return done.result()


def too_full(error: BaseException) -> str:
    """What a device says when its memory is full, in a few words; nothing if the error is another one."""
    from torch import OutOfMemoryError

    message = str(error)
    if isinstance(error, OutOfMemoryError):
        return message.split(".", maxsplit=1)[0]
    if isinstance(error, MemoryError):
        return message or "out of memory"
    if isinstance(error, RuntimeError) and _FULL_CPU in message:  # a CPU has no error of its own for it
        return message[message.index(_FULL_CPU) :].split(".", maxsplit=1)[0]
    return ""


def size_of(value: Any) -> int:
    """The bytes of the tensors and arrays in a value."""
    if isinstance(value, Mapping):
        return sum(map(size_of, value.values()))
    if isinstance(value, list | tuple):
        return sum(map(size_of, value))
    size = getattr(value, "nbytes", 0)
    return size if isinstance(size, int) else 0
