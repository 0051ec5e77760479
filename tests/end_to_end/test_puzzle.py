"""The puzzle of the day with its visible buttons: an answer, its post, older puzzles, and forged presses."""

from bot.analysis.puzzle import cards_of
from bot.presentation.table.selection import encode
from bot.presentation.ui.custom_ids import Press, Verb
from bot.services.puzzle import puzzle_book
from playground.client.person import Person
from playground.client.screen import SeenMessage
from tests.end_to_end.app_harness import AppHarness, can_press, cards
from tests.end_to_end.inspection import app_database, private, private_text

UNKNOWN = "This button doesn't work any more."


async def open_puzzle(harness: AppHarness, person: Person) -> SeenMessage:
    return private(await person.slash(harness.channel, "gang puzzle"))


async def answer(person: Person, panel: SeenMessage, number: int) -> None:
    """Press the button of the best move, as if its cards were selected."""
    best = encode(cards_of(puzzle_book().get(number).best))
    verb = Verb.PLAY if best else Verb.PASS
    await person.press_old(str(Press(Verb.PUZZLE_HAND, number, 0, (verb, "n", best, ""))), panel)
    await person.until(lambda: "**Right:**" in panel.text)


def number_of(panel: SeenMessage) -> int:
    return Press.parse(cards(panel)[0]).table


def rows(harness: AppHarness) -> list[tuple[object, ...]]:
    with app_database(harness) as connection:
        return list(
            connection.execute(
                "SELECT user_id, puzzle_streak, puzzle_best FROM users WHERE puzzle_day IS NOT NULL ORDER BY user_id"
            )
        )


async def test_a_puzzle_is_answered_and_posted_and_older_ones_do_not_count(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    panel = await open_puzzle(harness, ana)
    assert panel.text.startswith("### Puzzle of the day, ")
    assert "Your first answer counts." in panel.text
    number = number_of(panel)
    before = panel.raw["components"]
    await ana.click(panel, "Lowest play") if can_press(panel, "Lowest play") else await ana.press_old(
        cards(panel)[0], panel
    )
    await ana.until(lambda: panel.raw["components"] != before)
    await answer(ana, panel, number)
    assert "1 day in a row" in panel.text
    assert rows(harness) == [(ana.id, 1, 1)]
    await ana.click(panel, "Post here")
    await ben.until(lambda: any("✅ solved · 1 day in a row" in each.text for each in ben.sees(harness.channel)))
    await ana.click(panel, "Another puzzle")
    await ana.until(lambda: "doesn't count" in panel.text)
    assert number_of(panel) == puzzle_book().number_before(number)
    await answer(ana, panel, puzzle_book().number_before(number))
    assert rows(harness) == [(ana.id, 1, 1)]
    again = await open_puzzle(harness, ana)
    assert "You have answered it today" in again.text


async def test_forged_presses_harm_nothing(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    panel = await open_puzzle(harness, ana)
    number = number_of(panel)
    for custom_id in (
        "g4:puzzle:0:0",
        "g4:puzzle:0:0:everything",
        f"g4:puzzle:{number}:0:post",
        f"g4:puzzle-hand:{number}:0",
        f"g4:puzzle-hand:{number}:0:play:n:3333:",
    ):
        assert UNKNOWN in private_text(await ana.press_old(custom_id, panel)), custom_id
    for illegal in ("play:n::", "declare:n::"):
        await ana.press_old(f"g4:puzzle-hand:{number}:0:{illegal}", panel)
    await ana.until(lambda: sum(UNKNOWN in each.text for each in ana.sees(harness.channel)) == 7)
    assert UNKNOWN in private_text(await ben.press_old(f"g4:puzzle-hand:{number}:0:pass:n::", panel))
    assert rows(harness) == []
