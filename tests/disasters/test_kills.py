"""The app is killed at every point at which something may go on: what was accepted stays, once, and is told, once.

Matches of three people are played, and in each step of them the app dies at a point (see `dying`). Every point takes
about an hour.
"""

from bot.engine.events import MatchEnded
from bot.engine.verification import verify
from bot.table.model import Status
from tests.disasters.dying import MOST_MATCHES, Plan, Taken, take
from tests.disasters.script import KINDS, Match
from tests.disasters.steered import LATE, SteeredRoom
from tests.disasters.truth import Truth, calls_heard
from tests.end_to_end.evidence import opened

TARGET = 12
"""Reached in one hand or two: so that hands and matches end often."""


async def test_nothing_is_lost_or_doubled_wherever_the_app_is_killed(room: SteeredRoom) -> None:
    room.excused, plan = (LATE,), Plan(KINDS)
    for number in range(1, MOST_MATCHES):
        room.channel = room.guild.channel(f"games {number}")
        await _play_a_match(room, plan, number)
        print(f"match {number}: {plan}", flush=True)  # noqa: T201  # seen by whoever lets it soak
        if not plan.left:
            break
    assert plan.left == []
    assert plan.deaths > len(KINDS)
    assert all(set(calls_heard(person).values()) == {1} for person in room.people[:3])


async def _play_a_match(room: SteeredRoom, plan: Plan, number: int) -> None:
    """Play a match to its end, dying wherever the plan says so."""
    match, truth = Match(room, target=TARGET), None
    while truth is None or truth.table.row.status is not Status.OVER:
        if not plan.left:
            return
        taken = await take(room, plan, match.next_step(truth))
        _is_kept(truth, taken)
        truth = taken.truth
        if truth is not None and truth.person is not None:
            (person,) = [person for person in room.people if person.id == truth.person]
            assert calls_heard(person)[str(truth.call)] == 1
    assert truth.table.id == number
    assert verify(truth.lines).lines == len(truth.lines)
    assert sum(isinstance(line.event, MatchEnded) for line in truth.lines) == 1
    with opened(room) as connection:
        assert connection.execute("SELECT count(*) FROM matches WHERE table_id = ?", (number,)).fetchone() == (1,)


def _is_kept(before: Truth | None, taken: Taken) -> None:
    """What stood there still does, and at most one thing came to it: surely, if somebody was told so."""
    old, new = ([] if truth is None else truth.lines for truth in (before, taken.truth))
    assert new[: len(old)] == old, taken.what
    growth = _changes(taken.truth) - _changes(before)
    assert growth in ((1,) if taken.accepted else (0, 1)), (taken.what, growth)
    if growth == 0:
        assert new == old, taken.what


def _changes(truth: Truth | None) -> int:
    """How often people have changed a table, its opening included; that its message was posted is no such change."""
    if truth is None:
        return 0
    row = truth.table.row
    return 1 + row.revision - (row.first_message_id is not None)
