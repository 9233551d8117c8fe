"""Readers of pictures: PNG bytes in, the truth out (of jigsaws: the slots and what fits).

They know what anyone can know who has seen a few pictures: sizes, colours, the font and its signs. How a drawer lays
out what it draws they do not know; where they say the same as it, they say it a second time.
"""
