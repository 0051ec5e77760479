"""The page's own labels. Sentences about the game come with each update."""

from typing import Final

from bot.presentation.text.i18n import Words, translatable, translatable_plural

TEXTS: Final = {
    "add_ai": translatable("Add AI"),
    "again": translatable("Try again"),
    "all_hands": translatable("All hands face up"),
    "at_table": translatable("At the table"),
    "back": translatable("◀ Back"),
    "cancel_orders": translatable("Cancel auto-pass"),
    "close_result": translatable("Continue"),
    "coach": translatable("Coach"),
    "coach_busy": translatable("The coach is looking at this hand …"),
    "come_back": translatable("I'm back"),
    "continue": translatable("Continue my match"),
    "copied": translatable("The link is copied."),
    "daily": translatable("Hand of the day"),
    "deal": translatable("Deal"),
    "declare": translatable("Last card!"),
    "dim": translatable("in no legal play"),
    "exchange": translatable("🔁 Exchange"),
    "fill": translatable("Fill with AI and start"),
    "first": translatable("First"),
    "frame_refused": translatable("Discord has not let the table know who you are."),
    "free_seat": translatable("(free seat)"),
    "give_back": translatable("Give back"),
    "goal": translatable("The lowest total wins the match."),
    "halt": translatable("Stop the replay"),
    "hint": translatable("Hint"),
    "home": translatable("Open tables"),
    "host": translatable("{name} (host)"),
    "join": translatable("Join"),
    "last": translatable("Last"),
    "last_card": translatable("❗ Last card!"),
    "leave": translatable("Leave"),
    "login": translatable("Log in with Discord"),
    "login_why": translatable("Log in, so that the table knows your seat."),
    "logout": translatable("Log out everywhere"),
    "lost": translatable("The connection is lost. Trying again …"),
    "match_over": translatable("The match is over."),
    "moment": translatable("Move {number} of {count}"),
    "my_hand": translatable("My hand"),
    "my_turn": translatable("Your turn"),
    "needs_bundle": translatable("The Activity isn't set up at this bot. You can open the table in a browser instead."),
    "next": translatable("Next ▶"),
    "next_mistake": translatable("Next mistake"),
    "no_play": translatable("Nothing in your hand beats this."),
    "no_tables": translatable("No table is open."),
    "options": translatable("Options"),
    "pass": translatable("Pass"),
    "play": translatable("Play"),
    "play_ai": translatable("Play against AI"),
    "play_last": translatable('Play and say "Last card!"'),
    "rematch": translatable("Rematch"),
    "remove_ai": translatable("Remove AI"),
    "replay": translatable("Move by move"),
    "resume": translatable("Resume"),
    "run": translatable("Start the replay"),
    "share": translatable("Copy the link to this move"),
    "sort_color": translatable("Sort by color"),
    "sort_number": translatable("Sort by number"),
    "sounds_off": translatable("Turn sounds off"),
    "sounds_on": translatable("Turn sounds on"),
    "spectator": translatable("You are watching. Only the players see their hands."),
    "speed": translatable("Speed"),
    "start": translatable("Start"),
    "tap_a_card": translatable("Tap a card to see the plays with it."),
    "undo": translatable("Take back"),
    "views": translatable("Whose cards are shown"),
    "waiting": translatable("Wait for your turn. You can already select cards."),
    "why": translatable("Why?"),
}
"""By the keys under which the page asks for them. It fills in what stands in braces."""
PLURALS: Final = {
    "cards": translatable_plural("{number} card", "{number} cards"),
    "plays": translatable_plural("{number} play you can make", "{number} plays you can make"),
    "plays_with": translatable_plural("{number} play with these cards", "{number} plays with these cards"),
    "points": translatable_plural("{number} point", "{number} points"),
}
"""Labels with a number, in singular and plural."""


def page_texts(words: Words) -> dict[str, str | dict[str, str]]:
    """The labels in a language. Those with a number are objects with their plural forms."""
    plurals = {key: words.forms(one, many) for key, (one, many) in PLURALS.items()}
    return {key: words.say(text) for key, text in TEXTS.items()} | plurals
