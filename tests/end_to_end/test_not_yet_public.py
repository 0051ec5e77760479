"""Deals that may not be shown yet: no screen, command, export or forged press shows a seed or another's hand."""

import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import reduce
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any, Final
from zipfile import ZipFile, is_zipfile

from bot.engine import State, evolve
from bot.presentation.ui.custom_ids import Press, Verb
from playground.client.commands import offered_commands
from playground.client.person import Person
from playground.client.screen import Reply, SeenMessage
from tests.end_to_end.app_harness import AppHarness, can_press
from tests.end_to_end.inspection import app_database, private, private_text, record_of
from tests.end_to_end.page_client import Page, app_with_page, play_together
from tests.end_to_end.page_secrets import FrameCheck
from tests.end_to_end.test_secrets import cards_in

FIRST, SECOND, RUNNING, DAILY = 1, 2, 3, 4
"""Two tables of a duplicate match, of which the first is over, a table in play, and a hand of the day that is over."""
PAST: Final = (Verb.REPLAY, Verb.COACH, Verb.COACH_MATCH, Verb.PRACTICE_FROM)
VIEWS: Final = tuple(
    ("t", seat, what) for seat in ("a", "1") for what in ("open", "record", "text", "still", "moving", "verify", "post")
)
"""Arguments of these verbs."""
LESSONS: Final = ("g4:compare",)
"""Screens that show the whole deck."""


async def _open_tables(harness: AppHarness) -> None:
    """Ana and Ben play the two tables of a duplicate match, and Cleo plays a table."""
    ana, ben, cleo, _ = harness.people
    await harness.open_table(ana)
    await ben.slash(harness.channel, "gang new", same_deals=FIRST)
    for host, number in ((ana, FIRST), (ben, SECOND)):
        await host.click(await _table(harness, number, "Fill with AI and start"), "Fill with AI and start")
    await cleo.slash(harness.channel, "gang new", with_ai=True)
    await _table(harness, RUNNING, "My hand")


async def _secret_tables(harness: AppHarness) -> None:
    """Ana has finished a table of a duplicate match and the hand of the day; Ben and Cleo still play."""
    await _open_tables(harness)
    ana = harness.people[0]
    await _concede_first(harness)
    panel = private(await ana.slash(harness.channel, "gang daily"))
    await ana.click(panel, "Deal")
    await ana.press_old(str(Press(Verb.CONCEDE, DAILY)), panel)


async def _concede_first(harness: AppHarness) -> None:
    ana = harness.people[0]
    await ana.click(private(await harness.under_more(ana, f"leave-match:{FIRST}:0")), "Yes, concede")


async def _table(harness: AppHarness, number: int, label: str) -> SeenMessage:
    """Wait for the message of a table, and until its button can be pressed."""
    ana, title = harness.people[0], f"### Gang of Four · table {number}\n"
    shown = await ana.until(
        lambda: [each for each in harness.messages(ana) if each.text.startswith(title) and can_press(each, label)]
    )
    return shown[-1]


async def _everything(harness: AppHarness, person: Person, *tables: int) -> AsyncIterator[tuple[str, Reply]]:
    """Each command, each press that asks for something of these tables, and the exports, with the answers."""
    for name, values in _commands(harness, person, tables):
        yield f"/{name} {values}", await person.slash(harness.channel, name, **values)
    own = private(await person.slash(harness.channel, "gang help"))
    today = datetime.now(UTC).date().isoformat()
    presses = [Press(verb, number, 0, more) for number, verb, more in product(tables, Verb, ((), ("1",)))]
    presses += [Press(verb, number, 0, more) for number, verb, more in product(tables, PAST, VIEWS)]
    presses += [Press(Verb.DAILY, 0, 0, (today, *more)) for more in ((), ("fair",), ("turn",), ("post",))]
    presses += [Press(verb, 0, 0, ("export",)) for verb in (Verb.PRIVACY, Verb.GUILD_SETTINGS)]
    for press in presses:
        yield str(press), await person.press_old(str(press), own)


def _commands(harness: AppHarness, person: Person, tables: Sequence[int]) -> list[tuple[str, dict[str, object]]]:
    """Each subcommand of `/gang` without arguments if possible, and with each table."""
    (group,) = [each for each in offered_commands(harness.world, person, harness.channel) if each["name"] == "gang"]
    found: list[tuple[str, dict[str, object]]] = []
    for command in group["options"]:
        options: list[Any] = command.get("options") or []
        numbers = [option["name"] for option in options if option["name"] in ("table", "number")]
        if not any(option.get("required") for option in options):
            found.append((f"gang {command['name']}", {}))
        found += [(f"gang {command['name']}", {name: number}) for name in numbers for number in tables]
    return found


