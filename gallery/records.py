"""Leaderboards, profiles and histories of a guild after two months."""

from collections.abc import AsyncIterator

from bot.presentation.text.i18n import languages
from gallery import public
from gallery.camera import Row, Shot, command, press, translated, wait_until_drawn
from playground.client.person import Person
from tests.end_to_end.app_harness import YOURS, AppHarness
from tests.end_to_end.inspection import menu_of, shown

MATCHES = 60


async def records(harness: AppHarness, manager: Person) -> AsyncIterator[Shot | Row]:
    """Leaderboards, profiles, histories, the hand of the day, privacy and guild settings."""
    await public.begin_season(harness, manager, "Autumn")
    await public.simulated(harness, MATCHES, days=1)
    for part in (
        _leaderboards(harness),
        _profiles(harness),
        _history(harness),
        _duplicate(harness, manager),
        _privacy(harness),
        _server(harness, manager),
    ):
        async for shot in part:
            yield shot


async def _leaderboards(harness: AppHarness) -> AsyncIterator[Shot | Row]:
    ana = harness.people[0]
    leaderboard = shown(await ana.slash(harness.channel, "gang leaderboard"))
    yield Shot("leaderboard", "The leaderboard: `/gang leaderboard`", ana, leaderboard)
    yield translated("leaderboard", "The leaderboard", ana, command(ana, harness, "leaderboard"))


async def _profiles(harness: AppHarness) -> AsyncIterator[Shot | Row]:
    ana, ben, *_ = harness.people
    profile = shown(await ana.slash(harness.channel, "gang profile"))
    yield Shot("profile", "A player's profile: `/gang profile`", ana, profile)
    yield translated("profile", "A player's profile", ana, command(ana, harness, "profile"))
    await ana.click(profile, "All figures")
    for name, title, label in (
        ("rating", "**Rating over time**, with its band", "Rating over time"),
        ("penalties", "**Penalty points per hand**", "Penalty points per hand"),
        ("map", "**Who beats whom**", "Who beats whom"),
    ):
        chart = shown(await ana.click(profile, label))
        await wait_until_drawn(ana, chart)
        yield Shot(name, title, ana, chart)
        yield translated(name, title, ana, press(ana, profile, label), draws=True)
    versus = shown(await ana.slash(harness.channel, "gang profile", against=ben))
    yield Shot("versus", "Two players compared: `/gang profile`", ana, versus)
    yield translated("versus", "Two players compared", ana, command(ana, harness, "profile", against=ben))
    opening_titles = press(ana, profile, "Titles")
    await opening_titles()
    yield Shot("titles", "The titles of a server", ana, profile)
    yield translated("titles", "Titles", ana, opening_titles)


async def _history(harness: AppHarness) -> AsyncIterator[Shot | Row]:
    ana = harness.people[0]
    matches = shown(await ana.slash(harness.channel, "gang history"))
    yield Shot("history", "My matches: `/gang history`", ana, matches)
    yield translated("history", "My matches", ana, command(ana, harness, "history"))
    replay = shown(await ana.slash(harness.channel, "gang history", number=1))
    checking = press(ana, replay, "Check the deals")
    checked = shown(await checking())
    await ana.until(lambda: "Everything matches" in checked.text)
    yield Shot("verify", "The deals of a match, checked by dealing them again", ana, checked)
    yield translated("verify", "The deals of a match, checked", ana, checking)
    daily = shown(await ana.slash(harness.channel, "gang daily"))
    yield Shot("daily-offer", "The hand of the day, before it is dealt: `/gang daily`", ana, daily)
    await ana.click(daily, "Deal")
    await ana.until(lambda: any(turn in daily.text for turn in YOURS))
    yield Shot("daily", "The hand of the day", ana, daily)
    yield translated("daily", "The hand of the day", ana, command(ana, harness, "daily"))


async def _duplicate(harness: AppHarness, manager: Person) -> AsyncIterator[Shot | Row]:
    ben = harness.people[1]
    limits = await public.server_settings(harness, manager, "Limits")
    await manager.select(limits, "25", custom_id=menu_of(limits, "host_tables"))
    pairs = {language: await public.pair(harness, f"evening-{language}") for language in languages()}
    second = pairs["en"].second
    yield Shot("duplicate", "A second table with the same deals", ben, second)
    for pair in pairs.values():
        await public.begin(harness, pair)
    yield public.public(
        "comparison", "Both tables compared, seat by seat,", harness, manager, public.comparison(harness, pairs)
    )
    yield Shot("comparison", "Both tables compared, seat by seat", ben, pairs["en"].results["comparison"])
    yield Shot("title", "New titles", ben, pairs["en"].results["title"])
    for name, title in (
        ("match-over", "A match that is over"),
        ("ending", "The end of a match as a picture"),
        ("title", "New titles"),
    ):
        yield public.other_messages(name, title, harness, pairs)


async def _privacy(harness: AppHarness) -> AsyncIterator[Shot | Row]:
    ana = harness.people[0]
    panel = shown(await ana.slash(harness.channel, "gang settings"))
    listing = press(ana, panel, "My data")
    await listing()
    yield Shot("privacy", "My data, in `/gang settings`", ana, panel)
    deleting = press(ana, panel, "Delete my data…")
    yield translated("privacy", "My data", ana, listing)
    await deleting()
    yield Shot("delete", "Deleting my data", ana, panel)
    yield translated("delete", "Deleting my data", ana, deleting)


async def _server(harness: AppHarness, manager: Person) -> AsyncIterator[Shot | Row]:
    panel = await public.server_settings(harness, manager, "New tables")
    yield Shot("server-tables", "The defaults for new tables of a server", manager, panel)
    await manager.click(panel, "Season and leaderboard")
    await manager.select(panel, "week", custom_id=menu_of(panel, "schedule"))
    yield Shot("server-season", "Seasons, and when the leaderboard is posted", manager, panel)
    await manager.click(panel, "Changes")
    yield Shot("server-changes", "The changes to a server's settings", manager, panel)
    pages = {
        label: press(manager, panel, label) for label in ("General", "New tables", "Season and leaderboard", "Changes")
    }
    for number, (label, turning) in enumerate(pages.items(), 1):
        yield translated(f"server-{number}", f"Settings of a server: **{label}**", manager, turning)
    ana = harness.people[0]
    await public.end_season(harness, manager)
    (podium,) = await ana.until(lambda: [message for message in harness.messages(ana) if "🏆" in message.text])
    yield Shot("podium", "A season is over", ana, podium)
    yield public.public("podium", "A season that is over", harness, manager, public.podium(harness, manager))
    posted = public.leaderboard(harness, manager)
    yield Shot("posted", "The leaderboard, posted week by week", ana, await posted("en"))
    yield public.public("posted", "The leaderboard, posted week by week,", harness, manager, posted)
