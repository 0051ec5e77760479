"""The text for each refusal, in the reader's language."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from bot.engine import errors as rules
from bot.engine.combinations import Criterion, Kind
from bot.engine.record import BadRecord, UnfinishedRecord, UnreadableLine, WrongLine, WrongSeed
from bot.presentation.text import labels
from bot.presentation.text.cards import describe, face, faces
from bot.presentation.text.i18n import Words, translatable, translatable_plural
from bot.services.history import NameTooLong
from bot.table import refusals
from bot.table.errors import StorageError
from bot.table.snapshot import Table


def error_text(refusal: Exception, words: Words, table: Table | None = None) -> str:
    """The text that explains a refusal, with the number of the rule that forbids a move."""
    text = reason_text(refusal, words, table)
    if isinstance(refusal, rules.IllegalMove):
        return f"{text} " + words.say("(rule {number})", number=refusal.rule)
    return text


def is_refusal(error: BaseException) -> bool:
    """True if `error_text` can explain the error. Any other error is a bug."""
    return any(kind in _TEXTS or kind in _TEXT_FUNCTIONS for kind in type(error).__mro__)


def reason_text(refusal: Exception, words: Words, table: Table | None = None) -> str:
    """The text that explains a refusal, beside a button that opens the rule."""
    for kind in type(refusal).__mro__:
        if kind in _TEXTS:
            return words.say(_TEXTS[kind], **_facts(refusal, words, table))
        if kind in _TEXT_FUNCTIONS:
            return _TEXT_FUNCTIONS[kind](refusal, words, table)
    return words.say("Something broke on our side. Please try again.")


def _name(table: Table | None, seat: int, words: Words) -> str:
    return labels.bold(labels.names(table, words)[seat]) if table else words.say("Another player")


_TEXTS: Final[dict[type[Exception], str]] = {
    rules.MatchIsOver: translatable("This match is over."),
    rules.NotNow: translatable("You can't do that right now."),
    rules.OutOfThisHand: translatable('You forgot "Last card!", so you are out until the next hand.'),
    rules.ExchangeFirst: translatable("First the winner of the last hand gives a card back."),
    rules.NothingToGiveBack: translatable("You have no card to give back."),
    rules.NothingToDeclare: translatable('You can say "Last card!" only while you have exactly one card.'),
    rules.AlreadyDeclared: translatable('You have already said "Last card!".'),
    rules.NoCardLeftToDeclare: translatable('Say "Last card!" before you play your last card.'),
    rules.NothingToTakeBack: translatable("There is nothing to take back."),
    rules.NoSuchSeat: translatable("There is no such seat at this table."),
    rules.WrongSeed: translatable("The seed does not match the fingerprint that was shown."),
    rules.OpeningNeedsMultiOne: translatable("The first lead of a match must include the multicolored 1."),
    rules.LeaderMustPlay: translatable("You lead, so you can't pass."),
    rules.NotYourTurn: translatable("It is {name}'s turn, not yours."),
    rules.NotInHand: translatable("You don't have {cards}."),
    rules.MustLeadSeveral: translatable(
        '{name} is next and has said "Last card!": lead a combination of several cards.'
    ),
    rules.MustPlayHighest: translatable(
        '{name} is next and has said "Last card!": a single card must be your highest, {card}.'
    ),
    rules.MustNotPass: translatable(
        '{name} is next and has said "Last card!": play your highest card, {card}, or a gang.'
    ),
    refusals.DeletionRunning: translatable("Your data is being deleted."),
    refusals.NoSuchTable: translatable("There is no such table in this server."),
    refusals.TableIsClosed: translatable("This table is closed. `/gang new` opens another."),
    refusals.HasStarted: translatable("The match has already started. `/gang new` opens another table."),
    refusals.HasNotStarted: translatable("The match has not started yet."),
    refusals.ManagersOnly: translatable("Only people who manage this server can do this."),
    refusals.NotCurrentSeason: translatable("The season has changed in the meantime; nothing was done."),
    refusals.NoOpenTable: translatable("You have no open table in this server. `/gang new` opens one."),
    refusals.UnknownButton: translatable("This button doesn't work any more. `/gang list` leads to the open tables."),
    refusals.MessageGone: translatable("The message with this button was deleted or replaced. Use the newest one."),
    refusals.UnknownCommand: translatable(
        "I don't know this form of the command. Discord may show an old version of it: reload Discord and try again."
    ),
    refusals.HandTooLong: translatable("This hand has too many moves for a picture. Step through it move by move."),
    refusals.Restarting: translatable("I'm restarting and back in a moment. Nothing was done; please try again then."),
    refusals.TooManyPictures: translatable("Your pictures are still being drawn. Try again in a few seconds."),
    refusals.MatchNotOver: translatable("This match is still running; its record is available when it is over."),
    refusals.AlreadySeated: translatable("You're already at this table."),
    refusals.NotSeated: translatable("You're not at this table. `/gang new` opens one of your own."),
    refusals.HasConceded: translatable("You have conceded; an AI plays your seat until the match ends."),
    refusals.HasSubstitute: translatable("A substitute plays for you. **I'm back** gives you your seat again."),
    refusals.PlaysOwnSeat: translatable("You already play this seat yourself."),
    refusals.NoLatePlayer: translatable("Nobody is overdue here any more."),
    refusals.IsPaused: translatable("The match is paused. Any player may press **Resume**."),
    refusals.NotPaused: translatable("The match is not paused."),
    refusals.NobodyToNudge: translatable("There is nobody to nudge right now."),
    refusals.NotLastPlace: translatable(
        "The player who came last may change the options first; everyone may ask for a rematch."
    ),
    refusals.UndoNotAllowed: translatable("At this table, moves can't be taken back."),
    refusals.CoachAway: translatable("The coach isn't available right now. Try again in a minute."),
    refusals.CoachBusy: translatable("The coach is still looking at something for you. Ask again when that is done."),
    refusals.NoHints: translatable("There are no hints in this match."),
    refusals.NoAiToRemove: translatable("No AI sits at this table."),
    refusals.OutdatedAction: translatable("The table has moved on, so nothing was done."),
    refusals.PracticeGone: translatable("That practice hand is gone. `/gang practice` begins another one."),
    refusals.StatisticsHidden: translatable("This player hides their stats."),
    refusals.BadCut: translatable(
        "The deck is cut at a number from 1 to 63. Your cut was not changed; please try again."
    ),
    refusals.NotPostedYet: translatable("The table is not shown yet. Try again in a moment."),
    refusals.DailyAlreadyDealt: translatable("You have already been dealt today's hand. The next one comes tomorrow."),
    refusals.MayNotPost: translatable("You can't write in this channel, so I can't post this here for you."),
    refusals.DailyNotOver: translatable("Others are still playing this hand. You can replay it when the day is over."),
    refusals.FileNotFetched: translatable("The file could not be fetched from Discord. Please attach it again."),
    refusals.ImportExpired: translatable("This record has expired. `/gang history` reads it again."),
    refusals.DuplicateNotOver: translatable(
        "Table {number} is still playing these deals: they are shown when both matches are over."
    ),
    refusals.PlaysAtDuplicate: translatable(
        "Table {number} plays the same deals: nobody may play at both, or sit in at the other."
    ),
    refusals.HasDuplicate: translatable("This table already has a duplicate: table {number}."),
    refusals.DuplicateBeginsFirst: translatable("Table {number} starts first; then this one can start."),
    refusals.NoCutAtDuplicate: translatable("Table {number} plays the same deals: the deck is cut there."),
    refusals.GameFixedByDuplicate: translatable(
        "Table {number} plays the same deals: seats and rules stay the same at both, and both matches are casual."
    ),
    refusals.HostOnly: translatable("Only the host, {host}, can do this."),
    refusals.NotInvited: translatable("This table is private. Its host, {host}, can invite you."),
    refusals.RemovedByHost: translatable(
        "You were removed from this table. You can come back when the host, {host}, invites you."
    ),
    refusals.NudgedRecently: translatable("They were just reminded; you can nudge again {when}."),
    refusals.WrongChannel: translatable("In this server, tables can be opened only in these channels: {channels}."),
    refusals.MayNotOpen: translatable("You can't write in {channel}, so you can't open a table there."),
    refusals.AppMayNotWrite: translatable("I can't write in {channel}, so you can't open a table there."),
    refusals.MissingRole: translatable(
        "In this server, only members with one of these roles can open tables: {roles}."
    ),
    refusals.RecordTooLong: translatable("This file is too long for a record: at most {most} KB."),
    refusals.ExportTooLarge: translatable(
        "The export is larger than a file may be here ({most} MB). Boosted servers accept larger files: try it in one."
    ),
    refusals.BadTime: translatable('"{typed}" is not a time. Write it like 22:30.'),
    refusals.BadDate: translatable('"{typed}" is not a date. Write it like 2026-12-24.'),
    StorageError: translatable("I can't reach the saved tables right now. Please try again in a moment."),
}
_LIMIT_TEXTS: Final[dict[type[Exception], tuple[str, str]]] = {
    refusals.TableIsFull: translatable_plural("All {number} seats are taken.", "All {number} seats are taken."),
    refusals.BadQuietHours: translatable_plural(
        "Quiet hours need an end, and last at most {number} hour.",
        "Quiet hours need an end, and last at most {number} hours.",
    ),
    refusals.BadHolidays: translatable_plural(
        "Holidays must end after they begin, last at most {number} day, and be over within a year.",
        "Holidays must end after they begin, last at most {number} days, and be over within a year.",
    ),
    refusals.TooManyTables: translatable_plural(
        "You have {number} open table. Close it first.", "You have {number} open tables. Close one first."
    ),
    refusals.TooManyUndos: translatable_plural(
        "You have taken back {number} move in this hand. That is the limit.",
        "You have taken back {number} moves in this hand. That is the limit.",
    ),
    refusals.GuildIsFull: translatable_plural(
        "This server has {number} open table, and allows no more. Try again when it is over.",
        "This server has {number} open tables, and allows no more. Try again when one of them is over.",
    ),
    refusals.TooManyAtOnce: translatable_plural(
        "You can invite at most {number} person at once.", "You can invite at most {number} people at once."
    ),
    refusals.TooManyInvited: translatable_plural(
        "You can invite only {number} person to a table.", "You can invite only {number} people to a table."
    ),
}
"""The texts of refusals with a `limit`, in singular and plural."""


def _facts(refusal: Exception, words: Words, table: Table | None) -> dict[str, object]:  # noqa: C901  # one case a kind
    """The facts of a text in `_TEXTS`."""
    match refusal:
        case refusals.HostOnly() | refusals.NotInvited() | refusals.RemovedByHost():
            return {"host": f"<@{refusal.host_id}>"}
        case refusals.DuplicateRefusal():
            return {"number": refusal.duplicate_of}
        case refusals.BadTime():
            return {"typed": labels.safe(refusal.typed)}
        case refusals.RecordTooLong():
            return {"most": refusal.limit // 1024}
        case refusals.ExportTooLarge():
            return {"most": refusal.limit // 2**20}
        case refusals.NudgedRecently():
            return {"when": labels.relative(refusal.at)}
        case refusals.WrongChannel():
            return {"channels": words.list([f"<#{channel}>" for channel in refusal.channels])}
        case refusals.MayNotOpen():
            return {"channel": f"<#{refusal.channel}>"}
        case refusals.MissingRole():
            return {"roles": words.list([f"<@&{role}>" for role in refusal.roles])}
        case rules.NotYourTurn():
            return {"name": _name(table, refusal.turn, words)}
        case rules.NotInHand():
            return {"cards": faces(refusal.cards, words)}
        case rules.MustLeadSeveral():
            return {"name": _name(table, refusal.blocked, words)}
        case rules.MustPlayHighest() | rules.MustNotPass():
            return {"name": _name(table, refusal.blocked, words), "card": face(refusal.card, words)}
    return {}


def _wrong_size(refusal: rules.WrongSize, words: Words, _table: Table | None) -> str:
    return words.count(
        "Play {number} card, or a gang.",
        "Play {number} cards, or a gang.",
        refusal.to_beat.size,
    )


def _not_higher(refusal: rules.NotHigher, words: Words, _table: Table | None) -> str:
    facts = {"tried": describe(refusal.tried, words), "played": describe(refusal.to_beat, words)}
    if refusal.to_beat.kind is Kind.GANG and refusal.tried.kind is not Kind.GANG:
        return words.say("On the table: {played}. Only a higher gang beats it.", **facts)
    return {
        None: words.say("It is equal to the play on the table; it must be higher.", **facts),
        Criterion.KIND: words.say("With five cards, {played} beats {tried}.", **facts),
        Criterion.SIZE: words.say("Your gang has fewer cards than {played}.", **facts),
        Criterion.NUMBER: words.say("Your number is lower: {tried} does not beat {played}.", **facts),
        Criterion.SUM: words.say("Your sum is lower: {tried} does not beat {played}.", **facts),
        Criterion.COLOR: words.say("Only the color decides here, and yours is lower (green, yellow, red).", **facts),
        Criterion.MULTI_ONE: words.say("It would be a tie, but the multicolored 1 on the table is higher.", **facts),
    }[refusal.decisive]


def _seats_are_empty(refusal: refusals.SeatsAreEmpty, words: Words, _table: Table | None) -> str:
    return words.count(
        "{number} seat is still free: wait for someone, add an AI, or choose fewer seats in the options.",
        "{number} seats are still free: wait for someone, add an AI, or choose fewer seats in the options.",
        refusal.empty,
    )


def _bad_time_zone(refusal: refusals.BadTimeZone, words: Words, _table: Table | None) -> str:
    facts = {"typed": labels.safe(refusal.typed), "suggestions": words.list(refusal.suggestions)}
    if not refusal.suggestions:
        return words.say('No time zone is called "{typed}". Try a large city nearby, or UTC+2.', **facts)
    return words.say('No time zone is called "{typed}". Similar names: {suggestions}.', **facts)


def _not_a_combination(refusal: rules.NotACombination, words: Words, _table: Table | None) -> str:
    return words.say("These cards don't make a combination.") if refusal.cards else words.say("Select cards to play.")


def _try_again_later(refusal: refusals.TryAgainLater, words: Words, _table: Table | None) -> str:
    if refusal.seconds > 90:
        return words.count(
            "Try again in {number} minute.", "Try again in {number} minutes.", math.ceil(refusal.seconds / 60)
        )
    return words.count("Try again in {number} second.", "Try again in {number} seconds.", refusal.seconds)


_FAULT_TEXTS: Final[dict[type[BadRecord], str]] = {
    UnreadableLine: translatable("Line {line} is not a line of a record."),
    UnfinishedRecord: translatable("Line {line}: the record ends here, but the match is not over."),
    WrongSeed: translatable("Line {line}: the seed at the end does not match the fingerprint in the first line."),
    NameTooLong: translatable("Line {line}: a name is too long."),
    WrongLine: translatable("Line {line} does not follow from the rules and the seed."),
}


def fault_text(fault: BadRecord, words: Words) -> str:
    """The number of a wrong line of a record, and its error; below, the engine's technical message."""
    return "\n".join([words.say(_FAULT_TEXTS[type(fault)], line=fault.line), labels.small(labels.quoted(fault.why))])


def _limit_text(texts: tuple[str, str], refusal: refusals.LimitRefusal, words: Words, _table: Table | None) -> str:
    return words.count(*texts, refusal.limit)


_TEXT_FUNCTIONS: Final[dict[type[Exception], Callable[[Any, Words, Table | None], str]]] = {
    rules.NotACombination: _not_a_combination,
    rules.WrongSize: _wrong_size,
    rules.NotHigher: _not_higher,
    refusals.SeatsAreEmpty: _seats_are_empty,
    refusals.BadTimeZone: _bad_time_zone,
    refusals.TryAgainLater: _try_again_later,
    **{kind: partial(_limit_text, texts) for kind, texts in _LIMIT_TEXTS.items()},
    BadRecord: lambda refusal, words, _: fault_text(refusal, words),
}
