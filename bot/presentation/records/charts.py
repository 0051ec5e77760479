"""Charts as pictures, with lines of text that have the same numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.analysis.profile import Duel, Meetings
from bot.analysis.rating import Rating
from bot.engine.events import HandEnded
from bot.pictures.descriptions import Curve, Grid, Histogram, Plot, Totals
from bot.presentation.table.lists import fit_lines
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words
from bot.presentation.ui.components import Layout, Row
from bot.presentation.ui.files import Picture
from bot.table.snapshot import Table

MAX_RATINGS: Final = 25
"""Ratings in the text. The picture shows all of them."""


@dataclass(frozen=True, slots=True)
class Chart:
    """The data of a picture, and the lines below it."""

    title: str
    plot: Plot | None
    """None if there is nothing to draw yet."""
    lines: tuple[str, ...]
    alt: str = ""
    """The result in plain text, as the alternative text of the picture."""


def chart_message(chart: Chart, pictures: Sequence[Picture], more: Sequence[Row] = ()) -> Layout:
    """The lines, below the picture if there is one, and above rows of buttons."""
    text = "\n".join(fit_lines([f"### {chart.title}", *chart.lines]))
    return Layout(*pictures, text, *more)


def totals_chart(table: Table, hands: Sequence[HandEnded], words: Words) -> Chart:
    """The totals of a match, hand by hand."""
    what = totals_plot(words.say("Table {number}: the totals hand by hand", number=table.id), table, hands, words)
    names = labels.names(table, words)
    lines = [
        words.say(
            "{name}: {what}",
            name=words.say("Hand {hand}", hand=number),
            what=labels.totals_list(names, after, words),
        )
        for number, after in enumerate(what.totals, 1)
    ]
    lines.reverse()  # the latest first, since a long text is cut
    return Chart(what.title, what if what.totals else None, tuple(lines), totals_alt(what, words))


def totals_plot(title: str, table: Table, hands: Sequence[HandEnded], words: Words) -> Totals:
    """The picture of the totals, hand by hand."""
    players, totals = labels.plain_names(table, words), tuple(hand.totals for hand in hands)
    target = table.row.options.target
    return Totals(title, words.say("Hands"), words.say("Penalty points"), players, totals, target)


def totals_alt(plot: Totals, words: Words) -> str:
    """The last totals, as the alternative text of their picture."""
    last = labels.totals_text(plot.players, plot.totals[-1], words) if plot.totals else ""
    return f"{plot.title}. {last}"


def rating_chart(name: str, ratings: Sequence[Rating], words: Words) -> Chart:
    """A player's rating, match by match."""
    title = words.say("Rating over time")
    names = words.say("at least"), words.say("most likely"), words.say("at most")
    lows, highs = zip(*(rating.interval for rating in ratings), strict=True) if ratings else ((), ())
    middle = tuple(rating.points for rating in ratings)
    what = Curve(
        _with_name(title, labels.plain_name(name, words), words), words.say("Rated matches"), names, lows, middle, highs
    )
    each = [
        words.say("{points}, likely {low} to {high}", points=points, low=low, high=high)
        for low, points, high in zip(lows, middle, highs, strict=True)
    ] or [words.say("not rated yet")]
    lines = [f"{labels.place_number(number)}. {line}" for number, line in enumerate(each, 1)] if ratings else each
    return Chart(
        _with_name(title, labels.safe(name), words),
        what if ratings else None,
        tuple(lines[: -MAX_RATINGS - 1 : -1]),
        f"{what.title}. {labels.capitalized(each[-1])}.",
    )


def penalties_chart(name: str, hands: Mapping[int, int], words: Words) -> Chart:
    """The number of hands by penalty points."""
    title = words.say("Penalty points per hand")
    what = Histogram(
        _with_name(title, labels.plain_name(name, words), words),
        words.say("Penalty points"),
        words.say("Hands"),
        tuple(hands.items()),
    )
    lines = [
        words.say("{name}: {what}", name=labels.points(points, words), what=labels.hands(number, words))
        for points, number in hands.items()
    ]
    plot = what if hands else None
    alt = f"{what.title}. {words.list(lines)}."
    return Chart(_with_name(title, labels.safe(name), words), plot, tuple(lines), alt)


def meetings_chart(meetings: Meetings, words: Words) -> Chart:
    """The chart of the most active players that shows who finishes ahead of whom."""
    title = words.say("Who beats whom")
    users = [user_id for user_id, _ in meetings.people]
    cells = tuple(tuple(_share(meetings.duels.get((one, two)), words) for two in users) for one in users)
    subtitle = words.say("Out of 100 matches together: how often the player on the left finishes ahead")
    what = Grid(title, subtitle, tuple(name for _, name in meetings.people), cells)
    if not meetings.duels:
        return Chart(title, None, (words.say("No two people have finished a match together yet."),))
    plain = {user_id: labels.plain_name(name, words) for user_id, name in meetings.people}
    safe = {user_id: labels.safe(name) for user_id, name in meetings.people}
    alt = f"{title}. {words.list(_duel_lines(meetings, plain, words))}."
    return Chart(title, what, tuple(_duel_lines(meetings, safe, words)), alt)


def _duel_lines(meetings: Meetings, names: Mapping[int, str], words: Words) -> list[str]:
    """A line for each pair, with their matches won and the first player's share as a percentage."""
    users = [user_id for user_id, _ in meetings.people]
    return [
        words.say(
            "{name} {ahead} : {behind} {other} ({share}%)",
            name=names[one],
            ahead=duel.ahead,
            behind=duel.behind,
            other=names[two],
            share=(_share(duel, words) or (0, ""))[1],
        )
        for (one, two), duel in sorted(meetings.duels.items(), key=lambda pair: -pair[1].matches)
        if users.index(one) < users.index(two)
    ]


def _share(duel: Duel | None, words: Words) -> tuple[float, str] | None:
    """The share of matches that the first player finished ahead in. A tie counts half."""
    if duel is None:
        return None
    equal = duel.matches - duel.ahead - duel.behind
    share = (duel.ahead + equal / 2) / duel.matches
    return share, words.number(100 * share)


def _with_name(title: str, name: str, words: Words) -> str:
    return words.say("{name}: {what}", name=name, what=title)
