"""Long turns: notices, the question to the table, automatic moves, and returning to a seat."""

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from bot.engine import Options, parse_cards
from bot.engine.events import Dealt, Forgot, Gave, GaveBack, HandEnded, Passed, Played, Substituted, Undone
from bot.presentation.channel.notices import ChannelNotice, current_notice, direct_message
from bot.presentation.table.hand import hand_message
from bot.presentation.table.match_menu import finished_menu_message, match_menu_message, nudge_note
from bot.presentation.table.message import options_text, table_message
from bot.presentation.table.selection import HandState
from bot.presentation.text.cards import faces
from bot.presentation.text.i18n import words_in
from bot.presentation.text.option_texts import short_text
from bot.presentation.ui.custom_ids import Press
from bot.table import standing_orders
from bot.table.consent import next_nudge
from bot.table.model import ClockStage, Status, TableSettings, TimeoutPolicy, TurnClock
from bot.table.snapshot import GENTLE, Table
from bot.table.user import NotificationMode, UserSettings
from playground.components import ComponentType
from tests.not_none import not_none
from tests.presentation.sample_tables import CLOCK, SNOWFLAKE, WORDS, dealt_table, played
from tests.presentation.sent_messages import components, everything_in, pressable, text_of

ADA, BO, CY, EVE = 101, 102, 103, 109
DUE = "<t:4000000000:R>"


def match(**changes: Any) -> Table:  # noqa: ANN401  # a field each
    """Ada has led, and Bo must act; other values of the row as given."""
    hands = ("1M 3G 3G", "2G 5G 5Y 9R", "2Y 6G 6Y 9Y")
    table = played(dealt_table(*map(parse_cards, hands)), "1M")
    return replace(table, row=replace(table.row, clock=CLOCK, **changes))


def seated(table: Table, number: int, **changes: Any) -> Table:  # noqa: ANN401  # a field each
    """Another seat."""
    seats = list(table.seats)
    seats[number] = replace(seats[number], **changes)
    return replace(table, row=replace(table.row, seats=tuple(seats)))


def at(stage: ClockStage, **changes: Any) -> Table:  # noqa: ANN401  # a field each
    return replace(match(**changes), row=replace(match(**changes).row, clock=replace(CLOCK, stage=stage)))


def said(table: Table) -> str:
    notice = not_none(current_notice(table, WORDS))
    return text_of(notice.view(notice.user_ids))


def in_hand(table: Table, user_id: int) -> set[str]:
    """The buttons of a hand apart from cards."""
    view = hand_message(table, user_id, HandState(), WORDS)
    return {
        part["label"]
        for part in components(view)
        if part["type"] == ComponentType.BUTTON and ":card:" not in part["custom_id"]
    }


def in_more(table: Table, user_id: int, now: int = 0) -> set[str]:
    view = match_menu_message(table, user_id, now, WORDS)
    return {part["label"] for part in pressable(view).values() if "label" in part}


def test_the_menu_of_a_match_hides_actions_that_would_be_refused() -> None:
    assert {"Ask for a pause", "Ask to end the match"} <= in_more(match(), BO)
    waiting = next(user for user in (ADA, BO) if user != match().user_to_act)
    clock = not_none(match().row.clock)
    soon = next_nudge(match().row, clock)
    assert "Nudge" in in_more(match(), waiting, soon)
    assert "Nudge" not in in_more(match(), waiting, soon - 1)
    assert "Nudge" not in in_more(match(), match().user_to_act or 0, soon)
    assert "You can nudge **Bo** <t:" in text_of(match_menu_message(match(), waiting, soon - 1, WORDS))
    assert "You can nudge" not in text_of(match_menu_message(match(), waiting, soon, WORDS))
    assert not {"Ask for a pause", "Ask to end the match", "Nudge"} & in_more(match(), EVE)


