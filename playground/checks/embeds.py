"""Validate embeds: ten at most, with 6000 characters in total."""

from playground.checks.fields import Faults, items, length, number, required_text, text, url
from playground.components import Json, Path
from playground.errors import Fault

TOTAL = 6000
WEB = ("http", "https")
WEB_OR_ATTACHMENT = ("http", "https", "attachment")


def check_embeds(embeds: list[Json], at: Path) -> Faults:
    """Check each embed and their total length."""
    yield from length(embeds, at, 0, 10)
    for index, embed in enumerate(embeds):
        yield from _check_embed(embed, (*at, index))
    if sum(map(embed_length, embeds)) > TOTAL:
        yield Fault(at, "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {TOTAL}")


def _check_embed(embed: Json, at: Path) -> Faults:
    yield from text(embed, "title", at, 0, 256)
    yield from text(embed, "description", at, 0, 4096)
    yield from url(embed, "url", at, WEB, 2048)
    yield from number(embed, "color", at, 0, 0xFFFFFF)
    yield from items(embed, "fields", at, 0, 25)
    for index, each in enumerate(embed.get("fields") or []):
        yield from required_text(each, "name", (*at, "fields", index), 1, 256)
        yield from required_text(each, "value", (*at, "fields", index), 1, 1024)
    if embed.get("footer"):
        yield from required_text(embed["footer"], "text", (*at, "footer"), 1, 2048)
    if embed.get("author"):
        yield from required_text(embed["author"], "name", (*at, "author"), 1, 256)
    for name in ("image", "thumbnail"):
        if embed.get(name):
            yield from url(embed[name], "url", (*at, name), WEB_OR_ATTACHMENT, 2048)


def embed_length(embed: Json) -> int:
    """The number of characters in an embed that count toward the total."""
    parts = [embed.get("title"), embed.get("description")]
    parts += [(embed.get("footer") or {}).get("text"), (embed.get("author") or {}).get("name")]
    for each in embed.get("fields") or []:
        parts += [each.get("name"), each.get("value")]
    return sum(len(part) for part in parts if part)
