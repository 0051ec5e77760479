"""`python -m tests.end_to_end.show_page`: a playground, the app with its page, a match, and a session for each person.

The sessions are cookies named `session`, ready before the playground knows how to log in.
"""

import asyncio
import tempfile
from pathlib import Path

from tests.end_to_end.page_client import app_with_page


async def main() -> None:
    """Serve until interrupted."""
    with tempfile.TemporaryDirectory() as folder:
        async with app_with_page(Path(folder)) as (harness, site):
            await harness.begin_match(2, ai_players=2)
            lines = [f"{site.url}/?table=1", harness.world.page_url]
            lines += [f"{person.name}: session={site.sessions.begin(person.id)}" for person in harness.people]
            print("\n".join(lines), flush=True)
            await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
