"""The statistics of one player, and of two against each other."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from bot.analysis.profile import ExchangeStats, Form, Interval, Luck, Profile, Versus
from bot.analysis.titles import HeldTitle, Title
from bot.presentation.records import titles
from bot.presentation.records.leaderboard import matches_text, rating_text
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words
from bot.presentation.ui.components import Button, Layout, button, post_button, rows
from bot.presentation.ui.custom_ids import Part, Press, Verb

Holders: TypeAlias = Mapping[str, HeldTitle]
"""The current holders, by title."""
LIKELY_FROM: Final = 20
"""Matches from which likely ranges are shown."""
EXCHANGES_FROM: Final = 10
"""Exchanges from which the average rank of their cards is shown."""


def no_matches_text(name: str, words: Words) -> str:
    """The text for a player without a finished match."""
    return words.say("{name} has not finished a match here yet.", name=labels.bold(labels.player_name(name, words)))


def app_text(name: str, words: Words) -> str:
    """The text for an app, which never plays."""
    return words.say(
        "{name} is an app. Only people have results here.", name=labels.bold(labels.player_name(name, words))
    )


def profile_message(profile: Profile, held: Holders, reader: int, words: Words, *, may_post: bool = True) -> Layout:
    """A player's rating, wins and points. The player can post all figures, where they `may_post`."""
    user = str(profile.user_id)
    buttons = [button(Press(Verb.PROFILE, arguments=(user, Part.MORE)), words.say("All figures"))]
    is_own = reader == profile.user_id
    if profile.opponents if is_own else reader in profile.opponents:
        label = words.say("Head to head") if is_own else words.say("Against me")
        buttons.append(button(Press(Verb.VERSUS, arguments=(user,)), label))
    if profile.user_id == reader and may_post:
        buttons.append(post_button(Press(Verb.PROFILE, arguments=(str(reader),)), words))
    return Layout(_text([_heading(profile, held, reader, words), _summary(profile, words)]), *rows(buttons))


def all_figures_message(profile: Profile, held: Holders, reader: int, words: Words) -> Layout:
    """All statistics of a player, with buttons to charts and back."""
    back = button(Press(Verb.PROFILE, arguments=(str(profile.user_id), Part.FIGURES)), words.say("◀ Back"))
    buttons = [back, *_buttons(profile, words)]
    return Layout(profile_text(profile, held, reader, words), *rows(buttons, width=3))


def profile_text(profile: Profile, held: Holders, reader: int, words: Words) -> str:
    """All statistics of a player as text."""
    hands = [*_hands(profile, words), *_legend(profile, words)]
    parts = [_heading(profile, held, reader, words), _matches(profile, words), hands]
    return _text([*parts, _cards(profile, words), _opponent_lines(profile, words)])


def _name(profile: Profile, reader: int, words: Words) -> str:
    name = labels.player_name(profile.name, words)
    return words.say("{name} (you)", name=name) if profile.user_id == reader else name


def _heading(profile: Profile, held: Holders, reader: int, words: Words) -> list[str]:
    return [
        f"### {_name(profile, reader, words)}",
        titles.titles_of(profile.user_id, held, words),
    ]


def _summary(profile: Profile, words: Words) -> list[str]:
    """Three plain lines."""
    lines = [_rating(profile, words)]
    lines += [_wins(profile, words)] if profile.matches else []
    return [*lines, _average(profile.average, profile.hands, words)] if profile.hands else lines


def _text(parts: Sequence[Sequence[str]]) -> str:
    """Lines in paragraphs."""
    return "\n\n".join("\n".join(map(labels.capitalized, filter(None, lines))) for lines in parts if any(lines))


def titles_message(user_id: int, held: Holders, words: Words) -> Layout:
    """Every title of the guild, with a button back to the user's profile."""
    lines = ["### " + words.say("Titles"), *titles.titles_lines(held, words)]
    back = button(Press(Verb.PROFILE, arguments=(str(user_id), Part.FIGURES)), words.say("◀ Back"))
    return Layout("\n".join(lines), *rows([back]))


