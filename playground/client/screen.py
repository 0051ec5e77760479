"""Messages, components and modals as a person sees them on the screen."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from playground import components, payloads
from playground.components import SELECTS, ComponentType
from playground.world.model import Interaction, Json, Message, MessageFlags
from playground.world.posting import COMMAND_MENTION


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
    """An option of a select menu."""

    label: str
    value: str
    description: str
    default: bool


@dataclass(frozen=True, slots=True)
class SeenSelect:
    """A select menu."""

    custom_id: str
    type: int
    placeholder: str
    disabled: bool
    min_values: int
    max_values: int
    options: tuple[SeenOption, ...]


@dataclass(frozen=True, slots=True)
class SeenMessage:
    """A message on the screen. It is live: after an edit, its properties have the new content."""

    message: Message = field(repr=False)

    def __str__(self) -> str:
        marks = [each.label or each.custom_id or "?" for each in self.buttons]
        private = " (only you)" if self.ephemeral else ""
        return f"{self.author}{private}: {self.text!r} {marks}"

    @property
    def id(self) -> int:
        """The message id."""
        return self.message.id

    @property
    def author(self) -> str:
        """The author's name."""
        return self.message.author.name

    @property
    def content(self) -> str:
        """The content, without components and embeds."""
        return self.message.content

    @property
    def text(self) -> str:
        """All text in reading order, except on buttons. Mentions of commands read `/gang new`."""
        lines = [self.content]
        for embed in self.message.embeds:
            lines += _embed_lines(embed)
        lines += components.texts(self.message.components)
        return COMMAND_MENTION.sub(r"`/\1`", "\n".join(line for line in lines if line))

    @property
    def push_text(self) -> str:
        """The text on the lock screen, which Discord takes from the content: empty for Components V2."""
        text = self.content
        for user in self.message.mentions:
            text = text.replace(user.mention, f"@{user.name}")
        return text

    @property
    def buttons(self) -> list[SeenButton]:
        """The buttons in reading order."""
        return [_button(each) for each in self._components if each["type"] == ComponentType.BUTTON]

    @property
    def selects(self) -> list[SeenSelect]:
        """The select menus in reading order."""
        return [_select(each) for each in self._components if each["type"] in SELECTS]

    @property
    def _components(self) -> list[Json]:
        return components.flatten(self.message.components)

    @property
    def ephemeral(self) -> bool:
        """True if only one person sees the message."""
        return self.message.is_ephemeral

    @property
    def loading(self) -> bool:
        """True while the client shows that the app is thinking."""
        return bool(self.message.flags & MessageFlags.LOADING)

    @property
    def deleted(self) -> bool:
        """True if the message was deleted or dismissed."""
        return self.message.is_deleted or self.message.dismissed

    @property
    def edited_at(self) -> datetime | None:
        """The time of the latest edit."""
        return self.message.edited_at

    @property
    def attachments(self) -> list[str]:
        """The names of the attached files."""
        return [each.filename for each in self.message.attachments]

    @property
    def flags(self) -> int:
        """Discord's message flags."""
        return int(self.message.flags)

    @property
    def raw(self) -> Json:
        """A copy of the message as Discord's JSON object."""
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
    """A modal on the screen."""

    interaction: Interaction = field(repr=False)

    @property
    def raw(self) -> Json:
        """The modal as the app sent it."""
        return self.interaction.modal or {}

    @property
    def custom_id(self) -> str:
        """The modal's custom id."""
        return str(self.raw["custom_id"])

    @property
    def title(self) -> str:
        """The title."""
        return str(self.raw["title"])

    @property
    def text(self) -> str:
        """The text of its text displays."""
        return "\n".join(components.texts(self.raw["components"]))

    @property
    def fields(self) -> dict[str, Json]:
        """The input components by label or, without one, by custom id."""
        return {label or each["custom_id"]: each for label, each in labelled_inputs(self.raw["components"])}


def labelled_inputs(parts: list[Json]) -> list[tuple[str, Json]]:
    """The input components of a modal, each with its label."""
    return [
        (each.get("label") or part.get("label", ""), each)
        for part in parts
        for each in components.flatten([part])
        if each["type"] in components.INPUTS
    ]


@dataclass(frozen=True, slots=True)
class Reply:
    """The outcome of an action."""

    interaction: Interaction = field(repr=False)
    message: SeenMessage | None = None
    """The message of the response, new or edited. `loading` if deferred."""
    modal: SeenModal | None = None
    updated: bool = False
    """True if the response edited the message whose component was used."""
    deferred: bool = False
    """True if the response was deferred."""
    choices: tuple[Json, ...] = ()
    activity: str | None = None
    """The instance id of the Activity that the response has opened."""
    failed: str | None = None
    """The text that the client shows if the app didn't respond."""
