"""Rooms, streets and maps in real perspective, with shadows, from numpy alone.

Measures are metres; x points east, y north, z up. Directions are compass bearings in degrees: 0 north, 90 east. A
model stands with its front to the north until it is turned.
"""
