"""Makes display names readable, apart from the text around them, and different from those of AI players and the app."""

import re
import unicodedata
from functools import cache
from typing import Final

import discord

from bot.presentation.text.i18n import languages, words_in
from bot.table.lobby import AI_NAMES

AI_MARK: Final = "🤖"
"""Precedes the name of an AI player in a message. No user's name contains it."""
APP_NAME: Final = "Gang of Four"
MAX_NAME_LENGTH: Final = 32
"""Discord's limit for display names. Four fit on a line of a message."""
MARKS_PER_LETTER: Final = 2
"""Vietnamese and Hebrew need two. Taller stacks overlap other lines."""
_MAX_INPUT_LENGTH: Final = 1000
_ISOLATE: Final = "\u2068"
_END_ISOLATE: Final = "\u2069"
_RIGHT_TO_LEFT: Final = ("R", "AL", "AN")
"""Unicode's bidirectional classes of Hebrew and Arabic letters, and of Arabic digits."""
_BLANKS: Final = "\u115f\u1160\u2800\u3164\uffa0\ufffc\U0001d159"
"""Letters and symbols that look like a space: Hangul fillers, braille blank, object replacement, null notehead."""
_IGNORABLE_MARKS: Final = "\u034f\u17b4\u17b5\U00016fe4"
"""Marks that aren't drawn: Default_Ignorable_Code_Point in Unicode's DerivedCoreProperties.txt, and Khitan's filler."""
_VARIATIONS: Final = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_JOINERS: Final = "\u200c\u200d"
"""Joiners of emoji, and of letters in Arabic and Indic scripts."""
_HIDDEN: Final = ("Cc", "Cf", "Cn", "Co", "Cs")
"""Categories of control, format (direction, tags), unassigned, private and surrogate characters."""


def readable(name: str) -> str:
    """`name` on one line of at most 32 characters, without invisible or overlapping characters. It may be empty."""
    shown: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", name[:_MAX_INPUT_LENGTH]):
        before = shown[-1] if shown else " "
        if unicodedata.category(character) in ("Mn", "Me"):
            if marks < MARKS_PER_LETTER and _may_follow(character, before):
                shown.append(character)
                marks += 1
        elif character in _JOINERS:
            shown += [character] * (before not in _JOINERS and not before.isascii())
        elif character.isspace() or character in _BLANKS:
            shown.append(" ")
        elif character != AI_MARK and not _is_hidden(character):
            shown.append(character)
            marks = 0
    one_line = " ".join(unicodedata.normalize("NFC", "".join(shown)).split())
    return re.sub(f"[{_JOINERS}]+(?= |$)", "", one_line)[:MAX_NAME_LENGTH].rstrip(f" {_JOINERS}")


def isolated(text: str) -> str:
    """`text` apart from the direction of what surrounds it, if any of it is written from right to left.

    Otherwise the number after such a name is drawn before it, beside another name.
    """
    if not any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in text):
        return text
    return f"{_ISOLATE}{text}{_END_ISOLATE}"


def truncated(text: str, limit: int) -> str:
    """At most `limit` units of UTF-16 of a text. The isolate of a name that is cut is closed."""
    units = text.encode("utf-16-le")
    if len(units) <= 2 * limit:
        return text
    start = units[: 2 * limit - 2].decode("utf-16-le", errors="ignore")
    return start + _END_ISOLATE * (start.count(_ISOLATE) - start.count(_END_ISOLATE))


def _may_follow(mark: str, before: str) -> bool:
    """True if a mark may follow a character: variation selectors need one that isn't a letter, as in `❤️`, `1️⃣`."""
    if before == " " or before in _JOINERS or mark in _IGNORABLE_MARKS:
        return False
    return not _VARIATIONS.match(mark) or unicodedata.category(before)[0] in "SNP"


def _is_hidden(character: str) -> bool:
    is_new_emoji = "\U0001f000" <= character <= "\U0001faff"  # newer than Python's tables
    return unicodedata.category(character) in _HIDDEN and not is_new_emoji


def chosen_name(user: discord.abc.User, app: str) -> str:
    """The name under which a user takes a seat. `app` is the app's own name in Discord.

    It is the display name, or the username if that has no letter or digit or resembles a reserved name. A username like
    an AI player's gets the last digits of the user's id.
    """
    for name in map(readable, (user.display_name, user.name)):
        if any(map(str.isalnum, name)) and not _is_reserved(name, app):
            return name
    return f"{readable(user.name)[: MAX_NAME_LENGTH - 5]} {user.id % 10_000:04}".lstrip()