def test_a_hand_without_its_channel_offers_the_actions_of_the_table() -> None:
    moves, ways = {"Play", "Pass"}, {"More", "Resume", "I'm back"}
    assert in_hand(match(), BO) & (moves | ways) == {*moves, "More"}
    assert in_hand(match(paused_at=1), BO) & (moves | ways) == {"More", "Resume"}
    for who in ({"ai_level": "simple"}, {"substitute_id": EVE, "substitute_name": "Eve"}):
        away = seated(match(), 1, **who)
        assert in_hand(away, BO) & (moves | ways) == {"I'm back"}
        assert "A substitute plays for you." in text_of(hand_message(away, BO, HandState(), WORDS))
    assert in_hand(away, EVE) & (moves | ways) == {*moves, "More"}
    conceded = seated(match(), 1, ai_level="simple", conceded=True)
    assert in_hand(conceded, BO) & (moves | ways) == set()


def test_an_owner_whose_seat_another_player_has_gives_no_orders_and_does_not_close_the_table() -> None:
    for table in (seated(match(), 1, ai_level="simple", conceded=True), seated(match(), 0, ai_level="simple")):
        user = BO if table.seats[1].conceded else ADA
        menus = [part for part in components(match_menu_message(table, user, 0, WORDS)) if "options" in part]
        assert menus == []
        assert "Close the table…" not in in_more(table, user)


@pytest.mark.parametrize("stage", ClockStage)
def test_the_panel_asks_the_others_as_long_as_a_turn_is_late(stage: ClockStage) -> None:
    answers = {"Wait", "An AI sits in", "Call a substitute"}
    is_late = stage not in (ClockStage.RUNNING, ClockStage.REMINDED)
    for user, may in ((ADA, is_late), (BO, False), (CY, is_late)):
        assert in_more(at(stage), user) & answers == (answers if may else set())
        assert ("What should happen now?" in text_of(match_menu_message(at(stage), user, 0, WORDS))) is may
    assert not in_more(at(stage, paused_at=1), ADA) & answers
    assert not in_more(seated(at(stage), 0, ai_level="simple"), ADA) & answers


def test_only_owners_are_offered_a_rematch_in_their_hand() -> None:
    table = seated(match(status=Status.OVER), 1, substitute_id=EVE, substitute_name="Eve")
    assert "Rematch" in in_hand(table, BO)
    assert "Rematch" not in in_hand(table, EVE)


def test_the_menu_says_how_many_moves_were_not_those_of_the_level() -> None:
    for lowered, says in (
        (0, None),
        (1, "a very hard AI player made 1 move at"),
        (7, "AI players made 7 moves at"),
    ):
        table = match(lowered_moves=lowered)
        for menu in (match_menu_message(table, ADA, 0, WORDS), finished_menu_message(table, ADA, WORDS)):
            assert ("The app was busy, so" in text_of(menu)) is (says is not None)
            assert says is None or says in text_of(menu)


def test_new_options_are_offered_to_the_last_place() -> None:
    table = match(status=Status.OVER)
    over = replace(table, state=replace(not_none(table.state), ranking=((2,), (0, 1))))
    users = (ADA, BO, CY, EVE)
    menus = [everything_in(finished_menu_message(over, user, WORDS)) for user in users]
    assert ["Rematch with new options" in menu for menu in menus] == [True, True, False, False]


@pytest.mark.parametrize(
    ("status", "says"), [(Status.OVER, "The match is over."), (Status.CLOSED, "This table is closed.")]
)
def test_panels_of_a_finished_table_say_that_it_is_over(status: Status, says: str) -> None:
    table = match(status=status, ending=(ADA,))
    assert text_of(match_menu_message(table, ADA, 0, WORDS)).splitlines()[1:] == [says]
    assert in_more(table, ADA) == set()
    assert says in text_of(hand_message(table, ADA, HandState(), WORDS))
    assert not in_hand(table, ADA) & {"Play", "Pass", "Lowest play", "More"}


