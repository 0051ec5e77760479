"""Validate message bodies: lengths, files, mentions, flags and the rules of Components V2."""

from collections.abc import Collection, Mapping

from playground.checks import fields
from playground.checks.components import check_components
from playground.checks.controls import CheckContext
from playground.checks.embeds import check_embeds
from playground.checks.fields import Faults
from playground.components import Json, Path
from playground.errors import Fault
from playground.world.model import Message, MessageFlags
from playground.world.posting import Upload

MAX_FILES = 10
MAX_REQUEST_BYTES = 25 * 1024 * 1024
SETTABLE = MessageFlags.SUPPRESS_EMBEDS | MessageFlags.SUPPRESS_NOTIFICATIONS | MessageFlags.COMPONENTS_V2
MENTION_KINDS = ("users", "roles", "everyone")


def check_message(
    body: Json,
    uploads: Mapping[int, Upload],
    emoji_ids: Collection[int],
    *,
    at: Path = (),
    before: Message | None = None,
    may_be_ephemeral: bool = False,
) -> list[Fault]:
    """Check a message body. `before` is the message that it edits, `at` is the path of the body in the request."""
    flags = MessageFlags(body.get("flags") or 0)
    is_v2 = bool(flags & MessageFlags.COMPONENTS_V2) or (before is not None and before.is_v2)
    context = CheckContext(emoji_ids, _filenames(body, uploads, before))
    faults = [
        *fields.text(body, "content", at, 0, 2000),
        *fields.text(body, "nonce", at, 0, 25),
        *_check_mentions(body.get("allowed_mentions") or {}, (*at, "allowed_mentions")),
        *_check_attachments(body, uploads, at, before),
        *_check_flags(body, at, before, may_be_ephemeral=may_be_ephemeral),
        *_check_unsupported(body, at),
        *(_check_v2(body, at, before) if is_v2 else ()),
        *_check_embed_files(body, at, context),
    ]
    if body.get("embeds"):
        faults += check_embeds(body["embeds"], (*at, "embeds"))
    if body.get("components"):
        faults += check_components(body["components"], (*at, "components"), is_v2=is_v2, context=context)
    return faults


def check_deferral(data: Json, at: Path) -> list[Fault]:
    """Check the data of a deferral. It can only set the EPHEMERAL flag."""
    other = MessageFlags(data.get("flags") or 0) & ~MessageFlags.EPHEMERAL
    faults = [Fault((*at, "flags"), "MESSAGE_FLAGS_INVALID", "Only EPHEMERAL may be set here")] if other else []
    ignored = sorted(name for name in data if name not in ("flags", "tts") and data[name])
    return faults + [Fault((*at, name), "DEFERRED_FIELD_IGNORED", "A deferral carries no message") for name in ignored]


def is_empty(body: Json, uploads: Mapping[int, Upload], before: Message | None = None) -> bool:
    """True if the message would have no content."""
    parts = {
        "content": before.content if before else "",
        "embeds": before.embeds if before else [],
        "components": before.components if before else [],
        "attachments": before.attachments if before else [],
    }
    left = [body.get(name, old) for name, old in parts.items()]
    return not any(left) and not uploads


def _filenames(body: Json, uploads: Mapping[int, Upload], before: Message | None) -> set[str]:
    """The names of the files that the message will have."""
    described = {str(each.get("id")): each for each in body.get("attachments") or [] if isinstance(each, dict)}
    names = {described.get(str(number), {}).get("filename") or upload.filename for number, upload in uploads.items()}
    if before is not None:
        keeps_all = body.get("attachments") is None
        names |= {each.filename for each in before.attachments if keeps_all or str(each.id) in described}
    return names


def _check_mentions(allowed: Json, at: Path) -> Faults:
    for index, kind in enumerate(allowed.get("parse") or []):
        if kind not in MENTION_KINDS:
            yield Fault((*at, "parse", index), "BASE_TYPE_CHOICES", f"Value must be one of {MENTION_KINDS}.")
    for kind in ("users", "roles"):
        yield from fields.items(allowed, kind, at, 0, 100)
        if allowed.get(kind) and kind in (allowed.get("parse") or []):
            message = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            yield Fault(at, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message)


def _check_attachments(body: Json, uploads: Mapping[int, Upload], at: Path, before: Message | None) -> Faults:
    described = body.get("attachments") or []
    kept = {str(each.id) for each in before.attachments} if before else set()
    yield from fields.length([*described] if described else [*uploads], (*at, "attachments"), 0, MAX_FILES)
    for index, each in enumerate(described):
        here = (*at, "attachments", index)
        yield from fields.required(each, "id", here)
        yield from fields.text(each, "filename", here, 1, 1024)
        yield from fields.text(each, "description", here, 0, 1024)
        if str(each.get("id")) not in kept | {str(number) for number in uploads}:
            yield Fault((*here, "id"), "ATTACHMENT_NOT_FOUND", "The request has no such file, nor has the message")


def _check_flags(body: Json, at: Path, before: Message | None, *, may_be_ephemeral: bool) -> Faults:
    if body.get("flags") is None:
        return
    flags = MessageFlags(body["flags"])
    if before is None and not may_be_ephemeral and flags & MessageFlags.EPHEMERAL:
        message = "Only the answer to an interaction can be ephemeral"
        yield Fault((*at, "flags"), "MESSAGE_FLAGS_INVALID", message)
    if flags & ~(SETTABLE | MessageFlags.EPHEMERAL):
        yield Fault((*at, "flags"), "MESSAGE_FLAGS_INVALID", "These flags cannot be set by an app")
    if before is not None and before.is_v2 and not flags & MessageFlags.COMPONENTS_V2:
        message = "MessageFlags.IS_COMPONENTS_V2 cannot be removed from a message"
        yield Fault((*at, "flags"), "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG", message)


def _check_v2(body: Json, at: Path, before: Message | None) -> Faults:
    """Check that neither the body nor the edited message has legacy fields."""
    old = {} if before is None else {"content": before.content, "embeds": before.embeds}
    for name in ("content", "embeds", "poll", "sticker_ids"):
        if body.get(name, old.get(name)):
            message = f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
            yield Fault((*at, name), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", message)


def _check_embed_files(body: Json, at: Path, context: CheckContext) -> Faults:
    for index, embed in enumerate(body.get("embeds") or []):
        for place in ("image", "thumbnail"):
            url = str((embed.get(place) or {}).get("url") or "")
            name = url.removeprefix("attachment://")
            if name != url and name not in context.filenames:
                message = f'The referenced attachment "{name}" was not found'
                yield Fault((*at, "embeds", index, place, "url"), "ATTACHMENT_NOT_FOUND", message)


def _check_unsupported(body: Json, at: Path) -> Faults:
    for name in ("poll", "sticker_ids"):
        if body.get(name):
            yield Fault((*at, name), "PLAYGROUND_UNSUPPORTED", f"The playground doesn't support {name}")
