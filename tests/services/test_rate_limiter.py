"""Rates: what they allow at once and over time, for whom, and how much memory they need."""

import pytest

from bot.services import rate_limiter
from bot.services.rate_limiter import Actor, RateLimiter
from bot.table.limits import ADJUSTABLE, RATES, Action, Count, Per, Rate
from bot.table.refusals import NotSeated, TooManyAtOnce, TryAgainLater
from tests.measured import value

ADA, BO = Actor(1, guild_id=7, channel_id=70), Actor(2, guild_id=7, channel_id=70)


class StopWatch:
    """A clock that only tests move, in seconds."""

    def __init__(self) -> None:
        self.now = 1000.0

    def seconds(self) -> float:
        return self.now


@pytest.fixture
def watch() -> StopWatch:
    return StopWatch()


@pytest.fixture
def limiter(watch: StopWatch) -> RateLimiter:
    return RateLimiter(watch.seconds)


def allowed(limiter: RateLimiter, action: Action, who: Actor, tries: int = 1000) -> int:
    """The number of times that an action is accepted at once."""
    for count in range(tries):
        try:
            limiter.spend(action, who)
        except TryAgainLater:
            return count
    return tries


def wait(limiter: RateLimiter, action: Action, who: Actor, times: int = 1) -> int:
    """The waiting time in a refusal."""
    with pytest.raises(TryAgainLater) as refused:
        limiter.spend(action, who, times)
    return refused.value.seconds


@pytest.mark.parametrize("action", Action)
def test_every_action_has_a_rate_and_its_smallest_number_is_accepted_at_once(
    action: Action, limiter: RateLimiter
) -> None:
    assert allowed(limiter, action, ADA) == min(rate.number for rate in RATES if rate.action is action)


def test_an_action_is_accepted_again_after_the_wait(limiter: RateLimiter, watch: StopWatch) -> None:
    assert allowed(limiter, Action.OPEN, ADA) == 8
    assert wait(limiter, Action.OPEN, ADA) == 8
    watch.now += 7.4
    assert wait(limiter, Action.OPEN, ADA) == 1
    watch.now += 0.1
    assert allowed(limiter, Action.OPEN, ADA) == 1


def test_a_guild_counts_all_of_its_users_and_no_other_guild(limiter: RateLimiter) -> None:
    for user in range(5):
        assert allowed(limiter, Action.OPEN, Actor(user, guild_id=7)) == 8
    assert allowed(limiter, Action.OPEN, Actor(6, guild_id=7)) == 0
    assert allowed(limiter, Action.OPEN, Actor(6, guild_id=8)) == 8


@pytest.mark.parametrize("action", [Action.INVITE, Action.ANNOUNCE])
def test_members_of_a_guild_count_separately_and_so_does_a_user_in_each_guild(
    action: Action, limiter: RateLimiter
) -> None:
    first = allowed(limiter, action, Actor(1, guild_id=7))
    assert allowed(limiter, action, Actor(2, guild_id=7)) == first
    assert allowed(limiter, action, Actor(1, guild_id=8)) == first


def test_a_refusal_is_counted_in_the_metrics(limiter: RateLimiter) -> None:
    before = value("gang_limits_hit_total", action="undo")
    accepted = allowed(limiter, Action.UNDO, ADA)
    assert accepted
    assert value("gang_limits_hit_total", action="undo") == before + 1


def test_a_refusal_counts_for_no_rate(limiter: RateLimiter, watch: StopWatch) -> None:
    for user in range(5):
        allowed(limiter, Action.OPEN, Actor(user, guild_id=7))
    assert wait(limiter, Action.OPEN, Actor(6, guild_id=7)) == 2
    watch.now += 60
    assert allowed(limiter, Action.OPEN, Actor(6, guild_id=7)) == 8


def test_repeated_invitations_of_one_guest_are_limited(limiter: RateLimiter) -> None:
    assert allowed(limiter, Action.INVITE_AGAIN, Actor(1, guest_id=2)) == 3
    assert allowed(limiter, Action.INVITE_AGAIN, Actor(1, guest_id=3)) == 3


