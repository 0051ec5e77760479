"""Leaderboards. The state is stored in custom ids."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from bot.analysis.leaderboard import MIN_HANDS, LeaderboardQuery, Order, Period, RankedMember, Standing
from bot.analysis.rating import LEAD, START, Rating
from bot.engine.options import EDITIONS
from bot.presentation.table.opening import play_ai_button
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words, translatable
from bot.presentation.text.option_texts import short_text, short_texts
from bot.presentation.ui.components import Button, Layout, Row, button, menu, options_of, page_buttons, rows
from bot.presentation.ui.custom_ids import MAX_PAGES, InvalidCustomId, Part, Press, Verb, whole_number
from bot.table.model import MIN_RATED_TARGET

PAGE_SIZE: Final = 10
"""Players on a page."""
ORDER_NAMES: Final[Mapping[str, str]] = {
    Order.WINS: translatable("Most wins"),
    Order.AVERAGE: translatable("Fewest penalty points per hand"),
    Order.RATE: translatable("Best win rate"),
    Order.POINTS: translatable("Fewest penalty points in total"),
    Order.RATING: translatable("Highest rating"),
    Order.SKILL: translatable("Most skill"),
}
PERIOD_NAMES: Final[Mapping[str, str]] = {
    Period.ALL: translatable("All time"),
    Period.SEASON: translatable("This season"),
    Period.MONTH: translatable("This month"),
    Period.WEEK: translatable("This week"),
}
COMPANY: Final = {"people": True, "ai": False, "all": None}
COMPANY_NAMES: Final = {
    "people": translatable("Between people"),
    "ai": translatable("Against AI players"),
    "all": translatable("All matches"),
}
RATING_RULE: Final = translatable(
    "Rated: matches between people to at least {target} points. If you leave, you share last place; letting others "
    "play for you never pays."
)
SCALE_RULE: Final = translatable(
    "Everyone starts at {start}; {lead} points more mean finishing ahead about three times in four."
)
SKILL_RULE: Final = translatable(
    "Skill is how much better the points of a hand were than those that the strongest AI players make with the same "
    "cards, both compared with the average of the table. So luck with the cards doesn't count. A match is added some "
    "minutes after its end."
)
LIKELY_RULE: Final = translatable(
    "Ranked by the worse end of the likely range that profiles show, so a few lucky results aren't enough."
)
FEW_HANDS_RULE: Final = translatable("Players with fewer than {number} hands come last.")
_RULES: Final[Mapping[Order, Sequence[str]]] = {
    Order.WINS: (),
    Order.RATING: (SCALE_RULE, RATING_RULE),
    Order.SKILL: (SKILL_RULE, LIKELY_RULE, FEW_HANDS_RULE),
    Order.AVERAGE: (LIKELY_RULE, FEW_HANDS_RULE),
    Order.RATE: (LIKELY_RULE,),
    Order.POINTS: (FEW_HANDS_RULE,),
}
"""The rules of each ranking; none if they are plain."""
MENU_NAMES: Final = {
    Part.ORDER: translatable("Ranked by"),
    Part.PERIOD: translatable("Period"),
    Part.COMPANY: translatable("Opponents"),
    Part.EDITION: translatable("Rules"),
}
_ANY: Final = "any"


@dataclass(frozen=True, slots=True)
class LeaderboardState:
    """The state of a leaderboard message."""

    order: Order = Order.WINS
    period: Period = Period.ALL
    company: str = "people"
    edition: str = _ANY
    is_here: bool = False
    """True to count only matches of the message's channel."""
    page: int = 0

    @classmethod
    def parse(cls, press: Press) -> Self:
        """Read the state from the ids of a press. Raises `InvalidCustomId`."""
        match press.arguments:
            case (order, period, company, edition, "0" | "1" as here, page, *_) if company in COMPANY:
                if order in list(Order) and period in list(Period) and edition in (_ANY, *EDITIONS):
                    number = whole_number(page, MAX_PAGES)
                    return cls(Order(order), Period(period), company, edition, here == "1", number)
        raise InvalidCustomId(str(press))

    def press(self, what: Part) -> Press:
        """The press of a part of the message."""
        here = "1" if self.is_here else "0"
        arguments = (self.order, self.period, self.company, self.edition, here, str(self.page), what)
        return Press(Verb.LEADERBOARD, arguments=arguments)

    def chosen(self, field: Part, value: str) -> "LeaderboardState":
        """The first page after another choice in a menu. Raises `InvalidCustomId`."""
        return LeaderboardState.parse(replace(self, page=0, **{field: value}).press(field))  # type: ignore[arg-type]

    def query(self, channel_id: int | None) -> LeaderboardQuery:
        """The query of this state, asked in a channel."""
        return LeaderboardQuery(
            self.order,
            self.period,
            channel_id if self.is_here else None,
            None if self.edition == _ANY else self.edition,
            COMPANY[self.company],
        )


