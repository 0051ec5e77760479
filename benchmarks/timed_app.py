"""Runs the app and records how long each first answer took: `python -m benchmarks.timed_app FILE`.

It writes a line for each interaction: the milliseconds from its creation, which its id contains, until the app has made
the request that answers it. So they include the time for which the event waited to be read.
"""

import sys
import time
from pathlib import Path
from typing import Any

from discord.utils import snowflake_time

from bot.__main__ import main
from bot.discord_client.requests import AnswersWithoutCopy


def record(file: Path) -> None:
    """Record each answer from now on."""
    answer = AnswersWithoutCopy.create_interaction_response
    lines = file.open("w", buffering=1)

    def timed(self: AnswersWithoutCopy, interaction_id: int, token: str, **options: Any) -> Any:  # noqa: ANN401
        seconds = time.time() - snowflake_time(interaction_id).timestamp()
        lines.write(f"{1000 * seconds:.0f}\n")
        return answer(self, interaction_id, token, **options)

    AnswersWithoutCopy.create_interaction_response = timed  # type: ignore[method-assign]  # to measure


if __name__ == "__main__":
    record(Path(sys.argv[1]))
    main([])