def test_what_a_browser_does_by_itself_is_no_sign_of_its_user(limiter: RateLimiter, watch: StopWatch) -> None:
    limiter.spend(Action.PRESS, ADA)
    watch.now += 300
    limiter.spend(Action.PRESS, ADA, by_user=False)
    assert limiter.idle_seconds() == 300
    limiter.spend(Action.PRESS, ADA)
    assert limiter.idle_seconds() == 0


def test_actions_done_together_count_separately(limiter: RateLimiter) -> None:
    limiter.spend(Action.INVITE, ADA, 8)
    assert wait(limiter, Action.INVITE, ADA, 3) == 60
    limiter.spend(Action.INVITE, ADA, 2)


def test_an_action_that_fails_does_not_count(limiter: RateLimiter) -> None:
    for _ in range(3):
        with pytest.raises(NotSeated), limiter.spending(Action.INVITE, ADA, 10):
            raise NotSeated
    with limiter.spending(Action.INVITE, ADA, 10):
        assert wait(limiter, Action.INVITE, ADA) == 60
    assert wait(limiter, Action.INVITE, ADA) == 60


@pytest.mark.parametrize(("settings", "scale", "most"), [({"invitations": 3}, 1, 3), ({}, 1, 10), ({}, 2, 20)])
def test_more_at_once_than_the_rate_allows_are_refused(
    watch: StopWatch, settings: dict[str, int], scale: float, most: int
) -> None:
    limiter = RateLimiter(watch.seconds, scale)
    with pytest.raises(TooManyAtOnce) as refused:
        limiter.spend(Action.INVITE, ADA, most + 1, settings)
    assert refused.value.limit == limiter.max_at_once(Action.INVITE, settings) == most
    limiter.spend(Action.INVITE, ADA, most, settings)
    with pytest.raises(TryAgainLater):
        limiter.spend(Action.INVITE, ADA, 1, settings)


def test_recovered_entries_are_dropped(limiter: RateLimiter, watch: StopWatch) -> None:
    for user in range(1000):
        limiter.spend(Action.REFUSE, Actor(user))
    assert limiter.entries == 1000
    watch.now += 60
    limiter.spend(Action.REFUSE, Actor(5000))
    assert limiter.entries == 1


def test_memory_is_bounded(limiter: RateLimiter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limiter, "MAX_ENTRIES", 100)
    for user in range(1000):
        limiter.spend(Action.REFUSE, Actor(user))
    assert limiter.entries == 100


def test_sixteen_cards_tapped_quickly_are_no_flood(limiter: RateLimiter, watch: StopWatch) -> None:
    for _ in range(20):  # hands in sequence, at three tables
        for _ in range(16 + 4):
            limiter.spend(Action.PRESS, ADA)
            watch.now += 0.25
        watch.now += 5


def test_a_flood_of_presses_is_cut_to_ten_and_later_five_per_second(limiter: RateLimiter, watch: StopWatch) -> None:
    accepted = 0
    for _ in range(60 * 50):  # fifty per second for a minute
        accepted += allowed(limiter, Action.PRESS, ADA, 1)
        watch.now += 0.02
    assert accepted <= 40 + 10 * 60
    for _ in range(600 * 50):
        accepted += allowed(limiter, Action.PRESS, ADA, 1)
        watch.now += 0.02
    assert accepted <= 600 + 5 * 660 + 1


@pytest.mark.parametrize("limit", ADJUSTABLE.values(), ids=ADJUSTABLE)
def test_managers_can_choose_the_default(limit: Rate | Count) -> None:
    assert limit.number in limit.choices


@pytest.mark.parametrize("rate", RATES)
def test_rates_are_kept_for_less_than_a_day(rate: Rate) -> None:
    assert rate.number >= 1
    assert 1 <= rate.seconds <= 24 * 3600
    assert rate.per in set(Per)
