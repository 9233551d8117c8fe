"""Drawn pictures as PNG files whose bytes depend on the pixels alone.

Deflate (RFC 1951) leaves its writer much freedom, and zlib's builds use it differently: the same pixels come out as
other bytes on another machine. A picture's digest is its identity here, so this small writer leaves nothing open:

- every row gets the filter "Up" (difference to the row above), which turns flat and upright shapes into zeros
  (in true colour a row gets the one of four filters that leaves the fewest changes);
- the only matches are runs (a byte repeats the one before it), cut into pieces of at most 258 from the left;
- one Huffman code is made for the picture by the integer arithmetic of `_code_lengths`.

Boards and other flat drawings come out at 3 to 11 kilobytes, in about a millisecond. zlib's search for longer matches
would halve that, at more time and for bytes that differ between machines. Photographs do not belong here: they are
loaded, not drawn, and never encoded again. Views of rooms and streets in true
colour come out at 40 to 150 kilobytes. Of zlib only the checksums are used, which are standard.
"""

import zlib
from struct import pack

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Ints = NDArray[np.int64]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_SYMBOLS = 286
_LONGEST_CODE = 15
_SHORTEST_RUN, _LONGEST_RUN = 3, 258

# Tokens are numbers: 0..255 a byte, 256 the end, 254 + n a run of n (3..258) more copies of the last byte.
_END = 256
_RUN = 254


def encode(pixels: Pixels, palette: Pixels) -> bytes:
    """The PNG file of a picture: `pixels` (height x width) are row numbers of `palette` (up to 256 x RGB)."""
    height, width = pixels.shape
    filtered = np.empty((height, width + 1), np.uint8)
    filtered[:, 0] = 2  # "Up"
    filtered[0, 1:] = pixels[0]
    np.subtract(pixels[1:], pixels[:-1], out=filtered[1:, 1:])
    header = pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    return _file((b"IHDR", header), (b"PLTE", palette.tobytes()), (b"IDAT", _stream(filtered)), (b"IEND", b""))


def encode_rgb(pixels: Pixels) -> bytes:
    """The PNG file of a picture in true colour: `pixels` is height x width x RGB.

    Each row gets the filter ("None", "Sub", "Up", "Paeth") under which its bytes change least often, the first such.
    """
    height, width, _ = pixels.shape
    rows = pixels.reshape(height, width * 3)
    above = np.zeros_like(rows)
    above[1:] = rows[:-1]
    before, corner = np.zeros_like(rows), np.zeros_like(rows)
    before[:, 3:], corner[:, 3:] = rows[:, :-3], above[:, :-3]
    ways = [(0, rows), (1, rows - before), (2, rows - above), (4, rows - _paeth(before, above, corner))]
    changes = np.stack([(way[:, 1:] != way[:, :-1]).sum(axis=1, dtype=np.uint32) for _, way in ways])
    best = np.argmin(changes, axis=0)
    filtered = np.empty((height, width * 3 + 1), np.uint8)
    for i, (number, way) in enumerate(ways):
        filtered[best == i, 0] = number
        filtered[best == i, 1:] = way[best == i]
    header = pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return _file((b"IHDR", header), (b"IDAT", _stream(filtered)), (b"IEND", b""))


def _paeth(before: Pixels, above: Pixels, corner: Pixels) -> Pixels:
    """Whichever of the three is nearest to before + above - corner; ties go to the first. Where two of them are equal,
    as nearly everywhere, it is the third, or all are equal: only the rest is reckoned."""
    nearest = np.where(above == corner, before, above)
    rest = np.flatnonzero((above != corner) & (before != corner))
    a, b, c = (byte.ravel().take(rest).astype(np.int16) for byte in (before, above, corner))
    to_a, to_b, to_c = np.abs(b - c), np.abs(a - c), np.abs(a + b - c - c)
    nearest.ravel()[rest] = np.where((to_a <= to_b) & (to_a <= to_c), a, np.where(to_b <= to_c, b, c))
    return nearest


def _stream(filtered: Pixels) -> bytes:
    """Filtered rows as a zlib stream."""
    return b"\x78\x01" + _deflate(filtered.ravel()) + pack(">I", zlib.adler32(filtered.data))


def _file(*chunks: tuple[bytes, bytes]) -> bytes:
    return _SIGNATURE + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))


def _deflate(data: Pixels) -> bytes:
    """The bytes as one deflate block with its own Huffman code."""
    tokens = _tokens(data)
    counts = np.bincount(_SYMBOL, np.bincount(tokens, minlength=len(_SYMBOL)), _SYMBOLS)
    lengths = _code_lengths(counts.astype(np.int64))
    # A token's bits, first bit lowest: its code, its extra bits, and of a run the single bit, 0, of its distance.
    bits = _codes(lengths)[_SYMBOL] | _EXTRA << lengths[_SYMBOL]
    sizes = lengths[_SYMBOL] + _EXTRA_BITS
    sizes[_END + 1 :] += 1
    opening = _LENGTH_CODES[lengths], _LENGTH_CODE_SIZES[lengths]
    return _packed(
        np.concatenate((_HEAD, opening[0], _LENGTH_CODES[1:2], bits[tokens])),
        np.concatenate((_HEAD_SIZES, opening[1], _LENGTH_CODE_SIZES[1:2], sizes[tokens])),
    )


