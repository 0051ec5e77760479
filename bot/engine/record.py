"""The match record: events as JSON lines, and back (docs/record.md).

The same lines are the log that storage appends. `verify` lives next door in `verification.py`.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Any, Final, TypeAlias

from bot.engine.cards import Card, Cards, parse_card, sorted_cards
from bot.engine.events import (
    Abandoned,
    Dealt,
    Declared,
    Event,
    Forgot,
    Gave,
    GaveBack,
    HandEnded,
    MatchEnded,
    MatchStarted,
    Passed,
    Played,
    Substituted,
    Undone,
)
from bot.engine.excerpt import excerpt, shortened
from bot.engine.options import OPTION_NAMES, Options

FORMAT: Final = "gang-of-four/1"
MOST_FIELDS: Final = 100
"""Fields of a JSON object in a line."""
DEEPEST: Final = 50
"""Levels of nesting in a line; Python's parser and writer fail at a few hundred, depending on their caller."""
Fields: TypeAlias = Mapping[str, Any]


class BadRecord(ValueError):
    """A record with something wrong in it: `line` (from 1) is the first such line."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


class UnreadableLine(BadRecord):
    """What stands there is no line of a record."""


class UnfinishedRecord(BadRecord):
    """The match does not come to its end."""


class WrongSeed(BadRecord):
    """The seed at the end is not the one that the first line commits to."""


class WrongLine(BadRecord):
    """By the rules and the seed, this cannot stand there."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a record: the event, when it happened, and whatever else stood there."""

    event: Event
    at: int | None = None
    """UTC seconds."""
    extra: Fields | None = None
    """Fields of other programs, kept as they came."""
    paused: int = 0
    """Seconds for which the match was paused in the turn of this line."""


def write(lines: Iterable[Line]) -> str:
    """The text of a record."""
    return "".join(json.dumps(to_fields(line), ensure_ascii=False) + "\n" for line in lines)


def read(text: str) -> list[Line]:
    """Read a record; raises `UnreadableLine` for the first line that cannot be read."""
    lines = []
    for number, raw in enumerate(StringIO(text), 1):  # `splitlines` would split within a name at U+2028
        try:
            lines.append(from_fields(fields := _json(raw)))
            _require_shallow(fields)
        except KeyError as error:
            raise UnreadableLine(number, f"the field {error} is missing") from error
        except (ValueError, TypeError) as error:
            raise UnreadableLine(number, shortened(str(error))) from error
        except RecursionError:
            raise UnreadableLine(number, _TOO_DEEP) from None
    return lines


def to_fields(line: Line) -> dict[str, Any]:
    """A line as a JSON object."""
    name, encode, _ = _CODECS[type(line.event)]
    fields = {"t": name, **encode(line.event), **(line.extra or {})}
    fields |= {} if line.at is None else {"at": line.at}
    return fields | ({"paused": line.paused} if line.paused else {})


def from_fields(fields: Fields) -> Line:
    """A JSON object as a line. Raises `ValueError`, `TypeError` or `KeyError` if it isn't one."""
    if not isinstance(fields, Mapping):
        raise TypeError("this is not a JSON object")
    name = fields.get("t")
    if not isinstance(name, str) or name not in _BY_NAME:
        raise ValueError(f"unknown kind of line {excerpt(name)}")
    _, encode, decode = _CODECS[_BY_NAME[name]]
    event = decode(fields)
    known = {"t", "at", "paused", *encode(event)}
    extra = {name: value for name, value in fields.items() if name not in known}
    if extra:
        _require_writable(extra)
    at = _whole(fields["at"]) if "at" in fields else None
    return Line(event, at, extra or None, _whole(fields.get("paused", 0)))


class _NotJson(ValueError):
    """Something that Python's parser would accept, but JSON or this format does not."""


def _json(text: str) -> Any:  # noqa: ANN401  # any JSON value
    try:
        return json.loads(text, parse_constant=_constant, parse_float=_float, object_pairs_hook=_object)
    except _NotJson:
        raise
    except json.JSONDecodeError:
        raise ValueError("this is not JSON") from None
    except ValueError:  # Python reads no integer of thousands of digits
        raise ValueError("a number is too long") from None


def _constant(name: str) -> None:
    raise _NotJson(f"this is not JSON: {name}")


