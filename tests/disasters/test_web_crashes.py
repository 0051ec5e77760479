"""Crashes as in `test_crashes`, while two of the three people play on their pages.

Nothing is lost or doubled, and after each step both pages, which have connected again, show what is stored.
"""

from contextlib import AsyncExitStack
from pathlib import Path

from bot.engine.verification import verify
from bot.table.model import Status
from playground.world.interactions import FIRST_ANSWER_SECONDS
from tests.disasters.crash_points import MAX_MATCHES, CrashPlan, check_step, take_step
from tests.disasters.expected_state import ExpectedState
from tests.disasters.page_match import KINDS, PageMatch
from tests.disasters.test_crashes import TARGET
from tests.end_to_end.app_harness import ANSWERED_LATE
from tests.end_to_end.page_client import Site, app_with_page


async def test_crashes_lose_and_duplicate_nothing_while_pages_are_open(tmp_path: Path) -> None:
    plan = CrashPlan(KINDS)
    async with app_with_page(tmp_path) as (harness, site):
        harness.world.interactions.answer_seconds = FIRST_ANSWER_SECONDS
        harness.ignored_violations = (ANSWERED_LATE,)
        for number in range(1, MAX_MATCHES):
            harness.channel = harness.guild.channel(f"games {number}")
            await _play_a_match(site, plan)
            print(f"match {number}: {plan}", flush=True)  # noqa: T201  # progress of a soak
            if not plan.left:
                break
    assert plan.left == []
    assert plan.crashes >= len(KINDS) // 2  # steps by page are short: some end before the first point


async def _play_a_match(site: Site, plan: CrashPlan) -> None:
    """Play a match to its end, crashing where the plan says so."""
    expected: ExpectedState | None = None
    async with AsyncExitStack() as open_pages:
        match = PageMatch(site, open_pages, target=TARGET)
        while expected is None or expected.table.row.status is not Status.OVER:
            if not plan.left:
                return
            result = await take_step(site.harness, plan, match.next_step(expected))
            check_step(expected, result)
            expected = result.expected
            if expected is not None:
                await match.are_right(expected.table.id)
    verify(expected.lines)
