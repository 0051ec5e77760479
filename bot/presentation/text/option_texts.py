"""The options of a table in words: in a line, in a menu, and explained."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from bot.engine import Options
from bot.engine.options import CHOICES
from bot.players.levels import Level
from bot.presentation.text.i18n import Words, translatable
from bot.table.match_length import MOVES_A_DAY, length_over_days, live_length
from bot.table.model import (
    MIN_RATED_TARGET,
    CasualReason,
    Pace,
    Status,
    TableRow,
    TableSettings,
    TakingBack,
    TimeoutPolicy,
)
from bot.table.snapshot import Table

SMALL_TEXT_WIDTH: Final = 44
"""Letters of small text that fit on a line of a phone, 390 pixels wide."""


@dataclass(frozen=True, slots=True)
class ValueText:
    """A value of an option in words."""

    short: str
    """Among other options, in a line."""
    long: str = ""
    """In the menu of the option; empty if it's the short text."""
    detail: str = ""
    """A sentence that explains it in the open menu; empty without any."""


@dataclass(frozen=True, slots=True)
class OptionText:
    """An option in words. Numbers have no texts for their values."""

    name: str
    values: Mapping[str, ValueText] = field(default_factory=dict)


_ASKED_FIRST: Final = "The table is asked first."
_ONLY_CHINESE: Final = "This matters only with the Chinese deal."
OPTIONS: Final[Mapping[str, OptionText]] = {
    "size": OptionText("Seats"),
    "edition": OptionText(
        "Rules",
        {
            "days-of-wonder": ValueText(
                "Days of Wonder",
                "Rules: Days of Wonder (2002/2010)",
                "The usual rules: a good choice if you don't know the others.",
            ),
            "dargaud-1996": ValueText(
                "Dargaud 1996",
                "Rules: Dargaud (1996)",
                "A forgotten last card is taken back; a tie is decided by one more hand.",
            ),
            "summary-sheet": ValueText(
                "Summary sheet",
                "Rules: summary sheet",
                "Flushes by their sum; the block only when leading; the target must be exceeded.",
            ),
        },
    ),
    "target": OptionText("Target"),
    "last_card": OptionText(
        'Who says "Last card!"',
        {
            "declared": ValueText(
                'players say "Last card!" themselves',
                "Last card: players say it themselves",
                "A player with one card left must press a button, and can forget to.",
            ),
            "automatic": ValueText(
                '"Last card!" is said automatically', "Last card: said automatically", "Nobody can forget it."
            ),
        },
    ),
    "pace": OptionText(
        "Time per turn",
        {
            Pace.LIVE: ValueText("live: 2 minutes a turn", "Time per turn: 2 minutes (live)"),
            Pace.QUICK: ValueText("quick: 1 hour a turn", "Time per turn: 1 hour"),
            Pace.DAY: ValueText("day: 24 hours a turn", "Time per turn: 1 day"),
            Pace.SLOW: ValueText("slow: 3 days a turn", "Time per turn: 3 days"),
            Pace.NONE: ValueText("no time limit", "Time per turn: no limit"),
        },
    ),
    "ai_level": OptionText(
        "Level of AI players",
        {
            Level.BEGINNER: ValueText("very easy", "AI players: very easy, for children"),
            Level.SIMPLE: ValueText("easy", "AI players: easy, for learners"),
            Level.CLUB: ValueText("medium", "AI players: medium"),
            Level.EXPERT: ValueText("hard", "AI players: hard"),
            Level.MASTER: ValueText("very hard", "AI players: very hard"),
        },
    ),
    "late": OptionText(
        "When time runs out",
        {
            TimeoutPolicy.ASK_WAIT: ValueText(
                "time runs out: ask the table; if nobody answers, keep waiting", "No answer: keep waiting", _ASKED_FIRST
            ),
            TimeoutPolicy.ASK_MOVE: ValueText(
                "time runs out: ask the table; if nobody answers, play the safest move",
                "No answer: the safest move",
                "The table is asked first. The safest move: a pass, or else the lowest card.",
            ),
            TimeoutPolicy.ASK_AI: ValueText(
                "time runs out: ask the table; if nobody answers, an AI sits in",
                "No answer: an AI sits in",
                _ASKED_FIRST,
            ),
            TimeoutPolicy.MOVE: ValueText(
                "time runs out: play the safest move at once",
                "At once: the safest move",
                "The safest move: a pass, or else the lowest card.",
            ),
            TimeoutPolicy.AI: ValueText("time runs out: an AI sits in at once", "At once: an AI sits in"),
        },
    ),
    "undo": OptionText(
        "Taking moves back",
        {
            TakingBack.CASUAL: ValueText("moves can be taken back in casual matches", "Taking back: in casual matches"),
            TakingBack.ON: ValueText(
                "the last move can be taken back", "Taking back: the last move, until the next player acts"
            ),
            TakingBack.OFF: ValueText("moves can't be taken back", "Taking back: not allowed"),
        },
    ),
    "private": OptionText(
        "Who may join",
        {
            "off": ValueText("anyone may join", "Who may join: anyone"),
            "on": ValueText("only invited people may join", "Who may join: only invited people"),
        },
    ),
    "thread": OptionText(
        "Where the match is played",
        {
            "off": ValueText("in this channel", "Place: this channel"),
            "on": ValueText("in a thread of its own", "Place: a thread of its own, opened at the start"),
        },
    ),
    "rated": OptionText(
        "Ratings",
        {
            "off": ValueText("casual", "Ratings: casual, nobody's rating changes"),
            "on": ValueText("rated match", "Ratings: rated, if only people play"),
        },
    ),
    "hints": OptionText(
        "Hints",
        {
            "off": ValueText("no hints", "Hints: none"),
            "on": ValueText("hints in casual matches", "Hints: on request, in casual matches"),
        },
    ),
    "flush_order": OptionText(
        "Comparing flushes",
        {
            "highest": ValueText(
                "flushes by their highest number",
                "Flushes: by their highest number",
                "1 3 4 6 10 beats 4 6 7 8 9, because 10 is more than 9.",
            ),
            "sum": ValueText(
                "flushes by the sum of their numbers",
                "Flushes: by the sum of their numbers",
                "4 6 7 8 9 beats 1 3 4 6 10, because 34 is more than 24.",
            ),
        },
    ),
    "forgotten": OptionText(
        'A forgotten "Last card!"',
        {
            "out": ValueText(
                'forgotten "Last card!": out of the hand', detail="The player gets 1 point; the others play on."
            ),
            "takes_back": ValueText(
                'forgotten "Last card!": the card goes back', detail="The player keeps the card and plays on."
            ),
        },
    ),
    "block": OptionText(
        "The block",
        {
            "lead_and_follow": ValueText(
                "the block applies when leading and following",
                "Block: when leading and following",
                'If the next player has said "Last card!": lead several cards; on a single card, play your highest.',
            ),
            "lead_only": ValueText(
                "the block applies when leading only",
                "Block: when leading only",
                'If the next player has said "Last card!": lead several cards; follow as you like.',
            ),
        },
    ),
    "end": OptionText(
        "The end of the match",
        {
            "reach": ValueText(
                "over when the target is reached",
                "Match end: target reached",
                "The match ends after the hand in which a player reaches the target.",
            ),
            "exceed": ValueText(
                "over when the target is exceeded",
                "Match end: target exceeded",
                "The match ends after the hand in which a player goes over the target.",
            ),
        },
    ),
    "tie": OptionText(
        "A tie at the end",
        {
            "shared": ValueText("a tie is shared", "Tie: shared", "All players with the lowest total win."),
            "deciding_hand": ValueText(
                "a tie is decided by one more hand",
                "Tie: decided by one more hand",
                "If it leaves them equal, they share the win.",
            ),
        },
    ),
    "deal": OptionText(
        "The deal",
        {
            "plain": ValueText("plain deal", "Deal: plain", "The player in the first seat gets the first card."),
            "chinese": ValueText("Chinese deal", "Deal: Chinese", "A cut decides who is dealt to first."),
        },
    ),
    "cut": OptionText(
        "The cut of the Chinese deal",
        {
            "again": ValueText("Phoenix or Dragon at the cut: cut again", detail=_ONLY_CHINESE),
            "counts": ValueText("Phoenix or Dragon at the cut counts 3 or 4", detail=_ONLY_CHINESE),
        },
    ),
}
"""The options of a table's rules, and its settings. All their texts are in the catalogs."""
SWITCHES: Final = ("private", "thread", "rated", "hints")
"""The settings of a table that are on or off."""
ONE_HAND: Final = 1
"""The target of a match of one hand."""
TARGETS: Final = (ONE_HAND, 25, 50, 75, 100, 150, 200, 300)
BASICS: Final = ("pace", "target", "size", "ai_level", "last_card", "edition")
TABLE_SETTINGS: Final = ("late", "undo", *SWITCHES)
HOUSE_RULES: Final = ("flush_order", "forgotten", "block", "end", "tie", "deal", "cut")
CASUAL_NAMES: Final = {
    CasualReason.AI: translatable("casual: AI players take part"),
    CasualReason.TARGET: translatable("casual: fewer than {target} points"),
    CasualReason.CHOSEN: translatable("casual"),
}
_RATED_IF_PEOPLE: Final = translatable("rated unless AI players join")


