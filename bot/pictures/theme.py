"""The one look of all pictures: dark, so that it stands as a card of its own on Discord's dark and on its light.

Texts have a contrast of at least 4.5 : 1 against every ground that they stand on (WCAG 2.2, 1.4.3). Lengths are
pixels; Discord shows a picture about half as large on a phone, so 24 is the smallest type for more than an aside.
"""

from typing import Final, TypeAlias

RGB: TypeAlias = tuple[int, int, int]

GROUND: Final[RGB] = (27, 28, 33)
PANEL: Final[RGB] = (41, 43, 51)
RAISED: Final[RGB] = (58, 61, 72)
"""What stands out of a panel: the winner, whose turn it is."""
LINE: Final[RGB] = (78, 82, 96)
"""Rules and tracks, never text."""
INK: Final[RGB] = (244, 245, 247)
MUTED: Final[RGB] = (190, 195, 207)
GOLD: Final[RGB] = (255, 205, 92)
"""Winners and what has just happened; always with a mark beside it."""

SERIES: Final[tuple[RGB, ...]] = (GOLD, (122, 184, 255), (255, 158, 196), (148, 222, 160))
"""Lines of a chart; each has a mark, a stroke and a name of its own beside it."""

GROUNDS: Final = (GROUND, PANEL, RAISED)
INKS: Final = (INK, MUTED, GOLD)

WIDTH: Final = 800
MARGIN: Final = 24
INNER: Final = WIDTH - 2 * MARGIN
"""The width of what stands between the margins."""
PADDING: Final = 20
"""Between the edge of a panel and what is in it."""
RADIUS: Final = 14

TITLE: Final = 38
LARGE: Final = 32
BODY: Final = 27
SMALL: Final = 24
LEAST: Final = 21
"""How far a text that does not fit may shrink before it is cut."""
