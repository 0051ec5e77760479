"""The tutorial's script: whole decks, legal moves, and texts that teach each subject."""

import re
from itertools import pairwise

import pytest

from bot.analysis.prepared_match import LEARNER, PreparedMatch
from bot.engine import GiveBack, Kind, Pass, Phase, Play, combination_table
from bot.engine.cards import DECK
from bot.engine.events import Dealt, Gave, GaveBack, HandEnded, MatchStarted, Passed, Played
from bot.engine.legality import check_play
from bot.presentation.help.lessons import LESSONS, SCENES, Lesson, LessonStart, Scene, lesson_starts
from bot.table.lobby import AI_NAMES
from bot.table.model import Status
from tests.not_none import not_none
from tests.presentation.sample_tables import WORDS

STEPS = tuple(step for step, lesson in enumerate(LESSONS) if lesson.exhibit is None)
"""The lessons with a move."""
ORDER = (
    "The cards",
    "Single cards",
    "Passing",
    "Passing is not final",
    "Pairs",
    "Three of a kind",
    "Five cards: the straight",
    "Five cards: what beats what",
    "The table",
    "A full house of your own",
    "The multicolored 1",
    "Phoenixes",
    "The Dragon and the gang",
    '"Last card!" and the block',
    "The end of a hand",
    "The exchange",
)
"""The subjects in order; other lessons may come between them."""


def finished(scene: Scene) -> PreparedMatch:
    """A scene after all its moves. Illegal moves raise an error."""
    match = PreparedMatch.deal(scene.hands).played(filter(None, scene.opening.split(", ")))
    for lesson in scene.lessons:
        match = match.played(filter(None, [lesson.move, *lesson.answers.split(", ")]))
    return match


@pytest.mark.parametrize("scene", SCENES)
def test_every_deal_is_the_whole_deck(scene: Scene) -> None:
    match, dealt, *_ = finished(scene).log
    assert isinstance(match, MatchStarted)
    assert isinstance(dealt, Dealt)
    assert [len(hand) for hand in dealt.hands] == [16] * 4
    assert sorted(card for hand in dealt.hands for card in hand) == list(DECK)


@pytest.mark.parametrize("scene", SCENES)
def test_the_rules_allow_every_move_of_the_script(scene: Scene) -> None:
    moves = [event for event in finished(scene).log if isinstance(event, Played | Passed | GaveBack)]
    script = [scene.opening, *(text for lesson in scene.lessons for text in (lesson.move, lesson.answers))]
    assert len(moves) == sum(len(text.split(", ")) for text in script if text)


@pytest.mark.parametrize("step", STEPS)
def test_each_lesson_is_the_learners_turn_with_a_legal_move(step: int) -> None:
    start = lesson_starts()[step]
    assert start.match.view.is_my_turn
    assert start.match.table.row.status is Status.PLAYING
    move = start.expected
    assert isinstance(move, Play | Pass | GiveBack)
    assert move.seat == LEARNER
    if isinstance(move, Play):
        check_play(not_none(start.match.view.situation), move.cards)
    start.match.after(move)


def test_a_step_shows_the_others_moves_since_the_learners_last() -> None:
    for scene in SCENES:
        first = lesson_starts()[next(step for step in STEPS if LESSONS[step] in scene.lessons)]
        assert len(first.previous_events) == len(list(filter(None, scene.opening.split(", "))))
    for before, start in pairwise(lesson_starts()[step] for step in STEPS):
        if start.lesson not in [scene.lessons[0] for scene in SCENES]:
            assert len(start.previous_events) == len(list(filter(None, before.lesson.answers.split(", "))))


def test_every_kind_of_combination_is_played() -> None:
    played = [
        (event.seat, combination_table().identify(event.cards))
        for scene in SCENES
        for event in finished(scene).log
        if isinstance(event, Played)
    ]
    assert {combination.kind for _, combination in played if combination} == set(Kind)
    by_learner = {combination.kind for seat, combination in played if combination and seat == LEARNER}
    assert by_learner >= set(Kind) - {Kind.STRAIGHT_FLUSH}


def test_the_lessons_come_in_their_order() -> None:
    titles = [lesson.title for lesson in LESSONS]
    assert len(set(titles)) == len(titles)
    assert [title for title in titles if title in ORDER] == list(ORDER)


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("Single cards", ("1 is the lowest", "10 the highest")),
        ("Passing", ("You don't have to play", "**Pass**")),
        ("Passing is not final", ("can still play", "green is the lowest, then yellow, then red")),
        ("Pairs", ("Two cards of one number", "you lead")),
        ("Higher pairs", ("as many cards as are on the table", "lists every play you can make")),
        ("Three of a kind", ("Three cards of one number",)),
        ("Five cards: the straight", ("Five numbers in a row",)),
        ("Five cards: what beats what", ("**flush**", "**full house**", "**straight flush**")),
        ("The cards", ("64 cards", "a multicolored 1")),
        ("The table", ("everyone sees", "whose turn it is", "The first button")),
        ("A full house of your own", ("its three of a kind counts first",)),
        ("The multicolored 1", ("the highest of the 1s", "takes the color of the others")),
        ("Phoenixes", ("beats every 10", "as a pair", "full house")),
        ("The Dragon and the gang", ("the highest single card", "beats everything")),
        ("A higher gang", ("only a higher gang beats a gang",)),
        ('"Last card!" and the block', ("as everyone must", "you must block")),
        ("Leading as a block", ("to lead several cards",)),
        ('Your own "Last card!"', ("are out of the hand",)),
        ("The end of a hand", ("penalty points", "100 points", "the lowest total wins")),
        ("The exchange", ("gives their highest new card to the winner", "gets any card back")),
    ],
)
def test_each_lesson_explains_its_topic(title: str, words: tuple[str, ...]) -> None:
    (lesson,) = (lesson for lesson in LESSONS if lesson.title == title)
    said = WORDS.say(lesson.text)
    assert all(part in said for part in words), said


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_text_is_short_and_says_what_to_play(lesson: Lesson) -> None:
    said = WORDS.say(lesson.text)
    assert 1 <= len(re.findall(r"[.!](?:\s|$)", said)) <= 3
    assert len(said) <= 320
    if lesson.exhibit is None:
        assert ("**Pass**" if lesson.move == "pass" else "{cards}") in said
        assert lesson.hint.endswith(".")


def test_the_other_players_have_the_names_of_ai_players() -> None:
    names = [seat.name for seat in lesson_starts()[0].match.table.seats[1:]]
    assert names == list(AI_NAMES[:3])
    assert all(any(name in lesson.text for lesson in LESSONS) for name in names)


def by_title(title: str) -> LessonStart:
    return next(start for start in lesson_starts() if start.lesson.title == title)


def test_the_positions_match_the_texts_of_the_lessons() -> None:
    block = by_title('"Last card!" and the block').match.view
    assert block.public.declared == {1}
    assert block.public.left[1] == 1
    assert not_none(block.situation).blocked == 1
    assert not block.may_pass
    own = by_title('Your own "Last card!"')
    assert len(own.match.view.hand) == 2
    assert own.expected is not None
    assert own.match.after(own.expected).view.public.declared == {LEARNER, 1}
    over = by_title("The exchange").match
    assert over.view.public.phase is Phase.EXCHANGE
    assert not_none(over.report).ended.points == (0, 1, 18, 56)
    gave = next(event for event in over.log if isinstance(event, Gave))
    assert (str(gave.card), gave.to) == ("DR", LEARNER)
    assert sum(isinstance(event, HandEnded) for event in over.log) == 1