def versus_message(versus: Versus, words: Words) -> Layout:
    """The results of two players against each other."""
    one, two = (labels.player_name(name, words) for name in versus.names)
    duel, hands = versus.duel, versus.hands
    together = labels.matches(duel.matches, words)
    first, second = [], []
    if hands is not None:
        gave, took = (hands.gave_30, hands.gave_45), (hands.took_30, hands.took_45)
        first = _hand_lines(hands.points, hands.won, gave, hands.hands, words)
        second = _hand_lines(hands.their_points, hands.lost, took, hands.hands, words)
    lines = [
        f"### {one} – {two}",
        words.say("Finished together: {matches}", matches=together),
        "",
        _ahead(one, duel.ahead, words),
        *first,
        _ahead(two, duel.behind, words),
        *second,
    ]
    everybody = button(Press(Verb.MAP), words.say("Who beats whom"))
    return Layout("\n".join(lines), *rows([everybody]))


def _ahead(name: str, ahead: int, words: Words) -> str:
    what = words.count("ahead in {number} match", "ahead in {number} matches", ahead)
    return words.say("{name}: {what}", name=labels.bold(name), what=what)


def _hand_lines(points: int, won: int, thrashings: tuple[int, int], hands: int, words: Words) -> list[str]:
    lines = [
        _average(points / hands, hands, words),
        _hands_won(won, hands, words),
        _thrashings_given(thrashings, words),
    ]
    return [f"- {line}" for line in lines]


def _average(average: float, hands: int, words: Words) -> str:
    counted = labels.hands(hands, words)
    return words.say("{average} penalty points per hand, in {hands}", average=words.number(average, 1), hands=counted)


def _hands_won(won: int, hands: int, words: Words) -> str:
    rate = words.percent(won / hands)
    return words.count("{number} hand won ({rate})", "{number} hands won ({rate})", won, rate=rate)


def _thrashings_given(thrashings: tuple[int, int], words: Words) -> str:
    facts = {"some": words.number(thrashings[0]), "more": words.number(thrashings[1])}
    return words.say("thrashings given: {some} of 30 points and more, {more} of 45 and more", **facts)


def _thrashings_taken(thrashings: tuple[int, int], words: Words) -> str:
    facts = {"some": words.number(thrashings[0]), "more": words.number(thrashings[1])}
    return words.say("thrashings taken: {some} of 30 points and more, {more} of 45 and more", **facts)


def _rating(profile: Profile, words: Words) -> str:
    return words.say("{name}: {what}", name=words.say("Rating"), what=rating_text(profile.rating, words))


def _wins(profile: Profile, words: Words) -> str:
    facts = {
        "rate": labels.bold(words.percent(profile.wins / profile.matches)),
        "wins": words.count("{number} win", "{number} wins", profile.wins),
        "matches": matches_text(profile.matches, profile.absent, words),
    }
    return words.say("{rate} won: {wins} in {matches}", **facts)


def _matches(profile: Profile, words: Words) -> list[str]:
    if not profile.matches:
        return [_rating(profile, words)]
    return [
        _rating(profile, words),
        _joined(_wins(profile, words), _likely_text(profile, profile.likely_rate, words.percent, words)),
        *(_places(profile, size, words) for size in (3, 4)),
        _recent_text(profile.recent, words) if profile.matches > profile.recent.matches else "",
        _joined(
            titles.value_text(Title.STREAK, profile.streak, words) if profile.streak > 1 else "",
            titles.value_text(Title.COMEBACKS, profile.comebacks, words) if profile.comebacks else "",
        ),
    ]


def _places(profile: Profile, size: int, words: Words) -> str:
    """The number of times the player came first, second, … in matches of a size."""
    times = profile.places[size]
    if not any(times):
        return ""
    medals = zip((*labels.MEDALS.values(), "4️⃣"), times, strict=False)
    players = words.count("{number} player", "{number} players", size)
    what = " · ".join(f"{medal} {words.number(number)}" for medal, number in medals)
    return words.say("{name}: {what}", name=players, what=what)


def _recent_text(form: Form, words: Words) -> str:
    """The latest matches, for comparison with all of them."""
    facts = {
        "matches": words.count("last match", "last {number} matches", form.matches),
        "wins": words.count("{number} win", "{number} wins", form.wins),
        "average": words.number(form.average, 1),
    }
    return words.say("{matches}: {wins}, {average} penalty points per hand", **facts)


def _likely_text(profile: Profile, interval: Interval | None, shown: Callable[[float], str], words: Words) -> str:
    """The likely range of a figure, once it's narrow enough to mean something."""
    if interval is None or profile.matches < LIKELY_FROM:
        return ""
    return words.say("likely {low} to {high}", low=shown(interval[0]), high=shown(interval[1]))


