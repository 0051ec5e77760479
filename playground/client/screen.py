"""What a person has on the screen: messages, their buttons and menus, and modals."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from playground import components, payloads
from playground.components import SELECTS, ComponentType
from playground.world.model import Interaction, Json, Message, MessageFlags


@dataclass(frozen=True, slots=True)
class SeenButton:
    """A button."""

    label: str
    custom_id: str | None
    style: int
    disabled: bool
    emoji: Json | None
    url: str | None


@dataclass(frozen=True, slots=True)
class SeenOption:
    """A line of a menu."""

    label: str
    value: str
    description: str
    default: bool


@dataclass(frozen=True, slots=True)
class SeenSelect:
    """A menu."""

    custom_id: str
    type: int
    placeholder: str
    disabled: bool
    min_values: int
    max_values: int
    options: tuple[SeenOption, ...]


@dataclass(frozen=True, slots=True)
class SeenMessage:
    """A message as it stands on the screen *now*: an edit shows in objects taken earlier, too."""

    message: Message = field(repr=False)

    def __str__(self) -> str:
        marks = [each.label or each.custom_id or "?" for each in self.buttons]
        private = " (only you)" if self.ephemeral else ""
        return f"{self.author}{private}: {self.text!r} {marks}"

    @property
    def id(self) -> int:
        """Its id."""
        return self.message.id

    @property
    def author(self) -> str:
        """Who wrote it."""
        return self.message.author.name

    @property
    def content(self) -> str:
        """The text outside of components and embeds."""
        return self.message.content

    @property
    def text(self) -> str:
        """Everything there is to read, in reading order; not what stands on buttons."""
        lines = [self.content]
        for embed in self.message.embeds:
            lines += _embed_lines(embed)
        lines += components.texts(self.message.components)
        return "\n".join(line for line in lines if line)

    @property
    def buttons(self) -> list[SeenButton]:
        """Its buttons, in reading order."""
        return [_button(each) for each in self._components if each["type"] == ComponentType.BUTTON]

    @property
    def selects(self) -> list[SeenSelect]:
        """Its menus, in reading order."""
        return [_select(each) for each in self._components if each["type"] in SELECTS]

    @property
    def _components(self) -> list[Json]:
        return list(components.flatten(self.message.components))

    @property
    def ephemeral(self) -> bool:
        """Whether nobody else sees it."""
        return self.message.is_ephemeral

    @property
    def loading(self) -> bool:
        """Whether the app is still thinking."""
        return bool(self.message.flags & MessageFlags.LOADING)

    @property
    def deleted(self) -> bool:
        """Whether it is gone."""
        return self.message.is_deleted or self.message.dismissed

    @property
    def edited_at(self) -> datetime | None:
        """When it was last changed."""
        return self.message.edited_at

    @property
    def attachments(self) -> list[str]:
        """The names of its files."""
        return [each.filename for each in self.message.attachments]

    @property
    def flags(self) -> int:
        """Discord's message flags."""
        return int(self.message.flags)

    @property
    def raw(self) -> Json:
        """Discord's own message object, copied now."""
        return payloads.message_json(self.message)


def _embed_lines(embed: Json) -> list[str]:
    lines = [(embed.get("author") or {}).get("name", ""), embed.get("title", ""), embed.get("description", "")]
    for each in embed.get("fields") or []:
        lines += [each["name"], each["value"]]
    return [*lines, (embed.get("footer") or {}).get("text", "")]


def _button(data: Json) -> SeenButton:
    return SeenButton(
        data.get("label") or "",
        data.get("custom_id"),
        data["style"],
        bool(data.get("disabled")),
        data.get("emoji"),
        data.get("url"),
    )


def _select(data: Json) -> SeenSelect:
    options = tuple(
        SeenOption(each["label"], each["value"], each.get("description") or "", bool(each.get("default")))
        for each in data.get("options") or []
    )
    return SeenSelect(
        data["custom_id"],
        data["type"],
        data.get("placeholder") or "",
        bool(data.get("disabled")),
        data.get("min_values", 1),
        data.get("max_values", 1),
        options,
    )


@dataclass(frozen=True, slots=True)
class SeenModal:
    """A form on the screen."""

    interaction: Interaction = field(repr=False)

    @property
    def raw(self) -> Json:
        """The form as the app sent it."""
        return self.interaction.modal or {}

    @property
    def custom_id(self) -> str:
        """Its id."""
        return str(self.raw["custom_id"])

    @property
    def title(self) -> str:
        """What stands above it."""
        return str(self.raw["title"])

    @property
    def text(self) -> str:
        """What there is to read in it."""
        return "\n".join(components.texts(self.raw["components"]))

    @property
    def fields(self) -> dict[str, Json]:
        """What there is to fill in: each input component by its label, else by its custom id."""
        return {label or each["custom_id"]: each for label, each in labelled_inputs(self.raw["components"])}


def labelled_inputs(parts: list[Json]) -> list[tuple[str, Json]]:
    """The inputs of a modal, each with the label that stands over it."""
    return [
        (each.get("label") or part.get("label", ""), each)
        for part in parts
        for each in components.flatten([part])
        if each["type"] in components.INPUTS
    ]


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of something a person did."""

    interaction: Interaction = field(repr=False)
    message: SeenMessage | None = None
    """The message that answers, new or changed; a deferred one is still `loading`."""
    modal: SeenModal | None = None
    updated: bool = False
    """The clicked message itself was changed."""
    deferred: bool = False
    """The app has only said that it will answer."""
    choices: tuple[Json, ...] = ()
    failed: str | None = None
    """What the client shows when the app gave no answer."""