def _is_reserved(name: str, app: str) -> bool:
    """True for names of AI players, the app and deleted players, and names with the marks of AI players or apps.

    `ai:` begins the name of an AI player in a record. Ai and Ia are names of people, AI and IA aren't.
    """
    plain = unicodedata.normalize("NFKC", name)
    capitals = [word for word in re.findall(r"\w+", plain) if word.isupper()]
    in_brackets = re.findall(r"[(\[{<]([^()\[\]{}<>]*)[)\]}>]", plain)
    prefix = re.match("(.*?)[:\ua789\u2236]", plain)
    is_of_record = prefix is not None and skeleton(prefix[1]) == skeleton("ai")
    if is_of_record or not _ai_words().isdisjoint(map(skeleton, [*capitals, *in_brackets])):
        return True
    without_number = re.sub(r"[\W\d]+$", "", plain)
    looks = {_without_digits(skeleton(each)) for each in (name, without_number)}
    if any(_without_digits(skeleton(APP_NAME)) in look for look in looks):  # such as "Gang of Four support"
        return True
    if skeleton("Gang of 4") in skeleton(name):  # its digit looks like an A, too, but "Gang of Angels" is a name
        return True
    return not looks.isdisjoint(_reserved() | {_without_digits(skeleton(app))})


@cache
def _ai_words() -> frozenset[str]:
    """The words that mark AI players in any language, and apps in Discord."""
    marks = {words_in(language).say("{name} (AI)", name="") for language in languages()}
    return frozenset(map(skeleton, {*marks, "AI", "bot", "robot", "APP"}))


@cache
def _reserved() -> frozenset[str]:
    """Skeletons of the names that users can't have."""
    ai_players = set(map(skeleton, AI_NAMES))
    marked = {f"{ai_player}{word}" for ai_player in ai_players for word in _ai_words()}
    marked |= {f"{word}{ai_player}" for ai_player in ai_players for word in _ai_words()}
    deleted = [words_in(language).say("a deleted player") for language in languages()]
    without_article = {skeleton(name.removeprefix("a ")) for name in deleted}
    found = {*ai_players, *marked, *map(skeleton, deleted), *without_article}
    return frozenset(map(_without_digits, found))


def _without_digits(name_skeleton: str) -> str:
    """A skeleton with letters in place of digits that resemble them."""
    return name_skeleton.translate(_DIGITS)


def skeleton(name: str) -> str:
    """Reduce a name to letters and digits by their look: names with the same skeleton can be confused.

    A short form of the skeletons in Unicode's UTS #39, for names in Latin letters.
    """
    letters = unicodedata.normalize("NFKD", name).translate(_LOOK_ALIKES).casefold().translate(_LOOK_ALIKES)
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", letters))).replace("rn", "m").replace("vv", "w")


def _look_alikes() -> dict[int, str]:
    """A selection from UTS #39's confusables.txt; letters in boxes and flags by their order."""
    pairs = [
        ("АВЕЅІЈКМНОРСТУХԀԌԚԜҮ", "ABESIJKMHOPCTYXDGQWY"),  # Cyrillic
        ("авеѕіјкмнорстухԁһӏԛԝүгпьԍ", "abesijkmhopctyxdhlqwyrnbg"),
        ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),  # Greek
        ("αβεγηικνορτυχωϲϳμσ", "abeynikvoptuxwcjuo"),
        ("օսոհյցա", "ounhjgw"),  # Armenian
        ("ᎪᎫᎠᎬᏞᎢᏚᏢᎷ", "AJDELTSPM"),  # Cherokee
        ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz"),
        ("ɑɡɩıøđłħŧ", "agiiodlht"),
        ("il1|I0", "lllllo"),
    ]
    found = {letter: plain for letters, plains in pairs for letter, plain in zip(letters, plains, strict=True)}
    for first in ("🅐", "🅰", "🇦"):
        found |= {chr(ord(first) + number): letter for number, letter in enumerate("abcdefghljklmnopqrstuvwxyz")}
    return str.maketrans(found)


_LOOK_ALIKES: Final = _look_alikes()
_DIGITS: Final = str.maketrans("34578", "eastb")
