"""The action that each command, press and form counts for."""

from collections.abc import Callable

import pytest

from bot.discord_client.client import GangBot
from bot.presentation.ui.custom_ids import Press, Verb
from bot.table.limits import Action
from cogs.routing import Handler, apps_menu, cost_of, costs, handlers, on_form, on_press
from tests.cogs.tree import all_commands


@pytest.fixture
def handled(client: GangBot) -> dict[Verb, Handler]:
    return {handler.verb: handler for cog in client.cogs.values() for handler in handlers(cog)}


def test_every_command_says_what_it_costs() -> None:
    found = {name: cost_of(command) for name, command in all_commands().items()}
    assert [found[name] for name in ("new", "list", "hand")] == [Action.OPEN, Action.FIGURES, None]


def test_every_command_of_the_apps_menu_says_what_it_costs(client: GangBot) -> None:
    found = {command.name: cost_of(command) for cog in client.cogs.values() for command in apps_menu(cog)}
    figures = Action.FIGURES
    assert found == {"Profile": figures, "Compare with me": figures, "Invite to my table": None, "My hand": None}


@pytest.mark.parametrize(
    ("given", "action"),
    [
        (set(), Action.FIGURES),
        ({"whose"}, Action.FIGURES),
        ({"number"}, Action.REPLAY),
        ({"file", "number"}, Action.IMPORT),
    ],
)
def test_a_command_counts_for_what_its_options_ask(given: set[str], action: Action) -> None:
    assert cost_of(all_commands()["history"], given) is action


def test_a_handler_without_costs_is_an_error() -> None:
    decorators: tuple[Callable[[], object], ...] = (on_press, on_form, costs)  # type: ignore[assignment]
    for decorator in decorators:
        with pytest.raises(TypeError):
            decorator()


@pytest.mark.parametrize(
    ("press", "action"),
    [
        (Press(Verb.REPLAY, 7, 3, ("m", "0", "still")), Action.PICTURE),
        (Press(Verb.REPLAY, 7, 3, ("m", "0", "text")), Action.EXPORT),
        (Press(Verb.REPLAY, 7, 3, ("m", "0", "post-still")), Action.POST),
        (Press(Verb.REPLAY, 7, 3, ("m", "0", "next")), Action.REPLAY),
        (Press(Verb.TOTALS, 7), Action.PICTURE),
        (Press(Verb.SHEET, 7, 0, ("2",)), Action.PICTURE),
        (Press(Verb.TOTALS, 7, 0, ("post",)), Action.POST),
        (Press(Verb.PROFILE, 0, 0, ("77", "post")), Action.POST),
        (Press(Verb.PROFILE, 0, 0, ("77", "titles")), Action.FIGURES),
        (Press(Verb.PRIVACY, 0, 0, ("export",)), Action.EXPORT),
        (Press(Verb.PRIVACY, 0, 0, ("delete", "yes")), Action.DELETE),
        (Press(Verb.PRIVACY, 0, 0, ("delete",)), Action.SETTINGS),
        (Press(Verb.GUILD_SETTINGS), None),
        (Press(Verb.GUILD_SETTINGS, 0, 0, ("export", "77")), Action.EXPORT_GUILD),
        (Press(Verb.GUILD_SETTINGS, 0, 0, ("activity",)), Action.FIGURES),
        (Press(Verb.UNDO, 7), Action.UNDO),
        (Press(Verb.HINT, 7), Action.HINT),
        (Press(Verb.PRACTICE, 7, 0, ("gang", "club")), Action.PRACTICE),
        (Press(Verb.PRACTICE, 7, 0, ("menu", "club")), None),
        (Press(Verb.PRACTICE_HAND, 7, 3, ("play", "n", "3", "")), Action.PRACTICE_MOVE),
        (Press(Verb.PRACTICE_HAND, 7, 3, ("card", "n", "3", "", "4", "0")), None),
        (Press(Verb.PUZZLE, 0, 0, ("today",)), Action.PRACTICE),
        (Press(Verb.PUZZLE, 7, 0, ("before",)), Action.PRACTICE),
        (Press(Verb.PUZZLE, 7, 0, ("post",)), Action.POST),
        (Press(Verb.PUZZLE_HAND, 7, 0, ("pass", "n", "", "")), Action.PRACTICE_MOVE),
        (Press(Verb.PUZZLE_HAND, 7, 0, ("card", "n", "3", "", "4", "0")), None),
        (Press(Verb.CARD, 7), None),
    ],
)
async def test_a_press_counts_for_its_action(handled: dict[Verb, Handler], press: Press, action: Action | None) -> None:
    assert handled[press.verb].action(press) is action
