"""The hand of the day: the lines above the player's cards, and the leaderboard of the day."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Final

import discord

from bot.analysis.daily import DailyResult
from bot.presentation.table.fair_deal import fingerprint_line, shortened
from bot.presentation.table.message import match_texts, ranking
from bot.presentation.table.replay_state import ReplayState
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words
from bot.presentation.ui.components import Button, Layout, button, post_button, rows
from bot.presentation.ui.custom_ids import InvalidCustomId, Part, Press, Verb
from bot.services.daily import DailyDeal, DailyLeaderboard, Offer
from bot.table.days import day_after, day_before, end_of_day
from bot.table.snapshot import Table

SIGNS: Final = 8
"""Signs in a line that shows the cards left, two cards each."""
MAX_RESULTS: Final = 20
"""Results shown besides the reader's own."""
FIRST_DAY: Final = date(2026, 1, 1)
"""The first day that can have a hand of the day."""


def day_name(day: str, words: Words) -> str:
    """The name of a day."""
    return words.day(date.fromisoformat(day))


def day_of_press(press: Press) -> str:
    """The day in a press. Raises `InvalidCustomId`."""
    try:
        day = date.fromisoformat(press.arguments[0])
    except (IndexError, ValueError):
        raise InvalidCustomId(str(press)) from None
    if day < FIRST_DAY:
        raise InvalidCustomId(str(press))
    return day.isoformat()


def daily_lines(table: Table, words: Words) -> list[str]:
    """The table of a hand of the day, for the private hand: no public message shows it. At the end, the result."""
    levels = labels.small(labels.ai_levels_text(table, words))
    if not table.row.status.is_open:
        return [levels, *ranking(table, words)]
    seats, cycle, _turn = match_texts(table, words)
    return [levels, *filter(None, [seats, cycle])]


def daily_offer_message(offer: Offer, words: Words) -> Layout:
    """Today's hand before it's dealt, with the beginning of its fingerprint."""
    lines = [
        _heading(offer.day, words),
        *daily_offer_lines(offer, words),
        words.say("The day ends {when}.", when=labels.relative(end_of_day(offer.day))),
        labels.small(fingerprint_line(shortened(offer.commitment), words)),
    ]
    deal = button(Press(Verb.DEAL, arguments=(offer.day,)), words.say("Deal"), discord.ButtonStyle.primary)
    return Layout("\n".join(lines), *rows([deal, _fair_deal_button(offer.day, words), puzzle_button(words)]))


def daily_offer_lines(offer: Offer, words: Words) -> list[str]:
    """The rule of the hand of the day, and how many have finished it."""
    return [words.say("Everyone here gets the same cards, once."), finished_note(offer.finished, words)]


def puzzle_button(words: Words) -> Button:
    """A button that opens the puzzle of the day."""
    return button(Press(Verb.PUZZLE, arguments=(Part.TODAY,)), words.say("Puzzle of the day"))


def _fair_deal_button(day: str, words: Words) -> Button:
    return button(Press(Verb.DAILY, arguments=(day, Part.FAIR_DEAL)), words.say("Fair deal"))


def daily_fair_deal_message(deal: DailyDeal, words: Words) -> Layout:
    """The whole fingerprints, and the seed once the day is over."""
    lines = [_heading(deal.day, words), *_fingerprint_lines(deal, words, str)]
    if deal.revealed_seed is not None:
        lines.append(words.say("Seed of the deals: {seed}", seed=f"`{deal.revealed_seed.hex()}`"))
    how = words.say(
        "Copy the fingerprint before you play. It's the SHA-256 of the seed, which **Fair deal** on the day's "
        "leaderboard shows when the day is over."
    )
    return Layout("\n".join([*lines, labels.small(how)]))


def _fingerprint_lines(deal: DailyDeal, words: Words, shown: Callable[[str], str]) -> list[str]:
    """The fingerprints of a day's hand and of the next day's, as far as they are known."""
    lines = [] if deal.commitment is None else [fingerprint_line(shown(deal.commitment), words)]
    if deal.next_commitment is not None:
        following = words.say(
            "Fingerprint of the hand of {day}: {commitment}",
            day=day_name(day_after(deal.day), words),
            commitment=f"`{shown(deal.next_commitment)}`",
        )
        lines.append(following)
    return lines


def finished_note(finished: int, words: Words) -> str:
    """The number of players who have finished today's hand."""
    return words.count("{number} player has finished it.", "{number} players have finished it.", finished)


