"""Reports of errors, as a server of Sentry receives them over HTTP."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.inspection import private_text, wait_for_log
from tests.end_to_end.test_secrets import BUG, assert_no_secret, meet_the_bug


class Receiver:
    """A server that keeps the envelopes it receives."""

    def __init__(self) -> None:
        self.envelopes: list[str] = []
        self.received = asyncio.Event()
        self.dsn = ""

    async def receive(self, request: web.Request) -> web.Response:
        self.envelopes.append(await request.text())
        self.received.set()
        return web.json_response({})

    def events(self) -> list[dict[str, Any]]:
        """The reports in the envelopes: each is the third line of its envelope."""
        return [json.loads(envelope.splitlines()[2]) for envelope in self.envelopes]


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    receiver, application = Receiver(), web.Application()
    application.router.add_post("/api/7/envelope/", receiver.receive)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    receiver.dsn = f"http://key@127.0.0.1:{runner.addresses[0][1]}/7"
    yield receiver
    await runner.cleanup()


async def test_a_bug_is_reported_without_any_values(harness: AppHarness, receiver: Receiver) -> None:
    await harness.stop_app()
    harness.constants |= BUG
    await harness.start_app(LOG_LEVEL="DEBUG", SENTRY_DSN=receiver.dsn)
    await meet_the_bug(harness)
    await asyncio.wait_for(receiver.received.wait(), 30)

    (event,) = receiver.events()
    assert event["logentry"] == {"message": "%s failed"}
    (exception,) = event["exception"]["values"]
    assert exception.keys() == {"type", "module", "stacktrace"}
    assert exception["type"] == "TypeError"
    frames = exception["stacktrace"]["frames"]
    assert {"bot.presentation.table.hand"} <= {frame["module"] for frame in frames}
    assert frames[0].keys() == {"module", "filename", "function", "lineno", "in_app"}
    tags = event["tags"]
    assert (tags["kind"], tags["verb"], tags["table"]) == ("press", "hand", "1")

    (envelope,) = receiver.envelopes
    assert_no_secret(harness, envelope)
    people = (*(person.name for person in harness.people), *(str(person.id) for person in harness.people))
    private = (*people, str(harness.guild.id), str(harness.channel.id), str(Path(__file__).parents[2]), "four")
    assert [each for each in private if each in envelope.replace("gang-of-four", "")] == []
    harness.log.write_text("")  # this traceback is expected


async def test_what_is_not_a_bug_is_not_reported(harness: AppHarness, receiver: Receiver) -> None:
    await harness.stop_app()
    await harness.start_app(SENTRY_DSN=receiver.dsn)
    ana, *_ = harness.people
    table = await harness.open_table(ana, seats=3)
    await ana.press_old("g4:nonsense:1:0", table)
    await wait_for_log(harness, "never offers")
    await harness.stop_app()
    assert receiver.envelopes == []


async def test_the_app_serves_and_stops_without_the_server_of_reports(harness: AppHarness) -> None:
    await harness.stop_app()
    harness.constants |= BUG
    await harness.start_app(SENTRY_DSN="http://key@127.0.0.1:1/7")
    await meet_the_bug(harness)
    assert "1 open table" in private_text(await harness.people[0].slash(harness.channel, "gang list"))
    await harness.stop_app()
    harness.log.write_text("")  # this traceback is expected
