"""Validation of request bodies against Discord's OpenAPI description, if there is a copy."""

import pytest

from playground import Playground
from tests.conftest import SPEC
from tests.playground.conftest import Api

pytestmark = pytest.mark.skipif(SPEC is None, reason="DISCORD_OPENAPI names no copy of the description")


async def test_deviations_from_the_description_are_violations(api: Api) -> None:
    async with Playground(rate_limits="off", spec=SPEC) as world:
        channel = world.guild("Tea House").channel("games")
        strict = Api(world, api.session)
        path = f"/channels/{channel.id}/messages"
        button = {"type": 2, "style": 1, "label": "Go", "custom_id": "go", "sku_id": 7}
        good = {"content": "x", "nonce": "1", "components": [{"type": 1, "components": [button]}]}
        assert (await strict("POST", path, good))[0] == 200
        assert world.violations == []
        assert (await strict("POST", path, {"content": "x", "tts": "loud"}))[0] == 200
        (complaint,) = world.violations
        assert complaint.startswith("spec: POST /channels/{}/messages: /tts")
        assert (await strict("POST", f"/channels/{channel.id}/typing", {}))[0] == 204
        assert "is not described" in world.violations[1]
