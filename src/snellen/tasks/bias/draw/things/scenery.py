"""What is behind a thing and around it in a scene: ground, sky, trees, stones. Nothing of it depends on the number of
parts, and it is the same whatever is drawn of the thing."""

from dataclasses import replace
from functools import lru_cache
from math import ceil

import numpy as np

from snellen.draw.canvas import mixed
from snellen.draw.looks import WHITE, Colour
from snellen.rng import Stream
from snellen.tasks.bias.draw.things.forms import Place, blob, box, limb, oval, poly
from snellen.tasks.bias.draw.things.grounds import along, ground, shades, sky, wall
from snellen.tasks.bias.draw.things.kind import ThingLook, ThingSetting
from snellen.tasks.bias.draw.things.noise import Floats, blurred, smooth_noise
from snellen.tasks.bias.draw.things.raster import Points, cover
from snellen.tasks.bias.draw.things.textured import TexturedPage

_FOCUS = 0.004
"""How blurred what is far away is, as a share of the picture."""
_LEAVES: tuple[Colour, ...] = ((64, 104, 44), (84, 122, 52), (52, 88, 50), (106, 128, 58))
_STONES: tuple[Colour, ...] = ((128, 124, 118), (150, 142, 130), (108, 106, 110))
_WALLS: tuple[Colour, ...] = ((206, 190, 164), (184, 122, 96), (222, 216, 206), (168, 158, 148))
_DEAD: tuple[Colour, ...] = ((150, 104, 54), (176, 132, 62), (122, 84, 52), (138, 128, 66))


def scenery(look: ThingLook, setting: ThingSetting, size: int) -> TexturedPage:
    """The page that a thing of this look is laid on."""
    alike = replace(setting, crowd=0)  # how far limbs overlap does not change what is around them
    return TexturedPage(_painted(replace(look, setting=alike), alike, size).copy())


@lru_cache(maxsize=4)
def _painted(look: ThingLook, setting: ThingSetting, size: int) -> Floats:
    painter = _SceneryPainter(look.stream("scenery"), setting.ground, setting.box, size)
    if not setting.horizon:
        return painter.from_above()
    return painter.before_horizon(setting.horizon, setting.view == "stands")


