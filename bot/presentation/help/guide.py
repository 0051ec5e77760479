"""The welcome, the help, and information about the app."""

from bot.presentation.text import labels
from bot.presentation.text.i18n import Words


def welcome(words: Words) -> str:
    """The welcome for users who open their first hand."""
    first = words.say(
        "👋 Welcome! Tap the cards that you want to play, or choose from the menu; then **Play**, or **Pass**."
    )
    return f"{first}\n{labels.small(_tutorial(words))}"


def _tutorial(words: Words) -> str:
    return words.say("New to the game? `/gang tutorial` teaches it in ten minutes: you play, and learn as you go.")


def help_text(words: Words) -> str:
    """How to use the app."""
    return "\n".join(
        [
            "### " + words.say("How to play here"),
            _tutorial(words),
            words.say("1. `/gang new` opens a table; the others press **Join**, or the host adds AI players."),
            words.say(
                "2. If you like, press **Cut** to cut the deck. The host presses **Start**."
                " You are mentioned when it is your turn."
            ),
            words.say(
                "3. **My hand** shows your cards to you only. Tap cards to select them. Then **Play** or **Pass**."
            ),
            words.say('4. With one card left, press **Play and say "Last card!"**.'),
            words.say("`/gang hand` your cards · `/gang list` all tables · `/gang show` post the table again"),
            words.say("`/gang leave` get up or concede · `/gang close` end a table · `/gang leaderboard` scores"),
            words.say("`/gang turns` what waits for you · `/gang settings` how you are told, quiet hours, holidays"),
            words.say(
                "`/gang duplicate` a second table with the same deals,"
                " best where the others do not see it; both are compared"
            ),
            words.say("`/gang rules` the rules in short pages · `/gang about` what this is"),
            words.say("Matches may last for days: everything goes on where it was, also after a restart."),
        ]
    )


def about_text(version: str, words: Words) -> str:
    """Information about the app."""
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
