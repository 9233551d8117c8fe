"""What can be seen from where in a flat, worked out anew from the truth of an item: straight lines from the eye to
points of a thing, stopped by walls and by the boxes of furniture. Knows nothing of the renderer."""

from math import cos, radians, sin, tan

import numpy as np

from snellen.tasks.capacity.draw.space.models import size_of

EYE = 1.5
TALL = 2.05
TOPS = {"table": 0.70, "round table": 0.71, "coffee table": 0.38, "desk": 0.70}
"""What has only a top to hide things behind."""
LOW = {"bed": 0.6}
"""What is higher at one end alone hides things behind the rest of it up to here."""
THIN = {"chair", "stool", "lamp", "rug", "window", "picture", "clock", "door", "wall shelf", "kitchen sink"}


def points_of(thing, steps=6):
    """Points spread over the box of a thing, turned and placed."""
    _, kind, x, y, turn, *_ = thing
    low, high = (np.array(corner) for corner in size_of(kind))
    shares = (np.arange(steps) + 0.5) / steps
    grid = np.stack(np.meshgrid(shares, shares, shares, indexing="ij"), axis=-1).reshape(-1, 3)
    local = low + grid * (high - low)
    s, c = sin(radians(turn)), cos(radians(turn))
    across, along = local[:, 0], local[:, 1]
    return np.stack((x + across * c + along * s, y + along * c - across * s, local[:, 2]), axis=1)


def box_of(thing):
    points = points_of(thing, 2)
    middle = points.mean(axis=0)
    low, high = middle + 2 * (points.min(axis=0) - middle), middle + 2 * (points.max(axis=0) - middle)
    if thing[1] in TOPS:
        low[2] = TOPS[thing[1]]
    high[2] = LOW.get(thing[1], high[2])
    return low + 0.01, high - 0.01


def eye_of(photo):
    """Where a photo is taken from: at the usual height unless it says another."""
    return np.array((*photo[:2], *(photo[5:] or (EYE,))))


def framed(points, photo):
    """Which points fall into the photo."""
    _, _, yaw, pitch, field, *_ = photo
    away = points - eye_of(photo)
    s, c, tilt = sin(radians(yaw)), cos(radians(yaw)), radians(pitch)
    right, level = away[:, 0] * c - away[:, 1] * s, away[:, 0] * s + away[:, 1] * c
    depth = level * cos(tilt) + away[:, 2] * sin(tilt)
    up = away[:, 2] * cos(tilt) - level * sin(tilt)
    half = tan(radians(field / 2))
    ahead = depth > 0.05
    return ahead & (np.abs(right) < half * depth) & (np.abs(up) < half * 0.75 * depth)


def through_air(points, photo, rooms):
    """Which straight lines from the eye stay inside rooms and doorways."""
    eye = eye_of(photo)
    steps = np.linspace(0.0, 0.995, 150)[None, :, None]
    along = eye + (points[:, None, :] - eye) * steps
    x, y, z = along[..., 0], along[..., 1], along[..., 2]
    inside = np.zeros(x.shape, bool)
    for room in rooms:
        (x0, y0), (x1, y1) = room["low"], room["high"]
        inside |= (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)
        for wall, at, wide in room["openings"]:
            across, past = (x, y) if wall % 180 == 0 else (y, x)
            edge = {0: y1, 90: x1, 180: y0, 270: x0}[wall]
            inside |= (np.abs(across - at) <= wide / 2) & (np.abs(past - edge) <= 0.13) & (z <= TALL)
    return inside.all(axis=1)


def hidden(points, photo, boxes):
    """Which straight lines from the eye meet a box."""
    eye = eye_of(photo)
    way = points - eye
    way = np.where(np.abs(way) < 1e-9, 1e-9, way)
    found = np.zeros(len(points), bool)
    for low, high in boxes:
        near, far = (low - eye) / way, (high - eye) / way
        enter, leave = np.minimum(near, far).max(axis=1), np.maximum(near, far).min(axis=1)
        found |= (enter < leave) & (leave > 0) & (enter < 0.98)
    return found


def visible(truth, name, photo):
    """The share of a thing's points that the photo (numbered from 1) shows."""
    thing = next(one for one in truth["things"] if one[0] == name)
    view = truth["photos"][photo - 1]
    points = points_of(thing)
    others = [box_of(one) for one in truth["things"] if one[0] != name and one[1] not in THIN]
    seen = framed(points, view)
    if seen.any():
        seen[seen] &= through_air(points[seen], view, truth["rooms"])
    if seen.any():
        seen[seen] &= ~hidden(points[seen], view, others)
    return seen.mean()