class _SceneryPainter:
    def __init__(self, dice: Stream, name: str, clear: tuple[float, float, float, float], size: int) -> None:
        self.dice, self.name, self.clear, self.size = dice, name, clear, size
        self.page = TexturedPage(np.zeros((size, size, 3)))

    def from_above(self) -> Floats:
        self.page.rgb[:] = ground(self.name, self.size, None, self.dice)
        for _ in range(14):
            at, reach = self._place(0, 1000), self.dice.between(12, 30)
            if self._is_clear(at, reach * 1.4):
                self._litter(at, reach)
        return self.page.rgb

    def before_horizon(self, horizon: float, stands: bool) -> Floats:
        page, dice = self.page, self.dice
        indoors = self.name == "wood"
        behind = wall(self.size, dice) if indoors else sky(self.size, horizon, dice)
        page.rgb[: behind.shape[0]] = behind
        if indoors:
            self._furnish(horizon)
        else:
            self._hills(horizon)
        below = ground(self.name, self.size, horizon, dice)
        page.rgb[self.size - below.shape[0] :] = below
        if not indoors:
            self._far_things(horizon)
            self._out_of_focus(horizon)
        if stands:
            self._shade_below_thing()
        near = sorted(
            ((dice.between(0, 1000), dice.between(horizon + 40, 1010)) for _ in range(9)), key=lambda at: at[1]
        )
        for at in near:
            reach = (0.2 + 0.8 * (at[1] - horizon) / (1000 - horizon)) * dice.between(40, 80)
            if self._is_clear((at[0], at[1] - 0.6 * reach), reach * 1.3):
                self._near_thing(at, reach)
        return page.rgb

    # Where things are

    def _place(self, top: float, bottom: float) -> Place:
        return self.dice.between(0, 1000), self.dice.between(top, bottom)

    def _is_clear(self, at: Place, reach: float) -> bool:
        left, top, right, bottom = self.clear
        return not (left - reach < at[0] < right + reach and top - reach < at[1] < bottom + reach)

    def _lay(self, outlines: list[Points], ink: Colour) -> None:
        unit = self.size / 1000
        self.page.lay_round(cover([line * unit for line in outlines], self.page.shape), ink)

    # Far away

    def _hills(self, horizon: float) -> None:
        step = 1000.0 / self.size
        x, y = along(self.size)
        rows = slice(max(0, round((horizon - 180) / step)), ceil(horizon / step))
        y, band = y[rows], self.page.rgb[rows]
        for rise, distance in ((self.dice.between(40, 130), 0.55), (self.dice.between(14, 50), 0.25)):
            start = self.dice.between(0, 4e4)
            line = smooth_noise((x + start) / 240, x * 0.0 + 0.5) + 0.25 * smooth_noise((x + start) / 50, x * 0.0 + 0.5)
            edge = horizon - rise * line
            inside = np.clip((y - edge) / step, 0.0, 1.0)[:, :, None]
            texture = smooth_noise((x + start) / 16, y / 9) + smooth_noise((x + start) / 50, y / 30) - 1.0
            near = ((206, 214, 226),) * 2 if self.name == "snow" else ((56, 84, 60), (104, 128, 84))
            far = tuple(mixed(colour, (176, 196, 214), round(100 * distance)) for colour in (*near, near[1]))
            rgb = shades(texture, (far[0], far[1], far[2]))
            band += inside * (rgb - band)

    def _far_things(self, horizon: float) -> None:
        for _ in range(5 + self.dice.below(7)):
            at = self.dice.between(-20, 1020), horizon + self.dice.between(0, 14)
            reach = self.dice.between(26, 62)
            if self.name == "road" and self.dice.chance(0.6):
                self._house(at, reach)
            elif self.name == "snow":
                self._fir(at, reach)
            else:
                self._tree(at, reach)

    def _out_of_focus(self, horizon: float) -> None:
        """Blur what is above the horizon, and the ground near it less and less."""
        reach = max(1, round(_FOCUS * self.size))
        last = min(self.size, round((horizon + 70) * self.size / 1000))
        band = self.page.rgb[:last]
        y = np.arange(last)[:, None, None] * (1000.0 / self.size)
        share = np.clip((horizon + 60 - y) / 50.0, 0.0, 1.0)
        band += share * (blurred(band, reach) - band)

    def _tree(self, at: Place, reach: float) -> None:
        x, y = at
        self._lay([limb(((x, y), (x, y - reach)), (reach * 0.2, reach * 0.14))], (92, 70, 50))
        self._crown((x, y - 1.5 * reach), reach * 0.72)

    def _crown(self, at: Place, reach: float) -> None:
        ink, dice = self.dice.choice(_LEAVES), self.dice
        for _ in range(7):
            x, y = at[0] + dice.between(-0.6, 0.6) * reach, at[1] + dice.between(-0.5, 0.5) * reach
            self._lay(
                [_lump(self.dice, (x, y), reach * self.dice.between(0.45, 0.7))], mixed(ink, WHITE, self.dice.below(14))
            )

    def _fir(self, at: Place, reach: float) -> None:
        x, y = at
        for k in range(3):
            top, half = y - reach * (2.4 - 0.5 * k), reach * (0.34 + 0.16 * k)
            self._lay([poly([(x, top), (x + half, top + reach), (x - half, top + reach)])], (60, 88, 74))
        self._lay([_lump(self.dice, (x - 0.1 * reach, y - 1.7 * reach), reach * 0.2)], (236, 242, 248))

    def _house(self, at: Place, reach: float) -> None:
        x, y = at
        ink = self.dice.choice(_WALLS)
        wide, high = reach * self.dice.between(0.8, 1.5), reach * self.dice.between(1.0, 1.9)
        self._lay([box(x - wide, y - high, x + wide, y)], ink)
        self._lay(
            [poly([(x - wide * 1.1, y - high), (x, y - high - 0.6 * reach), (x + wide * 1.1, y - high)])], (122, 66, 52)
        )
        for across in (-0.5, 0.5):
            self._lay(
                [box(x + (across - 0.2) * wide, y - 0.8 * high, x + (across + 0.2) * wide, y - 0.45 * high)],
                (86, 104, 124),
            )

    def _furnish(self, horizon: float) -> None:
        """A skirting board, and a picture on the wall."""
        self._lay([box(-20, horizon - 26, 1020, horizon)], (236, 230, 220))
        x, y = self.dice.between(60, 940), self.dice.between(0.2, 0.4) * horizon
        wide, high = self.dice.between(50, 90), self.dice.between(50, 90)
        self._lay([box(x - wide, y - high, x + wide, y + high)], (96, 68, 46))
        self._lay([box(x - wide + 12, y - high + 12, x + wide - 12, y + high - 12)], (198, 208, 204))
        self._lay([_lump(self.dice, (x, y + 0.3 * high), 0.4 * high)], self.dice.choice(_LEAVES))

    # Near

    def _shade_below_thing(self) -> None:
        left, _, right, bottom = (edge * self.size / 1000 for edge in self.clear)
        lain = oval(((left + right) / 2 + 0.03 * (right - left), bottom - 3), (right - left) * 0.5, 0.024 * self.size)
        area = cover([lain], self.page.shape)
        if area:
            self.page.shadow(area, 0.012, (0, 0), 0.5)

    def _near_thing(self, at: Place, reach: float) -> None:
        area = cover([oval(at, reach * 0.9, reach * 0.2) * (self.size / 1000)], self.page.shape)
        if area:
            self.page.shadow(area, 0.008, (0, 0), 0.45)
        if self.name == "wood":
            self._pot(at, reach)
        elif self.name == "snow" and self.dice.chance():
            self._fir(at, reach * 0.6)
        elif self.name == "grass" and self.dice.chance(0.7):
            self._crown((at[0], at[1] - 0.4 * reach), reach * 0.7)
        else:
            self._stone(at, reach * 0.7)

    def _pot(self, at: Place, reach: float) -> None:
        x, y = at
        self._crown((x, y - 1.35 * reach), reach * 0.62)
        corners = [(-0.5, -0.9), (0.5, -0.9), (0.36, 0), (-0.36, 0)]
        self._lay([poly([(x + across * reach, y + down * reach) for across, down in corners])], (178, 100, 66))

    def _stone(self, at: Place, reach: float) -> None:
        x, y = at
        ink = self.dice.choice(_STONES)
        self._lay([_lump(self.dice, (x, y - 0.35 * reach), reach * 0.8, 0.6)], ink)
        if self.name == "snow":
            self._lay([_lump(self.dice, (x, y - 0.62 * reach), reach * 0.6, 0.35)], (240, 245, 250))

    def _litter(self, at: Place, reach: float) -> None:
        if self.name in ("grass", "road", "wood", "water") and self.dice.chance(0.6):
            turn, ink = self.dice.between(0, 360), self.dice.choice(_DEAD)
            corners = [(-1, 0), (-0.3, -0.42), (0.4, -0.36), (1.1, 0), (0.4, 0.36), (-0.3, 0.42)]
            leaf = np.array(corners) * reach @ _turned(turn) + np.array(at)
            self._lay([blob([(float(a), float(b)) for a, b in leaf])], ink)
        else:
            self._lay([_lump(self.dice, at, reach * 0.8, 0.75)], self.dice.choice(_STONES))


def _turned(degrees: float) -> Points:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, s], [-s, c]])


def _lump(dice: Stream, at: Place, reach: float, flat: float = 1) -> Points:
    """An irregular round outline."""
    places = []
    for k in range(9):
        away = reach * dice.between(0.78, 1.12)
        angle = 2 * np.pi * k / 9
        places.append((at[0] + away * float(np.cos(angle)), at[1] + flat * away * float(np.sin(angle))))
    return blob(places)
