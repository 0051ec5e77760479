"""Splits the cost of a press by layer: `python -m benchmarks.layers FILE`, with a file of `benchmarks.sampled_app`.

A sample counts for the innermost call that belongs to a layer, so the standard library counts for its caller.
"""

import re
import sys
from collections import Counter
from pathlib import Path
from typing import Final

LAYERS: Final = {
    "JSON of requests": r"discord/utils\.py:_to_json",
    "database": r"/sqlalchemy/|/aiosqlite/|bot/storage/",
    "buttons, menus, messages": r"discord/ui/|bot/presentation/ui/components",
    "events from the gateway, and messages in responses": (
        r"discord/(gateway|state|shard|message|member|guild|components|permissions|partial_emoji)\.py"
        r"|bot/discord_client/(gateway|requests)|discord/interactions\.py:(__init__|_from_data)"
    ),
    "HTTP": r"/(aiohttp|yarl|multidict)/|discord/(http|interactions)\.py|discord/webhook/",
    "texts and what to show": r"bot/presentation/",
    "rules, clocks, analysis": r"bot/(engine|table|players|analysis)/",
    "routing, limits, settings, services": r"bot/client|cogs/|bot/services/|discord/client",
}
OTHER: Final = "event loop, and SQLite in its threads"


def layer_of(stack: str) -> str:
    """The layer of a sample."""
    for call in reversed(stack.split(";")):
        for layer, pattern in LAYERS.items():
            if re.search(pattern, call):
                return layer
    return OTHER


def main() -> None:
    """Print the share of each layer."""
    counts = Counter[str]()
    for line in Path(sys.argv[1]).read_text().splitlines():
        number, _, stack = line.partition(" ")
        counts[layer_of(stack)] += int(number)
    total = counts.total()
    print(f"{total} samples")
    for layer, samples in counts.most_common():
        print(f"{100 * samples / total:5.1f}%  {layer}")


if __name__ == "__main__":
    main()
