"""Paths after a login, files, plain texts, and presses that launch the page."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yarl import URL

from bot.services.rate_limiter import Actor, RateLimiter
from bot.table.limits import Action
from bot.web import access, files
from bot.web.answering import Answering
from bot.web.launches import FRESH_FOR, KEPT_FOR, Launches
from bot.web.lists import Lists
from bot.web.login import local_path
from bot.web.plain_text import plain
from bot.web.routing import Page


@pytest.mark.parametrize("path", ["/", "/?table=3", "/?match=3&moment=17", "/page/x"])
def test_our_own_paths_stay(path: str) -> None:
    assert local_path(path) == path


@given(
    st.text(alphabet=st.sampled_from("/\\.:@ \t\n\r%?#a\xe9\u202e"), max_size=9).map(lambda text: "/" + text)
    | st.text()
)
def test_a_login_never_leads_elsewhere(path: str) -> None:
    found = local_path(path)
    assert found in (path, "/")
    assert URL("https://gang.example.org/login").join(URL(found)).host == "gang.example.org"
    assert not found.startswith(("//", "/\\"))
    assert found.isascii()
    assert found.isprintable()


def test_only_files_of_the_folder_are_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page"
    (page / "inner").mkdir(parents=True)
    for name in ("app.js", "inner/x.js"):
        (page / name).write_text("")
    (tmp_path / "secret").write_text("")
    monkeypatch.setattr(files, "PAGE", page)
    assert files.page_file("app.js") == page / "app.js"
    assert not files.has_sdk()
    (page / files.BUILT).mkdir()
    bundle = page / files.BUILT / "app.js"
    bundle.write_text("")
    assert files.page_file("app.js") == bundle
    for name in (
        "",
        ".",
        "..",
        "../secret",
        "inner",
        "inner/x.js",
        "/etc/passwd",
        "none.js",
        "app.js/",
        "./../secret",
        "built",
        "built/app.js",
    ):
        assert files.page_file(name) in (None, page / "app.js", bundle), name


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**Your turn.** On the table: 7", "Your turn. On the table: 7"),
        ("-# small\n### large\n> quoted", "small\nlarge\nquoted"),
        (r"Ana\_\*\*x\*\* `/gang new`", "Ana_**x** /gang new"),
        ("Only the host, <@12>, can do this.", "Only the host, Ana, can do this."),
        ("<@13>", "?"),
        ("Only <@&14> in <#15>.", "Only @players in #games."),
        ("a > b - c # d", "a > b - c # d"),
    ],
)
def test_texts_lose_their_markdown(text: str, shown: str) -> None:
    assert plain(text, {12: "Ana", 14: "@players", 15: "#games"}) == shown


def test_a_press_opens_one_activity() -> None:
    now, told = [0], list[str]()
    launches = Launches(lambda: now[0], told.append)
    launches.record(1, 7)
    launches.record(1, 8)
    assert told == ["launch 1 7", "launch 1 8"]
    for _ in range(3):
        assert (launches.table_of(1, "first"), launches.table_of(2, "first")) == (8, None)
        now[0] += KEPT_FOR - 1
    assert launches.table_of(1, "second") is None
    launches.record(1, 9)
    assert (launches.table_of(1, "second"), launches.table_of(1, "second")) == (9, 9)


def test_an_activity_that_connects_again_gets_the_press_that_it_missed_once() -> None:
    now, shown = [0], list[int]()
    launches, activity = Launches(lambda: now[0]), SimpleNamespace(user_id=1, open=shown.append)
    for missed, passed, waits in ((8, 9, FRESH_FOR - 1), (10, 11, FRESH_FOR)):
        launches.remember(1, missed)
        now[0] += waits
        for _ in range(2):
            with launches.passing_on(activity):
                pass
        with launches.passing_on(activity):
            launches.remember(1, passed)
    assert shown == [8, 9, 11]
    assert launches.table_of(1, "first") == 11


def test_a_press_is_forgotten_an_hour_after_the_last_load() -> None:
    now = [0]
    launches = Launches(lambda: now[0])
    launches.remember(1, 8)
    launches.remember(2, 9)
    assert launches.table_of(2, "first") == 9
    now[0] = KEPT_FOR
    assert (launches.table_of(1, "first"), launches.table_of(2, "first")) == (None, None)


async def test_a_member_is_not_asked_for_again_at_once_while_discord_does_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times, answers = iter([0.0, 0.0, 61.0, 61.0, 62.0, 72.0, 72.0]), iter(["Ada", None, "Ada B."])

    async def fetch(_key: int) -> str:
        answer = next(answers)
        if answer is None:
            raise TimeoutError
        return answer

    monkeypatch.setattr(access, "seconds", lambda: next(times))
    kept = access.Kept(fetch)
    assert [await kept.get(1) for _ in range(5)] == ["Ada", "Ada", "Ada", "Ada", "Ada B."]


async def test_a_member_who_is_not_known_is_an_error_while_discord_does_not_answer() -> None:
    async def fetch(_key: int) -> str:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        await access.Kept(fetch).get(1)


def test_a_list_that_a_page_keeps_up_to_date_is_no_action_of_its_user() -> None:
    now = 0.0
    limiter = RateLimiter(lambda: now)
    parts: Any = SimpleNamespace(limiter=limiter)
    answering, page = Answering(parts, [Lists(parts)]), SimpleNamespace(user_id=5, guild_id=None, channel_id=None)
    for frame, idle in (('{"do": "look"}', 9), (None, 9), ('{"do": "home"}', 0), ("nonsense", 0)):
        limiter.spend(Action.PRESS, Actor(5))
        now += 9
        assert answering.admits(cast("Page", page), frame)
        assert limiter.idle_seconds() == idle
