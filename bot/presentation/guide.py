"""The rules in brief, help, and what this app is."""

import discord

from bot.engine import parse_card
from bot.presentation.buttons import layout
from bot.presentation.faces import faces
from bot.presentation.words import Words


def rules_message(words: Words) -> discord.ui.LayoutView:
    """The rules on one screen."""
    return layout(*(discord.ui.TextDisplay(text) for text in (_aim(words), _combinations(words), _play(words))))


def _aim(words: Words) -> str:
    return "\n".join(
        [
            "### " + words.say("Gang of Four in brief"),
            words.say("Be the first to get rid of your 16 cards. The others get penalty points for what they hold."),
            words.say("When somebody reaches the target (100), the lowest total wins."),
            words.say("1–7 cards cost 1 point each, 8–10 cost 2, 11–13 cost 3, 14–15 cost 4, 16 cost 5."),
            words.say("Order of cards: 1 to 10, the Phoenixes, the Dragon; for equal numbers green, yellow, red."),
            words.say("The multicolored 1 is the highest 1 and takes any color in a flush."),
        ]
    )


def _combinations(words: Words) -> str:
    """What beats what, from the weakest to the strongest."""
    examples = [
        (words.say("Single card"), "7R", words.say("any card")),
        (words.say("Pair"), "7G 7R", words.say("two of a number, or the two Phoenixes")),
        (words.say("Three of a kind"), "7G 7Y 7R", words.say("three of a number")),
        (words.say("Straight"), "3G 4R 5Y 6G 7G", words.say("five numbers in a row")),
        (words.say("Flush"), "2Y 3Y 5Y 7Y 9Y", words.say("five of a color")),
        (words.say("Full house"), "6G 6Y 6R 3G 3R", words.say("three and two; the triple counts")),
        (words.say("Straight flush"), "3R 4R 5R 6R 7R", words.say("a straight in one color")),
        (words.say("Gang of Four"), "7G 7Y 7Y 7R", words.say("four of a number or more; beats everything at any time")),
    ]
    lines = ["**" + words.say("What can be played, the five-card ones from weak to strong") + "**"]
    lines += [
        words.say(
            "**{kind}** {cards}: {what}", kind=kind, cards=faces(map(parse_card, cards.split()), words), what=what
        )
        for kind, cards, what in examples
    ]
    return "\n".join(lines)


def _play(words: Words) -> str:
    return "\n".join(
        [
            words.say(
                "**A turn:** play as many cards as the lead, higher, or pass. Whoever passed may still play later."
            ),
            words.say(
                "When all others have passed, whoever played last leads anew. The direction turns with each hand."
            ),
            words.say("**Last card!** Say it when you are down to one card, or you are out of the hand."),
            words.say(
                "Whoever plays just before a declared last card must block: lead several cards, or play the highest."
            ),
            words.say(
                "**Between hands** the player with the most cards gives the best card to the winner and gets one back."
            ),
        ]
    )


def welcome(words: Words) -> str:
    """One line for whoever opens a hand for the first time."""
    return words.say(
        "👋 Welcome! Tap the cards that you want to play, or choose from the menu; then **Play**, or **Pass**."
    )


def help_text(words: Words) -> str:
    """How to use the app."""
    return "\n".join(
        [
            "### " + words.say("How to play here"),
            words.say("1. `/gang new` opens a table; the others press **Join**, or the host adds AI players."),
            words.say("2. The host presses **Start**. Whoever is to play is mentioned."),
            words.say(
                "3. **My hand** shows your cards to you only. Tap cards to select them. Then **Play** or **Pass**."
            ),
            words.say('4. With one card left, press **Play and say "Last card!"**.'),
            words.say("`/gang hand` your cards · `/gang list` all tables · `/gang show` post the table again"),
            words.say("`/gang leave` get up or concede · `/gang close` end a table · `/gang leaderboard` scores"),
            words.say("`/gang turns` what waits for you · `/gang settings` how you are told, quiet hours, holidays"),
            words.say("`/gang rules` the rules in brief · `/gang about` what this is"),
            words.say("Matches may last for days: everything goes on where it was, also after a restart."),
        ]
    )


def about_text(version: str, words: Words) -> str:
    """What this is."""
    return "\n".join(
        [
            "### " + words.say("About this app"),
            words.say("It plays Gang of Four, the climbing game by Lee F. Yih, version {version}.", version=version),
            words.say(
                "Every deal is committed to before anybody joins and revealed after the match, so it can be checked."
            ),
            words.say("It is free software under the MIT license."),
            words.say('"Gang of Four" is a trademark of its owner; this project is not affiliated with it.'),
        ]
    )
