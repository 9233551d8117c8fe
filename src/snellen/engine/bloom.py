"""A Bloom filter: tells at once, and without looking into the store, that a key is not in it.

Most calls of a fresh run are new; asking the database for each would cost more than all else the engine does
for it. It may say "perhaps" to a key that was never added, never "no" to one that was,
and takes the same few megabytes for ten keys or ten million. Keys are hashes, so their own bits serve as slots.
"""

_SLOTS = 1 << 22


class BloomFilter:
    def __init__(self) -> None:
        self._slots = bytearray(_SLOTS)

    def add(self, key: bytes) -> None:
        bits = int.from_bytes(key[:8], "little")
        self._slots[bits % _SLOTS] = 1
        self._slots[(bits >> 32) % _SLOTS] = 1

    def may_hold(self, key: bytes) -> bool:
        bits = int.from_bytes(key[:8], "little")
        return bool(self._slots[bits % _SLOTS] and self._slots[(bits >> 32) % _SLOTS])
