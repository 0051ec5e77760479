"""The queue serves guilds in turn, and in each guild its users in turn, within limits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.base.fair_queue import FairQueue, QueueFull, QueueLimits, Requester

LIMITS = QueueLimits(per_user=2, per_guild=3, total=4)


def queue_of(*jobs: tuple[str, int, int], limits: QueueLimits = LIMITS) -> FairQueue[str]:
    """Jobs with their guilds and users."""
    queue: FairQueue[str] = FairQueue(limits)
    for name, guild, user in jobs:
        queue.add(name, Requester(guild, user))
    return queue


def drain(queue: FairQueue[str]) -> list[str]:
    """Remove all jobs, in the order in which they are served."""
    return list(iter(queue.take, None))


def test_guilds_and_their_users_are_served_in_turn() -> None:
    wide = QueueLimits(10, 10, 100)
    jobs = [("a1", 1, 1), ("a2", 1, 1), ("a3", 1, 1), ("b1", 1, 2), ("b2", 1, 2), ("c1", 2, 3), ("c2", 2, 3)]
    assert drain(queue_of(*jobs, limits=wide)) == ["a1", "c1", "b1", "c2", "a2", "b2", "a3"]


def test_jobs_of_the_app_come_first() -> None:
    queue = queue_of(("a", 1, 1))
    queue.add("own 1", None)
    queue.add("own 2", None)
    assert drain(queue) == ["own 1", "own 2", "a"]


@pytest.mark.parametrize(
    ("waiting", "guild", "user", "is_user_limit"),
    [
        ([(1, 1), (1, 1)], 1, 1, True),
        ([(1, 1), (2, 1)], 3, 1, True),
        ([(1, 1), (1, 2), (1, 3)], 1, 4, False),
        ([(1, 1), (2, 2), (3, 3), (4, 4)], 5, 5, False),
    ],
    ids=["of a user", "of a user in several guilds", "of a guild", "in all"],
)
def test_a_job_beyond_a_limit_is_refused(
    waiting: list[tuple[int, int]], guild: int, user: int, is_user_limit: bool
) -> None:
    queue = queue_of(*((f"{number}", *each) for number, each in enumerate(waiting)))
    with pytest.raises(QueueFull) as refusal:
        queue.add("one more", Requester(guild, user))
    assert refusal.value.is_user_limit is is_user_limit
    queue.add("own", None)
    assert "one more" not in drain(queue)


def test_the_total_limit_applies_to_the_apps_own_jobs_separately() -> None:
    queue = queue_of(("a", 1, 1), ("b", 2, 2), ("c", 3, 3), ("d", 4, 4))
    for number in range(4):
        queue.add(f"own {number}", None)
    with pytest.raises(QueueFull):
        queue.add("own 4", None)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), max_size=30), st.data())
def test_nothing_is_lost_or_served_twice(asked: list[tuple[int, int]], data: st.DataObject) -> None:
    queue: FairQueue[str] = FairQueue(QueueLimits(30, 30, 30))
    names = [f"{number}" for number, _ in enumerate(asked)]
    for name, (guild, user) in zip(names, asked, strict=True):
        queue.add(name, Requester(guild, user) if guild else None)
    gone = data.draw(st.sets(st.sampled_from(names))) if names else set()
    for name in gone:
        queue.discard(name)
        queue.discard(name)
    assert sorted(drain(queue)) == sorted(set(names) - gone)
    assert queue.take() is None