def test_only_moves_that_the_table_makes_for_a_player_are_marked() -> None:
    hands = ("1M 3G 4G 9G", "2G 5G 5Y 9R", "2Y 6G 6Y 9Y")
    table = played(dealt_table(*map(parse_cards, hands)), "1M")

    two = faces(parse_cards("2G"), WORDS)

    def lines() -> list[str]:
        """The marked moves: the text of a pass, or the line above a mark."""
        shown = text_of(table_message(table, WORDS)).splitlines()
        mark = "-# played automatically, as time was up"
        return [above if line == mark else line for above, line in pairwise(shown) if "time was up" in line]

    table = table.after((Substituted(1, GENTLE, for_owner=True), Played(1, parse_cards("2G"))))
    assert lines() == ["⭐ highest: **Bo**"]
    table = table.after((Substituted(2, GENTLE, for_owner=True), Passed(2)))
    assert len(lines()) == 2
    assert lines()[0].endswith("✋ passed (time was up)")
    table = table.after((Played(0, parse_cards("3G")), Substituted(1, "Bo"), Played(1, parse_cards("5G"))))
    assert [line.partition(":")[0] for line in lines()] == ["-# Bo"]
    assert two in lines()[0]
    table = table.after((Substituted(2, "Cy"), Passed(2), Substituted(0, GENTLE, for_owner=True), Passed(0)))
    assert "time was up" not in text_of(table_message(table, WORDS))  # the cycle is over


@pytest.mark.parametrize("on_timeout", TimeoutPolicy)
def test_the_options_name_the_timeout_policy_unless_it_is_the_default(on_timeout: TimeoutPolicy) -> None:
    shown = options_text(match(settings=TableSettings(on_timeout=on_timeout)), WORDS)
    assert (short_text("late", on_timeout) in shown) is (on_timeout is not TableSettings().on_timeout)


@pytest.mark.parametrize(
    ("on_timeout", "otherwise"),
    [
        (TimeoutPolicy.ASK_WAIT, "the table keeps waiting."),
        (TimeoutPolicy.ASK_MOVE, "the safest move is made."),
        (TimeoutPolicy.ASK_AI, "an AI sits in."),
    ],
)
def test_the_question_says_what_happens_without_an_answer(on_timeout: TimeoutPolicy, otherwise: str) -> None:
    text = said(at(ClockStage.ASKED, settings=TableSettings(on_timeout=on_timeout)))
    assert "What should happen now?\nIf nobody answers, <t:" in text
    assert f":R>: {otherwise}" in text


def test_without_a_pace_nothing_happens_without_an_answer() -> None:
    table = match()
    table = replace(table, row=replace(table.row, clock=TurnClock(0, None, ClockStage.ASKED)))
    assert said(table).splitlines()[0] == f"<@102>'s turn at table {table.id} began <t:0:R>. What should happen now?"


def test_each_reminder_without_a_time_limit_is_a_message_of_its_own() -> None:
    def reminded(stage: ClockStage, reminders: int) -> ChannelNotice:
        clock = TurnClock(0, stage=stage, reminders=reminders)
        return not_none(current_notice(replace(match(), row=replace(match().row, clock=clock)), WORDS))

    reminders = {count: reminded(ClockStage.REMINDED, count) for count in (1, 2)}
    reminders |= {count: reminded(ClockStage.WAITING, count) for count in (4, 5)}
    question = reminded(ClockStage.ASKED, 3)
    assert question.user_ids == (ADA, BO, CY)
    assert len({notice.nonce for notice in (question, *reminders.values())}) == 5
    for notice in reminders.values():
        assert (notice.user_ids, notice.is_personal, notice.is_turn_call) == ((BO,), True, False)
        assert text_of(notice.view(notice.user_ids)).startswith("<@102>, everyone at table ")
        assert text_of(notice.view(notice.user_ids)).endswith(" is waiting for you. Your turn began <t:0:R>.")


def test_every_notice_names_its_deadline() -> None:
    assert said(match()).endswith(f"\nTable {match().id} · Time runs out {DUE}.")
    assert said(at(ClockStage.REMINDED)).endswith(f"is nearly up: it ends {DUE}.")
    nudged = said(match(nudged_at=1))
    assert "the others are waiting for you" in nudged
    assert nudged.endswith(f"· Time runs out {DUE}.")
    both = said(at(ClockStage.REMINDED, nudged_at=1))
    assert "the others are waiting for you" in both
    assert both.endswith(f"Your time is nearly up: it ends {DUE}.")


