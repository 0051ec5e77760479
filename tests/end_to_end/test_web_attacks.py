"""Frames that no page sends: too large, too many, out of order, twice, or nonsense."""

import asyncio
import json
from collections import Counter
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from aiohttp import WSCloseCode, WSMsgType

from bot.engine import verify
from tests.end_to_end.inspection import record_of
from tests.end_to_end.page_client import app_with_page, play_together

MANY = 1000
"""Frames that come too quickly, on any machine."""
REQUESTS = (
    *("watch", "unwatch", "play", "pass", "declare", "give_back", "undo", "come_back", "resume", "hint", "why"),
    *(
        "home",
        "create",
        "daily",
        "join",
        "leave",
        "add_ai",
        "remove_ai",
        "option",
        "start",
        "rematch",
        "replay",
        "coach",
    ),
)
NONSENSE: tuple[Any, ...] = (
    *(
        None,
        True,
        -1,
        1.5,
        2**63,
        10**30,
        "1",
        "",
        "x" * 200,
        [],
        [1],
        {},
        {"a": 1},
        [[]],
        [None],
        [-1],
        [34],
        [0] * 17,
    ),
    *([0, 0, 0], [33, 33], ["0"], [1.0], [True], "\x00", "\u2066", "Infinity"),
)


async def test_frames_that_no_page_sends_change_nothing(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        (player,) = await harness.begin_match(1, ai_players=2)
        async with site.page(player.person.id) as page:
            await page.watch(1)
            await page.until(page.must_act)
            before = page.table
            names: list[Any] = [*REQUESTS, "", "__init__", "answer", 7, None, [], {}]
            for do in names:
                if do in ("hint", "create", "daily", "home", "unwatch", "watch"):
                    continue  # they change nothing or work without fields
                for value in NONSENSE:
                    fields = {"table": value, "moment": value, "cards": value, "card": value, "match": value}
                    await page.connection.send_json({"id": value, "do": do, **fields, "name": value, "value": value})
            for value in NONSENSE:
                refusal = await page.ask("play", table=1, moment=before["moment"], cards=value)
                assert "refusal" in refusal
                assert "refusal" in await page.ask("play", table=1, moment=value, cards=[0])
                assert "refusal" in await page.ask("option", table=1, name="target", value=value)
            await page.do("home")
            assert not any("ok" in frame for frame in page.frames if type(frame.get("id")) is not int)
            assert (await page.watch(1))["length"] == before["length"]
            await page.act()


@pytest.mark.parametrize(
    "frame", ["", "x", "[]", "7", '"x"', "null", "[" * 4000, '{"hello": []}', '{"hello": {}}', "{}"]
)
async def test_a_page_that_does_not_say_hello_is_closed(tmp_path: Path, frame: str) -> None:
    async with app_with_page(tmp_path) as (_, site), site.socket() as connection:
        await connection.send_str(frame)
        assert await connection.receive_json() == {"bye": ""}
        assert (await connection.receive()).data == WSCloseCode.OK


async def test_a_page_that_says_nothing_is_closed(tmp_path: Path) -> None:
    hurry = {"bot.web.server.HELLO_SECONDS": 0.1}
    async with app_with_page(tmp_path, hurry) as (_, site), site.socket() as connection:
        assert await connection.receive_json() == {"bye": ""}


async def test_oversized_frames_close_the_page(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=2)
        for size in (5000, 100_000, 3_000_000):
            async with site.page(harness.people[0].id) as page:
                await page.watch(1)
                with suppress(ConnectionError):
                    await page.connection.send_str("x" * size)
                await page.until(partial(getattr, page, "is_closed"))
                assert page.connection.close_code in (WSCloseCode.MESSAGE_TOO_BIG, WSCloseCode.ABNORMAL_CLOSURE)
        async with site.socket() as connection:
            await connection.send_str("x" * 5000)
            await connection.receive()
        async with site.http.post(f"{site.url}/api/activity", data=b"x" * 5000) as response:
            assert response.status in (403, 413)
        async with site.page(harness.people[0].id) as page:
            await page.watch(1)


async def test_a_flood_is_not_answered_and_others_play_on(tmp_path: Path) -> None:
    at_once = {"bot.web.connection.FLOOD_SECONDS": 0.0}  # else the test would wait until all frames are read
    async with app_with_page(tmp_path, at_once, limits_scale="1") as (harness, site):
        ana, ben = harness.people[:2]
        await harness.begin_match(2, ai_players=1)
        async with site.page(ana.id) as flooding, site.page(ben.id) as other:
            await other.watch(1)
            frame = json.dumps({"id": 1, "do": "why", "table": 1, "cards": [1]})

            async def flood() -> None:
                for _ in range(3000):
                    await flooding.connection.send_str(frame)

            flooder = asyncio.create_task(flood())
            for _ in range(5):
                assert "refusal" not in await other.ask("home")
            flooder.cancel()
            await asyncio.gather(flooder, return_exceptions=True)
            answers = [each for each in flooding.frames if "id" in each]
            assert 0 < len(answers) < 100


async def test_a_request_sent_twice_moves_once(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        (player,) = await harness.begin_match(1, ai_players=2, target=10)
        async with site.page(player.person.id) as one, site.page(player.person.id) as other:
            await one.watch(1)
            await other.watch(1)
            await play_together(harness, [one], [], lambda: one.must_act() and bool(one.table["choices"]))
            table = one.table
            choice = table["choices"][0]
            move = {"table": 1, "moment": table["moment"], "cards": choice["cards"], "last_card": choice["last_card"]}
            answers = await asyncio.gather(*(page.ask("play", **move) for page in (one, other, one, other)))
            assert sum("ok" in answer for answer in answers) == 1
            assert all(answer.get("rule") in (None, "moment", "R23") for answer in answers)
            old = await one.ask("play", **move)
            assert "refusal" in old
            await play_together(harness, [one], [])
            await one.until(lambda: one.table["status"] == "over")
            assert "refusal" in await one.ask("play", **move)
        verify(record_of(harness))


async def test_a_user_has_only_so_many_pages(tmp_path: Path) -> None:
    async with app_with_page(tmp_path, {"bot.web.server.OPEN_PAGES": 2}) as (harness, site):
        ana = harness.people[0].id
        async with site.page(ana) as one, site.page(ana) as two:
            await one.do("home")
            await two.do("home")
            async with site.page(ana) as three:
                await three.until(lambda: three.is_closed)
                assert three.frames == [{"bye": "Try again in 60 seconds."}]
            async with site.page(harness.people[1].id) as other:
                await other.do("home")
        async with site.page(ana) as later:
            await later.do("home")


async def test_a_page_that_only_answers_pings_ends_with_its_session(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        session = site.sessions.begin(harness.people[0].id)
        async with site.http.ws_connect(f"{site.url}/api/socket", origin=site.url) as connection:
            await connection.send_json({"hello": {"session": session}})
            assert "welcome" in await connection.receive_json()
            url, origin = f"{site.url}/api/logout", {"Origin": site.url}
            assert (await site.http.post(url, json={"session": session}, headers=origin)).status == 200
            await connection.pong()
            assert await connection.receive_json() == {"bye": ""}


async def test_pings_count_like_requests(tmp_path: Path) -> None:
    constants = {"bot.web.connection.FLOOD_SECONDS": 3600.0}
    async with app_with_page(tmp_path, constants, limits_scale="1") as (harness, site):
        address = f"{site.url}/api/socket"
        async with site.http.ws_connect(address, origin=site.url, autoping=False) as connection:
            await connection.ping()  # before it has said whose page it is
            assert (await connection.receive()).json() == {"bye": ""}
        for kind, person in zip((WSMsgType.PING, WSMsgType.PONG), harness.people, strict=False):
            async with site.http.ws_connect(address, origin=site.url, autoping=False) as connection:
                await connection.send_json({"hello": {"session": site.sessions.begin(person.id)}})
                assert "welcome" in await connection.receive_json()
                for _ in range(MANY):
                    await connection.send_frame(b"x", kind)
                await connection.send_json({"id": 1, "do": "home"})
                answers = Counter[WSMsgType]()
                with suppress(TimeoutError):
                    while True:
                        answers[(await connection.receive(timeout=1)).type] += 1
                assert answers.keys() <= {WSMsgType.PONG}
                assert (MANY > answers[WSMsgType.PONG] > 0) is (kind is WSMsgType.PING)


async def test_a_page_that_does_not_answer_does_not_hold_up_the_end(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        token = site.sessions.begin(harness.people[0].id)
        address = f"{site.url}/api/socket"
        async with site.http.ws_connect(address, origin=site.url, autoclose=False, autoping=False) as connection:
            await connection.send_json({"hello": {"session": token}})
            assert "welcome" in await connection.receive_json()
            await harness.stop_app()  # it exits with 0


async def test_bytes_that_are_no_http_are_answered_without_a_traceback(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (_, site):
        host, port = site.url.removeprefix("http://").split(":")
        lines = "GET /api/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        for sent in (
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
            b"GET / HTTP/9.9\r\n\r\n",
            b"GET /%00%ff\x80 HTTP/1.1\r\nHost: x\r\n\r\n",
            b"POST /api/activity HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000000\r\n\r\nx",
            b"POST /api/activity HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            b"GET /login?next=" + b"x" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
            f"{lines}Origin: {site.url}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n".encode(),
            f"{lines}Origin: {site.url}\r\n\r\n".encode() + b"\xff" * 100,
        ):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(sent)
            writer.write_eof()
            await reader.read()
            writer.close()
        async with site.http.get(f"{site.url}/api/setup") as response:
            assert response.status == 200
