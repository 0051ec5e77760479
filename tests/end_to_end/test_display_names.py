"""Users with unreadable names or names of AI players get names that can be told apart."""

from tests.end_to_end.app_harness import AppHarness


async def test_a_seat_shows_a_readable_name_that_no_ai_player_has(harness: AppHarness) -> None:
    ana, ben, cleo, dan = harness.people
    ana.name, ben.name, cleo.name, dan.name = (
        "🤖 Jade",
        "Ben\u3164\u202e",
        "C" + "\u030d" * 30 + "leo",
        "Gang of Four",
    )
    await harness.open_table(ana, seats=4)
    await harness.seat([ben, cleo, dan])
    shown = harness.table().text
    for name in (f"jade {ana.id % 10_000:04}", "Ben", "C\u030d\u030dleo", f"gangoffour {dan.id % 10_000:04}"):
        assert name in shown
    assert "🤖" not in shown
    assert "\u3164" not in shown
