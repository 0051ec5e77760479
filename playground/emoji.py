"""Recognize Unicode emoji. Discord refuses a message if the emoji of a button or menu isn't one.

Accepts the emoji in Unicode's emoji-test.txt (Emoji 16.0), with or without the variation selector. Of sequences
with zero-width joiners, only the parts are checked, not whether the combination exists.
"""

import re
from functools import cache

EMOJI = """
    A9 AE 203C 2049 2122 2139 2194-2199 21A9-21AA 231A-231B 2328 23CF 23E9-23F3 23F8-23FA 24C2
    25AA-25AB 25B6 25C0 25FB-25FE 2600-2604 260E 2611 2614-2615 2618 261D 2620 2622-2623 2626 262A
    262E-262F 2638-263A 2640 2642 2648-2653 265F-2660 2663 2665-2666 2668 267B 267E-267F 2692-2697
    2699 269B-269C 26A0-26A1 26A7 26AA-26AB 26B0-26B1 26BD-26BE 26C4-26C5 26C8 26CE-26CF 26D1
    26D3-26D4 26E9-26EA 26F0-26F5 26F7-26FA 26FD 2702 2705 2708-270D 270F 2712 2714 2716 271D 2721
    2728 2733-2734 2744 2747 274C 274E 2753-2755 2757 2763-2764 2795-2797 27A1 27B0 27BF 2934-2935
    2B05-2B07 2B1B-2B1C 2B50 2B55 3030 303D 3297 3299 1F004 1F0CF 1F170-1F171 1F17E-1F17F 1F18E
    1F191-1F19A 1F201-1F202 1F21A 1F22F 1F232-1F23A 1F250-1F251 1F300-1F321 1F324-1F393 1F396-1F397
    1F399-1F39B 1F39E-1F3F0 1F3F3-1F3F5 1F3F7-1F3FA 1F400-1F4FD 1F4FF-1F53D 1F549-1F54E 1F550-1F567
    1F56F-1F570 1F573-1F57A 1F587 1F58A-1F58D 1F590 1F595-1F596 1F5A4-1F5A5 1F5A8 1F5B1-1F5B2 1F5BC
    1F5C2-1F5C4 1F5D1-1F5D3 1F5DC-1F5DE 1F5E1 1F5E3 1F5E8 1F5EF 1F5F3 1F5FA-1F64F 1F680-1F6C5
    1F6CB-1F6D2 1F6D5-1F6D7 1F6DC-1F6E5 1F6E9 1F6EB-1F6EC 1F6F0 1F6F3-1F6FC 1F7E0-1F7EB 1F7F0
    1F90C-1F93A 1F93C-1F945 1F947-1F9AF 1F9B4-1F9FF 1FA70-1FA7C 1FA80-1FA89 1FA8F-1FAC6 1FACE-1FADC
    1FADF-1FAE9 1FAF0-1FAF8
"""
"""Code points, in hexadecimal, that are emoji on their own."""

TAKES_SKIN_TONE = """
    261D 26F9 270A-270D 1F385 1F3C2-1F3C4 1F3C7 1F3CA-1F3CC 1F442-1F443 1F446-1F450 1F466-1F469
    1F46B-1F46E 1F470-1F478 1F47C 1F481-1F483 1F485-1F487 1F48F 1F491 1F4AA 1F574-1F575 1F57A 1F590
    1F595-1F596 1F645-1F647 1F64B-1F64F 1F6A3 1F6B4-1F6B6 1F6C0 1F6CC 1F90C 1F90F 1F918-1F91F 1F926
    1F930-1F939 1F93D-1F93E 1F977 1F9B5-1F9B6 1F9B8-1F9B9 1F9BB 1F9CD-1F9CF 1F9D1-1F9DD 1FAC3-1FAC5
    1FAF0-1FAF8
"""

REGIONS = """
    Acdefgilmoqrstuwxz Babdefghijlmnoqrstvwyz Cacdfghiklmnopqruvwxyz Degjkmoz Eaceghrstu Fijkmor
    Gabdefghilmnpqrstuwy Hkmnrtu Icdelmnoqrst Jemop Keghimnprwyz Labcikrstuvy
    Macdefghklmnopqrstuvwxyz Nacefgilopruz Om Paefghklmnrstwy Qa Reosuw Sabcdeghijklmnorstvxyz
    Tacdfghjklmnortvwz Uagmnsyz Vaceginu Wfs Xk Yet Zamw
"""
"""Regions with a flag: the first letter, then all second letters."""

SUBDIVISIONS = ("gbeng", "gbsct", "gbwls")
"""England, Scotland and Wales, whose flags consist of tag characters."""


@cache
def _pattern() -> re.Pattern[str]:
    toned = f"[{_ranges(TAKES_SKIN_TONE)}][\U0001f3fb-\U0001f3ff]"
    part = rf"(?:{toned}|[{_ranges(EMOJI)}]\uFE0F?)"
    alternatives = [rf"{part}(?:\u200D(?:{part}|[\U0001F9B0-\U0001F9B3]))*", r"[0-9#*]\uFE0F?\u20E3", *_flags()]
    return re.compile("|".join(alternatives))


def _ranges(text: str) -> str:
    """The content of a regular expression's character class."""
    return "".join("-".join(chr(int(end, 16)) for end in each.split("-")) for each in text.split())


def _flags() -> list[str]:
    pairs = (word[0] + second for word in REGIONS.split() for second in word[1:].upper())
    regions = ["".join(chr(0x1F1E6 + ord(letter) - ord("A")) for letter in pair) for pair in pairs]
    tagged = ["\U0001f3f4" + "".join(chr(0xE0000 + ord(each)) for each in name) + "\U000e007f" for name in SUBDIVISIONS]
    return regions + tagged


def is_emoji(text: str) -> bool:
    """True if the text is exactly one emoji."""
    return _pattern().fullmatch(text) is not None