def _float(digits: str) -> float:
    """A number; `1e999` would become infinity, which JSON cannot write."""
    number = float(digits)
    if math.isinf(number):
        raise _NotJson("a number is too large")
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object. Python would silently keep only the last of two equal names."""
    if len(pairs) > MOST_FIELDS:
        raise _NotJson(f"an object has {len(pairs)} fields; at most {MOST_FIELDS} are accepted")
    fields = dict(pairs)
    if len(fields) < len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise _NotJson(f"the field {excerpt(twice)} comes twice")
    return fields


def _require_shallow(value: object) -> None:
    """Raise `ValueError` for JSON of more than `DEEPEST` levels: it is written again later, from a deeper stack."""
    level = [value]
    for _ in range(DEEPEST):
        level = [part for each in level for part in _parts(each)]
        if not level:
            return
    raise ValueError(_TOO_DEEP)


def _parts(value: object) -> Iterable[object]:
    """The values within a JSON object or list."""
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _require_writable(extra: Fields) -> None:
    """Raise `ValueError` for what JSON can escape but no text in UTF-8 can hold: half of a surrogate pair."""
    try:
        json.dumps(extra, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        raise ValueError(_HALF) from None


_HALF: Final = "a text holds half of a character"
_TOO_DEEP: Final = "this is nested too deeply"


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{excerpt(value)} is not a whole number")
    return value


def _wholes(values: object) -> tuple[int, ...]:
    return tuple(map(_whole, _list(values)))


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"{excerpt(value)} is not a list")
    return value


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{excerpt(value)} is not a text")
    if any("\ud800" <= character <= "\udfff" for character in value):  # JSON can escape half of a pair
        raise ValueError(_HALF)
    return value


def _flag(fields: Fields, name: str) -> bool:
    """A field that says yes or no; where it is missing, no."""
    value = fields.get(name, False)
    if not isinstance(value, bool):
        raise TypeError(f"{excerpt(value)} is neither true nor false")
    return value


def _cards(texts: object) -> Cards:
    return sorted_cards(_card(text) for text in _list(texts))


def _dealt(texts: object) -> Cards:
    """Cards in the order in which they stand there."""
    _cards(texts)
    return tuple(map(_card, _list(texts)))


def _card(text: object) -> Card:
    return parse_card(_string(text))


def _texts(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]


def _encode_match(event: MatchStarted) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "edition": event.edition,
        "options": event.options.as_dict(),
        "seats": list(event.seats),
        "dealer": event.dealer,
        "commitment": event.commitment,
        "salt": event.salt,
    }


def _decode_match(fields: Fields) -> MatchStarted:
    if fields["format"] != FORMAT:
        raise ValueError(f"unknown format {excerpt(fields['format'])}")
    seats = tuple(map(_string, _list(fields["seats"])))
    dealer = _whole(fields["dealer"])
    if not isinstance(fields["options"], Mapping):
        raise TypeError("the options are no JSON object")
    known = {name: value for name, value in fields["options"].items() if name in OPTION_NAMES}
    if "target" in known:
        _whole(known["target"])
    edition = _string(fields["edition"])
    return MatchStarted(
        edition, Options.of(edition, known), seats, dealer, _string(fields["commitment"]), _string(fields["salt"])
    )


def _encode_deal(event: Dealt) -> dict[str, Any]:
    fields = {
        "hand": event.hand,
        "direction": event.direction,
        "hands": [_texts(hand) for hand in event.hands],
        "dummy": _texts(event.dummy),
    }
    return fields if event.first is None else {**fields, "cut": _texts(event.cut), "first": event.first}


def _decode_deal(fields: Fields) -> Dealt:
    first = fields.get("first")
    return Dealt(
        _whole(fields["hand"]),
        _whole(fields["direction"]),
        tuple(map(_dealt, _list(fields["hands"]))),
        _dealt(fields["dummy"]),
        tuple(map(_card, _list(fields.get("cut", [])))),
        None if first is None else _whole(first),
    )


def _encode_hand_end(event: HandEnded) -> dict[str, Any]:
    return {
        "hand": event.hand,
        "winner": event.winner,
        "left": list(event.left),
        "points": list(event.points),
        "totals": list(event.totals),
    }


def _decode_hand_end(fields: Fields) -> HandEnded:
    return HandEnded(
        _whole(fields["hand"]),
        _whole(fields["winner"]),
        _wholes(fields["left"]),
        _wholes(fields["points"]),
        _wholes(fields["totals"]),
    )


def _exchange_fields(event: Gave | GaveBack) -> dict[str, Any]:
    return {"seat": event.seat, "to": event.to, "card": str(event.card)}


def _seat_only(event: Passed | Declared | Forgot | Undone) -> dict[str, Any]:
    return {"seat": event.seat}


Codec: TypeAlias = tuple[str, Callable[[Any], dict[str, Any]], Callable[[Fields], Event]]

_CODECS: Final[dict[type, Codec]] = {
    MatchStarted: ("match", _encode_match, _decode_match),
    Dealt: ("deal", _encode_deal, _decode_deal),
    Gave: (
        "give",
        _exchange_fields,
        lambda fields: Gave(_whole(fields["seat"]), _whole(fields["to"]), _card(fields["card"])),
    ),
    GaveBack: (
        "give_back",
        _exchange_fields,
        lambda fields: GaveBack(_whole(fields["seat"]), _whole(fields["to"]), _card(fields["card"])),
    ),
    Played: (
        "play",
        lambda event: {"seat": event.seat, "cards": _texts(event.cards), "last_card": event.last_card},
        lambda fields: Played(_whole(fields["seat"]), _cards(fields["cards"]), _flag(fields, "last_card")),
    ),
    Passed: ("pass", _seat_only, lambda fields: Passed(_whole(fields["seat"]))),
    Declared: ("declare", _seat_only, lambda fields: Declared(_whole(fields["seat"]))),
    Forgot: ("forgot", _seat_only, lambda fields: Forgot(_whole(fields["seat"]))),
    Undone: ("undo", _seat_only, lambda fields: Undone(_whole(fields["seat"]))),
    Substituted: (
        "sub",
        lambda event: {"seat": event.seat, "by": event.by, "for_owner": event.for_owner},
        lambda fields: Substituted(_whole(fields["seat"]), _string(fields["by"]), _flag(fields, "for_owner")),
    ),
    HandEnded: ("hand_end", _encode_hand_end, _decode_hand_end),
    MatchEnded: (
        "match_end",
        lambda event: {"ranking": [list(seats) for seats in event.ranking], "seed": event.seed},
        lambda fields: MatchEnded(tuple(map(_wholes, _list(fields["ranking"]))), _string(fields["seed"])),
    ),
    Abandoned: (
        "abandoned",
        lambda event: {"reason": event.reason, "totals": list(event.totals), "seed": event.seed},
        lambda fields: Abandoned(_string(fields["reason"]), _wholes(fields["totals"]), _string(fields["seed"])),
    ),
}
_BY_NAME: Final = {name: kind for kind, (name, _, _) in _CODECS.items()}
