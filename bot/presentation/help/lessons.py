"""The script of the tutorial: two deals, all moves in them, and the text before each of the learner's moves.

`tests/presentation/test_lessons.py` checks the moves against the rules, and that the texts teach each topic. All
titles, texts and hints are in the catalogs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from typing import Final

from bot.analysis.prepared_match import PreparedMatch
from bot.engine.events import Event
from bot.engine.moves import Move


class Exhibit(Enum):
    """The exhibit below the text of a lesson without a move."""

    CARDS = auto()
    TABLE = auto()


@dataclass(frozen=True, slots=True)
class Lesson:
    """The text before a move of the learner, and the moves that follow. Without a move, a page to read.

    In the texts, `{cards}` are the cards to play and `{played}` the cards to beat.
    """

    title: str
    text: str
    move: str = ""
    """The learner's move, in the notation of `PreparedMatch.move`; empty if there is none."""
    hint: str = ""
    """The advice after another legal move."""
    answers: str = ""
    """The moves of the other players that follow, separated by commas."""
    takes_any_card: bool = False
    """True if the learner may give back any card."""
    exhibit: Exhibit | None = None
    """None if the learner moves."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A deal and its lessons."""

    hands: tuple[str, ...]
    opening: str
    """The moves before the first lesson."""
    lessons: tuple[Lesson, ...]


