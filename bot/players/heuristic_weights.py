"""The weights of the heuristic, found by evolution (`python -m training.tune`)."""

from typing import Final

import numpy as np

COST_WEIGHTS: Final = 3 * 9
"""By kind (from 1): a constant, a factor of the strength, and one of its sixth power. Row 0 isn't used."""
FACTS: Final = 18
WEIGHTS: Final = COST_WEIGHTS + FACTS

TUNED_WEIGHTS: Final = np.array(
    [
        *(0.780, 0.826, 0.118),
        *(1.503, -1.015, -0.726),
        *(1.278, -0.290, -2.144),
        *(0.327, 0.145, -0.709),
        *(1.988, -0.534, 0.798),
        *(1.689, -1.210, 0.018),
        *(0.907, -2.024, -1.554),
        *(-1.264, -1.333, -1.603),
        *(-3.194, -0.919, -1.601),
        *(0.815, -0.124, 0.274, -0.324, -1.454, 0.180, -0.161, 1.403, 1.840),
        *(-1.609, 3.124, 0.946, 0.042, -0.106, -0.583, 1.330, 0.449, 0.899),
    ],
    np.float32,
)
"""The weights that evolution found."""
SEEN_WEIGHTS: Final = TUNED_WEIGHTS
"""The weights with which the network sees its hand. They must not change when the heuristic is tuned further."""
