"""Requests about a match: watch it, play, and everything else that the private hand offers."""

from dataclasses import dataclass
from functools import partial

from bot.analysis.hints import require_hints
from bot.base.fair_queue import Requester
from bot.presentation.help.rulebook import why_text
from bot.presentation.table.hint import hint_text
from bot.presentation.table.selection import HandState, refusal_of, rule_of, selection_line
from bot.presentation.ui.custom_ids import Press, Verb
from bot.table import absence, consent
from bot.table import play as actions
from bot.table.limits import Action
from bot.table.play import UserAction
from bot.table.standing_orders import NONE
from bot.web.card_json import Json
from bot.web.parts import Parts
from bot.web.plain_text import plain
from bot.web.routing import Fields, Page, does

DONE: Json = {}


@dataclass(frozen=True)
class Playing:
    """A player's or spectator's requests during a match."""

    parts: Parts

    @does("watch", costs=None)
    async def watch(self, page: Page, fields: Fields) -> Json:
        """Send updates of a table from now on."""
        table = await self.parts.table(page, fields)
        page.watch(table.id)
        return DONE

    @does("unwatch", costs=None)
    async def unwatch(self, page: Page, _fields: Fields) -> Json:
        """Send no more updates."""
        page.watch(None)
        return DONE

    @does("play", costs=None)
    async def play(self, page: Page, fields: Fields) -> Json:
        """Play cards."""
        cards, says, moment = fields.cards("cards"), fields.flag("last_card"), fields.number("moment")
        return await self._act(page, fields, partial(actions.play, cards=cards, last_card=says, moment=moment))

    @does("pass", costs=None)
    async def pass_turn(self, page: Page, fields: Fields) -> Json:
        """Pass."""
        return await self._act(page, fields, partial(actions.pass_turn, moment=fields.number("moment")))

    @does("declare", costs=None)
    async def declare(self, page: Page, fields: Fields) -> Json:
        """Say "Last card!"."""
        return await self._act(page, fields, actions.declare)

    @does("give_back", costs=None)
    async def give_back(self, page: Page, fields: Fields) -> Json:
        """Give a card back."""
        (card,) = Fields({"cards": [fields.number("card")]}).cards("cards")
        return await self._act(page, fields, partial(actions.give_back, card=card, moment=fields.number("moment")))

    @does("undo", costs=Action.UNDO)
    async def undo(self, page: Page, fields: Fields) -> Json:
        """Take back the last play or pass."""
        return await self._act(page, fields, partial(consent.undo, moment=fields.number("moment")))

    @does("come_back", costs=None)
    async def come_back(self, page: Page, fields: Fields) -> Json:
        """Give the user their seat back."""
        return await self._act(page, fields, absence.come_back)

    @does("resume", costs=None)
    async def resume(self, page: Page, fields: Fields) -> Json:
        """Continue after a pause."""
        return await self._act(page, fields, consent.resume)

    @does("cancel_orders", costs=None)
    async def cancel_orders(self, page: Page, fields: Fields) -> Json:
        """Cancel the standing order."""
        cancel = partial(consent.give_orders, order=NONE, now=self.parts.tables.now())
        return await self._act(page, fields, cancel)

    @does("hint", costs=Action.HINT, is_slow=True)
    async def hint(self, page: Page, fields: Fields) -> Json:
        """Suggest a move and say why."""
        table = await self.parts.table(page, fields)
        view = require_hints(table, page.user_id, fields.number("moment"))
        found = await self.parts.hints.find(Requester(table.row.guild_id, page.user_id), view)
        words = await self.parts.words(page)
        return {"cards": list(map(int, found.cards)), "text": plain(hint_text(found, table, words))}

    @does("why", costs=None)
    async def why(self, page: Page, fields: Fields) -> Json:
        """Say what the cards can become, or why they can't be played."""
        table, state = await self.parts.table(page, fields), HandState(fields.cards("cards"))
        view = table.view_of(page.user_id)
        words = await self.parts.words(page)
        refusal = refusal_of(view, state.selected) if state.selected else None
        if refusal is None:
            return {"text": plain(selection_line(view, state, words)), "rule": ""}
        rule = rule_of(refusal)
        press = Press(Verb.HAND_WHY, table.id, 0, state.arguments(rule))
        return {"text": plain(why_text(press, table, view, words)), "rule": refusal.rule}

    async def _act(self, page: Page, fields: Fields, action: UserAction) -> Json:
        """Make a move. The update that follows shows it."""
        table = await self.parts.table(page, fields)
        self.parts.record_action(table.id, page.user_id)
        await self.parts.tables.act(table.id, action, page.user_id)
        return DONE
