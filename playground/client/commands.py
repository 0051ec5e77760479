"""Commands: which a client offers, and the validation of their options before they are sent."""

from collections.abc import Iterator, Mapping, Sequence

from playground import payloads
from playground.client.resolving import GROUP_TYPES, RESOLVED_TYPES, NotOffered, OptionType, resolve, upload
from playground.world.model import Channel, CommandType, Json, Message, User
from playground.world.permissions import Permission
from playground.world.world import World

NUMERIC: Mapping[int, tuple[type[int] | type[float], ...]] = {
    OptionType.INTEGER: (int,),
    OptionType.NUMBER: (int, float),
}


def offered_commands(world: World, user: User, channel: Channel) -> list[Json]:
    """The commands that a user can use in a channel."""
    guild_id = channel.guild.id if channel.guild else None
    granted = world.permissions(user, channel)
    if not granted & Permission.USE_APPLICATION_COMMANDS:
        return []
    every = list(world.commands[None].values())
    if guild_id is not None:
        every += world.commands.get(guild_id, {}).values()
    return [each for each in every if _is_installed(each, user, channel) and _is_permitted(each, granted)]


def _is_installed(command: Json, user: User, channel: Channel) -> bool:
    """True if the command was added to this guild, or by this user, and is for such a channel."""
    kinds = command.get("integration_types") or (0,)
    if not (0 in kinds and channel.has_app) and not (1 in kinds and user.has_installed):
        return False
    contexts = command.get("contexts")
    if contexts is not None:
        return channel.context in contexts
    return channel.guild is not None or bool(command.get("dm_permission", True))


def _is_permitted(command: Json, granted: Permission) -> bool:
    needed = command.get("default_member_permissions")
    if needed is None:
        return True
    if int(needed) == 0:
        return bool(granted & Permission.ADMINISTRATOR)
    return bool(granted & Permission.ADMINISTRATOR) or granted & int(needed) == int(needed)


def command_data(world: World, user: User, channel: Channel, name: str, values: Mapping[str, object]) -> Json:
    """The interaction data of a slash command. Raises NotOffered if the options don't match its definition."""
    root, chain, leaf = find_command(world, user, channel, name)
    resolved: Json = {}
    options = [_option_json(world, channel, option, values, resolved) for option in _options_with_values(leaf, values)]
    return _command_json(root, chain, options, resolved)


def menu_data(world: World, user: User, channel: Channel, name: str, target: User | Message) -> Json:
    """The interaction data of a command of the Apps menu on a user or message. Raises NotOffered."""
    kind = CommandType.MESSAGE if isinstance(target, Message) else CommandType.USER
    offered = {each["name"]: each for each in offered_commands(world, user, channel) if each.get("type") == kind}
    if name not in offered:
        raise NotOffered(f"{user.name} is not offered {name} here, only {sorted(offered)}")
    resolved: Json = {}
    if isinstance(target, Message):
        if target.is_ephemeral:
            raise NotOffered("an ephemeral message has no Apps menu")
        resolved["messages"] = {str(target.id): payloads.message_json(target)}
    else:
        resolve(world, channel, {"name": name, "type": OptionType.USER}, target, resolved)
    data = {"id": offered[name]["id"], "name": name, "type": int(kind)}
    return data | {"target_id": str(target.id), "resolved": resolved}


def entry_point(world: World, user: User, channel: Channel) -> Json:
    """The command with which a user launches the app's Activity in a channel. Raises NotOffered."""
    offered = offered_commands(world, user, channel)
    found = next((each for each in offered if each.get("type") == CommandType.ENTRY_POINT), None)
    if found is None or not world.permissions(user, channel) & Permission.USE_EMBEDDED_ACTIVITIES:
        raise NotOffered(f"{user.name} is not offered an Activity here")
    return found