def _hands(profile: Profile, words: Words) -> list[str]:
    if not profile.hands:
        return []
    worst = labels.points(profile.worst, words)
    many = profile.hand_streak > 1
    streak = words.say("{number} in a row", number=words.number(profile.hand_streak)) if many else ""
    return [
        _joined(
            labels.bold(_average(profile.average, profile.hands, words)),
            _likely_text(profile, profile.likely_average, lambda points: words.number(points, 1), words),
        ),
        _joined(_hands_won(profile.hands_won, profile.hands, words), streak),
        words.say("best hand: {what}", what=titles.value_text(Title.FIST, profile.best, words)) if profile.best else "",
        words.say("worst hand: {what}", what=worst),
        _thrashings_given(profile.thrashings_given, words) if profile.thrashings_given[0] else "",
        _thrashings_taken(profile.thrashings_taken, words) if profile.thrashings_taken[0] else "",
    ]


def _cards(profile: Profile, words: Words) -> list[str]:
    gangs = [titles.value_text(Title.GANGS, profile.gangs, words)]
    if profile.gangs:
        gangs.append(words.say("the biggest of {number} cards", number=words.number(profile.biggest)))
        gangs.append(titles.value_text(Title.BREAKER, profile.beaten, words))
    return [
        _joined(*gangs),
        _joined(
            titles.value_text(Title.FEARED, profile.blocked, words) if profile.blocked else "",
            titles.value_text(Title.FORGETFUL, profile.forgot, words) if profile.forgot else "",
        ),
        _exchange(words.say("exchanges after a hand won"), profile.as_winner, words),
        _exchange(words.say("exchanges after a hand lost"), profile.as_loser, words),
    ]


def _legend(profile: Profile, words: Words) -> list[str]:
    """An explanation of the ranges."""
    if profile.matches < LIKELY_FROM:
        return []
    return [labels.small(words.say('"Likely": the true figure lies in this range 19 times out of 20.'))]


def _exchange(title: str, exchange: ExchangeStats, words: Words) -> str:
    if exchange.times < EXCHANGES_FROM:
        return ""
    gave, received = (words.number(rank, 1) for rank in (exchange.gave, exchange.received))
    facts = {"times": words.number(exchange.times), "gave": gave, "received": received}
    what = words.say("{times} ×, average rank given {gave}, received {received}", **facts)
    return words.say("{name}: {what}", name=title, what=what)


def _opponent_lines(profile: Profile, words: Words) -> list[str]:
    """Nemesis and victim, speed of play, and luck."""
    lines = []
    if profile.nemesis is not None:
        points = labels.points(profile.nemesis.lost_to, words)
        name = labels.bold(labels.safe(profile.nemesis.name or ""))
        lines.append(words.say("nemesis: {name} (cost {points})", name=name, points=points))
    if profile.victim is not None:
        points = labels.points(profile.victim.won_from, words)
        name = labels.bold(labels.safe(profile.victim.name or ""))
        lines.append(words.say("favorite victim: {name} (paid {points})", name=name, points=points))
    if profile.median_seconds is not None:
        time = words.duration(round(profile.median_seconds * 1000))
        lines.append(words.say("half of all turns took {time} or less", time=time))
    if profile.hands:
        dealt, ended = (words.percent(share / 100) for share in (profile.dealt_percentile, profile.result_percentile))
        luck = words.say("luck: better cards than in {dealt} of all deals", dealt=dealt)
        lines.append(_joined(luck, words.say("better results than {ended} of the others", ended=ended)))
    if profile.luck.hands:
        lines.append(_luck(profile.luck, words))
    return lines


def _luck(luck: Luck, words: Words) -> str:
    facts = {
        "luck": labels.signed(luck.luck, words, 1),
        "skill": labels.signed(luck.skill, words, 1),
        "hands": labels.hands(luck.hands, words),
    }
    return words.say("{luck} points of luck and {skill} points of skill per hand, in {hands}", **facts)


def _joined(*parts: str) -> str:
    return " · ".join(filter(None, parts))


def _buttons(profile: Profile, words: Words) -> list[Button]:
    user = str(profile.user_id)
    return [
        button(Press(Verb.PROFILE, arguments=(user, Part.TITLES)), words.say("Titles")),
        button(Press(Verb.CURVE, arguments=(user,)), words.say("Rating over time")),
        button(Press(Verb.PENALTIES, arguments=(user,)), words.say("Penalty points per hand")),
        button(Press(Verb.MAP), words.say("Who beats whom")),
    ]
