"""Drawing every picture, for any number of players and hands and any names."""

from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageSequence

from bot.engine import Kind, combination_table, parse_cards
from bot.engine.cards import ALL_CARDS, parse_card
from bot.engine.events import Gave, HandEnded
from bot.engine.scoring import ranked_seats, ranking
from bot.pictures.animation import END_MILLISECONDS, MOVE_MILLISECONDS, animation, frame
from bot.pictures.chart import EXAMPLES, GANGS, NUMBERS, chart
from bot.pictures.descriptions import Animation, Ending, Gang, NextHand, Page, ScoreSheet, Standing
from bot.pictures.ending import ending
from bot.pictures.gang import gang
from bot.pictures.next_hand import next_hand, ring
from bot.pictures.replay import MAX_PAGES, Move, Replay, moments
from bot.pictures.score_sheet import score_sheet
from bot.pictures.still import lines, still
from bot.pictures.theme import BACKGROUND, GOLD, MARGIN, WIDTH
from bot.presentation.records.pictures import chart_of, replay_of
from tests.pictures.samples import LONG_NAMES, NAMES, ODD_NAMES, sheet_of
from tests.pictures.test_faces import pixels
from tests.presentation.sample_tables import WORDS, sheets

NAME_SETS = [names[:seats] for names in (NAMES, LONG_NAMES, ODD_NAMES, ("", " ", "\n", "A")) for seats in (3, 4)]
TALLEST = 560
"""The maximum height, so that a phone shows a picture in its full width."""
CHART = chart_of(WORDS)


def read(picture: bytes) -> Image.Image:
    """Decode a PNG, and check its width, that it isn't empty, and that its margins are."""
    assert len(picture) < 1024 * 1024
    image = Image.open(BytesIO(picture))
    image.load()
    assert (image.format, image.mode, image.width) == ("PNG", "RGB", WIDTH)
    assert image.height <= TALLEST
    assert len(image.getcolors(1 << 24) or ()) > 20
    margins = ((0, 0, MARGIN, image.height), (WIDTH - MARGIN, 0, WIDTH, image.height))
    assert all(image.crop(box).getcolors() == [(MARGIN * image.height, BACKGROUND)] for box in margins)
    return image


def differ(one: bytes, other: bytes) -> bool:
    images = (Image.open(BytesIO(one)), Image.open(BytesIO(other)))
    return images[0].size != images[1].size or ImageChops.difference(*images).getbbox() is not None


@pytest.mark.parametrize("names", NAME_SETS, ids=repr)
@pytest.mark.parametrize(("hands", "left"), [(1, 16), (5, 1), (30, 9)])
def test_a_score_sheet_is_drawn(names: tuple[str, ...], hands: int, left: int) -> None:
    read(score_sheet(sheet_of(names, hands, left)))


def test_a_score_sheet_grows_by_a_row_a_hand_up_to_seven() -> None:
    heights = [read(score_sheet(sheet_of(NAMES, hands, 5))).height for hands in (1, 2, 7, 8, 30)]
    row = heights[1] - heights[0]
    assert [height - heights[0] for height in heights] == [0, row, 6 * row, 7 * row, 7 * row]


def test_the_first_row_of_a_long_match_is_an_ellipsis() -> None:
    sheet = sheet_of(NAMES, 12)
    assert not differ(score_sheet(sheet), score_sheet(replace(sheet, hands=sheet.hands[4:])))
    assert differ(score_sheet(sheet), score_sheet(replace(sheet, hands=sheet.hands[5:])))


@pytest.mark.parametrize(
    "change",
    [
        {"legend": "Karten"},
        {"goal": "bis 50"},
        {"star": "gewonnen"},
        {"target": 50},
        {"players": NAMES[::-1]},
    ],
    ids=str,
)
def test_every_value_changes_the_score_sheet(change: dict[str, Any]) -> None:
    sheet = sheet_of(NAMES, 2)
    assert differ(score_sheet(sheet), score_sheet(replace(sheet, **change)))


def test_a_winner_with_cards_has_a_star() -> None:
    """If all others forgot, the winner may hold cards, which don't count (R37)."""
    ended = HandEnded(1, 0, (5, 1, 1, 1), (0, 1, 1, 1), (0, 1, 1, 1))
    sheet: ScoreSheet = replace(sheet_of(NAMES, 1), hands=(ended,))
    without = replace(sheet, hands=(replace(ended, winner=1),))
    golden = [pixels(read(score_sheet(each)).crop((0, 134, 240, 174))).count(GOLD) for each in (sheet, without)]
    assert golden[0] > 60 > golden[1]