def autocomplete_data(
    world: World, user: User, channel: Channel, name: str, values: Mapping[str, object], focused: str, typed: str
) -> Json:
    """The interaction data of an autocomplete. `typed` is the text in the option `focused`."""
    root, chain, leaf = find_command(world, user, channel, name)
    option = next((each for each in leaf.get("options") or [] if each["name"] == focused), None)
    if option is None or not option.get("autocomplete"):
        raise NotOffered(f"/{name} has no option {focused} with autocomplete")
    resolved: Json = {}
    others = {key: value for key, value in values.items() if key != focused}
    named = [each for each in leaf["options"] if each["name"] in others]
    options = [_option_json(world, channel, each, others, resolved) for each in named]
    options.append({"name": focused, "type": option["type"], "value": typed, "focused": True})
    return _command_json(root, chain, options, resolved)


def _command_json(root: Json, chain: Sequence[Json], options: list[Json], resolved: Json) -> Json:
    for step in reversed(chain):
        options = [{"name": step["name"], "type": step["type"], "options": options}]
    data: Json = {"id": root["id"], "name": root["name"], "type": 1, "options": options}
    if root.get("guild_id"):
        data["guild_id"] = root["guild_id"]
    if resolved:
        data["resolved"] = resolved
    return data


def find_command(world: World, user: User, channel: Channel, name: str) -> tuple[Json, list[Json], Json]:
    """The registered command, the groups and subcommand on the path, and the command or subcommand to invoke."""
    first, *rest = name.split()
    offered = offered_commands(world, user, channel)
    root = next((each for each in offered if each["name"] == first and each.get("type", 1) == 1), None)
    if root is None:
        names = sorted(each["name"] for each in offered)
        raise NotOffered(f"{user.name} is not offered /{first} here, only {names}")
    chain: list[Json] = []
    leaf = root
    for word in rest:
        found = next((each for each in leaf.get("options") or [] if each["name"] == word), None)
        if found is None or found["type"] not in GROUP_TYPES:
            raise NotOffered(f"/{name}: there is no {word} under {leaf['name']}")
        chain.append(found)
        leaf = found
    if any(each["type"] in GROUP_TYPES for each in leaf.get("options") or []):
        raise NotOffered(f"/{name} is a group; choose one of {[each['name'] for each in leaf['options']]}")
    return root, chain, leaf


def _options_with_values(leaf: Json, values: Mapping[str, object]) -> Iterator[Json]:
    """The options that have a value. Raises NotOffered for unknown options and missing required ones."""
    options = leaf.get("options") or []
    unknown = set(values) - {option["name"] for option in options}
    if unknown:
        raise NotOffered(f"{leaf['name']} has no option {sorted(unknown)}")
    for option in options:
        if values.get(option["name"]) is not None:
            yield option
        elif option.get("required"):
            raise NotOffered(f"{leaf['name']}: {option['name']} is required")


def _option_json(world: World, channel: Channel, option: Json, values: Mapping[str, object], resolved: Json) -> Json:
    value = values[option["name"]]
    kind = option["type"]
    if kind == OptionType.ATTACHMENT:
        value = upload(world, channel, option, value, resolved)
    else:
        value = (
            resolve(world, channel, option, value, resolved)
            if kind in RESOLVED_TYPES
            else _checked_value(option, value)
        )
    return {"name": option["name"], "type": kind, "value": value}


def _checked_value(option: Json, value: object) -> object:
    """Check a text, number or boolean. A choice can be given by name or value."""
    name, kind = option["name"], option["type"]
    choices = option.get("choices") or []
    if choices:
        value = next((each["value"] for each in choices if value in (each["name"], each["value"])), None)
        if value is None:
            raise NotOffered(f"{name} must be one of {[each['name'] for each in choices]}")
    if kind == OptionType.BOOLEAN and isinstance(value, bool):
        return value
    if kind == OptionType.STRING and isinstance(value, str):
        _check_bounds(option, len(value))
    elif isinstance(value, NUMERIC.get(kind, ())) and not isinstance(value, bool):
        _check_bounds(option, value)
    else:
        raise NotOffered(f"{name} does not take {value!r}")
    return value


def _check_bounds(option: Json, measure: float) -> None:
    suffix = "length" if option["type"] == OptionType.STRING else "value"
    low, high = option.get(f"min_{suffix}"), option.get(f"max_{suffix}")
    if (low is not None and measure < low) or (high is not None and measure > high):
        raise NotOffered(f"{option['name']} must be between {low} and {high}, not {measure}")