def _contents(reply: Reply) -> str:
    """Everything that an answer shows: its JSON and its files."""
    if reply.message is None:
        return json.dumps(reply.interaction.modal)
    texts = [json.dumps(reply.message.raw, ensure_ascii=False), reply.message.text]
    for attachment in reply.message.message.attachments:
        if is_zipfile(BytesIO(attachment.content)):
            with closing(ZipFile(BytesIO(attachment.content))) as file:
                texts += [file.read(name).decode() for name in file.namelist()]
        else:
            texts.append(attachment.content.decode(errors="replace"))
    return "\n".join(texts)


def _shown_hands(contents: str, hands: Sequence[set[int]]) -> list[set[int]]:
    """The hands that a line or a list shows with all their cards."""
    parts = [cards_in(part) for part in re.split(r"\]|\\n|\n", contents)]
    return [hand for hand in hands if any(hand <= part for part in parts)]


def _state(harness: AppHarness, number: int) -> State:
    """The match of a table."""
    first, *events = [line.event for line in record_of(harness, number)]
    return reduce(evolve, events, evolve(None, first))


def _secrets(harness: AppHarness) -> tuple[list[str], list[set[int]]]:
    """The seeds, and the hands that no one but their player knows: of AI players."""
    with app_database(harness) as connection:
        seeds = [seed.hex() for (seed,) in connection.execute("SELECT seed FROM tables")]
    hands = [
        set[int](hand)
        for number in (SECOND, RUNNING, DAILY)
        for seat, hand in zip(_row(harness, number), _state(harness, number).hands, strict=True)
        if seat is None and hand
    ]
    return seeds, hands


def _row(harness: AppHarness, number: int) -> Sequence[int | None]:
    """The owners of the seats."""
    with app_database(harness) as connection:
        found = connection.execute("SELECT user_id FROM seats WHERE table_id = ? ORDER BY seat", (number,))
        return [user_id for (user_id,) in found]


async def test_nothing_shows_a_deal_that_others_still_play(harness: AppHarness) -> None:
    await _secret_tables(harness)
    seeds, hands = _secrets(harness)
    assert len(seeds) == DAILY
    assert len(set(seeds)) == DAILY - 1  # both tables of the duplicate match have the same
    assert len(hands) >= 9
    ana, *_, dan = harness.people
    asked = 0
    for person, tables in ((ana, (FIRST, DAILY)), (dan, (FIRST, SECOND, RUNNING)), (harness.manager, ())):
        async for what, reply in _everything(harness, person, *tables):
            await person.until(lambda: reply.message is None or not reply.message.loading)  # noqa: B023  # in this round
            contents, is_lesson = _contents(reply), what.startswith(LESSONS)
            assert not [seed for seed in seeds if seed in contents], what
            assert is_lesson or not _shown_hands(contents, hands), what
            asked += 1
    assert asked > 1000
    about = private(await ana.slash(harness.channel, "gang help"))
    assert "Fingerprint `" in private_text(await ana.press_old(str(Press(Verb.FAIR_DEAL, DAILY)), about))


async def test_pages_show_nothing_of_a_deal_that_others_still_play(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await _open_tables(harness)
        ana, everyone = harness.people[0], [*harness.people, harness.manager]
        async with site.page(ana.id) as first, site.page(ana.id) as daily:
            await first.watch(FIRST)
            await play_together(harness, [first], [], lambda: first.table["result"] is not None)
            await _concede_first(harness)
            assert (await daily.do("daily", day=(await daily.do("daily"))["day"]))["table"] == DAILY
            await daily.watch(DAILY)
            await play_together(harness, [daily], [], lambda: daily.table["status"] == "over")
            await first.until(lambda: first.table["status"] == "over")
        seen = [(FIRST, first), (DAILY, daily)]
        for person, table in product(everyone, (FIRST, SECOND, RUNNING, DAILY)):
            async with site.page(person.id) as page:
                await _look_back(page, table)
                seen.append((table, page))
        for table, page in seen:
            events = [line.event for line in record_of(harness, table)]
            FrameCheck(harness, events, table, hides_results=True).check_frames(page)
        watched = [table for table, page in seen[2:] if page.updates]
        assert sorted(watched) == sorted([FIRST, SECOND, RUNNING] * len(everyone) + [DAILY])  # that one by its player


async def _look_back(page: Page, table: int) -> None:
    """Watch a table if the user may, and ask for its replay and for the coach, which is refused."""
    if "ok" in await page.ask("watch", table=table):
        await page.until(lambda: page.updates)
    for seat in (None, 0, 1):
        asked: list[dict[str, Any]] = [{"do": "replay", "moment": moment, "seat": seat} for moment in (0, 10**6)]
        asked += [{"do": "coach", "hand": hand, "seat": seat or 0} for hand in (1, 2)]
        for each in asked:
            assert "refusal" in await page.ask(**each, match=table), each