def daily_leaderboard_button(day: str, words: Words) -> Button:
    """A button that opens the leaderboard of a day."""
    return button(Press(Verb.DAILY, arguments=(day,)), words.say("The day's leaderboard"), discord.ButtonStyle.primary)


def daily_leaderboard_message(
    leaderboard: DailyLeaderboard, reader: int, words: Words, *, may_post: bool = True
) -> Layout:
    """The results of a day, best first. The reader's own is always shown. They can post it if they `may_post`."""
    day, own = leaderboard.deal.day, result_lines(leaderboard, reader, words)
    lines = [_heading(day, words), *own]
    placed = enumerate(zip(_places(leaderboard.results), leaderboard.results, strict=True))
    shown = [line for number, line in placed if number < MAX_RESULTS or line[1].user_id == reader]
    lines += [_line(place, result, reader, words) for place, result in shown]
    if not leaderboard.results:
        lines.append(words.say("Nobody has finished it yet."))
    lines += map(labels.small, _fingerprint_lines(leaderboard.deal, words, shortened))
    previous = Press(Verb.DAILY, arguments=(day_before(day), Part.TURN))
    more = [button(previous, words.say("◀ The day before"), disabled=day == FIRST_DAY.isoformat())]
    if own and may_post:
        more.insert(0, post_button(Press(Verb.DAILY, arguments=(day,)), words))
    if leaderboard.is_over and leaderboard.own_table is not None:
        more.append(button(ReplayState(leaderboard.own_table).press(Part.OPEN), words.say("Replay my hand")))
    if (leaderboard.deal.commitment or leaderboard.deal.next_commitment) is not None:
        more.append(_fair_deal_button(day, words))
    more.append(puzzle_button(words))
    return Layout("\n".join(lines), *rows(more))


def _heading(day: str, words: Words) -> str:
    return "### " + words.say("Hand of the day, {day}", day=day_name(day, words))


def daily_result_message(leaderboard: DailyLeaderboard, user_id: int, words: Words) -> Layout:
    """A user's result for everyone, which reveals no cards. Raises `InvalidCustomId` without a result."""
    lines = result_lines(leaderboard, user_id, words)
    if not lines:
        raise InvalidCustomId(leaderboard.deal.day)
    return Layout("\n".join([_heading(leaderboard.deal.day, words), *lines]))


def end_lines(leaderboard: DailyLeaderboard, user_id: int, words: Words) -> list[str]:
    """The result of a hand for its player, who has just finished it, perhaps after its day.

    Players who are hidden from leaderboards have no result there, but a streak.
    """
    late = [] if leaderboard.streak else [words.say("The day was over, so this result doesn't count.")]
    return result_lines(leaderboard, user_id, words) or late


def result_lines(leaderboard: DailyLeaderboard, user_id: int, words: Words) -> list[str]:
    """A user's result and streak, and a line of signs for the cards played and left. Empty without a result."""
    for place, result in zip(_places(leaderboard.results), leaderboard.results, strict=True):
        if result.user_id == user_id and result.points is not None:
            finished = sum(each.points is not None for each in leaderboard.results)
            facts = [
                words.say("🏆 Won") if result.points == 0 else words.say("Not won"),
                labels.points(result.points, words),
                words.say("place {place} of {number} here", place=place, number=finished),
                words.count("{number} day in a row", "{number} days in a row", leaderboard.streak),
            ]
            number = result.cards_left or 0
            left = -(-number // 2)
            signs = "🟩" * (SIGNS - left) + "⬜" * left
            counted = [words.count("{number} card left", "{number} cards left", number)] if number else []
            return [labels.bold(" · ".join(facts)), " ".join([signs, *counted])]
    return []


def _places(results: Sequence[DailyResult]) -> list[int]:
    """The places of sorted results. Equal results share a place, and unfinished hands share the last one."""
    places: list[int] = []
    for number, result in enumerate(results):
        is_equal = number > 0 and _sort_key(result) == _sort_key(results[number - 1])
        places.append(places[-1] if is_equal else number + 1)
    return places


def _sort_key(result: DailyResult) -> tuple[int | None, int | None]:
    return (result.points, result.others)


def _line(place: int, result: DailyResult, reader: int, words: Words) -> str:
    name = labels.player_name(result.name, words)
    name = labels.bold(words.say("{name} (you)", name=name) if result.user_id == reader else name)
    what = words.say("not finished in time")
    if result.points is not None:
        points = labels.points(result.points, words)
        others = labels.points(result.others or 0, words)
        what = words.say("{points}, the AI players {others}", points=points, others=others)
    return words.say("{place}. {name}: {what}", place=labels.place_number(place), name=name, what=what)