SCENES: Final = (
    Scene(
        (
            "2G 2Y 3G 4R 5Y 6G 7G 7R 8G 8Y 8R 9Y 9R 10G 10Y 10R",
            "5G 8G 8Y 1R 3R 5R 6R 9R 1G 1Y 2G 3G 7G 9Y PG DR",
            "7Y 10G 4G 4G 4Y 2R 2R 1G 1Y 2Y 3R 5R 6G 7R 9G PY",
            "1M 9G 10Y 3Y 4Y 5Y 6Y 7Y 1R 3Y 4R 5G 6Y 6R 8R 10R",
        ),
        "1M",
        (
            Lesson(
                "The cards",
                "Get rid of all your cards first. Cards left are penalty points, and the fewest points win. The "
                "game has 64 cards: 1 to 10 in green, yellow and red, two of each; a multicolored 1, two Phoenixes "
                "and a Dragon.",
                exhibit=Exhibit.CARDS,
            ),
            Lesson(
                "Single cards",
                "You play against Jade, Bamboo and Lotus: the first to get rid of all cards wins the hand. Lotus "
                "has led a single card, which a higher one beats: 1 is the lowest number, 10 the highest. Tap "
                "{cards} below, then press **Play**.",
                "2G",
                "Play {cards}: it is your lowest card, and low cards are hard to get rid of later.",
                "5G, 7Y, 9G",
            ),
            Lesson(
                "Passing",
                "You don't have to play. Your 10s would beat {played}, but there is no hurry: press **Pass**.",
                "pass",
                "Press **Pass**: your 10s are strong, and your turn comes again.",
                "pass, 10G, 10Y",
            ),
            Lesson(
                "Passing is not final",
                "You passed, and can still play now that it is your turn again. With equal numbers the color "
                "decides: green is the lowest, then yellow, then red. So {cards} beats {played}: play it.",
                "10R",
                "Play {cards}: it is your only 10 that is higher than {played}.",
                "pass, pass, pass",
            ),
            Lesson(
                "Pairs",
                "All the others have passed, so you lead: play anything you like. Two cards of one number are a "
                "pair. Lead your lowest one, {cards}.",
                "7G 7R",
                "Lead {cards}: a pair is beaten by a higher pair, and you have two more of them.",
                "8G 8Y, pass, pass",
            ),
            Lesson(
                "Higher pairs",
                "To follow, play as many cards as are on the table, but higher: the number counts first, then "
                "the color. The menu below the cards lists every play you can make. Beat {played} with {cards}: "
                "choose it there, or tap the cards.",
                "9Y 9R",
                "Play {cards}: they are high enough, and your 10s can wait.",
                "pass, pass, pass",
            ),
            Lesson(
                "Three of a kind",
                "You lead again. Three cards of one number are three of a kind, and a higher three "
                "of a kind beats them. Lead {cards}.",
                "8G 8Y 8R",
                "Lead {cards}: that is three cards fewer, and hardly anyone can beat them.",
                "pass, pass, pass",
            ),
            Lesson(
                "Five cards: the straight",
                "Five cards at once empty your hand fastest, and there are four ways to do it. Five numbers in a "
                "row are a straight, in any colors. Lead {cards}.",
                "2Y 3G 4R 5Y 6G",
                "Lead {cards}: one by one, such low cards would never win anything.",
                "1R 3R 5R 6R 9R, 4G 4G 4Y 2R 2R, 3Y 4Y 5Y 6Y 7Y",
            ),
            Lesson(
                "Five cards: what beats what",
                "The others have shown you what beats a straight, each stronger than the one before: a "
                "**flush**, five cards of one color; a **full house**, three of one number and two of another; a "
                "**straight flush**, a straight in one color. You can't beat that: press **Pass**.",
                "pass",
                "Press **Pass**: two cards can't beat five.",
            ),
            Lesson(
                "The table",
                "In a match, this is a message in the channel that everyone sees. It shows whose turn it is, what "
                "to beat, and how many cards everyone has left. The first button below it opens your cards, which "
                "only you see.",
                exhibit=Exhibit.TABLE,
            ),
        ),
    ),
    Scene(
        (
            "1G 2Y 3G 4G 4Y 5R 6G 6Y 6R 7R 8Y 8R 9G 9R 10G 10Y",
            "1Y 1Y 1R 2G 2Y 3G 3Y 3R 4G 5Y 5R 6Y 7Y 7R 9G 10R",
            "2R 3R 5Y 6G 6R 7G 7Y 8G 8G 8R 9Y 9R 10G 10R PG DR",
            "1G 1R 1M 2G 2R 3Y 4Y 4R 4R 5G 5G 7G 8Y 9Y 10Y PY",
        ),
        "1M 2G 3Y 4R 5G",
        (
            Lesson(
                "A full house of your own",
                "New cards, and Lotus leads a straight. A flush would beat it, and a full house is "
                "even higher: its three of a kind counts first, so the pair can be low. Play {cards}.",
                "4G 4Y 6G 6Y 6R",
                "Play {cards}: a full house beats any straight, and this pair is your lowest.",
            ),
        ),
    ),
    Scene(
        (
            "1M 2R 3G 3R 4Y 4R 5G 6G 7Y 7Y 7R 7R 9G 10R PG PY",
            "9R 8G 8G 8Y 8R 6Y 6Y 6R 1G 1Y 1R 2Y 3Y 4G 5R 5Y",
            "10Y 1R 3R 4R 5R 9R 2G 1G 2Y 4G 5G 6R 8Y 9Y 10G 10R",
            "DR 7G 1Y 2G 2R 3G 3Y 4Y 5Y 6G 7G 8R 9G 9Y 10G 10Y",
        ),
        "",
        (
            Lesson(
                "The multicolored 1",
                "New cards, and you have the multicolored 1: its holder leads the first hand with it. It is the "
                "highest of the 1s, and in a flush it takes the color of the others. Lead the green flush "
                "{cards}.",
                "1M 3G 5G 6G 9G",
                "Lead {cards}: by itself the multicolored 1 is weak; here it takes four cards with it.",
                "pass, pass, pass",
            ),
            Lesson(
                "Low cards first",
                "Nobody wanted to follow, so you lead again. You have both Phoenixes, which are higher than any "
                "10: they can win the lead back for you. So get rid of your lowest card now, {cards}.",
                "2R",
                "Lead {cards}: it never beats anything, and your high cards win the lead back.",
                "9R, 10Y, pass",
            ),
            Lesson(
                "Phoenixes",
                "The green Phoenix beats every 10, and the yellow one beats the green one. Play a Phoenix alone, "
                "or both together as a pair, also as the two of a full house. Play {cards}.",
                "PG",
                "Play {cards}: it is high enough, and the yellow one is worth keeping.",
                "pass, pass, DR",
            ),
            Lesson(
                "The Dragon and the gang",
                "The Dragon is the highest single card, and only ever played alone. But four or more cards of "
                "one number are a gang, which beats everything, however many cards are on the table. Play "
                "{cards}!",
                "7Y 7Y 7R 7R",
                "Play {cards}: nothing else beats the Dragon.",
                "8G 8G 8Y 8R, pass, pass",
            ),
            Lesson(
                "A higher gang",
                "Bad luck: only a higher gang beats a gang, one of a higher number or of more cards, and Jade "
                "has one. Press **Pass**.",
                "pass",
                "Press **Pass**: you have no other gang.",
                "6Y 6Y 6R 1G 1Y, pass, pass, pass, 1R 2Y 3Y 4G 5R!, 1R 3R 4R 5R 9R, pass, pass, pass, 2G, 7G",
            ),
            Lesson(
                '"Last card!" and the block',
                'Jade has one card left and has said "Last card!", as everyone must. You play just before Jade, '
                "so you must block: on a single card, play your highest card, or a gang. Play {cards}.",
                "PY",
                "Play {cards}: the block asks for your highest card.",
                "pass, pass, pass",
            ),
            Lesson(
                "Leading as a block",
                "Jade still has one card, and can't beat several cards with it. So the block asks you, the "
                "player just before Jade, to lead several cards if you can. Lead {cards}.",
                "4Y 4R",
                "Lead {cards}: it is the only combination of several cards that you have left.",
                "pass, pass, pass",
            ),
            Lesson(
                'Your own "Last card!"',
                "None of your cards go together, so the block asks for the highest: {cards}. It leaves you with "
                "one, and if you don't say so, you are out of the hand. Select it, then press **Play and say "
                '"Last card!"**.',
                "10R!",
                'Press **Play and say "Last card!"**: without the call, you are out of the hand.',
                "pass, pass, pass",
            ),
            Lesson(
                "The end of a hand",
                "Play your last card, {cards}: that ends the hand. The others get penalty points for every card "
                "they have: 1 each up to 7 cards, 2 each for 8 to 10, 3 for 11 to 13, 4 for 14 or 15, 5 for 16. "
                "When a player has 100 points, the match is over, and the lowest total wins.",
                "3R",
                "Play {cards}: it is your last card, and you win the hand with it.",
            ),
            Lesson(
                "The exchange",
                "Before the next hand, the player left with the most cards gives their highest new "
                "card to the winner, and gets any card back. You have won: give, for example, "
                "{cards}, which is low and goes with nothing else.",
                "give 1G",
                "Give any one card back, for example {cards}.",
                takes_any_card=True,
            ),
        ),
    ),
)
LESSONS: Final = tuple(lesson for scene in SCENES for lesson in scene.lessons)
BASICS: Final = 7
"""The number of lessons that suffice to play. After them the tutorial can end."""


@dataclass(frozen=True, slots=True)
class LessonStart:
    """The state of the game at the beginning of a lesson."""

    lesson: Lesson
    match: PreparedMatch
    previous_events: tuple[Event, ...]
    """The events since the learner's last move."""

    @property
    def expected(self) -> Move | None:
        """The move that the lesson teaches, or None."""
        return self.match.move(self.lesson.move) if self.lesson.move else None


@cache
def lesson_starts() -> tuple[LessonStart, ...]:
    """Play the script by the rules and return the start of each lesson."""
    return tuple(start for scene in SCENES for start in _starts_of(scene))


def _starts_of(scene: Scene) -> list[LessonStart]:
    found = []
    match = PreparedMatch.deal(scene.hands)
    known = len(match.log)
    match = match.played(_moves(scene.opening))
    for lesson in scene.lessons:
        if lesson.exhibit is not None:
            found.append(LessonStart(lesson, match, ()))
            continue
        found.append(LessonStart(lesson, match, match.log[known:]))
        moved = match.played([lesson.move])
        known = len(moved.log)
        match = moved.played(_moves(lesson.answers))
    return found


def _moves(text: str) -> Sequence[str]:
    return text.split(", ") if text else ()