def short_text(option: str, value: str) -> str:
    """A value of an option, untranslated."""
    return OPTIONS[option].values[value].short


def short_texts(option: str) -> dict[str, str]:
    """All values of an option, untranslated."""
    return {value: text.short for value, text in OPTIONS[option].values.items()}


def choices(name: str, target: int, words: Words) -> dict[str, str]:
    """The values of an option with the labels of its menu. The `target` is offered besides the usual ones."""
    if name == "size":
        return {size: words.say("Seats: {number}", number=size) for size in ("3", "4")}
    if name == "target":
        return {str(each): _target_choice(each, words) for each in sorted({*TARGETS, target})}
    texts = OPTIONS[name].values.items()
    labels = ((value, words.say(text.long or text.short)) for value, text in texts)
    return {value: label[:1].upper() + label[1:] for value, label in labels}


def _target_choice(target: int, words: Words) -> str:
    """A target in its menu. Someone gets a point in every hand, so one point means one hand."""
    if target == ONE_HAND:
        return words.say("Target: one hand")
    return words.count("Target: {number} point", "Target: {number} points", target)


def goal(target: int, words: Words) -> str:
    """The number of points that ends a match."""
    if target == ONE_HAND:
        return words.say("one hand")
    return words.count("to {number} point", "to {number} points", target)