@pytest.mark.parametrize("names", NAME_SETS, ids=repr)
@pytest.mark.parametrize("direction", [1, -1])
def test_the_next_hand_is_drawn(names: tuple[str, ...], direction: int) -> None:
    following = NextHand("Hand 2", "Exchange", Gave(0, 2, parse_card("DR")), direction, names)
    read(next_hand(following))
    assert differ(next_hand(following), next_hand(replace(following, direction=-direction)))


def test_the_round_arrows_are_mirror_images() -> None:
    """The clockwise one has its head on the right, pointing down."""
    clockwise, counter = ring(80, -1), ring(80, 1)
    assert clockwise.transpose(Image.Transpose.FLIP_LEFT_RIGHT).tobytes() == counter.tobytes()
    left, right = (sum(clockwise.crop(box).tobytes()) for box in ((0, 30, 40, 60), (40, 30, 80, 60)))
    assert right > 1.2 * left
    upper, lower = (sum(clockwise.crop(box).tobytes()) for box in ((45, 34, 80, 44), (45, 48, 80, 58)))
    assert upper > lower


@pytest.mark.parametrize("names", NAME_SETS, ids=repr)
def test_an_ending_is_drawn(names: tuple[str, ...]) -> None:
    totals = (104, 24, 1049, 24)[: len(names)]
    standings = tuple(map(Standing, names, totals, (1, 14, 2, 0)))
    texts = ("The match is over", "Table 12 · 9 hands", "hands won", "points")
    read(ending(Ending(*texts, standings, ranking(totals))))


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        ((9, 5, 7), [(1, 1), (2, 2), (3, 0)]),
        ((5, 5, 7, 9), [(1, 0), (1, 1), (3, 2), (4, 3)]),
        ((9, 5, 5, 5), [(1, 1), (1, 2), (1, 3), (4, 0)]),
        ((3, 9, 9), [(1, 0), (2, 1), (2, 2)]),
    ],
)
def test_equal_players_share_a_place(totals: tuple[int, ...], expected: list[tuple[int, int]]) -> None:
    assert list(ranked_seats(ranking(totals))) == expected


@pytest.mark.parametrize("size", [4, 5, 6, 7])
def test_a_gang_is_drawn(size: int) -> None:
    ones = parse_cards("1G 1G 1Y 1Y 1R 1R 1M")
    pictures = [gang(Gang("Gang", "Ada · table 12", cards)) for cards in (ones[:size], ones[:4])]
    assert read(pictures[0]).width > read(pictures[0]).height
    assert differ(*pictures) is (size != 4)


def test_the_chart_with_long_texts_is_drawn() -> None:
    wordy = replace(CHART, kinds=tuple(4 * name for name in CHART.kinds))
    assert read(chart(wordy)).size == read(chart(CHART)).size


def test_the_chart_agrees_with_the_rules() -> None:
    rules = combination_table()
    for kind, cards in EXAMPLES.items():
        found = rules.identify(cards)
        assert found is not None
        assert found.kind is kind
    gangs = [rules.identify(cards) for cards in GANGS]
    assert all(gang is not None and gang.kind is Kind.GANG for gang in gangs)
    for higher, lower in pairwise(gangs):
        assert higher is not None
        assert lower is not None
        assert higher.beats(lower)
    assert EXAMPLES.keys() | {Kind.GANG} == set(Kind)
    assert list(NUMBERS) == sorted(NUMBERS)
    assert [card.rank for card in NUMBERS] == list(range(1, 13))
    assert len(CHART.kinds) == len(Kind)


REPLAYS = {
    seats: [
        replay_of(f"Table 12 · hand {report.ended.hand}", table, report, WORDS)
        for edition in ("days-of-wonder", "dargaud-1996")
        for table, report in sheets(seats, edition)
    ]
    for seats in (3, 4)
}


def longest(seats: int) -> Replay:
    return max(REPLAYS[seats], key=lambda replay: len(replay.moves))


@pytest.mark.parametrize("seats", [3, 4])
def test_the_moments_of_a_replay_follow_the_cards(seats: int) -> None:
    for replay in REPLAYS[seats]:
        last = list(moments(replay))[-1]
        played = [card for move in replay.moves for card in move.cards]
        left = [card for hand in last.hands for card in hand]
        assert sorted(played + left) == sorted(card for hand in replay.cards_at_start for card in hand)
        assert last.number == len(replay.moves)


