"""The action that each command, press and form counts for, and that none of them was forgotten."""

from collections.abc import Callable, Mapping
from typing import Final

import pytest
from discord import app_commands

from bot.discord_client.client import GangBot
from bot.presentation.ui.custom_ids import Press, Verb
from bot.table.limits import Action
from cogs.routing import Handler, cost_of, costs, handlers, on_form, on_press

COMMANDS: Final[Mapping[Action, str]] = {
    Action.OPEN: "new duplicate",
    Action.IMPORT: "import",
    Action.REPLAY: "match",
    Action.VERIFY: "verify",
    Action.DAILY: "daily",
    Action.FIGURES: "list turns history leaderboard profile versus privacy",
}
"""The commands with a limit of their own."""
PRESSES: Final[Mapping[Action, str]] = {
    Action.OPEN: "playai",
    Action.REMATCH: "rematch",
    Action.UNDO: "undo",
    Action.REPLAY: "past replay",
    Action.COACH: "coach",
    Action.COACH_MATCH: "coach-match",
    Action.PRACTICE: "practice-from",
    Action.PICTURE: "chart curve penalties map totals",
    Action.FIGURES: "list history board daily profile versus hands",
    Action.SEASON: "season seasonname",
    Action.SETTINGS: (
        "notifications quiet zone language cards home alerts typed privacy publiclanguage celebrate publiccards "
        "channels roles default limit schedule postin"
    ),
}
"""The verbs with a limit of their own, without arguments that change it."""
ARGUMENTS: Final[Mapping[Action, Mapping[str, str]]] = {
    Action.POST: {
        **dict.fromkeys(("curve", "penalties", "map", "totals", "daily", "puzzle", "profile"), "post"),
        "past": "post post-still post-moving",
    },
    Action.PICTURE: {"past": "still moving"},
    Action.EXPORT: {"past": "record text", "privacy": "export"},
    Action.VERIFY: {"past": "verify"},
    Action.PRACTICE: {"practice": "new gang weak endgame again seat", "puzzle": "today before"},
    Action.PRACTICE_MOVE: {
        "practice-hand": "play last pass declare give hint",
        "puzzle-hand": "play last pass declare give",
    },
    Action.DELETE: {"privacy": "yes"},
    Action.EXPORT_GUILD: {"server": "export"},
    Action.FIGURES: {"server": "activity"},
}
"""The arguments of verbs that count for another action."""


@pytest.fixture
def handled(client: GangBot) -> dict[Verb, Handler]:
    return {handler.verb: handler for cog in client.cogs.values() for handler in handlers(cog)}


async def test_each_command_counts_for_its_action(client: GangBot) -> None:
    expected = {name: action for action, names in COMMANDS.items() for name in names.split()}
    (family,) = client.tree.get_commands()
    assert isinstance(family, app_commands.Group)
    found = {command.name: cost_of(command) for command in family.commands if isinstance(command, app_commands.Command)}
    assert len(found) == len(family.commands)
    assert {name: action for name, action in found.items() if action is not None} == expected


async def test_each_verb_counts_for_its_action(handled: dict[Verb, Handler]) -> None:
    expected = {verb: action for action, verbs in PRESSES.items() for verb in verbs.split()}
    found = {verb: handler.action(Press(verb)) for verb, handler in handled.items()}
    assert {verb: action for verb, action in found.items() if action is not None} == expected


async def test_some_arguments_of_presses_count_for_other_actions(handled: dict[Verb, Handler]) -> None:
    expected = {
        (verb, argument): action
        for action, verbs in ARGUMENTS.items()
        for verb, arguments in verbs.items()
        for argument in arguments.split()
    }
    arguments = {argument for _, argument in expected} | {"next", "open", "menu", "club", "card", "show"}
    for verb, handler in handled.items():
        for argument in arguments:
            action = expected.get((verb, argument), handler.action(Press(verb)))
            assert handler.action(Press(verb, 7, 3, (argument,))) is action
            assert handler.action(Press(verb, 7, 3, ("m", "0", argument))) is action
            assert handler.action(Press(verb, 7, 3, (argument, "n", "3", ""))) is action


def test_a_handler_needs_its_costs() -> None:
    decorators: tuple[Callable[[], object], ...] = (on_press, on_form, costs)  # type: ignore[assignment]
    for decorator in decorators:
        with pytest.raises(TypeError):
            decorator()
