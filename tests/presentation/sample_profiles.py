"""Profiles with values as long as possible."""

from dataclasses import replace

from bot.analysis.profile import Duel, Exchange, Form, HeadToHead, Meetings, Profile, Versus
from bot.analysis.rating import Rating
from bot.analysis.titles import HeldTitle, Title, TitleChange
from tests.presentation.sample_tables import SNOWFLAKE, WIDE

MANY = 9_999_999
RATING = Rating(40.0, 1.5, MANY)
AGAINST = HeadToHead(SNOWFLAKE, WIDE[1], hidden=False, **dict.fromkeys(HeadToHead.__slots__[3:], MANY))
EXCHANGE = Exchange(MANY, 11.75, 11.75)
LONGEST = Profile(
    user_id=SNOWFLAKE,
    name=WIDE[0],
    rating=RATING,
    matches=MANY,
    absent=MANY,
    wins=MANY,
    likely_rate=(0.25, 1.0),
    places={3: (MANY, MANY, MANY), 4: (MANY, MANY, MANY, MANY)},
    recent=Form(20, 20, 11.75),
    streak=MANY,
    comebacks=MANY,
    hands=MANY,
    hands_won=MANY,
    hand_streak=MANY,
    points=80 * MANY,
    likely_average=(11.75, 11.75),
    best=240,
    worst=80,
    thrashings_given=(MANY, MANY),
    thrashings_taken=(MANY, MANY),
    gangs=MANY,
    biggest=7,
    beaten=MANY,
    blocked=MANY,
    forgot=MANY,
    as_winner=EXCHANGE,
    as_loser=EXCHANGE,
    nemesis=AGAINST,
    victim=AGAINST,
    median_seconds=86_400.5,
    dealt_percentile=49.96,
    result_percentile=100.0,
)
SHORTEST = replace(
    LONGEST,
    rating=Rating(),
    matches=0,
    absent=0,
    wins=0,
    likely_rate=None,
    likely_average=None,
    hands=0,
    gangs=0,
    as_winner=Exchange(),
    as_loser=Exchange(),
    nemesis=None,
    victim=None,
    median_seconds=None,
)
"""A player with almost no data."""
VERSUS = Versus((WIDE[0], WIDE[1]), Duel(MANY, MANY, MANY), AGAINST)
HELD = {str(title): HeldTitle(SNOWFLAKE, WIDE[0], MANY) for title in Title}
CHANGES = [TitleChange(title, MANY, WIDE[0], before) for title in Title for before in (None, WIDE[1])]
USERS = range(1, 9)
MEETINGS = Meetings(
    tuple((user, WIDE[user % 4]) for user in USERS),
    {(one, two): Duel(MANY, MANY - 2, 1) for one in USERS for two in USERS if one != two},
)
PENALTIES = dict.fromkeys((0, 1, 2, 3, 4, 5, 6, 7, 16, 18, 20, 33, 36, 39, 56, 60, 80), MANY)
