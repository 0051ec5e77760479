"""Validate single fields. Error codes and messages are Discord's. Missing fields pass unless required."""

from collections.abc import Collection, Iterator, Sized
from typing import Any

from playground.components import Json, Path
from playground.errors import Fault

Faults = Iterator[Fault]


def required(data: Json, name: str, at: Path) -> Faults:
    """Check that the field is present."""
    if data.get(name) is None:
        yield Fault((*at, name), "BASE_TYPE_REQUIRED", "This field is required")


def text(data: Json, name: str, at: Path, low: int, high: int) -> Faults:
    """Check the type and length of a string field."""
    value = data.get(name)
    if value is None:
        return
    if not isinstance(value, str):
        yield Fault((*at, name), "BASE_TYPE_BAD_TYPE", "Could not interpret the value as string.")
    else:
        yield from length(value, (*at, name), low, high)


def required_text(data: Json, name: str, at: Path, low: int, high: int) -> Faults:
    """Check the type and length of a required string field."""
    if data.get(name) is None:
        yield from required(data, name, at)
    else:
        yield from text(data, name, at, low, high)


def length(value: Sized, at: Path, low: int, high: int) -> Faults:
    """Check the length of a string or list."""
    if low <= len(value) <= high:
        return
    if low and len(value) == 0:
        yield Fault(at, "BASE_TYPE_REQUIRED", "This field is required")
    elif isinstance(value, str) and low:
        yield Fault(at, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")
    elif len(value) > high:
        yield Fault(at, "BASE_TYPE_MAX_LENGTH", f"Must be {high} or fewer in length.")
    else:
        yield Fault(at, "BASE_TYPE_MIN_LENGTH", f"Must be {low} or more in length.")


def items(data: Json, name: str, at: Path, low: int, high: int) -> Faults:
    """Check the type and length of a list field."""
    value = data.get(name)
    if value is None:
        return
    if not isinstance(value, list):
        yield Fault((*at, name), "BASE_TYPE_BAD_TYPE", "Only iterables may be used in a ListType")
    else:
        yield from length(value, (*at, name), low, high)


def number(data: Json, name: str, at: Path, low: float, high: float) -> Faults:
    """Check the type and bounds of a number field."""
    value = data.get(name)
    if value is None:
        return
    if not isinstance(value, int | float) or isinstance(value, bool):
        yield Fault((*at, name), "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
    elif value < low:
        yield Fault((*at, name), "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {low}.")
    elif value > high:
        yield Fault((*at, name), "NUMBER_TYPE_MAX", f"int value should be less than or equal to {high}.")


def choice(data: Json, name: str, at: Path, values: Collection[Any]) -> Faults:
    """Check that a field has one of these values."""
    value = data.get(name)
    if value is not None and value not in values:
        listed = ", ".join(map(repr, values))
        yield Fault((*at, name), "BASE_TYPE_CHOICES", f"Value must be one of {{{listed}}}.")


def flag(data: Json, name: str, at: Path) -> Faults:
    """Check the type of a boolean field."""
    if not isinstance(data.get(name), bool | None):
        yield Fault((*at, name), "BASE_TYPE_BAD_TYPE", "Must be either true or false.")


def url(data: Json, name: str, at: Path, schemes: Collection[str], high: int) -> Faults:
    """Check the length and scheme of a URL field."""
    value = data.get(name)
    if value is None:
        return
    yield from text(data, name, at, 0, high)
    if not isinstance(value, str) or not value.startswith(tuple(f"{scheme}://" for scheme in schemes)):
        listed = "', '".join(schemes)
        yield Fault((*at, name), "URL_TYPE_INVALID_SCHEME", f"Scheme must be one of ('{listed}').")


def snowflake(data: Json, name: str, at: Path) -> Faults:
    """Check an id. Strings and integers are allowed."""
    value = data.get(name)
    if value is not None and not str(value).isdecimal():
        yield Fault((*at, name), "NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')


def objects(data: Json, name: str) -> list[Json]:
    """The objects in a list field. Skips other values, which are checked elsewhere."""
    value = data.get(name)
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
