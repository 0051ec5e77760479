"""Actions before the first deal, one row for each rule."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.engine import Options
from bot.players.levels import Level
from bot.players.styles import Style
from bot.table import lobby
from bot.table.lobby import NewTable, TableSetup
from bot.table.model import Pace, Seat, Status, TableRow
from bot.table.refusals import (
    AlreadySeated,
    HasStarted,
    HostOnly,
    NoAiToRemove,
    NotSeated,
    OutdatedAction,
    Refusal,
    RemovedByHost,
    SeatsAreEmpty,
    TableIsClosed,
    TableIsFull,
)
from tests.table_harness import ADA, BO, CHANNEL, CY, DI, EVE, GUILD, PEOPLE

HOST, GUEST = ADA.user_id, BO.user_id
FOUR = TableSetup(4, "days-of-wonder", Options(), Pace.NONE)
THREE = replace(FOUR, size=3)


def new_lobby(people: int = 1, ai_players: int = 0, size: int = 4, status: Status = Status.LOBBY) -> TableRow:
    """A table with some people, followed by AI players."""
    row = lobby.new_lobby(NewTable(GUILD, CHANNEL, ADA, replace(FOUR, size=size)), bytes(32), 5)
    for person in PEOPLE[1:people]:
        row = lobby.join(row, person)
    for _ in range(ai_players):
        row = lobby.add_ai(row, HOST)
    return replace(row, status=status)


def names(row: TableRow) -> list[str]:
    return [seat.name for seat in row.seats]


def test_removed_users_can_come_back_when_invited() -> None:
    row = lobby.invite(lobby.remove(new_lobby(2), HOST, GUEST), HOST, [GUEST])
    assert names(lobby.join(row, BO)) == ["Ada", "Bo"]


def test_invited_users_are_awaited_until_they_come_and_notified_once() -> None:
    row = lobby.invite(new_lobby(2), HOST, [GUEST, CY.user_id, DI.user_id])
    assert (row.awaited, row.invitations) == ((CY.user_id, DI.user_id), 1)
    row = lobby.join(row, CY)
    assert row.awaited == (DI.user_id,)
    assert lobby.invite(row, HOST, [DI.user_id, CY.user_id]).invitations == 1
    row = lobby.invite(lobby.leave(row, CY.user_id), HOST, [CY.user_id])
    assert (row.awaited, row.invitations) == ((DI.user_id, CY.user_id), 2)


def test_a_new_table_has_its_host_in_the_first_seat() -> None:
    row = lobby.new_lobby(NewTable(GUILD, CHANNEL, ADA, THREE), b"\1" * 32, 5)
    assert row.seats == (Seat("Ada", HOST),)
    assert (row.host_id, row.guild_id, row.channel_id, row.size) == (HOST, GUILD, CHANNEL, 3)
    assert (row.status, row.created_at, row.seed) == (Status.LOBBY, 5, b"\1" * 32)


CHANGES: list[tuple[str, TableRow, Callable[[TableRow], TableRow], list[str]]] = [
    ("a user takes the next seat", new_lobby(2), lambda row: lobby.join(row, CY), ["Ada", "Bo", "Cy"]),
    ("an AI player takes the next seat", new_lobby(2), lambda row: lobby.add_ai(row, HOST), ["Ada", "Bo", "Jade"]),
    (
        "a second AI player has another name",
        new_lobby(1, 1),
        lambda row: lobby.add_ai(row, HOST),
        ["Ada", "Jade", "Bamboo"],
    ),
    (
        "an AI player stays while a seat is free",
        new_lobby(2, 1),
        lambda row: lobby.join(row, CY),
        ["Ada", "Bo", "Jade", "Cy"],
    ),
    (
        "at a full table a user replaces the last AI player",
        new_lobby(2, 2),
        lambda row: lobby.join(row, CY),
        ["Ada", "Bo", "Jade", "Cy"],
    ),
    ("the last AI player is removed", new_lobby(2, 2), lambda row: lobby.remove_ai(row, HOST), ["Ada", "Bo", "Jade"]),
    ("leaving frees the seat", new_lobby(3), lambda row: lobby.leave(row, GUEST), ["Ada", "Cy"]),
    (
        "a smaller table removes AI players",
        new_lobby(2, 2),
        lambda row: lobby.configure(row, HOST, THREE),
        ["Ada", "Bo", "Jade"],
    ),
    (
        "players stay while the seats suffice",
        new_lobby(2, 1),
        lambda row: lobby.configure(row, HOST, THREE),
        ["Ada", "Bo", "Jade"],
    ),
]


@pytest.mark.parametrize(
    ("row", "change", "expected"), [line[1:] for line in CHANGES], ids=[line[0] for line in CHANGES]
)
def test_change(row: TableRow, change: Callable[[TableRow], TableRow], expected: list[str]) -> None:
    changed = change(row)
    assert names(changed) == expected
    assert (changed.host_id, changed.status) == (HOST, Status.LOBBY)


REFUSALS: list[tuple[str, TableRow, Callable[[TableRow], object], type[Refusal]]] = [
    ("a player cannot join twice", new_lobby(2), lambda row: lobby.join(row, BO), AlreadySeated),
    ("the host cannot join again", new_lobby(1), lambda row: lobby.join(row, ADA), AlreadySeated),
    ("a player cannot join a full table again", new_lobby(2, 2), lambda row: lobby.join(row, BO), AlreadySeated),
    ("four people fill a table", new_lobby(4), lambda row: lobby.join(row, EVE), TableIsFull),
    ("three people fill a table of three", new_lobby(3, size=3), lambda row: lobby.join(row, DI), TableIsFull),
    ("an AI player needs a free seat", new_lobby(2, 2), lambda row: lobby.add_ai(row, HOST), TableIsFull),
    ("only the host adds AI players", new_lobby(2), lambda row: lobby.add_ai(row, GUEST), HostOnly),
    ("only the host removes AI players", new_lobby(2, 1), lambda row: lobby.remove_ai(row, GUEST), HostOnly),
    ("only the host changes options", new_lobby(2), lambda row: lobby.configure(row, GUEST, THREE), HostOnly),
    ("no AI player to remove", new_lobby(2), lambda row: lobby.remove_ai(row, HOST), NoAiToRemove),
    ("people keep their seats", new_lobby(4), lambda row: lobby.configure(row, HOST, THREE), TableIsFull),
    ("a user without a seat cannot leave", new_lobby(2), lambda row: lobby.leave(row, EVE.user_id), NotSeated),
    (
        "a removed user cannot join",
        lobby.remove(new_lobby(2), HOST, GUEST),
        lambda row: lobby.join(row, BO),
        RemovedByHost,
    ),
    ("a match needs all seats taken", new_lobby(2, 1), lobby.require_complete, SeatsAreEmpty),
    *(
        (f"{what} {status}", new_lobby(2, 1, status=status), change, refusal)
        for status, refusal in (
            (Status.PLAYING, HasStarted),
            (Status.OVER, TableIsClosed),
            (Status.CLOSED, TableIsClosed),
        )
        for what, change in {
            "join": lambda row: lobby.join(row, CY),
            "add AI": lambda row: lobby.add_ai(row, HOST),
            "remove AI": lambda row: lobby.remove_ai(row, HOST),
            "options": lambda row: lobby.configure(row, HOST, THREE),
            "leave": lambda row: lobby.leave(row, GUEST),
        }.items()
    ),
]


@pytest.mark.parametrize(
    ("row", "change", "refusal"), [line[1:] for line in REFUSALS], ids=[line[0] for line in REFUSALS]
)
def test_refusal(row: TableRow, change: Callable[[TableRow], object], refusal: type[Refusal]) -> None:
    with pytest.raises(refusal):
        change(row)


def test_refusals_carry_the_facts() -> None:
    with pytest.raises(HostOnly) as host:
        lobby.require_host(new_lobby(2), GUEST)
    with pytest.raises(SeatsAreEmpty) as empty:
        lobby.require_complete(new_lobby(1, 1))
    with pytest.raises(TableIsFull) as full:
        lobby.configure(new_lobby(4), HOST, THREE)
    assert (host.value.host_id, empty.value.empty, full.value.limit) == (HOST, 2, 3)


def levels(row: TableRow) -> list[str | None]:
    return [seat.ai_level for seat in row.seats]


def test_each_ai_player_has_its_level() -> None:
    row = lobby.set_ai_player(new_lobby(1, 2), HOST, "Jade", Level.EXPERT, None)
    assert levels(row) == [None, "expert", "simple"]
    row = lobby.configure(row, HOST, replace(TableSetup.of(row), pace=Pace.LIVE))
    assert levels(lobby.add_ai(row, HOST)) == [None, "expert", "simple", "simple"]
    masters = replace(row.settings, ai_level=Level.MASTER)
    row = lobby.configure(row, HOST, replace(TableSetup.of(row), settings=masters))
    assert levels(lobby.add_ai(row, HOST)) == [None, "master", "master", "master"]


def test_ai_players_keep_their_levels_in_a_rematch() -> None:
    row = lobby.set_ai_player(new_lobby(1, 2), HOST, "Bamboo", Level.BEGINNER, Style.STEADY)
    again = lobby.rematch(row, ADA, bytes(32), 0, options_first=False)
    assert levels(again) == [None, "simple", "beginner"]
    assert styles(again) == [Style.BOLD, Style.STEADY]


def styles(row: TableRow) -> list[Style | None]:
    return [seat.ai_style for seat in row.seats if seat.is_ai]


def test_ai_players_have_different_styles_unless_the_host_chooses_one() -> None:
    row = new_lobby(1, 3)
    assert styles(row) == [Style.BOLD, Style.STINGY, Style.HOARDER]
    assert styles(lobby.set_ai_player(row, HOST, "Jade", Level.EXPERT, None)) == styles(row)
    chosen = lobby.set_ai_player(row, HOST, "Jade", Level.EXPERT, Style.HOARDER)
    assert styles(chosen) == [Style.HOARDER, Style.STINGY, Style.HOARDER]
    masters = replace(TableSetup.of(chosen), settings=replace(row.settings, ai_level=Level.MASTER))
    assert styles(lobby.configure(chosen, HOST, masters)) == styles(chosen)
    assert styles(lobby.with_steady_ai(chosen)) == [Style.STEADY] * 3


def test_an_ai_player_with_a_numbered_name_has_the_style_of_the_name() -> None:
    row = lobby.add_ai(new_lobby(1), HOST, lobby.AI_NAMES)
    assert (row.seats[1].name, styles(row)) == ("Jade 2", [Style.BOLD])


@pytest.mark.parametrize("name", ["Ada", "Bo", "Bamboo"])
def test_only_ai_players_have_levels(name: str) -> None:
    with pytest.raises(OutdatedAction):
        lobby.set_ai_player(new_lobby(2, 1), HOST, name, Level.CLUB, None)
    with pytest.raises(HostOnly):
        lobby.set_ai_player(new_lobby(2, 1), GUEST, "Jade", Level.CLUB, None)


def test_the_level_of_an_ai_player_is_set_after_somebody_left() -> None:
    row = lobby.set_ai_player(lobby.leave(new_lobby(2, 2), GUEST), HOST, "Jade", Level.MASTER, None)
    assert [(seat.name, seat.ai_level) for seat in row.seats if seat.is_ai] == [
        ("Jade", "master"),
        ("Bamboo", "simple"),
    ]


def test_when_the_host_leaves_the_next_player_is_host() -> None:
    row = lobby.leave(new_lobby(3, 1), HOST)
    assert (names(row), row.host_id) == (["Bo", "Cy", "Jade"], GUEST)


def test_an_ai_player_is_never_host() -> None:
    row = lobby.join(lobby.add_ai(new_lobby(1), HOST), BO)
    assert (names(lobby.leave(row, HOST)), lobby.leave(row, HOST).host_id) == (["Jade", "Bo"], GUEST)


def test_a_table_without_players_closes() -> None:
    assert lobby.leave(new_lobby(1, 2), HOST).status is Status.CLOSED
    assert lobby.leave(new_lobby(1), HOST).seats == ()


def test_the_host_sets_the_options_of_the_game() -> None:
    setup = TableSetup(3, "summary-sheet", Options.of("summary-sheet", {"target": 30}), Pace.DAY)
    row = lobby.configure(new_lobby(2), HOST, setup)
    assert (row.size, row.edition, row.options, row.pace) == (3, setup.edition, setup.options, Pace.DAY)
