"""The Discord client: intents, commands, and the routing of presses and forms to handlers."""

import asyncio
import hashlib
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from time import perf_counter
from typing import Any, Final, cast

import discord
import yarl
from discord import app_commands
from discord.ext import commands
from discord.http import Route

from bot.base.press_context import PressContext, answering, record_outcome
from bot.discord_client import requests
from bot.discord_client.entry_points import entry_points
from bot.discord_client.gateway import ShardedBot
from bot.discord_client.requests import Outgoing
from bot.discord_client.sessions import NewSessions
from bot.presentation.help.guide import ALONE, PLAY
from bot.presentation.text.i18n import languages, translatable, words_in
from bot.presentation.ui.custom_ids import InvalidCustomId, Verb
from bot.presentation.ui.replies import handling_errors
from bot.services.published_commands import PublishedCommands
from bot.services.rate_limiter import RateLimiter
from bot.table.refusals import Restarting, TryAgainLater, UnknownCommand
from cogs.routing import Handler, RateGate, apps_menu, cost_of, handlers, press_of

log = logging.getLogger(__name__)

HISTORY_LIMIT = 100
"""The most messages that Discord returns at once."""
SERVER_ERROR: Final = 500
"""The lowest status of an answer for which Discord is to blame."""
_ROUTED = (discord.InteractionType.component, discord.InteractionType.modal_submit)
"""The interactions with a custom_id."""
_KINDS: Final = {
    discord.InteractionType.component: "press",
    discord.InteractionType.modal_submit: "form",
    discord.InteractionType.application_command: "command",
    discord.InteractionType.autocomplete: "completion",
}
"""The kinds of interactions in the metrics."""
_UNREADABLE: Final = (app_commands.AppCommandError, LookupError, TypeError, ValueError, AttributeError)
"""The errors of discord.py about commands that it can't read."""
_VALUES: Final[dict[discord.AppCommandOptionType, type | tuple[type, ...]]] = {
    discord.AppCommandOptionType.string: str,
    discord.AppCommandOptionType.integer: int,
    discord.AppCommandOptionType.boolean: bool,
    discord.AppCommandOptionType.user: (discord.Member, discord.User),
    discord.AppCommandOptionType.attachment: discord.Attachment,
}
"""The types that discord.py gives to the options of our commands."""


