"""The page's own labels. Sentences about the game come with each picture."""

from typing import Final

from bot.presentation.text.i18n import Words, translatable

TEXTS: Final = {
    "play": translatable("Play"),
    "pass": translatable("Pass"),
    "last_card": translatable('Play and say "Last card!"'),
    "declare": translatable('Say "Last card!"'),
    "give_back": translatable("Give back"),
    "undo": translatable("Take back"),
    "hint": translatable("Hint"),
    "why": translatable("Why?"),
    "join": translatable("Join"),
    "leave": translatable("Leave"),
    "add_ai": translatable("Add AI"),
    "remove_ai": translatable("Remove AI"),
    "options": translatable("Options"),
    "start": translatable("Start"),
    "fill": translatable("Fill with AI and start"),
    "come_back": translatable("I'm back"),
    "resume": translatable("Resume"),
    "rematch": translatable("Rematch"),
    "free_seat": translatable("(free seat)"),
    "play_ai": translatable("Play against AI"),
    "daily": translatable("The hand of the day"),
    "sort_color": translatable("Sort by color"),
    "sort_number": translatable("Sort by number"),
}
"""By the keys under which the page asks for them."""


def page_texts(words: Words) -> dict[str, str]:
    """The labels in a language."""
    return {key: words.say(text) for key, text in TEXTS.items()}