def length_texts(row: TableRow, words: Words) -> list[str]:
    """About how long the match takes, before its start: live, over days, or both without a time limit."""
    if row.status is not Status.LOBBY:
        return []
    target, pace, texts = row.options.target, row.pace, []
    if pace in (Pace.LIVE, Pace.NONE):
        texts.append(words.say("about {time} live", time=words.duration(live_length(target))))
    if pace is not Pace.LIVE:
        time = words.duration(length_over_days(target, pace))
        texts.append(words.say("about {time} at {moves} moves a day", time=time, moves=MOVES_A_DAY[pace]))
    return texts


def rules_line(row: TableRow, words: Words) -> str:
    """The rules in one line: edition, target, last card, and the options that differ from the edition."""
    return " · ".join([*_edition_and_goal(row, words), *map(words.say, _rule_names(row.edition, row.options))])


def _rated_text(row: TableRow, words: Words) -> str:
    """A note that the match is rated, or the reason why it isn't."""
    why = row.casual_reason
    text = _rated(row) if why is None else CASUAL_NAMES[why]
    return words.say(text, target=words.number(MIN_RATED_TARGET))


def _rated(row: TableRow) -> str:
    """The name of a rated match. AI players on the free seats would make it casual."""
    return short_text("rated", "on") if len(row.seats) == row.size else _RATED_IF_PEOPLE


def options_lines(table: Table, words: Words) -> list[str]:
    """Edition, target, "rated" or "casual", and the options that differ from the usual ones, in lines for a phone."""
    row = table.row
    rated = short_text("rated", "off") if row.casual_reason else _rated(row)
    usual = (short_text("last_card", "declared"), short_text("pace", Pace.NONE))
    others = [text for text in (*_rule_names(row.edition, row.options), *_setting_names(row)) if text not in usual]
    first, *rest = _edition_and_goal(row, words)
    lines = [first]
    for text in (*rest, *map(words.say, (rated, *others)), *length_texts(row, words)):
        longer = f"{lines[-1]} · {text}"
        lines[-1:] = [longer] if len(longer) <= SMALL_TEXT_WIDTH else [lines[-1], text]
    return lines


def consequences_line(row: TableRow, words: Words) -> str:
    """The rating with the reason if there is none, and the length: what follows from the options and players."""
    return " · ".join([_rated_text(row, words), *length_texts(row, words)])


def _edition_and_goal(row: TableRow, words: Words) -> list[str]:
    return [words.say(short_text("edition", row.edition)), goal(row.options.target, words)]


@lru_cache
def _rule_names(edition: str, options: Options) -> tuple[str, ...]:
    """The option `last_card`, and the options that differ from the edition; untranslated."""
    values, preset = options.as_dict(), Options.of(edition).as_dict()
    otherwise = [name for name in CHOICES if name != "last_card" and values[name] != preset[name]]
    return tuple(short_text(name, str(values[name])) for name in ("last_card", *otherwise))


def _setting_names(row: TableRow) -> list[str]:
    """The pace, and the other settings that differ from the usual ones; untranslated."""
    settings, late = row.settings, row.settings.on_timeout
    return [
        short_text("pace", row.pace),
        *([] if late is TableSettings().on_timeout else [short_text("late", late)]),
        *([] if settings.undo is TableSettings().undo else [short_text("undo", settings.undo)]),
        *(short_text(name, "on") for name in ("private", "thread") if getattr(settings, name)),
    ]