def _tokens(data: Pixels) -> Ints:
    """The bytes as tokens: each stretch of equal bytes becomes one byte and the runs that repeat it."""
    breaks = np.empty(len(data), bool)
    breaks[0] = True
    np.not_equal(data[1:], data[:-1], out=breaks[1:])
    starts = np.flatnonzero(breaks)
    full, rest = np.divmod(np.diff(starts, append=len(data)) - 1, _LONGEST_RUN)
    is_run = rest >= _SHORTEST_RUN
    many = 1 + full + np.where(is_run, 1, rest)
    ends = np.cumsum(many)
    tokens = np.empty(int(ends[-1]) + 1, np.int64)
    tokens[:-1] = np.repeat(data[starts], many)  # bytes all, until runs take their places
    tokens[ends[is_run] - 1] = _RUN + rest[is_run]
    long = np.flatnonzero(full)
    number = full[long]
    within = np.arange(int(number.sum())) - np.repeat(np.cumsum(number) - number, number)
    tokens[np.repeat(ends[long] - many[long] + 1, number) + within] = _RUN + _LONGEST_RUN
    tokens[-1] = _END
    return tokens


def _code_lengths(counts: Ints) -> Ints:
    """How many bits each symbol gets: close to log2 of its rarity, and together exactly a complete code.

    Shannon's lengths (rounded up) never claim too much; what they leave over goes to the symbols that rounding
    cost most. All in integers, so that every machine agrees; within a few per cent of Huffman's optimum.
    """
    used = np.flatnonzero(counts)
    rare = -(-int(counts.sum()) >> (_LONGEST_CODE - 1))
    shares = np.maximum(counts[used], rare)  # nothing so rare as to need a longer code
    bits = 1 + (shares[:, None] << np.arange(1, _LONGEST_CODE) < shares.sum()).sum(axis=1)
    order = np.argsort(-(shares << bits), kind="stable").tolist()
    gains = (1 << _LONGEST_CODE - bits).tolist()
    left = (1 << _LONGEST_CODE) - sum(gains)
    while left:
        for i in order:
            if gains[i] <= left:  # one bit shorter: twice the share
                left -= gains[i]
                gains[i] *= 2
    lengths = np.zeros(len(counts), np.int64)
    lengths[used] = [_LONGEST_CODE + 1 - gain.bit_length() for gain in gains]
    return lengths


def _codes(lengths: Ints) -> Ints:
    """The canonical codes of these lengths, first bit lowest as deflate wants them."""
    order = np.argsort(lengths, kind="stable")
    order = order[lengths[order] > 0]
    shares = 1 << _LONGEST_CODE - lengths[order]
    codes = np.zeros(len(lengths), np.int64)
    codes[order] = _REVERSED[np.cumsum(shares) - shares]
    return codes


def _packed(values: Ints, sizes: Ints) -> bytes:
    """The values, each that many bits wide, one after another from the lowest bit of the first byte.

    No value is 32 bits wide, so in every 32-bit word of the output some value begins: those that begin in a word
    add up to it and to what flows over into the next.
    """
    ends = np.cumsum(sizes)
    begins = ends - sizes
    words = begins >> 5
    shifted = values.view(np.uint64) << (begins & 31).view(np.uint64)
    firsts = np.concatenate(([0], np.flatnonzero(words[1:] != words[:-1]) + 1))
    sums = np.add.reduceat(shifted, firsts)
    output = np.zeros(len(sums) + 1, np.uint64)
    output[:-1] = sums & np.uint64(0xFFFFFFFF)
    output[1:] += sums >> np.uint64(32)
    return output.astype("<u4").tobytes()[: (int(ends[-1]) + 7) // 8]


def _token_tables() -> tuple[Ints, Ints, Ints]:
    """For each token its symbol, the value of its extra bits and their number (RFC 1951, 3.2.5)."""
    symbol = list(range(_END + 1))
    extra, bits = [0] * len(symbol), [0] * len(symbol)
    for past in range(_LONGEST_RUN - _SHORTEST_RUN):
        more = max(0, past.bit_length() - 3)
        symbol.append(257 + 4 * more + (past >> more))
        extra.append(past & (1 << more) - 1)
        bits.append(more)
    return np.array([*symbol, 285]), np.array([*extra, 0]), np.array([*bits, 0])


def _head_tables() -> tuple[Ints, Ints, Ints, Ints]:
    """The block's opening (values and sizes), and the codes of code lengths 0..15 (codes and sizes).

    The opening says: last block, own codes, 286 symbols, one distance. The lengths that follow are themselves coded: 1
    bit for "unused", 5 bits for each of 1..15; the sixteenth five-bit code goes to a command that never occurs, as
    the code must be complete.
    """
    order = (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)
    size_of = {0: 1, 17: 0, 18: 0}
    fields = [(1, 1), (2, 2), (_SYMBOLS - 257, 5), (0, 5), (len(order) - 4, 4)]
    fields += [(size_of.get(symbol, 5), 3) for symbol in order]
    codes = [0] + [int(f"{0b10000 + n:b}"[::-1], 2) for n in range(15)]
    values, sizes = zip(*fields, strict=True)
    return np.array(values), np.array(sizes), np.array(codes), np.array([1] + [5] * 15)


def _reversed_table() -> Ints:
    """All numbers of 15 bits, the bits in reverse order."""
    numbers, table = np.arange(1 << _LONGEST_CODE), np.zeros(1 << _LONGEST_CODE, np.int64)
    for bit in range(_LONGEST_CODE):
        table |= (numbers >> bit & 1) << _LONGEST_CODE - 1 - bit
    return table


_SYMBOL, _EXTRA, _EXTRA_BITS = _token_tables()
_HEAD, _HEAD_SIZES, _LENGTH_CODES, _LENGTH_CODE_SIZES = _head_tables()
_REVERSED = _reversed_table()
