"""The options of a table and the editions, which are presets of them."""

import pytest

from bot.engine import EDITIONS, Options
from bot.engine.options import CHOICES, DEFAULT_EDITION, OPTION_NAMES, BadOption, Value

PRESETS = [
    pytest.param("flush_order", ("highest", "highest", "sum"), id="R17 flush_order"),
    pytest.param("forgotten", ("out", "takes_back", "out"), id="R30 forgotten"),
    pytest.param("block", ("lead_and_follow", "lead_and_follow", "lead_only"), id="R31 block"),
    pytest.param("end", ("reach", "reach", "exceed"), id="R32 end"),
    pytest.param("target", (100, 100, 100), id="R32 target"),
    pytest.param("tie", ("shared", "deciding_hand", "shared"), id="R33 tie"),
    pytest.param("deal", ("plain", "plain", "plain"), id="R34 deal"),
    pytest.param("cut", ("again", "counts", "again"), id="R34 cut"),
    pytest.param("last_card", ("declared", "declared", "declared"), id="R29 last_card"),
]


def test_every_option_has_a_row() -> None:
    assert {row.values[0] for row in PRESETS} == set(OPTION_NAMES)


@pytest.mark.parametrize(("name", "values"), PRESETS)
def test_what_the_editions_set(name: str, values: tuple[Value, ...]) -> None:
    editions = ("days-of-wonder", "dargaud-1996", "summary-sheet")
    assert tuple(EDITIONS) == editions
    assert tuple(Options.of(edition).as_dict()[name] for edition in editions) == values


def test_days_of_wonder_is_the_default() -> None:
    assert DEFAULT_EDITION == "days-of-wonder"
    assert Options.of(DEFAULT_EDITION) == Options()


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in CHOICES for value in CHOICES[name]])
def test_each_option_can_be_set_alone(name: str, value: str) -> None:
    options = Options.of("dargaud-1996", {name: value})
    assert options.as_dict()[name] == value
    assert options == Options.of("dargaud-1996").with_changes(**{name: value})


@pytest.mark.parametrize("target", [1, 50, "200", 1000])
def test_a_target_is_a_number_or_digits(target: Value) -> None:
    assert Options.of("days-of-wonder", {"target": target}).target == int(target)


BAD: list[tuple[str, dict[str, Value], str]] = [
    ("gang-of-five", {}, "edition"),
    ("days-of-wonder", {"flush_order": "lowest"}, "flush_order"),
    ("days-of-wonder", {"tie": 3}, "tie"),
    ("days-of-wonder", {"jokers": "two"}, "jokers"),
    ("days-of-wonder", {"target": 0}, "target"),
    ("days-of-wonder", {"target": 1001}, "target"),
    ("days-of-wonder", {"target": "a hundred"}, "target"),
    ("days-of-wonder", {"target": "-5"}, "target"),
    ("days-of-wonder", {"target": True}, "target"),
    ("days-of-wonder", {"target": "5" * 5000}, "target"),
    ("days-of-wonder", {"target": 10**5000}, "target"),
]


@pytest.mark.parametrize(("edition", "changes", "name"), BAD)
def test_a_bad_option_is_named(edition: str, changes: dict[str, Value], name: str) -> None:
    with pytest.raises(BadOption) as caught:
        Options.of(edition, changes)
    assert caught.value.name == name
    assert name in str(caught.value)


@pytest.mark.parametrize("changes", [{"target": "5" * 5000}, {"jokers" * 5000: "two"}, {"block": "x" * 5000}])
def test_a_bad_option_has_a_short_message(changes: dict[str, Value]) -> None:
    with pytest.raises(BadOption) as caught:
        Options.of("days-of-wonder", changes)
    assert len(str(caught.value)) < 400


def test_changing_options_checks_them_too() -> None:
    with pytest.raises(BadOption, match="block"):
        Options().with_changes(block="never")
