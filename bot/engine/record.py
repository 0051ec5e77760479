"""The match record: events as JSON lines, and back (docs/record.md).

The database stores the same lines. `verification.py` checks a record against the rules.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from dataclasses import fields as fields_of
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
MAX_FIELDS: Final = 100
"""Fields of a JSON object in a line at most."""
MAX_DEPTH: Final = 50
"""Levels of nesting in a line at most. Python's parser and writer fail at a few hundred, depending on the stack."""
Fields: TypeAlias = Mapping[str, Any]


class BadRecord(ValueError):
    """A record with an error. `line` (from 1) is the first wrong line, `why` the reason."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


class UnreadableLine(BadRecord):
    """A line that isn't a line of a record."""


class UnfinishedRecord(BadRecord):
    """A record that stops before the end of the match."""


class WrongSeed(BadRecord):
    """A seed that doesn't match the commitment in the first line."""


class WrongLine(BadRecord):
    """A line that doesn't follow from the rules, the seed and the lines before it."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a record: an event, its time, and any unknown fields."""

    event: Event
    at: int | None = None
    """UTC seconds."""
    extra: Fields | None = None
    """Unknown fields, kept unchanged."""
    paused: int = 0
    """Seconds for which the match was paused or the app was off during the turn of this line."""


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
    fields = {"t": _NAMES[type(line.event)], **_encode(line.event), **(line.extra or {})}
    fields |= {} if line.at is None else {"at": line.at}
    return fields | ({"paused": line.paused} if line.paused else {})


def from_fields(fields: Fields) -> Line:
    """A JSON object as a line. Raises `ValueError`, `TypeError` or `KeyError` if it isn't one."""
    if not isinstance(fields, Mapping):
        raise TypeError("this is not a JSON object")
    name = fields.get("t")
    if not isinstance(name, str) or name not in KINDS:
        raise ValueError(f"unknown kind of line {excerpt(name)}")
    event = _decode(KINDS[name], fields)
    known = {"t", "at", "paused", *_encode(event)}
    extra = {name: value for name, value in fields.items() if name not in known}
    if extra:
        _require_writable(extra)
    at = _integer(fields["at"]) if "at" in fields else None
    return Line(event, at, extra or None, _integer(fields.get("paused", 0)))


class _NotJson(ValueError):
    """A text that Python's parser would accept, but JSON or this format doesn't."""


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
    """A float. Python would read `1e999` as infinity, which JSON can't write."""
    number = float(digits)
    if math.isinf(number):
        raise _NotJson("a number is too large")
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object. Python would silently keep only the last of two equal names."""
    if len(pairs) > MAX_FIELDS:
        raise _NotJson(f"an object has {len(pairs)} fields; at most {MAX_FIELDS} are accepted")
    fields = dict(pairs)
    if len(fields) < len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise _NotJson(f"the field {excerpt(twice)} appears twice")
    return fields


def _require_shallow(value: object) -> None:
    """Raise ValueError for JSON of more than `MAX_DEPTH` levels, as it is written again later from a deeper stack."""
    level = [value]
    for _ in range(MAX_DEPTH):
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
    """Raise ValueError for half of a surrogate pair, which JSON can escape but UTF-8 can't encode."""
    try:
        json.dumps(extra, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        raise ValueError(_HALF) from None


_HALF: Final = "a text contains half of a character"
_TOO_DEEP: Final = "this is nested too deeply"


def _integer(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{excerpt(value)} is not a whole number")
    return value


def _integers(values: object) -> tuple[int, ...]:
    return tuple(map(_integer, _list(values)))


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


def _boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{excerpt(value)} is neither true nor false")
    return value


def _cards(texts: object) -> Cards:
    return sorted_cards(_card(text) for text in _list(texts))


def _dealt(texts: object) -> Cards:
    """Cards in the order of the record."""
    _cards(texts)
    return tuple(map(_card, _list(texts)))


def _card(text: object) -> Card:
    return parse_card(_string(text))


def _plain(value: object) -> Any:  # noqa: ANN401  # any JSON value
    """The value of an event's field as JSON."""
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Card):
        return str(value)
    return value.as_dict() if isinstance(value, Options) else value


def _encode(event: Event) -> dict[str, Any]:
    fields = {name: _plain(getattr(event, name)) for name in _FIELDS[type(event)]}
    if isinstance(event, MatchStarted):
        return {"format": FORMAT, **fields}
    if isinstance(event, Dealt) and event.first is None:
        del fields["cut"], fields["first"]
    return fields


def _decode(kind: type[Event], fields: Fields) -> Event:
    if kind is MatchStarted:
        return _decode_match(fields)
    values = {name: _DECODERS[name](fields[name]) for name in _FIELDS[kind] if name in fields or name not in _OPTIONAL}
    return kind(**values)


def _decode_match(fields: Fields) -> MatchStarted:
    if fields["format"] != FORMAT:
        raise ValueError(f"unknown format {excerpt(fields['format'])}")
    seats = tuple(map(_string, _list(fields["seats"])))
    dealer = _integer(fields["dealer"])
    if not isinstance(fields["options"], Mapping):
        raise TypeError("the options are not a JSON object")
    known = {name: value for name, value in fields["options"].items() if name in OPTION_NAMES}
    if "target" in known:
        _integer(known["target"])
    edition = _string(fields["edition"])
    return MatchStarted(
        edition, Options.of(edition, known), seats, dealer, _string(fields["commitment"]), _string(fields["salt"])
    )


_DECODERS: Final[dict[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(("seat", "to", "hand", "direction", "winner"), _integer),
    **dict.fromkeys(("left", "points", "totals"), _integers),
    **dict.fromkeys(("by", "reason", "seed"), _string),
    **dict.fromkeys(("last_card", "for_owner"), _boolean),
    "card": _card,
    "cards": _cards,
    "hands": lambda hands: tuple(map(_dealt, _list(hands))),
    "dummy": _dealt,
    "cut": lambda cards: tuple(map(_card, _list(cards))),
    "first": lambda seat: None if seat is None else _integer(seat),
    "ranking": lambda groups: tuple(map(_integers, _list(groups))),
}
"""The functions that read the fields of all lines but the first."""
_OPTIONAL: Final = frozenset({"last_card", "for_owner", "cut", "first"})
KINDS: Final[dict[str, type[Event]]] = {
    "match": MatchStarted,
    "deal": Dealt,
    "give": Gave,
    "give_back": GaveBack,
    "play": Played,
    "pass": Passed,
    "declare": Declared,
    "forgot": Forgot,
    "undo": Undone,
    "sub": Substituted,
    "hand_end": HandEnded,
    "match_end": MatchEnded,
    "abandoned": Abandoned,
}
"""The kinds of lines by name."""
_NAMES: Final[dict[type[Event], str]] = {kind: name for name, kind in KINDS.items()}
_FIELDS: Final = {kind: tuple(field.name for field in fields_of(kind)) for kind in _NAMES}
"""The fields of events, which have the same names in the record."""
