"""The colors and measures of all pictures. They are dark, to look like a card in Discord's dark and light themes.

Texts have a contrast of at least 4.5 : 1 against each of their backgrounds (WCAG 2.2, 1.4.3). Lengths are pixels. A
phone shows a picture about half as large, so 24 is the smallest font size for important text.
"""

from typing import Final, TypeAlias

RGB: TypeAlias = tuple[int, int, int]

BACKGROUND: Final[RGB] = (27, 28, 33)
PANEL: Final[RGB] = (41, 43, 51)
RAISED: Final[RGB] = (58, 61, 72)
"""Highlighted panels: the winner, and the player to move."""
LINE: Final[RGB] = (78, 82, 96)
"""Rules and tracks, never text."""
INK: Final[RGB] = (244, 245, 247)
MUTED: Final[RGB] = (190, 195, 207)
GOLD: Final[RGB] = (255, 205, 92)
"""Winners and the latest move; always together with a mark."""

SERIES: Final[tuple[RGB, ...]] = (GOLD, (122, 184, 255), (255, 158, 196), (148, 222, 160))
"""The lines of a chart, which also differ in marker, line style and name."""

WIDTH: Final = 800
MARGIN: Final = 24
CONTENT_WIDTH: Final = WIDTH - 2 * MARGIN
"""The width between the margins."""
PADDING: Final = 20
"""The padding of a panel."""
RADIUS: Final = 14

TITLE: Final = 38
LARGE: Final = 32
BODY: Final = 27
SMALL: Final = 24
SMALLEST: Final = 21
"""The size to which a text may shrink before it is cut."""
