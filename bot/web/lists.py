"""Requests before a match: the list of tables, a match against AI players, the hand of the day, and the lobby."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bot.engine.options import BadOption
from bot.presentation.table.daily import daily_offer_lines
from bot.presentation.table.fair_deal import fingerprint_line
from bot.presentation.table.lobby_options import PAGES, set_option
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words
from bot.presentation.text.option_texts import options_lines
from bot.presentation.ui.custom_ids import MAX_PAGES
from bot.services.open_tables import PAGE_SIZE, Listed, last_page
from bot.services.open_tables import Page as TablePage
from bot.services.rate_limiter import Actor
from bot.table import lobby, play
from bot.table.limits import Action
from bot.table.model import TableRow
from bot.table.play import change_lobby
from bot.web.access import NOWHERE
from bot.web.card_json import Json
from bot.web.parts import Parts
from bot.web.plain_text import plain
from bot.web.playing import DONE
from bot.web.routing import BadRequest, Fields, Page, does, guild_of
from bot.web.table_json import title


@dataclass(frozen=True)
class Lists:
    """A user's requests before a match."""

    parts: Parts

    @does("home", costs=Action.FIGURES)
    async def home(self, page: Page, fields: Fields) -> Json:
        """A page of the tables that the user may see in the Activity's guild; in a browser of those where they sit."""
        words = await self.parts.words(page)
        shown = await self._page_of(page, min(fields.optional_number("page") or 0, MAX_PAGES))
        return {
            "tables": [_listed_json(each, page.user_id, words) for each in shown.tables],
            "page": shown.number,
            "is_last": shown.is_last,
            "solo": await self.parts.tables.open.solo_match(guild_of(page), page.user_id),
            "today": self.parts.daily.today,
        }

    @does("look", costs=Action.FIGURES, by_user=False)
    async def look(self, page: Page, fields: Fields) -> Json:
        """The same again, while the page shows it."""
        return await self.home(page, fields)

    async def _page_of(self, page: Page, number: int) -> TablePage:
        """A page of the tables (from 0)."""
        tables, member = self.parts.tables.open, None
        if page.guild_id is not None:
            member = await self.parts.access.member(page.guild_id, page.user_id)
        if page.guild_id is None or member is None:
            may_know = partial(self.parts.access.may_know, page.user_id)
            theirs = await tables.of_user(page.user_id)
            listed = [each for each in theirs if await may_know(each.table.row.guild_id, each.table)]
            number = min(number, last_page(len(listed)))
            first = number * PAGE_SIZE
            return TablePage(listed[first : first + PAGE_SIZE], len(listed), number)
        places = await tables.places(page.guild_id)
        visible = {place.place_id for place in places if await self.parts.access.sees(member, place)}
        return await tables.page(page.guild_id, page.user_id, visible, number)

    @does("create", costs=Action.OPEN)
    async def create(self, page: Page, _fields: Fields) -> Json:
        """Begin a match against AI players, or go on with the user's."""
        guild_id = guild_of(page)
        person = await self.parts.access.person(page.user_id, guild_id)
        setup = lobby.solo_setup((await self.parts.guilds.get(guild_id)).defaults)
        new = lobby.NewTable(guild_id, page.channel_id or 0, person, setup, with_ai=True, in_channel=False)
        return {"table": (await self.parts.tables.create(new, NOWHERE)).id}

    @does("daily", costs=Action.DAILY)
    async def daily(self, page: Page, fields: Fields) -> Json:
        """Today's hand: its table, or before the deal an offer. With the day of the offer, deal it."""
        guild_id, daily, day = guild_of(page), self.parts.daily, self.parts.daily.today
        table = await daily.table(guild_id, page.user_id)
        if table is None and fields.text("day") == day:
            person = await self.parts.access.person(page.user_id, guild_id)
            table = await daily.deal(guild_id, page.channel_id or 0, person, day)
        if table is not None:
            return {"table": table.id}
        offer, words = await daily.offer(guild_id), await self.parts.words(page)
        text, fingerprint = "\n".join(daily_offer_lines(offer, words)), fingerprint_line(offer.commitment, words)
        return {"day": offer.day, "offer": plain(text), "fingerprint": plain(fingerprint)}

    @does("join", costs=None)
    async def join(self, page: Page, fields: Fields) -> Json:
        """Take a seat."""
        table = await self.parts.table(page, fields)
        person = await self.parts.access.person(page.user_id, table.row.guild_id)
        await self.parts.tables.act(table.id, play.join, person)
        return DONE

    @does("leave", costs=None)
    async def leave(self, page: Page, fields: Fields) -> Json:
        """Leave the lobby."""
        return await self._change_seats(page, fields, lobby.leave)

    @does("remove_ai", costs=None)
    async def remove_ai(self, page: Page, fields: Fields) -> Json:
        """Remove the last AI player."""
        return await self._change_seats(page, fields, lobby.remove_ai)

    async def _change_seats(self, page: Page, fields: Fields, change: Callable[[TableRow, int], TableRow]) -> Json:
        table = await self.parts.table(page, fields)
        await self.parts.tables.act(table.id, change_lobby, change, page.user_id)
        return DONE

    @does("add_ai", costs=None)
    async def add_ai(self, page: Page, fields: Fields) -> Json:
        """Add an AI player."""
        table = await self.parts.table(page, fields)
        await self.parts.tables.add_ai(table.id, page.user_id)
        return DONE

    @does("option", costs=None)
    async def option(self, page: Page, fields: Fields) -> Json:
        """Change one option."""
        table, name = await self.parts.table(page, fields), fields.text("name")
        if not any(name in names for names in PAGES.values()):
            raise BadRequest(name)
        try:
            await self.parts.tables.act(table.id, change_lobby, set_option, page.user_id, name, fields.text("value"))
        except BadOption as bad:
            raise BadRequest(name) from bad
        return DONE

    @does("start", costs=None)
    async def start(self, page: Page, fields: Fields) -> Json:
        """Deal the first hand. With `fill`, AI players take the free seats before."""
        table = await self.parts.table(page, fields)
        await self.parts.tables.start(table.id, page.user_id, fill=fields.flag("fill"))
        return DONE

    @does("rematch", costs=Action.REMATCH)
    async def rematch(self, page: Page, fields: Fields) -> Json:
        """Return to the rematch, join it, or open it, which mentions the other players like invitations."""
        table, access = await self.parts.table(page, fields), self.parts.access
        others = {seat.user_id for seat in table.seats if seat.user_id is not None} - {page.user_id}
        numbers = await self.parts.tables.open.rematches(table.id)
        if numbers and (await self.parts.tables.get(numbers[0])).seat_of(page.user_id) is not None:
            return {"table": numbers[0]}
        person = await access.person(page.user_id, table.row.guild_id)
        actor = Actor(page.user_id, table.row.guild_id, table.row.channel_id)
        with self.parts.limiter.mentioning(actor, () if numbers else others):
            opener = await access.opener(page.user_id, table.row)
            return {"table": (await self.parts.tables.rematch(table.id, person, opener)).id}


def _listed_json(listed: Listed, user_id: int, words: Words) -> Json:
    table = listed.table
    return {
        "number": table.id,
        "title": title(table, words),
        "text": plain(" · ".join(options_lines(table, words))),
        "seats": list(labels.plain_names(table, words)),
        "is_your_turn": table.user_to_act == user_id and table.row.paused_at is None,
    }
