"""`python -m gallery`: take pictures of every screen, and write the page that shows them.

`--keep` copies those that docs/gallery shows to that folder.
"""

import asyncio
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

from bot.engine.cards import ALL_CARDS
from gallery.camera import Camera, Row, Shot, camera
from gallery.front import take_front
from gallery.scenes import scenes
from tests.end_to_end.app_harness import running_app

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "build" / "gallery"
KEPT: Final = ROOT / "docs" / "gallery"
HEAD: Final = """# Gallery

Every screen as the playground shows it, at the width of a phone and of a desktop, in light and in dark, and in every
language.

![Four people's phones in one match: two with the table, two with messages](playground.webp)
"""


async def main(*, keep: bool) -> None:
    """Play a match, let two months pass, and take the pictures."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    page = [HEAD]
    await take_front(FOLDER)
    with tempfile.TemporaryDirectory() as folder:
        async with (
            running_app(Path(folder), PICTURES="true", AI_WORKER="true") as harness,
            camera(harness.world, FOLDER) as lens,
        ):
            await harness.people[0].until(lambda: len(harness.world.emojis) == len(ALL_CARDS), timeout=60)
            async for shot in scenes(harness):
                page.append(await _section(lens, shot))
                sys.stderr.write(f"{shot.name}\n")
    (FOLDER / "README.md").write_text("\n".join(page))
    for name in re.findall(r"\]\(([\w-]+\.webp)\)", (KEPT / "README.md").read_text()) if keep else ():
        shutil.copy(FOLDER / name, KEPT)


async def _section(lens: Camera, shot: Shot | Row) -> str:
    if isinstance(shot, Row):
        return f"## {shot.title}\n\n![{shot.title}, on a phone]({await lens.take_row(shot)})\n"
    phone, desktop = await lens.take(shot)
    return (
        f"## {shot.title}\n\n"
        f"![{shot.title}, on a phone, in light and in dark]({phone})\n\n"
        f"<details><summary>On a desktop</summary>\n\n"
        f"![{shot.title}, on a desktop, in light and in dark]({desktop})\n\n</details>\n"
    )


if __name__ == "__main__":
    asyncio.run(main(keep="--keep" in sys.argv[1:]))
