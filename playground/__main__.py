"""`python -m playground`: serve a simulated Discord with a page to play on, until Ctrl-C."""

import argparse
import asyncio
import logging
from contextlib import suppress
from pathlib import Path

from playground.playground import Playground

PEOPLE = ("Ana", "Ben", "Chi", "Dai")


def main() -> None:
    """Parse the arguments and serve."""
    parser = argparse.ArgumentParser(prog="python -m playground", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument("--port", type=int, default=8420)
    parser.add_argument("--spec", type=Path, help="Discord's OpenAPI file, to validate every request")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(arguments.host, arguments.port, arguments.spec))


async def serve(host: str, port: int, spec: Path | None) -> None:
    """Serve a guild with one channel and four people until cancelled."""
    async with Playground(port, host=host, spec=spec) as world:
        world.guild("Tea House").channel("games")
        for name in PEOPLE:
            world.person(name)
        print(f"The page:  {world.page_url}")
        print(f"The app:   DISCORD_API_URL={world.api_url} DISCORD_TOKEN={world.token} python -m bot", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    main()
