"""Validate modals, and the choices of autocomplete responses."""

from playground.checks import fields
from playground.checks.components import check_modal_components
from playground.components import INPUTS, Json, Path, flatten
from playground.errors import Fault

AT: Path = ("data",)


def check_modal(modal: Json) -> list[Fault]:
    """Check the data of a modal response."""
    components = modal.get("components")
    faults = [
        *fields.required_text(modal, "custom_id", AT, 1, 100),
        *fields.required_text(modal, "title", AT, 1, 45),
        *fields.required(modal, "components", AT),
    ]
    if not isinstance(components, list):
        return faults
    faults += fields.length(components, (*AT, "components"), 1, 5)
    faults += check_modal_components(components, (*AT, "components"))
    if not faults and not any(each.get("type") in INPUTS for each in flatten(components)):
        faults.append(Fault((*AT, "components"), "MODAL_WITHOUT_INPUT", "There is nothing to fill in"))
    return faults


def check_choices(data: Json, option_type: int) -> list[Fault]:
    """Check the data of an autocomplete response for an option of this type."""
    faults = [*fields.items(data, "choices", AT, 0, 25)]
    for index, choice in enumerate(data.get("choices") or []):
        here = (*AT, "choices", index)
        faults += fields.required_text(choice, "name", here, 1, 100)
        faults += fields.required(choice, "value", here)
        faults += check_choice_value(choice, here, option_type)
    return faults


def check_choice_value(choice: Json, at: Path, option_type: int) -> list[Fault]:
    """Check that the value of a choice has the type of its option."""
    value = choice.get("value")
    if value is None:
        return []
    if option_type == 3:
        return [*fields.text(choice, "value", at, 0, 100)]
    kinds = (int,) if option_type == 4 else (int, float)
    if isinstance(value, kinds) and not isinstance(value, bool):
        return [*fields.number(choice, "value", at, -(2**53), 2**53)]
    return [Fault((*at, "value"), "NUMBER_TYPE_COERCE", f'Value "{value}" is not a number.')]
