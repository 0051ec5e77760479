"""Finished matches: lists, replays, records, and the check that the deals were fair."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.analysis.fairness import check
from bot.analysis.replay import Moment, Origin, ReplayedMatch
from bot.engine.record import write
from bot.presentation.records.coaching import (
    match_figures_message,
    match_review_charts,
    match_review_message,
    match_title,
    progress_message,
    review_message,
    whose_moves_message,
)
from bot.presentation.records.fairness import fairness_message
from bot.presentation.records.history import MINE, SCOPE_NAMES, HistoryState, history_message
from bot.presentation.records.pictures import Illustrator, hand_summary
from bot.presentation.records.replay import (
    hand_title,
    opening_state,
    picture_message,
    posted_hand_message,
    replay_message,
)
from bot.presentation.records.transcript import transcript
from bot.presentation.table.fair_deal import fair_deal_message
from bot.presentation.table.practice import practice_message
from bot.presentation.table.replay_state import ALL_SEATS, ReplayState
from bot.presentation.table.selection import HandState
from bot.presentation.text import labels
from bot.presentation.text.i18n import words_in
from bot.presentation.text.permissions import may_write
from bot.presentation.text.readers import words_of
from bot.presentation.ui.components import Layout, button, rows
from bot.presentation.ui.custom_ids import InvalidCustomId, Part, Press, Verb, whole_number
from bot.presentation.ui.files import Attachment, Picture, download
from bot.presentation.ui.replies import ProgressMessage, edit_message, show
from bot.services.archive import Archive
from bot.services.background import Background
from bot.services.coaching import Coach
from bot.services.history import MAX_RECORD_BYTES, History
from bot.services.practice import Practices
from bot.services.tables import Tables
from bot.table.limits import Action
from bot.table.refusals import MatchNotOver, NoSuchTable
from cogs.base import (
    chosen_value,
    defer_privately,
    history_filter,
    own_table_of,
    person,
    requester,
    require_own_message,
    table_of,
)
from cogs.completion import Choices, finished_matches
from cogs.posting import Posting
from cogs.routing import ByArgument, costs, on_press

MOVE_BUTTONS = (Part.FIRST, Part.BACK, Part.NEXT, Part.LAST, Part.BEFORE, Part.AFTER, Part.HAND, Part.EYES)
"""Buttons whose ids carry the moment and the viewpoint to show."""
SLOW_ANSWERS = (Part.STILL, Part.MOVING, Part.RECORD, Part.TEXT, Part.VERIFY)
"""Buttons whose answer takes a while: a picture, a file or a check."""
REPLAY_COST: Final = ByArgument(
    {
        **dict.fromkeys((Part.POST, Part.POST_STILL, Part.POST_MOVING), Action.POST),
        **dict.fromkeys((Part.STILL, Part.MOVING), Action.PICTURE),
        **dict.fromkeys((Part.RECORD, Part.TEXT), Action.EXPORT),
        Part.VERIFY: Action.VERIFY,
    },
    otherwise=Action.REPLAY,
)


@dataclass(eq=False)
class HistoryCog(commands.Cog):
    """Finished matches, and the finished hands of running ones."""

    tables: Tables
    archive: Archive
    history: History
    background: Background
    illustrator: Illustrator
    posting: Posting
    coach: Coach
    practices: Practices

    @costs(Action.FIGURES, file=Action.IMPORT, number=Action.REPLAY)
    @app_commands.command(name="history", description="The finished matches: yours or this channel's")
    @app_commands.rename(scope="whose")
    @app_commands.describe(
        scope="Matches (default: yours)",
        number="Step through a finished match, move by move",
        file="Step through the record of a match from elsewhere",
    )
    @app_commands.choices(scope=[app_commands.Choice(name=name, value=value) for value, name in SCOPE_NAMES.items()])
    async def history_of(
        self,
        interaction: discord.Interaction,
        scope: str = MINE,
        number: int | None = None,
        file: discord.Attachment | None = None,
    ) -> None:
        """List finished matches, or open the replay of one: of the record in a file, or of a table."""
        if file is not None:
            await defer_privately(interaction)  # the file must be downloaded
            content = await download(file, MAX_RECORD_BYTES)
            await self._open(interaction, await self.history.import_record(requester(interaction), content))
        elif number is not None:
            await self._open(interaction, await self._match(interaction, number))
        else:
            await show(interaction, await self._list(interaction, HistoryState(scope)))

    @history_of.autocomplete("number")
    async def complete_number(self, interaction: discord.Interaction, typed: str | int) -> Choices:
        """Offer matches whose numbers begin with what is typed."""
        return await finished_matches(self.history, interaction, typed)

    @on_press(Verb.HISTORY, costs=Action.FIGURES)
    async def turn_page(self, interaction: discord.Interaction, press: Press) -> None:
        """Show another page or list, or open a match from the list."""
        require_own_message(interaction)
        state = HistoryState.parse(press)
        if press.part is not Part.OPEN:
            await edit_message(interaction, await self._list(interaction, state))
            return
        await self._open(interaction, await self._match(interaction, whole_number(chosen_value(interaction))))

    @on_press(Verb.REPLAY_HAND, costs=Action.REPLAY)
    async def open_hand(self, interaction: discord.Interaction, press: Press) -> None:
        """Open the replay of a match at one of its hands."""
        match = await self._match(interaction, press.table)
        moment = match.first_moments().get(press.number)
        if moment is None:
            raise InvalidCustomId(str(press))
        await self._open(interaction, match, moment)

    @on_press(Verb.REPLAY, costs=REPLAY_COST)
    async def update_replay(self, interaction: discord.Interaction, press: Press) -> None:
        """Handle a press in a replay."""
        require_own_message(interaction)
        state, part = ReplayState.parse(press), press.part
        if part in SLOW_ANSWERS:
            await self._answer_slowly(interaction, state, part)
            return
        if self.archive.is_busy:
            await interaction.response.defer()
        match = await self._match_of(interaction, state)
        match part:
            case Part.POST | Part.POST_STILL | Part.POST_MOVING:
                await self._post(interaction, match, state, part)
                return
            case Part.OPEN:
                await show(interaction, await self._replay_message(interaction, match, state))
                return
            case _ if part not in MOVE_BUTTONS:
                raise InvalidCustomId(str(press))
        await edit_message(interaction, await self._replay_message(interaction, match, state))

    async def _answer_slowly(self, interaction: discord.Interaction, state: ReplayState, part: Part) -> None:
        """Answer with a picture, a file or a check. The press is acknowledged before reading the match has to wait."""
        await defer_privately(interaction)
        match = await self._match_of(interaction, state)
        match part:
            case Part.RECORD | Part.TEXT:
                await self._export(interaction, match, as_record=part is Part.RECORD)
            case Part.VERIFY:
                await self._verify(interaction, match)
            case _:
                await self._draw(interaction, match, state, moving=part is Part.MOVING)

    @on_press(Verb.COACH, costs=Action.COACH)
    async def review_hand(self, interaction: discord.Interaction, press: Press) -> None:
        """Show the most expensive moves of a hand: of the seat looked at, else the user's own, else one they choose."""
        require_own_message(interaction)
        await defer_privately(interaction)
        state, words = ReplayState.parse(press), words_of(interaction)
        match = await self._match_of(interaction, state)
        moment = match.at(state.moment)
        if not match.has_ended(moment.hand):
            raise MatchNotOver
        state, is_own = await self._from_a_seat(interaction, match, state)
        if state.viewpoint == ALL_SEATS:
            await show(interaction, whose_moves_message(match, state, press.verb, words))
            return
        title, seat = hand_title(match, moment.hand, words), int(state.viewpoint)
        async with ProgressMessage(interaction, partial(progress_message, title, words)) as progress:
            review = await self.coach.review(requester(interaction), match, moment.hand, seat, progress.update)
        await show(interaction, review_message(title, moment.table, review, state, words, is_own=is_own))

    @on_press(Verb.COACH_MATCH, costs=Action.COACH_MATCH)
    async def review_match(self, interaction: discord.Interaction, press: Press) -> None:
        """Show the most expensive moves of a match that is over, or all figures, for the seat of `review_hand`.

        The button is in private panels and at the end of a match.
        """
        await defer_privately(interaction)
        state, words, user = ReplayState.parse(press), words_of(interaction), requester(interaction)
        match = await self._match_of(interaction, state)
        if not match.is_over or not match.has_ended(2):
            raise MatchNotOver
        state, is_own = await self._from_a_seat(interaction, match, state)
        if state.viewpoint == ALL_SEATS:
            await show(interaction, whose_moves_message(match, state, press.verb, words))
            return
        title, seat = match_title(match, words), int(state.viewpoint)
        async with ProgressMessage(interaction, partial(progress_message, title, words)) as progress:
            review = await self.coach.review_match(user, match, seat, progress.update)
        if press.part is not Part.MORE:
            await show(interaction, match_review_message(match, review, state, words, is_own=is_own))
            return
        charts, pictures = match_review_charts(match, review, seat, words), list[Picture]()
        for number, chart in enumerate(charts):
            pictures += await self.illustrator.of_chart(chart.plot, chart.alt, user, f"coach-{number}.png")
        await show(interaction, match_figures_message(charts[0], pictures, review, state, match, words))

    @on_press(Verb.FAIR_DEAL, costs=None)
    async def show_fair_deal(self, interaction: discord.Interaction, press: Press) -> None:
        """Show the user what they need to check the deals of a table."""
        table = await own_table_of(self.tables, interaction, press.table)
        seed = await self.archive.revealed_seed(table)
        await show(interaction, fair_deal_message(table, seed, words_of(interaction)))

    @on_press(Verb.PRACTICE_FROM, costs=Action.PRACTICE)
    async def practice_hand(self, interaction: discord.Interaction, press: Press) -> None:
        """Play a hand from the moment shown: in the seat looked at, else in the user's own."""
        require_own_message(interaction)
        await defer_privately(interaction)
        state = ReplayState.parse(press)
        match = await self._match_of(interaction, state)
        state, _ = await self._from_a_seat(interaction, match, state)
        seat = 0 if state.viewpoint == ALL_SEATS else int(state.viewpoint)
        practice = await self.practices.begin_from_match(requester(interaction), match, state.moment, seat)
        await show(interaction, practice_message(practice, HandState(), words_of(interaction)))

    async def _from_a_seat(
        self, interaction: discord.Interaction, match: ReplayedMatch, state: ReplayState
    ) -> tuple[ReplayState, bool]:
        """The replay as seen by the seat looked at, else by the user's own if they have one.

        Also returns whether that is the user's own. Raises `InvalidCustomId`.
        """
        own = await self._own_seat(interaction, match)
        if state.viewpoint == ALL_SEATS:
            return (state, False) if own is None else (replace(state, viewpoint=str(own)), True)
        if int(state.viewpoint) >= len(match.started.seats):
            raise InvalidCustomId(state.viewpoint)
        return state, state.viewpoint == str(own)

    async def _own_seat(self, interaction: discord.Interaction, match: ReplayedMatch) -> int | None:
        """The user's own seat, if they have one."""
        match match.origin:
            case Origin.TABLE:
                return (await self.tables.get(match.number)).seat_of(interaction.user.id)
            case Origin.PRACTICE:
                return next(seat for seat in range(len(match.started.seats)) if seat not in match.ai_players)
        return None

    async def _open(self, interaction: discord.Interaction, match: ReplayedMatch, moment: int = 0) -> None:
        """Show a new replay, beginning at a moment."""
        await show(interaction, await self._replay_message(interaction, match, opening_state(match, moment)))

    async def _replay_message(
        self, interaction: discord.Interaction, match: ReplayedMatch, state: ReplayState
    ) -> Layout:
        moment = match.at(state.moment)
        return replay_message(
            match,
            state,
            words_of(interaction),
            has_pictures=self.illustrator.has_pictures,
            has_coach=self.coach.is_here,
            may_post=may_write(interaction) and await self._may_post(interaction, match, moment),
        )

    async def _may_post(self, interaction: discord.Interaction, match: ReplayedMatch, moment: Moment) -> bool:
        """True for a finished hand of a match that was played in this channel, or opened there by the user alone."""
        if match.origin is not Origin.TABLE or not match.has_ended(moment.hand):
            return False
        row = (await self.tables.get(match.number)).row
        return row.daily is None and interaction.channel_id in (row.channel_id, row.place_id)

    async def _list(self, interaction: discord.Interaction, state: HistoryState) -> Layout:
        found, more = await self.history.page(history_filter(interaction, state.scope), state.page)
        return history_message(state, found, words_of(interaction), more=more)

    async def _match(self, interaction: discord.Interaction, number: int) -> ReplayedMatch:
        """The match of a table that the user may know about. Acknowledges the interaction if it has to wait."""
        if self.archive.is_busy:
            await defer_privately(interaction)
        table = await own_table_of(self.tables, interaction, number)
        return await self.archive.match(table.id, requester(interaction))

    async def _match_of(self, interaction: discord.Interaction, state: ReplayState) -> ReplayedMatch:
        match state.origin:
            case Origin.TABLE:
                return await self._match(interaction, state.number)
            case Origin.IMPORT:
                return await self.history.get_import(requester(interaction), state.number)
            case Origin.PRACTICE:
                user = person(interaction)
                return await self.practices.replayed(user.user_id, state.number, user.name)

    async def _draw(
        self, interaction: discord.Interaction, match: ReplayedMatch, state: ReplayState, *, moving: bool
    ) -> None:
        """Send a picture of the hand, which may take a while to draw."""
        moment, words, user = match.at(state.moment), words_of(interaction), requester(interaction)
        report = await self.background.run(user, match.report, moment.hand)
        if report is None:
            raise MatchNotOver
        title = hand_title(match, moment.hand, words)
        pictures = await self.illustrator.of_replay(title, moment.table, report, words, user, moving=moving)
        summary = hand_summary(report, labels.names(moment.table, words), words)
        press = state.press(Part.POST_MOVING if moving else Part.POST_STILL)
        can_post = bool(pictures) and may_write(interaction)
        may_post = can_post and await self._may_post(interaction, match, moment)
        more = rows([button(press, words.say("Post here"))]) if may_post else []
        await show(interaction, picture_message(title, summary, pictures, words, more))

    async def _post(
        self, interaction: discord.Interaction, match: ReplayedMatch, state: ReplayState, part: Part
    ) -> None:
        """Post a hand for everyone: its summary, and perhaps its picture."""
        moment, user = match.at(state.moment), requester(interaction)
        report = await self.background.run(user, match.report, moment.hand)
        if report is None or not await self._may_post(interaction, match, moment):
            raise InvalidCustomId(part)
        words = await self.posting.begin(interaction)
        title, pictures = hand_title(match, moment.hand, words), list[Picture]()
        if part is not Part.POST:
            is_moving = part is Part.POST_MOVING
            pictures = await self.illustrator.of_replay(title, moment.table, report, words, user, moving=is_moving)
        summary = hand_summary(report, labels.names(moment.table, words), words)
        is_known = (await self.tables.get(match.number)).row.in_channel
        replay = Press(Verb.REPLAY_HAND, match.number, 0, (str(moment.hand),)) if is_known else None
        await self.posting.post(interaction, posted_hand_message(title, summary, pictures, replay, words), words)

    async def _export(self, interaction: discord.Interaction, match: ReplayedMatch, *, as_record: bool) -> None:
        """Send the match as a file. Only finished ones: a record holds the hands and the seed (R26)."""
        if not match.is_over:
            raise MatchNotOver
        words = words_of(interaction)
        name = f"table-{match.number}" if match.origin is Origin.TABLE else "match"
        if as_record:
            content = await self.background.run(requester(interaction), write, match.lines)
            text = words.say("The record of the match, as docs/record.md describes it.")
        else:
            content = await self.background.run(requester(interaction), transcript, match, words_in(words.language))
            text = words.say("The whole match as text.")
        file = Attachment(f"{name}.{'jsonl' if as_record else 'txt'}", content.encode())
        await show(interaction, Layout(text, file))

    async def _verify(self, interaction: discord.Interaction, match: ReplayedMatch) -> None:
        if not match.is_over:
            raise MatchNotOver
        checked = await self.background.run(requester(interaction), check, match.lines)
        channel = await self._commitment_channel(interaction, match)
        await show(interaction, fairness_message(match, checked, words_of(interaction), channel))

    async def _commitment_channel(self, interaction: discord.Interaction, match: ReplayedMatch) -> str:
        """The address of the channel where the table's commitment was first shown.

        Empty for an imported record, and for a duplicate match if the user may not know about its first table.
        """
        if match.origin is Origin.IMPORT:
            return ""
        table = await self.tables.get(match.number)
        if table.row.first_table_id is not None:
            try:
                table = await table_of(self.tables, interaction, table.row.first_table_id)
            except NoSuchTable:
                return ""
        return f"https://discord.com/channels/{table.row.guild_id}/{table.row.channel_id}"