def leaderboard_message(
    state: LeaderboardState, places: Sequence[RankedMember], reader: int, words: Words, *, has_skill: bool = True
) -> Layout:
    """A page of a leaderboard, which always includes the reader's own place. Without `has_skill`, skill isn't known."""
    pages = max(1, -(-len(places) // PAGE_SIZE))
    page = min(state.page, pages - 1)
    state = replace(state, page=page)
    lines = leaderboard_lines(places, state.order, reader, words, page)
    turn = page_buttons(
        lambda what, number: replace(state, page=number).press(what), page, words, is_last=page + 1 == pages
    )
    scope = replace(state, is_here=not state.is_here, page=0)
    here = words.say("The whole server") if state.is_here else words.say("This channel only")
    return Layout(
        "\n".join([_title(state, words), *lines, *_rules(state, words)]),
        _menu(state, Part.ORDER, _orders(has_skill), words),
        _menu(state, Part.PERIOD, PERIOD_NAMES, words),
        _menu(state, Part.COMPANY, COMPANY_NAMES, words),
        _menu(state, Part.EDITION, {_ANY: translatable("All editions"), **short_texts("edition")}, words),
        *rows([*turn, button(scope.press(Part.HERE), here), *_more_buttons(state, words, is_empty=not places)]),
    )


def _more_buttons(state: LeaderboardState, words: Words, *, is_empty: bool) -> list[Button]:
    """The rules of ratings. On an empty leaderboard a match, and one that also counts matches against AI players."""
    buttons = []
    if state.order is Order.RATING:
        buttons.append(button(Press(Verb.RULES, arguments=("ratings",)), words.say("Rules")))
    if is_empty:
        buttons.append(play_ai_button(words))
    if is_empty and state.company != "all":
        every = replace(state, company="all", page=0)
        buttons.append(button(every.press(Part.ALL), words.say(COMPANY_NAMES[every.company])))
    return buttons


def _orders(has_skill: bool) -> dict[str, str]:
    return {order: name for order, name in ORDER_NAMES.items() if has_skill or order != Order.SKILL}


def _rules(state: LeaderboardState, words: Words) -> list[str]:
    facts = {"start": START, "lead": LEAD, "target": words.number(MIN_RATED_TARGET), "number": MIN_HANDS}
    return [labels.small(words.say(rule, **facts)) for rule in _RULES[state.order]]


def leaderboard_lines(
    places: Sequence[RankedMember], order: Order, reader: int, words: Words, page: int = 0
) -> list[str]:
    """A page of a leaderboard, and the reader's own line if it's on another page."""
    if not places and order is Order.SKILL:
        return [words.say("No match has been compared with the strongest AI players yet.")]
    if not places:
        return [words.say("No match of this kind has been finished yet. `/gang new` opens a table.")]
    on_page = places[page * PAGE_SIZE : (page + 1) * PAGE_SIZE]
    own = [place for place in places if place.standing.user_id == reader and place not in on_page]
    lines = [_line(place, order, reader, words) for place in on_page]
    return [*lines, *(["…"] if own else []), *(_line(place, order, reader, words) for place in own)]


def _title(state: LeaderboardState, words: Words) -> str:
    where = words.say("in this channel") if state.is_here else words.say("in this server")
    edition = [] if state.edition == _ANY else [words.say(short_text("edition", state.edition))]
    names = ORDER_NAMES[state.order], COMPANY_NAMES[state.company], PERIOD_NAMES[state.period]
    parts = [*map(words.say, names), where, *edition]
    return "### " + words.say("Leaderboard") + "\n" + labels.small(" · ".join(parts))


def _line(place: RankedMember, order: Order, reader: int, words: Words) -> str:
    name = labels.safe(place.standing.name)
    name = labels.bold(words.say("{name} (you)", name=name) if place.standing.user_id == reader else name)
    what = rating_text(place.rating, words) if order is Order.RATING else _standing_text(place.standing, order, words)
    return words.say("{place}. {name}: {what}", place=labels.place_number(place.number), name=name, what=what)


def _standing_text(line: Standing, order: Order, words: Words) -> str:
    matches = matches_text(line.matches, line.absent, words)
    hands = labels.hands(line.hands, words)
    wins = words.count("{number} win", "{number} wins", line.wins)
    average = words.number(line.average, 1)
    match order:
        case Order.SKILL:
            skill = labels.bold(labels.signed(line.skill_per_hand, words, 1))
            hands = labels.hands(line.par_hands, words)
            return words.say("{skill} points of skill per hand, in {hands}", skill=skill, hands=hands)
        case Order.AVERAGE:
            return words.say("{average} penalty points per hand, in {hands}", average=labels.bold(average), hands=hands)
        case Order.RATE:
            rate = labels.bold(words.percent(line.win_rate))
            return words.say("{rate} won: {wins} in {matches}", rate=rate, wins=wins, matches=matches)
        case Order.POINTS:
            points = labels.points(line.points, words)
            return words.say("{points} in {hands}", points=labels.bold(points), hands=hands)
    return words.say(
        "{wins} in {matches}, {average} penalty points per hand",
        wins=labels.bold(wins),
        matches=matches,
        average=average,
    )


def matches_text(number: int, absent: int, words: Words) -> str:
    """The number of matches, and how many of them the player left early."""
    matches = labels.matches(number, words)
    if not absent:
        return matches
    return words.count(
        "{matches} ({number} left early)",
        "{matches} ({number} left early)",
        absent,
        matches=matches,
    )


def rating_text(rating: Rating, words: Words) -> str:
    """A rating, and the number of matches behind it."""
    if not rating.matches:
        return words.say("not rated yet")
    value = labels.bold(str(rating.points))
    matches = words.count("{number} rated match", "{number} rated matches", rating.matches)
    if rating.is_provisional:
        return words.say("{rating}, provisional after {matches}", rating=value, matches=matches)
    return words.say("{rating}, after {matches}", rating=value, matches=matches)


def _menu(state: LeaderboardState, field: Part, names: Mapping[str, str], words: Words) -> Row:
    options = options_of({value: words.say(name) for value, name in names.items()}, getattr(state, field))
    return menu(state.press(field), words.say(MENU_NAMES[field]), options)
