"""A match as in `scripted_match`: two of the three people act on their pages, the third presses buttons."""

from contextlib import AsyncExitStack
from typing import Any, Final

from bot.analysis.hand_reports import hand_reports
from bot.engine import GiveBack, Pass, Play
from bot.presentation.text.i18n import words_in
from bot.web.table_json import Viewer, table_json
from playground.client.person import Person
from tests.disasters.expected_state import ExpectedState, expected_states
from tests.disasters.scripted_match import KINDS as BY_BUTTONS
from tests.disasters.scripted_match import Move, ScriptedMatch, Step, StepAction, Unanswered
from tests.end_to_end.page_client import Disconnected, Page, Site

PAGES: Final = 2
BY_PAGE: Final = " by page"
KINDS: Final = (*(kind + BY_PAGE for kind in BY_BUTTONS[1:]), "lead", "follow", "pass", "end a hand")
"""The kinds of steps: nobody opens a table on a page."""
MOVING: Final = {"now", "events"}
"""The parts of an update that depend on when it was sent."""


class LastingPage:
    """A page that connects again whenever it has lost its connection, as the real one does."""

    def __init__(self, site: Site, person: Person, open_pages: AsyncExitStack) -> None:
        """The page is closed with `open_pages`."""
        self._site = site
        self._person = person
        self._open_pages = open_pages
        self._page: Page | None = None
        self.connections = 0

    async def at(self, table: int) -> Page:
        """The connected page, which watches a table."""
        if self._page is None or self._page.is_closed:
            self._page = await self._open_pages.enter_async_context(self._site.page(self._person.id))
            self.connections += 1
        if self._page.table.get("number") != table:
            await self._page.watch(table)
        return self._page

    async def shows(self, number: int) -> None:
        """Wait until the page shows a table as it's stored, and check that it was told nothing twice or backwards.

        The table is read again each time, since posting its message changes it.
        """
        page = await self.at(number)

        def difference() -> str:
            expected = expected_states(self._site.harness)[number]
            return differences(still(page.table), update(expected, self._person.id))

        try:
            await page.until(lambda: page.is_closed or not difference())
        except AssertionError:
            raise AssertionError(difference()) from None
        assert not page.is_closed
        answers = [frame["id"] for frame in page.frames if "id" in frame]
        assert len(answers) == len(set(answers))
        revisions = [each["revision"] for each in page.updates]
        assert revisions == sorted(revisions)


def still(shown: dict[str, Any]) -> dict[str, Any]:
    """An update without what depends on the time."""
    return {name: value for name, value in shown.items() if name not in MOVING}


def update(expected: ExpectedState, user_id: int) -> dict[str, Any]:
    """The update of a stored table that a user's page should show."""
    reports = [*hand_reports([line.event for line in expected.lines])]
    viewer = Viewer(user_id, words_in("en"))
    shown = table_json(expected.table, viewer, 0, None, reports[-1] if reports else None)
    return still(shown | {"rematch": None})


def differences(shown: dict[str, Any], wanted: dict[str, Any]) -> str:
    """What differs between two updates."""
    names = sorted({*shown, *wanted})
    return "\n".join(
        f"{name}: {shown.get(name)!r} instead of {wanted.get(name)!r}"
        for name in names
        if shown.get(name) != wanted.get(name)
    )


class PageMatch(ScriptedMatch):
    """The steps at one table after another."""

    def __init__(self, site: Site, open_pages: AsyncExitStack, *, target: int) -> None:
        super().__init__(site.harness, target=target)
        self.pages = {person: LastingPage(site, person, open_pages) for person in self.people[:PAGES]}

    def next_step(self, expected: ExpectedState | None) -> Step:
        step = super().next_step(expected)
        if expected is None or self.actor(expected) not in self.pages:
            return step
        return Step(step.kind + BY_PAGE, step.do)

    async def are_right(self, number: int) -> None:
        """Wait until both pages show a table as it's stored."""
        for page in self.pages.values():
            await page.shows(number)

    async def _press_the_table(self, expected: ExpectedState, person: Person, label: str) -> bool:
        if person not in self.pages:
            return await super()._press_the_table(expected, person, label)
        return await self._ask(expected, person, label.lower())

    async def _press_the_panel(self, expected: ExpectedState, seat: int, label: str) -> bool:
        person = self._person(expected, seat)
        if person not in self.pages:
            return await super()._press_the_panel(expected, seat, label)
        return await self._ask(expected, person, "declare")

    def _making(self, expected: ExpectedState, move: Move) -> StepAction:
        person = self._person(expected, move.seat)
        if person not in self.pages:
            return super()._making(expected, move)
        facts: dict[str, object] = {"moment": expected.table.moment}
        match move:
            case GiveBack(card=card):
                return lambda: self._ask(expected, person, "give_back", card=int(card), **facts)
            case Pass():
                return lambda: self._ask(expected, person, "pass", **facts)
            case Play(cards=cards):
                says = self._kind(expected, move) == "say last card"
                facts |= {"cards": list(map(int, cards)), "last_card": says}
                return lambda: self._ask(expected, person, "play", **facts)

    async def _ask(self, expected: ExpectedState, person: Person, do: str, **facts: object) -> bool:
        """Send a request. True if it succeeded."""
        number = expected.table.id
        try:
            page = await self.pages[person].at(number)
            return "ok" in await page.ask(do, table=number, **facts)
        except Disconnected as lost:
            raise Unanswered from lost
