"""The pages of the rules. Each paragraph has the numbers of the rules that it explains, and examples."""

from dataclasses import dataclass
from typing import Final

from bot.presentation.text.i18n import translatable


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
        translatable("Gang of Four in brief"),
        (
            _p(
                "R19",
                translatable("Be the first to get rid of your 16 cards. The others get points for what they hold."),
            ),
            _p(
                "R23",
                translatable("Whoever leads plays any combination. The others play as many cards, higher, or pass."),
            ),
            _p("R24", translatable("When all others have passed, whoever played last leads anew.")),
            _p(
                "R18",
                translatable("A gang, four of a number or more, beats everything else, whenever it is your turn."),
                "7G 7Y 7Y 7R",
            ),
            _p("R29", translatable('Down to one card, say "Last card!".')),
            _p(
                "R32",
                translatable("When somebody reaches the target, as a rule 100 points, the lowest total wins."),
            ),
        ),
    ),
    "cards": Page(
        translatable("The cards"),
        (
            _p(
                "R1",
                translatable(
                    "64 cards: 1 to 10 in green, yellow and red, two of each; a multicolored 1, two Phoenixes, a Dragon."
                ),
            ),
            _p(
                "R2",
                translatable(
                    "The number counts first: 1 is the lowest, then come 2 to 10, the Phoenixes and the Dragon."
                ),
                "3R < 4G",
                "10R < PG",
                "PY < DR",
            ),
            _p(
                "R2",
                translatable("For equal numbers the color counts: green is below yellow, and yellow below red."),
                "7G < 7Y",
                "7Y < 7R",
            ),
            _p("R2", translatable("The multicolored 1 is the highest 1."), "1R < 1M", "1M < 2G"),
        ),
    ),
    "combinations": Page(
        translatable("What can be played"),
        (
            _p("R3", translatable("**Single card:** any card."), "7R"),
            _p("R4", translatable("**Pair:** two of a number, or the two Phoenixes."), "7G 7R", "PG PY"),
            _p("R5", translatable("**Three of a kind:** three of a number."), "7G 7Y 7R"),
            _p("R6", translatable("**Straight:** five numbers in a row, from 1 to 10."), "3G 4R 5Y 6G 7G"),
            _p("R7", translatable("**Flush:** five cards of a color, from 1 to 10."), "2Y 3Y 5Y 7Y 9Y"),
            _p(
                "R8",
                translatable("**Full house:** three of a number and two of another; the two may be the Phoenixes."),
                "6G 6Y 6R 3G 3R",
            ),
            _p("R9", translatable("**Straight flush:** a straight in one color."), "3R 4R 5R 6R 7R"),
            _p(
                "R10 R13 R14",
                translatable("**Gang:** four, five or six of a number, or all seven 1s."),
                "7G 7Y 7Y 7R",
            ),
            _p(
                "R11",
                translatable(
                    "The Dragon is only ever a single card; a Phoenix is one, or half of the pair of Phoenixes."
                ),
                "DR",
            ),
            _p(
                "R12 R35",
                translatable("The multicolored 1 is a 1; in a flush it takes the color of the others."),
                "1M 4G 6G 8G 9G",
            ),
        ),
    ),
    "beats": Page(
        translatable("What beats what"),
        (
            _p(
                "R15",
                translatable("An answer has as many cards as the lead and is higher. An equal one is not higher."),
                "3Y 3Y < 3R 3G",
            ),
            _p(
                "R16",
                translatable(
                    "Of five cards: a straight is below a flush, that below a full house, that below a straight flush."
                ),
            ),
            _p(
                "R17",
                translatable(
                    "Within a kind the number counts; for equal numbers the highest color, then the next one."
                ),
                "6G 6R < 6Y 6R",
            ),
            _p(
                "R17",
                translatable(
                    "Flushes: the highest number, then the color, then the other numbers (a table may take their sum)."
                ),
                "5R 6R 7R 7R 9R < 2G 2G 4G 7G 10G",
            ),
            _p(
                "R17",
                translatable("Full houses: the three decide; where they are equal, the two do."),
                "2G 2Y 2R 8Y 8R < 6G 6Y 6R 3G 3R",
            ),
            _p(
                "R18",
                translatable(
                    "A gang beats everything that is no gang. Of gangs, more cards beat fewer; then the number counts."
                ),
                "9G 9Y 9Y 9R < 2G 2G 2Y 2R 2R",
            ),
        ),
    ),
    "hand": Page(
        translatable("Playing a hand"),
        (
            _p(
                "R19",
                translatable("Everybody gets 16 cards. With three players, 16 cards lie aside, and nobody sees them."),
            ),
            _p(
                "R20",
                translatable("The first hand is played counter-clockwise; the direction turns with each hand."),
            ),
            _p(
                "R21 R22",
                translatable(
                    "In the first hand, whoever holds the multicolored 1 leads with it. Later the winner of the last hand leads."
                ),
                "1M",
            ),
            _p(
                "R23",
                translatable(
                    "In your turn you play or pass. A pass binds nobody: you may play when your turn comes again. Who leads may not pass."
                ),
            ),
            _p("R24", translatable("When all others have passed in a row, whoever played last leads anew.")),
            _p(
                "R25",
                translatable(
                    "Everybody may know how many cards everybody holds. What was played before the present lead may not be looked at."
                ),
            ),
            _p(
                "R26",
                translatable(
                    "When somebody has laid the last card, the hand is over. Cards left cost 1 point each up to 7 cards, 2 each from 8, 3 each from 11, 4 each from 14, and 16 cards cost 80."
                ),
            ),
        ),
    ),
    "last": Page(
        translatable("Last card!"),
        (
            _p(
                "R29",
                translatable(
                    'Who is down to one card says "Last card!". Going out with several cards at once needs no word.'
                ),
            ),
            _p(
                "R30 R36 R37",
                translatable(
                    "Forgotten, and the next player has acted: you are out of the hand with 1 point (in another edition you take the card back)."
                ),
            ),
            _p(
                "R31 R38",
                translatable(
                    "The block: does the player right after you have a last card declared, then lead several cards if you can, else your highest card."
                ),
            ),
            _p(
                "R31",
                translatable(
                    "Following a single card before a declared last card, play your highest card if it is enough, or a gang. You may not pass then."
                ),
            ),
        ),
    ),
    "match": Page(
        translatable("Between hands, and the match"),
        (
            _p(
                "R27",
                translatable(
                    "Before each hand but the first, the loser of the last one gives the highest card to the winner, who gives any card back."
                ),
            ),
            _p(
                "R28",
                translatable("The loser is who had most cards left; for equal numbers who has the most points."),
            ),
            _p("R39", translatable("The card given back may be the one just received.")),
            _p(
                "R32",
                translatable(
                    "When somebody has reached the target after a hand, the match is over, and the lowest total wins."
                ),
            ),
            _p(
                "R33 R40",
                translatable("Equal lowest totals share the victory; in one edition one more hand decides."),
            ),
            _p("R34", translatable("The Chinese deal is a way to cut the cards; it changes nobody's chances.")),
        ),
    ),
    "table": Page(
        translatable("At the table"),
        (
            _p(
                "seats",
                translatable(
                    "A match can begin when each seat is taken, by somebody or by an AI. From then on, seats and options stay as they are."
                ),
            ),
            _p(
                "host",
                translatable(
                    "The host invites, sends away, changes the options, begins and closes. Who may manage the server can close any table."
                ),
            ),
            _p(
                "private",
                translatable(
                    "At a private table, only those whom the host has invited take a seat. Who was sent away needs an invitation, too."
                ),
            ),
            _p(
                "players",
                translatable(
                    "Only those who play at a table act there. Everybody in the channel may look on; nobody sees another hand."
                ),
            ),
            _p(
                "moment",
                translatable(
                    "A button that makes a move means the turn in which it was shown. When the table has moved on since, it does nothing; nor does a button of an earlier version."
                ),
            ),
            _p(
                "absent",
                translatable(
                    "While somebody sits in for you, your seat acts without you; **I am back** gives it back to you. Who concedes leaves the seat to the computer until the match ends."
                ),
            ),
            _p(
                "pause",
                translatable(
                    "A match is paused when all who play wish it. Nobody moves then, and no time runs, until one of them presses **Go on**."
                ),
            ),
            _p("nudge", translatable("A nudge reminds whoever is to act, now and then at most.")),
            _p(
                "undo",
                translatable(
                    "Where a table allows it, a play or pass can be taken back by its player until the next one acts."
                ),
            ),
        ),
    ),
    "house": Page(
        translatable("Around the tables"),
        (
            _p(
                "over",
                translatable(
                    "A match that is over, or was closed, is not played on. Before a rematch, whoever came last may change the options."
                ),
            ),
            _p(
                "secrets",
                translatable(
                    "What everybody held is shown when a hand is over, record and seed when the match is. A hand of the day is shown when its day is over, its board to whoever has finished it."
                ),
            ),
            _p(
                "twins",
                translatable(
                    "Two tables may play the same deals, with the same number of seats and the same rules. One begins first, nobody plays at both, and hands are shown when both matches are over."
                ),
            ),
            _p(
                "server",
                translatable(
                    "Who may manage the server decides what holds in it, such as the channels for tables and the roles that may open them."
                ),
            ),
            _p(
                "numbers",
                translatable(
                    "Every table has a number. It is found in its own server, by those who play there or may see its channel."
                ),
            ),
            _p(
                "figures",
                translatable("Everybody may hide their figures from the others, with `/gang privacy`."),
            ),
        ),
    ),
}