def test_the_late_player_is_mentioned_by_the_first_answer_only() -> None:
    def answered(stage: ClockStage, answers: int) -> ChannelNotice:
        table = at(stage)
        clock = replace(CLOCK, stage=stage, answers=answers)
        return not_none(current_notice(replace(table, row=replace(table.row, clock=clock)), WORDS))

    first, call = answered(ClockStage.WAITING, 1), answered(ClockStage.CALLED, 2)
    assert (len(first.user_ids), first.is_editable) == (1, False)
    assert first.nonce != call.nonce
    for notice in (call, answered(ClockStage.WAITING, 3), answered(ClockStage.CALLED, 4)):
        assert (notice.user_ids, notice.is_personal, notice.is_editable) == ((), False, True)
        assert notice.nonce == call.nonce
    assert text_of(answered(ClockStage.WAITING, 3).view(())) == text_of(first.view(()))


def test_a_direct_message_has_the_text_of_the_notice_in_its_readers_language() -> None:
    table, german = at(ClockStage.REMINDED), words_in("de")
    message = direct_message(table, BO, 7, german)
    notice = not_none(current_notice(table, german))
    assert text_of(message) == text_of(notice.view(notice.user_ids))
    assert pressable(message) == pressable(notice.view(notice.user_ids))


@pytest.mark.parametrize(("message_id", "path"), [(7, "/7"), (None, "")])
def test_a_direct_message_leads_to_the_message_of_the_table(message_id: int | None, path: str) -> None:
    (row,) = direct_message(match(), BO, message_id, WORDS).to_components()
    assert [link["url"] for link in row["components"] if "url" in link] == [
        f"https://discord.com/channels/{SNOWFLAKE}/{SNOWFLAKE}{path}"
    ]


EVERY_NOTICE = [*map(at, ClockStage), at(ClockStage.RUNNING, nudged_at=1), at(ClockStage.REMINDED, nudged_at=1)]


@pytest.mark.parametrize("table", EVERY_NOTICE)
def test_a_notice_is_a_text_that_a_push_notification_shows(table: Table) -> None:
    notice = not_none(current_notice(table, WORDS))
    for message in (notice.view((BO,)), direct_message(table, BO, 7, WORDS)):
        assert not message.has_components_v2()
        assert "<@102>" in message.content.splitlines()[0]
        assert [row["type"] for row in message.to_components()] == [ComponentType.ACTION_ROW]


@pytest.mark.parametrize("mentioned", [(), (ADA,), (BO,), (ADA, BO, CY)])
@pytest.mark.parametrize("table", EVERY_NOTICE)
def test_who_is_not_mentioned_is_named(table: Table, mentioned: tuple[int, ...]) -> None:
    text = text_of(not_none(current_notice(table, WORDS)).view(mentioned))
    assert set(re.findall(r"<@(\d+)>", text)) == set(map(str, mentioned))
    assert ("Bo" in text.splitlines()[0]) is (BO not in mentioned)


def test_a_call_shows_the_play_to_beat_and_the_passes() -> None:
    assert said(match()).startswith("Ada: multicolored 1. Your turn, <@102>!")
    notice = not_none(current_notice(match(), WORDS))
    (passes,) = [part for part in pressable(notice.view(notice.user_ids)).values() if part["label"] == "Pass"]
    assert Press.parse(passes["custom_id"]).moment == match().moment
    leads = not_none(current_notice(replace(match(), state=dealt_table(*[parse_cards("1M")] * 3).state), WORDS))
    assert "Pass" not in {part["label"] for part in pressable(leads.view(())).values()}


def test_a_standing_order_prevents_the_call() -> None:
    for order, acts in ((standing_orders.PASS, True), ("above:5", False), (standing_orders.NONE, False)):
        notice = not_none(current_notice(seated(match(), 1, orders=order), WORDS))
        assert notice.is_automatic is acts


def test_a_notice_in_another_place_is_another_notice() -> None:
    here, there = not_none(current_notice(match(), WORDS)), not_none(current_notice(match(thread_id=2**60), WORDS))
    assert here.nonce != there.nonce


