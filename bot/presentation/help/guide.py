"""The welcome, the help, and information about the app."""

from bot.presentation.text import labels
from bot.presentation.text.i18n import Words


def welcome(words: Words) -> str:
    """The welcome for users who open their first hand."""
    first = words.say(
        "👋 Welcome! Tap the cards that you want to play, or choose from the menu; then press **Play**, or **Pass**."
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
            words.say("2. If you like, press **Cut** to cut the deck. The host presses **Start**."),
            words.say(
                "3. **My hand** shows your cards, only to you. Tap cards to select them, then press **Play** or "
                "**Pass**."
            ),
            words.say('4. With one card left, press **Play and say "Last card!"**.'),
            words.say("`/gang hand` your cards · `/gang list` all tables · `/gang show` post the table again"),
            words.say("`/gang leave` leave or concede · `/gang close` end a table · `/gang leaderboard` scores"),
            words.say("`/gang turns` what is waiting for you · `/gang settings` notifications, quiet hours, holidays"),
            words.say(
                "`/gang duplicate` a second table with the same deals,"
                " best where the others do not see it; both are compared"
            ),
            words.say("`/gang rules` the rules in short pages · `/gang about` what this is"),
            words.say("A match can last for days. It picks up where it stopped, even after a restart."),
        ]
    )


def about_text(version: str, words: Words) -> str:
    """Information about the app."""
    return "\n".join(
        [
            "### " + words.say("About this app"),
            words.say("It plays Gang of Four, the climbing game by Lee F. Yih, version {version}.", version=version),
            words.say("The deals are fixed before anyone joins and revealed after the match, so you can check them."),
            words.say("It is free software under the MIT license."),
            words.say('"Gang of Four" is a trademark of its owner; this project is not affiliated with it.'),
        ]
    )
