"""People whose display names can't be read, or are an AI's, play under names that can be told apart."""

from tests.end_to_end.room import Room


async def test_a_seat_shows_a_name_that_can_be_read_and_is_no_ais(room: Room) -> None:
    ana, ben, cleo, dan = room.people
    ana.name, ben.name, cleo.name, dan.name = (
        "🤖 Jade",
        "Ben\u3164\u202e",
        "C" + "\u030d" * 30 + "leo",
        "Gang of Four",
    )
    await room.open(ana, seats=4)
    await room.seat([ben, cleo, dan])
    shown = room.table().text
    for name in (f"jade {ana.id % 10_000:04}", "Ben", "C\u030d\u030dleo", f"gangoffour {dan.id % 10_000:04}"):
        assert name in shown
    assert "🤖" not in shown
    assert "\u3164" not in shown