class GangBot(ShardedBot):
    """The client of Gang of Four. It needs no privileged intents, because everything arrives as interactions."""

    def __init__(
        self,
        *,
        prepare: Callable[[discord.Interaction], Awaitable[None]],
        published: PublishedCommands,
        limiter: RateLimiter,
        new_sessions: NewSessions,
        api_url: str | None = None,
    ) -> None:
        """`prepare` is called before each interaction is handled. `api_url` is Discord's unless it's given."""
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # the app doesn't use voice
        if api_url is not None:
            Route.BASE = api_url
        super().__init__(
            command_prefix=(),
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            tree_cls=GangTree,
            http_trace=requests.trace(),
            new_sessions=new_sessions,
        )
        self._api_url = api_url
        self._prepare = prepare
        self._published = published
        self.features: Iterable[commands.Cog] = ()
        """The cogs that `setup_hook` adds. Some need the client, so it's created first."""
        self.gate = RateGate(limiter)
        self._is_stopping = False
        self._unanswered: set[int] = set()
        """The interactions that haven't been answered yet."""
        self._all_answered = asyncio.Event()
        self._handlers_by_verb: dict[discord.InteractionType, dict[Verb, Handler]] = {kind: {} for kind in _ROUTED}
        self.outgoing = Outgoing()

    async def setup_hook(self) -> None:
        """Add and publish the commands, before the first interaction can arrive."""
        for sender in (self.http, requests.answer_without_copies()):
            sender.request = self.outgoing.through(sender.request)  # type: ignore[method-assign]
        if self._api_url is not None:
            found = await self.http.request(Route("GET", "/gateway"))
            self.gateway_url = yarl.URL(found["url"])
        await self.add_commands()
        await self.publish_commands()

    async def publish_commands(self) -> None:
        """Publish the commands if they or Discord's copies have changed since the last time.

        Discord limits how often commands may be published, and clients load them again each time. If Discord refuses
        them, the ones that were published before stay.
        """
        application_id = self.application_id or 0
        try:
            if await self._published.digest(application_id) == await self._digest(application_id):
                return
        except discord.HTTPException as error:
            log.warning("cannot read the published commands: %s", error)
        try:
            await self._replace_commands(application_id)
        except discord.HTTPException as error:
            if error.status >= SERVER_ERROR:
                raise
            log.warning("Discord refused the new commands, so the old ones stay: %s", error)
            return
        with suppress(discord.HTTPException):  # the next start publishes them once more
            await self._published.save(application_id, await self._digest(application_id))

    async def _replace_commands(self, application_id: int) -> None:
        """Publish all commands. The one that opens the Activity stays."""
        copies: Iterable[Mapping[str, Any]] = await self.http.get_global_commands(application_id)
        payload = [*await self._own_commands(), *entry_points(copies)]
        await self.http.bulk_upsert_global_commands(application_id, payload)

    async def _own_commands(self) -> list[dict[str, Any]]:
        """Our commands, as Discord gets them."""
        translator = cast("app_commands.Translator", self.tree.translator)
        return [await each.get_translated_payload(self.tree, translator) for each in self.tree.get_commands()]

    async def _digest(self, application_id: int) -> str:
        """A digest of the commands, and of the id and version of each copy that Discord has.

        From now on, texts mention these copies.
        """
        ours = await self._own_commands()
        copies = await self.http.get_global_commands(application_id)
        self.outgoing.mentions = _mentions(copies)
        theirs = sorted((copy["id"], copy["version"]) for copy in copies)
        return hashlib.sha256(json.dumps([ours, theirs], sort_keys=True).encode()).hexdigest()

    async def open_thread(self, channel_id: int, message_id: int, name: str) -> bool:
        """Open a thread under a message, with the id of the message. Returns False if the app couldn't write in it.

        Unlike `PartialMessage.create_thread`, this works before the guild has come over the gateway.
        """
        channel = self.get_channel(channel_id)
        if isinstance(channel, discord.TextChannel):
            allowed = channel.permissions_for(channel.guild.me)
            if not allowed.send_messages_in_threads:
                return False
        await self.http.start_thread_with_message(channel_id, message_id, name=name, auto_archive_duration=10080)
        return True

    async def is_in_guild(self, channel_id: int, guild_id: int) -> bool:
        """True if a channel or thread belongs to a guild. Raises `discord.NotFound` or `discord.Forbidden`."""
        channel = self.get_channel(channel_id)
        if isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            return channel.guild.id == guild_id
        found: Mapping[str, Any] = await self.http.get_channel(channel_id)  # archived threads aren't cached
        return str(found.get("guild_id")) == str(guild_id)

    async def find_message(self, channel_id: int, mark: int) -> int | None:
        """The app's own message with a component of this id, among the latest in a channel; None if there is none.

        Without permission to read the history, Discord returns no messages.
        """
        for message in await self.http.logs_from(channel_id, HISTORY_LIMIT):
            is_own = self.user is not None and int(message["author"]["id"]) == self.user.id
            if is_own and mark in (part.get("id") for part in message.get("components", ())):
                return int(message["id"])
        return None

    def may_attach(self, channel_id: int) -> bool:
        """True if the app can send files to a channel, as far as known."""
        channel = self.get_channel(channel_id)
        if isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            return channel.permissions_for(channel.guild.me).attach_files
        return False

    async def add_commands(self) -> None:
        """Add the cogs: their commands as subcommands or in the Apps menu, and their other handlers.

        A command has the same contexts for all its subcommands, so those for use anywhere are in a second one.
        """
        family = app_commands.Group(
            name="gang",
            description=translatable("Gang of Four, the card game"),
            allowed_contexts=app_commands.AppCommandContext(guild=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
        )
        alone = app_commands.Group(
            name="gof",
            description=translatable("Gang of Four on your own, in any server or message"),
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
            allowed_installs=app_commands.AppInstallationType(user=True),
        )
        for cog in self.features:
            await self.add_cog(cog)
            for handler in handlers(cog):
                if handler.verb in self._handlers_by_verb[handler.kind]:
                    raise ValueError(f"two handlers for {handler.verb}")
                self._handlers_by_verb[handler.kind][handler.verb] = handler
            for command in cog.get_app_commands():
                self.tree.remove_command(command.name)
                if command.name != PLAY:
                    family.add_command(command)
                if isinstance(command, app_commands.Command) and command.name in (PLAY, "help", *ALONE):
                    alone.add_command(_copy(command))
            for menu in apps_menu(cog):
                menu.allowed_contexts, menu.allowed_installs = family.allowed_contexts, family.allowed_installs
                self.tree.add_command(menu)
        self.tree.add_command(family)
        self.tree.add_command(alone)
        await self.tree.set_translator(CatalogTranslator())

    @asynccontextmanager
    async def answering_interaction(self, interaction: discord.Interaction, arrived: float) -> AsyncIterator[None]:
        """Answer an interaction in the block, which arrived then (`time.perf_counter`). `drain` waits for its end."""
        self._unanswered.add(interaction.id)
        try:
            with answering(_context_of(interaction, arrived)):
                async with handling_errors(interaction):
                    yield
        finally:
            interaction.message = interaction.data = None  # it waits for the garbage collector without its message
            self._unanswered.discard(interaction.id)
            if not self._unanswered:
                self._all_answered.set()

    async def admit(self, interaction: discord.Interaction) -> None:
        """Prepare an interaction. Raises `Restarting` if the app was stopping when it arrived."""
        is_stopping = self._is_stopping
        await self._prepare(interaction)
        if is_stopping:
            raise Restarting

    async def drain(self, seconds: float) -> None:
        """Refuse new interactions, and wait at most some seconds until all running ones are answered."""
        self._is_stopping = True
        if self._unanswered:
            self._all_answered.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._all_answered.wait()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Route presses and forms by their custom_id, so that they work on messages of any age."""
        arrived = perf_counter()
        if interaction.type not in _ROUTED:
            return
        async with self.answering_interaction(interaction, arrived):
            if not await self.gate.admits(interaction):
                record_outcome("refused", TryAgainLater.__name__)
                return
            await self.admit(interaction)
            press = press_of(interaction)
            handler = self._handlers_by_verb[interaction.type].get(press.verb)
            is_pressed = interaction.type is discord.InteractionType.component
            if handler is None or (is_pressed and interaction.message is None):
                raise InvalidCustomId(str(press))
            self.gate.count(interaction, handler.action(press))
            await handler.handle(interaction, press)


def _copy(command: app_commands.Command[Any, ..., Any]) -> app_commands.Command[Any, ..., Any]:
    """The same command for another group: a command has one parent."""
    copy: app_commands.Command[Any, ..., Any] = app_commands.Command(
        name=command.name, description=command.description, callback=command.callback, extras=command.extras
    )
    copy.binding = command.binding
    return copy


def _mentions(copies: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """A mention of each published subcommand of `/gang`, by its name in every language."""
    found = {}
    for copy in [each for each in copies if each["name"] == "gang"]:
        for name in [option["name"] for option in copy.get("options") or ()]:
            for language in languages():
                found[words_in(language).say(name)] = f"</{copy['name']} {name}:{copy['id']}>"
    return found


def _context_of(interaction: discord.Interaction, arrived: float) -> PressContext:
    """The interaction for log lines, metrics and the wait for the database."""
    kind, is_answered = _KINDS.get(interaction.type, "other"), interaction.response.is_done
    context = PressContext(interaction.id, kind, arrived=arrived, is_answered=is_answered)
    if interaction.type in _ROUTED:
        with suppress(InvalidCustomId):
            press = press_of(interaction)
            context.verb, context.table = press.verb.value, press.table
    else:
        with suppress(*_UNREADABLE):
            if interaction.command is not None:
                context.verb = interaction.command.name
    return context


class GangTree(app_commands.CommandTree[GangBot]):
    """The command tree. Errors are answered like those of presses."""

    async def _call(self, interaction: discord.Interaction[GangBot]) -> None:
        """Run or complete a command. By default, discord.py doesn't answer some errors."""
        arrived = perf_counter()
        if interaction.type is discord.InteractionType.autocomplete:
            await self._complete(interaction, arrived)
            return
        async with interaction.client.answering_interaction(interaction, arrived):
            await interaction.client.gate.admits(interaction)
            await interaction.client.admit(interaction)
            try:
                await super()._call(interaction)
            except _UNREADABLE as unreadable:
                log.warning("received an unreadable command: %s", type(unreadable).__name__)
                raise UnknownCommand from unreadable

    async def _complete(self, interaction: discord.Interaction[GangBot], arrived: float) -> None:
        """Answer an autocompletion, perhaps with no choices."""
        with answering(_context_of(interaction, arrived)):
            async with handling_errors(interaction):
                if interaction.client.gate.admits_completion(interaction):
                    with suppress(*_UNREADABLE):
                        await self._offer_choices(interaction)
                    if not interaction.response.is_done():
                        await interaction.response.autocomplete([])

    async def _offer_choices(self, interaction: discord.Interaction[GangBot]) -> None:
        """Complete the option that the user is typing. discord.py would log a traceback for a forged one."""
        (subcommand,) = cast("Any", interaction.data)["options"]
        (name,) = (option["name"] for option in subcommand["options"] if option.get("focused"))
        parameters = cast("app_commands.Command[Any, ..., Any]", interaction.command).parameters
        is_completed = any(each.display_name == name and each.autocomplete for each in parameters)
        if is_completed and name in vars(interaction.namespace):
            await super()._call(interaction)

    async def interaction_check(self, interaction: discord.Interaction[GangBot], /) -> bool:
        """Raise `UnknownCommand` for values that the command doesn't accept, which discord.py doesn't check."""
        if interaction.type is discord.InteractionType.autocomplete:
            return True
        if isinstance(interaction.command, app_commands.ContextMenu):
            interaction.client.gate.count(interaction, cost_of(interaction.command))
        elif interaction.command is not None:
            given = vars(interaction.namespace)
            parameters = [each for each in interaction.command.parameters if each.display_name in given]
            if not all(_accepts(parameter, given[parameter.display_name]) for parameter in parameters):
                raise UnknownCommand
            interaction.client.gate.count(interaction, cost_of(interaction.command, given))
        return True

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError, /) -> None:
        """Answer with a sentence about the error."""
        async with handling_errors(interaction):
            raise error.original if isinstance(error, app_commands.CommandInvokeError) else UnknownCommand from error


def _accepts(parameter: app_commands.Parameter, value: object) -> bool:
    """True if a command accepts this value for one of its options."""
    if not isinstance(value, _VALUES[parameter.type]):
        return False
    if isinstance(value, int):
        smallest, largest = parameter.min_value, parameter.max_value
        if (smallest is not None and value < smallest) or (largest is not None and value > largest):
            return False
    return not parameter.choices or value in [choice.value for choice in parameter.choices]


class CatalogTranslator(app_commands.Translator):
    """Translates names and descriptions of commands with the catalogs."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, _context: app_commands.TranslationContextTypes
    ) -> str | None:
        """The translated text; None if it's the same."""
        text = words_in(locale.value).say(string.message)
        return None if text == string.message else text
