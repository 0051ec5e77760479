"""Read and validate the body of a request that posts or edits a message."""

from random import random

from aiohttp import web

from playground.checks.messages import MAX_REQUEST_BYTES, check_message, is_empty
from playground.components import Path
from playground.errors import EMPTY_MESSAGE, TOO_LARGE, Fault, InvalidForm, Refusal
from playground.rest.bodies import read_draft
from playground.world.model import MAX_FILE_BYTES, Message
from playground.world.posting import Draft
from playground.world.world import World


async def read_message(
    world: World, request: web.Request, *, before: Message | None = None, may_be_ephemeral: bool = False
) -> Draft:
    """The validated draft in a request. `before` is the message that it edits."""
    draft = await read_draft(request)
    check_draft(world, draft, before=before, may_be_ephemeral=may_be_ephemeral)
    return draft


def check_draft(
    world: World,
    draft: Draft,
    *,
    at: Path = (),
    before: Message | None = None,
    may_be_ephemeral: bool = False,
) -> None:
    """Raise Refusal if Discord would refuse the draft."""
    sizes = [len(upload.content) for upload in draft.uploads.values()]
    if any(size > MAX_FILE_BYTES for size in sizes) or sum(sizes) > MAX_REQUEST_BYTES:
        raise Refusal(TOO_LARGE)
    emojis = world.emojis if random() >= world.emoji_refusals else ()  # noqa: S311 - no secret
    raise_if_invalid(
        check_message(draft.body, draft.uploads, emojis, at=at, before=before, may_be_ephemeral=may_be_ephemeral)
    )
    if is_empty(draft.body, draft.uploads, before):
        raise Refusal(EMPTY_MESSAGE)


def raise_if_invalid(faults: list[Fault]) -> None:
    """Raise InvalidForm if there are faults."""
    if faults:
        raise InvalidForm(faults)
