"""The leaderboard: within Discord's limits in every language, with correct controls."""

from random import Random

import pytest

from bot.analysis.leaderboard import Order, Period, RankedMember, Standing
from bot.analysis.rating import Rating
from bot.presentation.help.rulebook import rules_message
from bot.presentation.records.leaderboard import COMPANY, PAGE_SIZE, LeaderboardState, leaderboard_message
from bot.presentation.text.i18n import Words
from bot.presentation.ui.custom_ids import InvalidCustomId, Part, Press, Verb
from tests.presentation.sample_tables import READERS, WIDE, WORDS
from tests.presentation.sent_messages import check, pressable, text_of

ADA = 101


def places(number: int, rng: Random) -> list[RankedMember]:
    """Lines with values of maximum length."""
    found = []
    for place in range(number):
        matches = rng.choice((1, 99_999))
        standing = Standing(ADA + place, rng.choice(WIDE), matches, matches, matches, 10 * matches, 800 * matches)
        found.append(RankedMember(place + 1, standing, Rating(40, 1.5, rng.choice((0, 1, 99_999)))))
    return found


@pytest.mark.parametrize("words", READERS.values(), ids=READERS)
def test_every_leaderboard_fits(words: Words) -> None:
    rng = Random(1)
    for order in Order:
        for number in (0, 1, 3 * PAGE_SIZE):
            shown = LeaderboardState(order, rng.choice(list(Period)), rng.choice(list(COMPANY)), page=1)
            check(leaderboard_message(shown, places(number, rng), ADA, words))


@pytest.mark.parametrize("page", [0, 1, 2, 99])
def test_the_readers_own_place_is_always_shown(page: int) -> None:
    every = places(25, Random(2))
    text = text_of(leaderboard_message(LeaderboardState(page=page), every, every[12].standing.user_id, WORDS))
    assert text.count("(you)") == 1
    assert text.count("\n13\\. ") == 1
    assert "\n13. " not in text  # Discord would number a list itself, without equal places


def test_buttons_turn_pages_and_choices_return_to_the_first() -> None:
    every = places(25, Random(3))
    message = pressable(leaderboard_message(LeaderboardState(page=1), every, ADA, WORDS))
    presses = {Press.parse(custom_id).part: Press.parse(custom_id) for custom_id in message}
    assert LeaderboardState.parse(presses[Part.BACK]).page == 0
    assert LeaderboardState.parse(presses[Part.NEXT]).page == 2
    assert LeaderboardState.parse(presses[Part.HERE]) == LeaderboardState(is_here=True)
    assert LeaderboardState.parse(presses[Part.ORDER]).chosen(Part.ORDER, "rating") == LeaderboardState(Order.RATING)
    for menu in (Part.ORDER, Part.PERIOD, Part.COMPANY, Part.EDITION):
        for option in message[str(presses[menu])]["options"]:
            assert getattr(LeaderboardState.parse(presses[menu]).chosen(menu, option["value"]), menu) == option["value"]


def test_an_empty_leaderboard_offers_to_count_all_matches() -> None:
    message = leaderboard_message(LeaderboardState(page=1), [], ADA, WORDS)
    assert "Most wins · Between people · All time · in this server" in text_of(message)
    (widen,) = [custom_id for custom_id, button in pressable(message).items() if button.get("label") == "All matches"]
    state = LeaderboardState.parse(Press.parse(widen))
    assert state == LeaderboardState(company="all")
    assert "All matches" not in [
        button.get("label") for button in pressable(leaderboard_message(state, [], ADA, WORDS)).values()
    ]


@pytest.mark.parametrize(
    ("field", "value"), [(Part.ORDER, "luck"), (Part.PERIOD, "x"), (Part.COMPANY, "x"), (Part.EDITION, "x")]
)
def test_no_other_choices_are_offered(field: Part, value: str) -> None:
    with pytest.raises(InvalidCustomId):
        LeaderboardState().chosen(field, value)
    with pytest.raises(InvalidCustomId):
        LeaderboardState.parse(Press(Verb.LEADERBOARD, 0, 0, ("wins", "all")))


def test_a_rating_says_how_much_it_means() -> None:
    standing = Standing(ADA, "Ada", 1, 1, 0, 10, 5)
    lines = {
        matches: text_of(
            leaderboard_message(
                LeaderboardState(Order.RATING), [RankedMember(1, standing, Rating(30, 2, matches))], 1, WORDS
            )
        )
        for matches in (0, 9, 10)
    }
    assert "not rated yet" in lines[0]
    assert all("starts at 1000; 200 points more" in text and "at least 50 points" in text for text in lines.values())
    assert "**1100**, provisional after 9 rated matches" in lines[9]
    assert "**1100**, after 10 rated matches" in lines[10]


def test_the_rest_of_the_rules_of_ratings_is_on_a_page_of_the_rules() -> None:
    board = leaderboard_message(LeaderboardState(Order.RATING), [], ADA, WORDS)
    assert len(text_of(board)) < 500
    assert str(Press(Verb.RULES, arguments=("ratings",))) in pressable(board)
    assert str(Press(Verb.RULES, arguments=("ratings",))) not in pressable(
        leaderboard_message(LeaderboardState(), [], ADA, WORDS)
    )
    assert "If nobody plays for 30 days" in text_of(rules_message(WORDS, "ratings"))


@pytest.mark.parametrize(
    ("rule", "orders"),
    [
        ("fewer than 100 hands come last", {Order.AVERAGE, Order.POINTS, Order.SKILL}),
        ("Ranked by the worse end of the likely range", {Order.AVERAGE, Order.RATE, Order.SKILL}),
    ],
)
def test_leaderboards_say_how_they_keep_luck_from_leading(rule: str, orders: set[Order]) -> None:
    texts = {order: text_of(leaderboard_message(LeaderboardState(order), [], 1, WORDS)) for order in Order}
    assert {order for order, text in texts.items() if rule in text} == orders


def test_skill_is_signed_explained_and_only_offered_if_it_is_computed() -> None:
    skills = {ADA: (40, -250), ADA + 1: (10, 1234), ADA + 2: (3, 1)}
    places = [
        RankedMember(number, Standing(user, "Ada", 9, 1, 0, 90, 5, par_hands=hands, skill=skill), Rating())
        for number, (user, (hands, skill)) in enumerate(skills.items(), 1)
    ]
    text = text_of(leaderboard_message(LeaderboardState(Order.SKILL), places, ADA, WORDS))
    for line in ("**−0.1** points of skill per hand, in 40 hands", "**+1.2** points", "**0.0** points"):
        assert line in text
    assert "Skill is how much better" in text
    empty = text_of(leaderboard_message(LeaderboardState(Order.SKILL), [], ADA, WORDS))
    assert "No match has been compared" in empty
    for has_skill in (True, False):
        message = leaderboard_message(LeaderboardState(), places, ADA, WORDS, has_skill=has_skill)
        orders = [option["value"] for part in pressable(message).values() for option in part.get("options", ())]
        assert (Order.SKILL in orders) == has_skill