def test_a_nudge_is_answered_with_its_result() -> None:
    mention, nothing = UserSettings(), UserSettings(NotificationMode.NEVER)
    assert nudge_note(match(), mention, WORDS) == "Reminder sent."
    assert "have turned off turn messages" in nudge_note(match(), nothing, WORDS)
    assert nudge_note(at(ClockStage.ASKED), nothing, WORDS) == "The table was asked how to go on."
    assert "nobody was called again" in nudge_note(at(ClockStage.CALLED), mention, WORDS)


def news_of(table: Table) -> list[str]:
    """The lines that the table and Ada's open hand both show besides moves."""
    shown = [text_of(table_message(table, WORDS)), text_of(hand_message(table, ADA, HandState(), WORDS))]
    return [line for line in shown[0].splitlines() if line[:1] in "🏳🤖🪑👋↩❗W" and line in shown[1].splitlines()]


def test_a_change_of_a_player_is_shown_for_a_round() -> None:
    ai, eve = {"ai_level": "simple"}, {"substitute_id": EVE, "substitute_name": "Eve"}
    sits_in = Substituted(1, "ai:simple")
    for changes, event, line in (
        (ai, sits_in, "🤖 An AI sits in for **Bo**."),
        (eve, Substituted(1, "Eve"), "🪑 **Eve** sits in for **Bo**."),
        ({**ai, "conceded": True}, sits_in, "🏳️ **Bo** has conceded; an AI plays on."),
    ):
        table = seated(match(), 1, **changes).after((event,))
        assert news_of(table) == [line]
    back = seated(table, 1, ai_level=None, conceded=False).after((Substituted(1, "Bo"),))
    assert news_of(back) == ["👋 **Bo** is back."]
    assert news_of(back.after((Played(1, parse_cards("2G")), Passed(2)))) == ["👋 **Bo** is back."]
    assert news_of(back.after((Played(1, parse_cards("2G")), Passed(2), Passed(0)))) == []


def test_a_move_that_is_taken_back_and_a_wish_for_a_pause_are_shown() -> None:
    table = match(pausing=(BO,)).after((Played(1, parse_cards("2G")), Undone(1)))
    assert news_of(table) == ["↩️ **Bo** took the last move back.", "Want a pause: Bo."]


def test_a_card_that_comes_back_is_shown_and_a_player_who_is_out_has_a_mark() -> None:
    for forgotten, lines in (
        ("takes_back", ['❗ **Bo**: forgot "Last card!", so the card comes back']),
        ("out", []),
    ):
        options = Options.of("days-of-wonder", {"forgotten": forgotten})
        hands = map(parse_cards, ("1M 3G 3G", "2G", "2Y 6G 6Y 9Y"))
        table = played(dealt_table(*hands, options=options), "1M").after((Forgot(1),))
        assert news_of(replace(table, row=replace(table.row, options=options))) == lines


def test_the_return_of_a_late_player_is_not_news() -> None:
    table = match().after((Substituted(1, GENTLE, for_owner=True), Played(1, parse_cards("2G")), Passed(2), Passed(0)))
    assert news_of(table.after((Substituted(1, "Bo"),))) == []


def test_a_card_that_the_table_gives_back_for_a_player_is_marked() -> None:
    held = tuple(map(parse_cards, ("3G 4G 9R", "5G 6G", "7G 8G")))
    over = HandEnded(1, 0, (0, 2, 2), (0, 2, 2), (0, 2, 2))
    table = dealt_table((), (), (), more=(over, Dealt(2, -1, held, ()), Gave(1, 0, parse_cards("6G")[0])))
    own = table.after((GaveBack(0, 1, parse_cards("3G")[0]),))
    gentle = table.after((Substituted(0, GENTLE, for_owner=True), GaveBack(0, 1, parse_cards("3G")[0])))
    assert "time was up" not in text_of(table_message(own, WORDS))
    assert "played automatically, as time was up" in text_of(table_message(gentle, WORDS))
    back = gentle.after((Substituted(0, "Ada"), Played(0, parse_cards("4G"))))
    assert "played automatically, as time was up" in text_of(table_message(back, WORDS))