def test_a_moment_has_the_play_to_beat_and_the_last_moves() -> None:
    moves = (
        Move(1, parse_cards("3G"), "three", leads=True),
        Move(2, (), "pass"),
        Move(0, parse_cards("4G"), "four", last_card=True),
        Move(1, (), "pass"),
        Move(2, (), "pass"),
        Move(0, parse_cards("5G"), "five", leads=True),
    )
    began = (parse_cards("4G 5G"), parse_cards("3G 9R"), parse_cards("8R"))
    shown = list(moments(Replay("", NAMES[:3], began, 1, moves, "", "")))
    assert [moment.to_beat.text for moment in shown if moment.to_beat] == [
        "three",
        "three",
        "four",
        "four",
        "four",
        "five",
    ]
    assert shown[3].last_moves == {0: "four", 1: "pass", 2: "pass"}
    assert shown[5].last_moves == {0: "five"}
    assert [sorted(moment.declared) for moment in shown] == [[], [], [0], [0], [0], [0]]
    assert [len(hand) for hand in shown[-1].hands] == [0, 1, 1]


@pytest.mark.parametrize("seats", [3, 4])
def test_the_animation_has_a_frame_for_each_move_and_half_the_size_and_repeats(seats: int) -> None:
    replay = longest(seats)
    picture = animation(Animation(replay))
    assert len(picture) < 1024 * 1024
    image = Image.open(BytesIO(picture))
    assert (image.format, image.width) == ("WEBP", WIDTH // 2)
    assert image.height <= TALLEST // 2
    assert image.info["loop"] == 0  # again and again
    durations = []
    for each in ImageSequence.Iterator(image):
        each.load()
        durations.append(each.info["duration"])
    assert durations == [MOVE_MILLISECONDS] * (len(replay.moves) - 1) + [END_MILLISECONDS]


def test_an_animation_of_a_single_move() -> None:
    cards = parse_cards("7G")
    replay = Replay("", NAMES[:3], (cards, cards, cards), -1, (Move(0, cards, "seven", leads=True),), "", "over")
    whole = frame(replay, next(moments(replay)))
    assert Image.open(BytesIO(animation(Animation(replay)))).size == whole.reduce(2).size


@pytest.mark.parametrize("names", NAME_SETS, ids=repr)
def test_frames_have_the_same_size_for_any_names(names: tuple[str, ...]) -> None:
    replay = replace(longest(len(names)), players=names, finale=f"{names[0]} wins the hand.")
    shown = list(moments(replay))
    sizes = {frame(replay, moment).size for moment in (shown[0], shown[len(shown) // 2], shown[-1])}
    assert len(sizes) == 1
    assert sizes.pop()[0] == WIDTH


@pytest.mark.parametrize("names", NAME_SETS, ids=repr)
def test_the_still_is_drawn(names: tuple[str, ...]) -> None:
    replay = replace(longest(len(names)), players=names)
    pages = [still(Page(replay, number)) for number in range(MAX_PAGES)]
    assert 2 <= sum(map(bool, pages)) < MAX_PAGES
    for drawing in filter(None, pages):
        read(drawing)


@pytest.mark.parametrize("seats", [3, 4])
def test_the_still_has_every_move_once_in_order(seats: int) -> None:
    for replay in REPLAYS[seats]:
        table_of_moves = lines(replay)
        read_out = [line.moves[column] for line in table_of_moves for column in sorted(line.moves)]
        assert read_out == list(replay.moves)
        assert sum(line.opens for line in table_of_moves) == sum(move.leads for move in replay.moves) - 1
        for line in table_of_moves:
            assert all(replay.order[column] == move.seat for column, move in line.moves.items())


def test_the_largest_gang_fits() -> None:
    ones = tuple(card for card in ALL_CARDS if card.rank == 1 for _ in range(card.copies))
    began = (ones, *(parse_cards("7R"),) * 3)
    replay = Replay("t", NAMES, began, 1, (Move(0, ones, "Gang of Seven", leads=True),), "Last card!", "over")
    read(still(Page(replay, 0)))
    assert still(Page(replay, 1)) == b""
    assert frame(replay, next(moments(replay))).width == WIDTH
