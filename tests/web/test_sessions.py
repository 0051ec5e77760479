"""Sessions and other signed notes: only the app writes them, for one purpose and a time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.web.sessions import SESSION_SECONDS, Sessions, Signer
from tests.not_none import not_none

SECRET = "the client secret of an app"


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000_000

    def milliseconds(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sessions(clock: Clock) -> Sessions:
    return Sessions(SECRET, clock.milliseconds)


def test_a_session_names_its_user_and_place(sessions: Sessions) -> None:
    session = sessions.read(sessions.begin(2**63 - 1, 7, 8))
    assert session is not None
    assert (session.user_id, session.guild_id, session.channel_id) == (2**63 - 1, 7, 8)
    in_browser = sessions.read(sessions.begin(5))
    assert in_browser is not None
    assert (in_browser.guild_id, in_browser.channel_id) == (None, None)


def test_a_session_holds_after_a_restart_and_at_other_processes(sessions: Sessions, clock: Clock) -> None:
    assert Sessions(SECRET, clock.milliseconds).read(sessions.begin(5)) is not None
    assert Sessions("another", clock.milliseconds).read(sessions.begin(5)) is None


def test_a_session_ends_after_its_time(sessions: Sessions, clock: Clock) -> None:
    token = sessions.begin(5)
    session = sessions.read(token)
    assert session is not None
    clock.now += SESSION_SECONDS * 1000 - 1
    assert sessions.goes_on(session, 0)
    clock.now += 1
    assert not sessions.goes_on(session, 0)
    assert sessions.read(token) is None


def test_no_changed_letter_is_accepted(sessions: Sessions) -> None:
    token = sessions.begin(5)
    for place, letter in enumerate(token):
        for other in ("A", "B", ".", "", "é"):
            changed = token[:place] + other + token[place + 1 :]
            assert letter == other or sessions.read(changed) is None


@given(st.text())
def test_no_text_is_a_session_by_chance(text: str) -> None:
    assert Sessions(SECRET, lambda: 0).read(text) is None


def test_a_note_for_another_purpose_is_no_session(sessions: Sessions, clock: Clock) -> None:
    note = Signer(SECRET, "logins", clock.milliseconds).sign(60, 5, "nonce", None, None)
    assert sessions.read(note) is None


def test_a_logout_ends_the_sessions_that_have_begun(sessions: Sessions, clock: Clock) -> None:
    before = not_none(sessions.read(sessions.begin(5)))
    logged_out_at = clock.now
    clock.now += 1
    after = not_none(sessions.read(sessions.begin(5)))
    assert not sessions.goes_on(before, logged_out_at)
    assert sessions.goes_on(after, logged_out_at)


def test_secrets_derived_from_a_text_differ(clock: Clock) -> None:
    signer = Signer(SECRET, "logins", clock.milliseconds)
    assert signer.derived("a") == signer.derived("a") != signer.derived("b")
    assert len(signer.derived("a")) >= 43  # RFC 7636
    assert Signer("another", "logins", clock.milliseconds).derived("a") != signer.derived("a")
