"""The pages of the rules. Each paragraph has the numbers of the rules that it explains, and examples.

All titles and texts here are in the catalogs.
"""

from typing import Final

from bot.presentation.help.paragraphs import GENERAL, Listing, Page
from bot.presentation.help.paragraphs import paragraph as _p
from bot.presentation.text.cards import LEGEND
from bot.presentation.ui.components import BRIEF
from bot.table.model import MIN_RATED_TARGET

PAGES: Final = {
    BRIEF: Page(
        "Gang of Four in brief",
        (
            _p("R19", "Be the first to get rid of your 16 cards. The others get points for the cards they have left."),
            _p(
                "R23", "The player who leads plays any combination. The others play as many cards, but higher, or pass."
            ),
            _p("R24", "When all the others have passed, the last to play leads again."),
            _p(
                "R18",
                "A gang (four or more cards of one number) beats everything else. You can play it on any turn.",
                "7G 7Y 7Y 7R",
            ),
            _p("R29", 'With one card left, say "Last card!".', when="last_card=declared", note=""),
            _p("R29", 'The table says "Last card!" for a player with one card left.', when="last_card=automatic"),
            _p("R32", "When a player reaches the target (usually 100 points), the lowest total wins.", when=GENERAL),
            _p("R32", "When a player reaches the target ({target}), the lowest total wins.", when="end=reach"),
            _p("R32", "When a player goes over the target ({target}), the lowest total wins.", when="end=exceed"),
        ),
    ),
    "cards": Page(
        "The cards",
        (
            _p(
                "R1",
                "64 cards: 1 to 10 in green, yellow and red, two of each; a multicolored 1, two Phoenixes and a "
                "Dragon.",
            ),
            _p(
                "R2",
                "The number counts first: 1 is the lowest, then 2 to 10, the Phoenixes and the Dragon.",
                "3R < 4G",
                "10R < PG",
                "PY < DR",
            ),
            _p(
                "R2",
                "With equal numbers, the color counts: green is lower than yellow, and yellow lower than red.",
                "7G < 7Y",
                "7Y < 7R",
            ),
            _p("R2", "The multicolored 1 is the highest 1.", "1R < 1M", "1M < 2G"),
            _p("R1", LEGEND),
        ),
    ),
    "combinations": Page(
        "What can be played",
        (
            _p("R3", "**Single card:** any card.", "7R"),
            _p("R4", "**Pair:** two cards of one number, or the two Phoenixes.", "7G 7R", "PG PY"),
            _p("R5", "**Three of a kind:** three cards of one number.", "7G 7Y 7R"),
            _p(
                "R6-R9",
                "**Five cards:** a straight, a flush, a full house or a straight flush, from low to high. Five "
                "cards of one number are a gang.",
            ),
            _p("R6", "**Straight:** five numbers in a row, from 1 to 10.", "3G 4R 5Y 6G 7G"),
            _p("R7", "**Flush:** five cards of one color, from 1 to 10.", "2Y 3Y 5Y 7Y 9Y"),
            _p(
                "R8",
                "**Full house:** three cards of one number and two of another, or the two Phoenixes.",
                "6G 6Y 6R 3G 3R",
            ),
            _p("R9", "**Straight flush:** a straight in one color.", "3R 4R 5R 6R 7R"),
            _p("R10 R13 R14", "**Gang:** four, five or six cards of one number, or all seven 1s.", "7G 7Y 7Y 7R"),
            _p(
                "R11",
                "The Dragon is only ever a single card; a Phoenix is a single card, or half of the pair of Phoenixes.",
                "DR",
            ),
            _p(
                "R12 R35",
                "The multicolored 1 counts as a 1; in a flush it takes the color of the others.",
                "1M 4G 6G 8G 9G",
            ),
        ),
    ),
    "beats": Page(
        "What beats what",
        (
            _p("R15", "To follow, play as many cards, but higher. An equal play is not enough.", "3Y 3Y < 3R 3G"),
            _p("R16", "Five cards, from low to high: straight, flush, full house, straight flush."),
            _p(
                "R17 number",
                "Within a kind, the number counts; with equal numbers, the highest color, then the next one.",
                "6G 6R < 6Y 6R",
            ),
            _p(
                "R17 flush",
                "Flushes: the highest number, then the color, then the other numbers.",
                "5R 6R 7R 7R 9R < 2G 2G 4G 7G 10G",
                when="flush_order=highest",
                note="(Some tables count the sum of the numbers.)",
            ),
            _p(
                "R17 flush",
                "Flushes: the sum of the numbers, then the color.",
                "2G 2G 4G 7G 10G < 5R 6R 7R 7R 9R",
                when="flush_order=sum",
            ),
            _p(
                "R17 full-house",
                "Full houses: the three of a kind counts; if equal, the pair.",
                "2G 2Y 2R 8Y 8R < 6G 6Y 6R 3G 3R",
            ),
            _p(
                "R18",
                "A gang beats anything that isn't a gang. More cards beat fewer; with equal size, the number counts.",
                "9G 9Y 9Y 9R < 2G 2G 2Y 2R 2R",
                "3G 3Y 3R 3R < 8G 8G 8Y 8R",
            ),
        ),
    ),
    "hand": Page(
        "Playing a hand",
        (
            _p("R19", "Everyone gets 16 cards. With three players, 16 cards are set aside unseen."),
            _p("R20", "The first hand is played counter-clockwise; the direction changes with each hand."),
            _p(
                "R21",
                "In the first hand, the player with the multicolored 1 leads with it. After that, the winner of "
                "the last hand leads.",
                "1M",
            ),
            _p(
                "R22",
                "The oldest Discord account is the first dealer, then the winner of the last hand. If the "
                "multicolored 1 is set aside, the player on the dealer's right leads the first hand.",
            ),
            _p(
                "R23",
                "On your turn, play or pass. You can pass and still play when your turn comes round again. If "
                "you lead, you may not pass.",
            ),
            _p("R24", "When all the others have passed in a row, the last to play leads again."),
            _p(
                "R25",
                "Everyone may know how many cards each player has. Plays from before the current lead may not be "
                "looked at.",
            ),
            _p(
                "R26",
                "When a player has played the last card, the hand is over. The others get points for the cards "
                "they have left:",
                listing=Listing.PENALTIES,
            ),
        ),
    ),
    "last": Page(
        "Last card!",
        (
            _p(
                "R29",
                'With one card left, say "Last card!". Going out with several cards at once needs no call.',
                when="last_card=declared",
                note="",
            ),
            _p("R29", 'The table says "Last card!" for a player with one card left.', when="last_card=automatic"),
            _p(
                "R30 R36 R37",
                "If you forget and the next player has moved, you are out of the hand and get 1 point.",
                when="last_card=declared forgotten=out",
                note="(Dargaud 1996: you take the card back instead.)",
            ),
            _p(
                "R30 R36 R37",
                "If you play your last card without saying it, you take the card back, and your turn is over.",
                when="last_card=declared forgotten=takes_back",
            ),
            _p("R30 R36 R37", "Nobody can forget it.", when="last_card=automatic"),
            _p(
                "R31 R38",
                'The block: if the next player has said "Last card!", lead several cards if you can, otherwise '
                "your highest card.",
            ),
            _p(
                "R31",
                "On a single card: if your highest card beats it, play that card or a gang; you may not pass. If "
                "it doesn't, you may.",
                when="block=lead_and_follow",
                note="(Summary sheet: play what you like.)",
            ),
            _p("R31", "When you follow, play what you like, or pass.", when="block=lead_only"),
        ),
    ),
    "match": Page(
        "Between hands and at the end",
        (
            _p(
                "R27",
                "Before each hand but the first, the loser of the last one gives their highest card to the "
                "winner, who gives any card back.",
            ),
            _p(
                "R28",
                "The loser has the most cards left. In a tie, it is the player with the highest total; if that is "
                "equal, too, the one nearest to the winner's right.",
            ),
            _p("R39", "The card given back may be the one just received."),
            _p(
                "R32",
                "When a player has reached the target after a hand, the match is over, and the lowest total wins.",
                when="end=reach",
                note="(Summary sheet: when a player has gone over it.)",
            ),
            _p(
                "R32",
                "When a player has gone over the target after a hand, the match is over, and the lowest total wins.",
                when="end=exceed",
            ),
            _p(
                "R33 R40",
                "Players tied for the lowest total share the victory.",
                when="tie=shared",
                note="(Dargaud 1996: one more hand decides.)",
            ),
            _p(
                "R33 R40",
                "If players are tied for the lowest total, one more hand decides. If they are still equal, they "
                "share the victory.",
                when="tie=deciding_hand",
            ),
            _p("R34", "The Chinese deal is a way to cut the cards; it changes nobody's chances."),
        ),
    ),
    "editions": Page(
        "The editions",
        (
            _p(
                "R17 R30 R31 R32 R33 R34",
                "The rulebooks differ in a few rules. A table can choose each of these freely.",
                listing=Listing.EDITIONS,
            ),
        ),
    ),
    "table": Page(
        "At the table",
        (
            _p(
                "seats",
                "A match can start when every seat is taken, by people or AI players. From then on, seats and "
                "options stay as they are.",
            ),
            _p(
                "host",
                "The host invites and removes people, changes the options, starts and closes. Server managers "
                "can close any table.",
            ),
            _p(
                "private",
                "At a private table, only invited people can take a seat. Removed players need a new invitation, too.",
            ),
            _p(
                "players",
                "Only its players can act at a table. Everyone in the channel may watch; nobody sees another hand.",
            ),
            _p(
                "moment",
                "A button works for the turn it was shown in. Once the table has moved on, it does nothing; nor "
                "does a button of an earlier version.",
            ),
            _p(
                "absent",
                "While a substitute plays for you, you can take your seat back at any time. If you concede, an "
                "AI keeps the seat until the match ends.",
            ),
            _p(
                "pause",
                "A match is paused when everyone playing agrees. Nobody can move then, and no time runs, until "
                "one of them resumes the match.",
            ),
            _p("nudge", "A nudge reminds the player whose turn it is; it works only now and then."),
            _p("hint", "**Hint** suggests a move and says why. It's for casual matches, if the table allows it."),
            _p("undo", "If the table allows it, you can take a play or pass back until the next player acts."),
        ),
    ),
    "ratings": Page(
        "Ratings",
        (
            _p(
                "rated",
                f"A match is rated if only people join it, it goes to at least {MIN_RATED_TARGET} points and the host "
                "has not made it casual.",
            ),
            _p("rated", "Duplicate matches are never rated."),
            _p(
                "rated",
                "Players who concede or are absent at the end share last place; the others rank by their points. If "
                "everyone concedes, the last to do so comes first.",
            ),
            _p(
                "rated",
                "A hand that was mostly played for you counts with its points, but at least as much as the worst result of "
                "those who played it themselves; substitutes are never rated.",
            ),
            _p(
                "rated",
                "If nobody plays for 30 days, the player whose turn it was counts as absent, and so does everyone whose "
                "seat another player has.",
            ),
            _p(
                "rated",
                "A match that ends by agreement, by a server manager or after a pause of 30 days is rated only if "
                "someone has conceded; server managers who end a match of their own have conceded it, unless all the "
                "others had.",
            ),
        ),
    ),
    "house": Page(
        "Everything else",
        (
            _p(
                "over",
                "A finished or closed match can't be continued. Before a rematch, the player who came last may "
                "change the options.",
            ),
            _p(
                "secrets",
                "After a hand, everyone's cards are shown; after the match, its record and seed. The "
                "hand of the day is shown when the day is over; its leaderboard, once you have "
                "finished it.",
            ),
            _p(
                "twins",
                "Two tables may play the same deals, with the same number of seats and the same rules. One "
                "starts first, nobody plays at both, and hands are shown when both matches are over.",
            ),
            _p("server", "Server managers decide the channels for tables, the roles that may open them, and so on."),
            _p(
                "numbers",
                "A table has a number, which works in its own server for its players and everyone who can see "
                "its channel.",
            ),
            _p(
                "figures",
                "On leaderboards, players who left a match share last place, in casual matches as well. So another "
                "player can win there than at the table. A match that was ended early counts only if it's rated.",
            ),
            _p("figures", "You can hide your stats from the others under **My data** in `/gang settings`."),
            _p(
                "coach",
                "The coach's points: the average over many deals possible from what this player knew, compared with "
                "the others. The better moves and the hints are those of the strongest AI player.",
            ),
            _p(
                "coach",
                "Luck and skill add up to how many points fewer were made than the average of the table. Luck is what "
                "the strongest AI players achieve with these cards; skill is the rest.",
            ),
        ),
    ),
}
