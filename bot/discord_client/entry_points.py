"""The command that opens an app's Activity. Discord adds it when the host switches Activities on.

It refuses to publish commands without it (50240), so it's sent along unchanged:
https://discord.com/developers/docs/interactions/application-commands#entry-point-commands
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

PRIMARY_ENTRY_POINT: Final = 4
"""The type of the command."""
_FIELDS: Final = (
    *("id", "type", "name", "name_localizations", "description", "handler"),
    *("integration_types", "contexts", "default_member_permissions", "nsfw"),
)
"""Those of its fields that Discord accepts again."""


def entry_points(copies: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The entry points among Discord's copies of our commands, as Discord accepts them again."""
    found = (copy for copy in copies if copy["type"] == PRIMARY_ENTRY_POINT)
    return [{name: copy[name] for name in _FIELDS if name in copy} for copy in found]
