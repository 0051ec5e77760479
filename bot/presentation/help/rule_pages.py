"""The pages of the rules. Each paragraph has the numbers of the rules that it explains, and examples."""

from dataclasses import dataclass
from typing import Final

from bot.presentation.text.i18n import mark_for_translation


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A few sentences with examples."""

    rules: tuple[str, ...]
    """Numbers of rules of the game, or names of house rules. Refusals refer to them."""
    text: str
    examples: tuple[str, ...] = ()
    """Cards in text, or two plays separated by `<`: the second beats the first."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the rules."""

    title: str
    paragraphs: tuple[Paragraph, ...]


def _p(rules: str, text: str, *examples: str) -> Paragraph:
    return Paragraph(tuple(rules.split()), text, examples)


BRIEF: Final = "brief"
PAGES: Final = {
    BRIEF: Page(
        mark_for_translation("Gang of Four in brief"),
        (
            _p(
                "R19",
                mark_for_translation(
                    "Be the first to get rid of your 16 cards. The others get points for what they hold."
                ),
            ),
            _p(
                "R23",
                mark_for_translation(
                    "Whoever leads plays any combination. The others play as many cards, higher, or pass."
                ),
            ),
            _p("R24", mark_for_translation("When all others have passed, whoever played last leads anew.")),
            _p(
                "R18",
                mark_for_translation(
                    "A gang, four of a number or more, beats everything else, whenever it is your turn."
                ),
                "7G 7Y 7Y 7R",
            ),
            _p("R29", mark_for_translation('Down to one card, say "Last card!".')),
            _p(
                "R32",
                mark_for_translation("When somebody reaches the target, as a rule 100 points, the lowest total wins."),
            ),
        ),
    ),
    "cards": Page(
        mark_for_translation("The cards"),
        (
            _p(
                "R1",
                mark_for_translation(
                    "64 cards: 1 to 10 in green, yellow and red, two of each; a multicolored 1, two Phoenixes, a Dragon."
                ),
            ),
            _p(
                "R2",
                mark_for_translation(
                    "The number counts first: 1 is the lowest, then come 2 to 10, the Phoenixes and the Dragon."
                ),
                "3R < 4G",
                "10R < PG",
                "PY < DR",
            ),
            _p(
                "R2",
                mark_for_translation(
                    "For equal numbers the color counts: green is below yellow, and yellow below red."
                ),
                "7G < 7Y",
                "7Y < 7R",
            ),
            _p("R2", mark_for_translation("The multicolored 1 is the highest 1."), "1R < 1M", "1M < 2G"),
        ),
    ),
    "combinations": Page(
        mark_for_translation("What can be played"),
        (
            _p("R3", mark_for_translation("**Single card:** any card."), "7R"),
            _p("R4", mark_for_translation("**Pair:** two of a number, or the two Phoenixes."), "7G 7R", "PG PY"),
            _p("R5", mark_for_translation("**Three of a kind:** three of a number."), "7G 7Y 7R"),
            _p("R6", mark_for_translation("**Straight:** five numbers in a row, from 1 to 10."), "3G 4R 5Y 6G 7G"),
            _p("R7", mark_for_translation("**Flush:** five cards of a color, from 1 to 10."), "2Y 3Y 5Y 7Y 9Y"),
            _p(
                "R8",
                mark_for_translation(
                    "**Full house:** three of a number and two of another; the two may be the Phoenixes."
                ),
                "6G 6Y 6R 3G 3R",
            ),
            _p("R9", mark_for_translation("**Straight flush:** a straight in one color."), "3R 4R 5R 6R 7R"),
            _p(
                "R10 R13 R14",
                mark_for_translation("**Gang:** four, five or six of a number, or all seven 1s."),
                "7G 7Y 7Y 7R",
            ),
            _p(
                "R11",
                mark_for_translation(
                    "The Dragon is only ever a single card; a Phoenix is one, or half of the pair of Phoenixes."
                ),
                "DR",
            ),
            _p(
                "R12 R35",
                mark_for_translation("The multicolored 1 is a 1; in a flush it takes the color of the others."),
                "1M 4G 6G 8G 9G",
            ),
        ),
    ),
    "beats": Page(
        mark_for_translation("What beats what"),
        (
            _p(
                "R15",
                mark_for_translation(
                    "An answer has as many cards as the lead and is higher. An equal one is not higher."
                ),
                "3Y 3Y < 3R 3G",
            ),
            _p(
                "R16",
                mark_for_translation(
                    "Of five cards: a straight is below a flush, that below a full house, that below a straight flush."
                ),
            ),
            _p(
                "R17",
                mark_for_translation(
                    "Within a kind the number counts; for equal numbers the highest color, then the next one."
                ),
                "6G 6R < 6Y 6R",
            ),
            _p(
                "R17",
                mark_for_translation(
                    "Flushes: the highest number, then the color, then the other numbers (a table may take their sum)."
                ),
                "5R 6R 7R 7R 9R < 2G 2G 4G 7G 10G",
            ),
            _p(
                "R17",
                mark_for_translation("Full houses: the three decide; where they are equal, the two do."),
                "2G 2Y 2R 8Y 8R < 6G 6Y 6R 3G 3R",
            ),
            _p(
                "R18",
                mark_for_translation(
                    "A gang beats everything that is no gang. Of gangs, more cards beat fewer; then the number counts."
                ),
                "9G 9Y 9Y 9R < 2G 2G 2Y 2R 2R",
            ),
        ),
    ),
    "hand": Page(
        mark_for_translation("Playing a hand"),
        (
            _p(
                "R19",
                mark_for_translation(
                    "Everybody gets 16 cards. With three players, 16 cards lie aside, and nobody sees them."
                ),
            ),
            _p(
                "R20",
                mark_for_translation("The first hand is played counter-clockwise; the direction turns with each hand."),
            ),
            _p(
                "R21 R22",
                mark_for_translation(
                    "In the first hand, whoever holds the multicolored 1 leads with it. Later the winner of the last hand leads."
                ),
                "1M",
            ),
            _p(
                "R23",
                mark_for_translation(
                    "In your turn you play or pass. A pass binds nobody: you may play when your turn comes again. Who leads may not pass."
                ),
            ),
            _p("R24", mark_for_translation("When all others have passed in a row, whoever played last leads anew.")),
            _p(
                "R25",
                mark_for_translation(
                    "Everybody may know how many cards everybody holds. What was played before the present lead may not be looked at."
                ),
            ),
            _p(
                "R26",
                mark_for_translation(
                    "When somebody has laid the last card, the hand is over. Cards left cost 1 point each up to 7 cards, 2 each from 8, 3 each from 11, 4 each from 14, and 16 cards cost 80."
                ),
            ),
        ),
    ),
    "last": Page(
        mark_for_translation("Last card!"),
        (
            _p(
                "R29",
                mark_for_translation(
                    'Who is down to one card says "Last card!". Going out with several cards at once needs no word.'
                ),
            ),
            _p(
                "R30 R36 R37",
                mark_for_translation(
                    "Forgotten, and the next player has acted: you are out of the hand with 1 point (in another edition you take the card back)."
                ),
            ),
            _p(
                "R31 R38",
                mark_for_translation(
                    "The block: does the player right after you have a last card declared, then lead several cards if you can, else your highest card."
                ),
            ),
            _p(
                "R31",
                mark_for_translation(
                    "Following a single card before a declared last card, play your highest card if it is enough, or a gang. You may not pass then."
                ),
            ),
        ),
    ),
    "match": Page(
        mark_for_translation("Between hands, and the match"),
        (
            _p(
                "R27",
                mark_for_translation(
                    "Before each hand but the first, the loser of the last one gives the highest card to the winner, who gives any card back."
                ),
            ),
            _p(
                "R28",
                mark_for_translation(
                    "The loser is who had most cards left; for equal numbers who has the most points."
                ),
            ),
            _p("R39", mark_for_translation("The card given back may be the one just received.")),
            _p(
                "R32",
                mark_for_translation(
                    "When somebody has reached the target after a hand, the match is over, and the lowest total wins."
                ),
            ),
            _p(
                "R33 R40",
                mark_for_translation("Equal lowest totals share the victory; in one edition one more hand decides."),
            ),
            _p("R34", mark_for_translation("The Chinese deal is a way to cut the cards; it changes nobody's chances.")),
        ),
    ),
    "table": Page(
        mark_for_translation("At the table"),
        (
            _p(
                "seats",
                mark_for_translation(
                    "A match can begin when each seat is taken, by somebody or by an AI. From then on, seats and options stay as they are."
                ),
            ),
            _p(
                "host",
                mark_for_translation(
                    "The host invites, sends away, changes the options, begins and closes. Who may manage the server can close any table."
                ),
            ),
            _p(
                "private",
                mark_for_translation(
                    "At a private table, only those whom the host has invited take a seat. Who was sent away needs an invitation, too."
                ),
            ),
            _p(
                "players",
                mark_for_translation(
                    "Only those who play at a table act there. Everybody in the channel may look on; nobody sees another hand."
                ),
            ),
            _p(
                "moment",
                mark_for_translation(
                    "A button that makes a move means the turn in which it was shown. When the table has moved on since, it does nothing; nor does a button of an earlier version."
                ),
            ),
            _p(
                "absent",
                mark_for_translation(
                    "While somebody sits in for you, your seat acts without you; **I am back** gives it back to you. Who concedes leaves the seat to the computer until the match ends."
                ),
            ),
            _p(
                "pause",
                mark_for_translation(
                    "A match is paused when all who play wish it. Nobody moves then, and no time runs, until one of them presses **Go on**."
                ),
            ),
            _p("nudge", mark_for_translation("A nudge reminds whoever is to act, now and then at most.")),
            _p(
                "undo",
                mark_for_translation(
                    "Where a table allows it, a play or pass can be taken back by its player until the next one acts."
                ),
            ),
        ),
    ),
    "house": Page(
        mark_for_translation("Around the tables"),
        (
            _p(
                "over",
                mark_for_translation(
                    "A match that is over, or was closed, is not played on. Before a rematch, whoever came last may change the options."
                ),
            ),
            _p(
                "secrets",
                mark_for_translation(
                    "What everybody held is shown when a hand is over, record and seed when the match is. A hand of the day is shown when its day is over, its board to whoever has finished it."
                ),
            ),
            _p(
                "twins",
                mark_for_translation(
                    "Two tables may play the same deals, with the same number of seats and the same rules. One begins first, nobody plays at both, and hands are shown when both matches are over."
                ),
            ),
            _p(
                "server",
                mark_for_translation(
                    "Who may manage the server decides what holds in it, such as the channels for tables and the roles that may open them."
                ),
            ),
            _p(
                "numbers",
                mark_for_translation(
                    "Every table has a number. It is found in its own server, by those who play there or may see its channel."
                ),
            ),
            _p(
                "figures",
                mark_for_translation("Everybody may hide their figures from the others, with `/gang privacy`."),
            ),
        ),
    ),
}
