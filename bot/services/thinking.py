"""The moves of AI players. The stronger levels think in a separate process, so the event loop never waits for them.

A move that takes too long is chosen in a thread, for a master by the level below; the table counts those moves. All
other levels always move in the same way, so everyone who plays the hand of the day meets the same AI players. Before
the first move of a master, or the first review, a process that then ends compiles the code, because that takes a minute
and much memory; the machine code is kept on disk.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple, TypeAlias, TypeVar, TypeVarTuple

from bot.base.metrics import AI_FALLBACKS, Job
from bot.base.worker_process import Worker, WorkerLost
from bot.engine import Pass, Play, View
from bot.engine.moves import ChosenMove
from bot.players.levels import Level, choose, seed_of
from bot.players.strongest import DealtHand, MoveCost, Par, cost_of, par_of, warm_up
from bot.players.styles import Style
from bot.table.refusals import CoachAway

log = logging.getLogger(__name__)

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class Thought(NamedTuple):
    """The move of an AI player."""

    move: ChosenMove
    is_lowered: bool = False
    """The level below has chosen it."""


Think: TypeAlias = Callable[[Level, View, Style], Awaitable[Thought]]

MAX_SECONDS: Final = 1.0
"""The longest time for a move, including the time in which it waits for others."""
LOST_SECONDS: Final = 10.0
"""The time after which a process that still thinks is replaced. A new one needs some of it to load the master."""
WARM_UP_SECONDS: Final = 1200.0
"""The longest time for compiling."""
PATIENT_SECONDS: Final = 5.0
"""The longest time for a hint, and before it for the process to be ready."""
COACH_SECONDS: Final = 180.0
"""The longest time for which a review waits for the process to be ready."""


async def think_here(level: Level, view: View, style: Style) -> Thought:
    """Choose a move in this process, at once."""
    return Thought(choose(level, view, seed_of(view), style))


async def think_in_thread(level: Level, view: View, style: Style) -> Thought:
    """Choose a move in a thread of this process, where there are no masters."""
    used = level.below if level is Level.MASTER else level
    return Thought(await asyncio.to_thread(choose, used, view, seed_of(view), style), used is not level)


class Thinking:
    """Chooses moves. Close it after use."""

    def __init__(
        self, max_seconds: float = MAX_SECONDS, *, think: Callable[[Level, View, int, Style], ChosenMove] = choose
    ) -> None:
        """`think` chooses a move in the process; it must be importable by name."""
        self._max_seconds = max_seconds
        self._think = think
        self._worker, self._compiler = Worker("thinking", on_idle=self._cool_down), Worker("compiling")
        self._warming: asyncio.Task[bool] | None = None
        self._is_compiled = False

    async def choose(self, level: Level, view: View, style: Style) -> Thought:
        """The move of the seat to act, chosen by `level`, or by a lower one if that fails or isn't ready."""
        return await self._choose(level, view, style, self._max_seconds)

    async def choose_patiently(self, level: Level, view: View, style: Style) -> Thought:
        """Like `choose`, but waits up to `PATIENT_SECONDS` until the process is ready."""
        await self._is_ready_within(PATIENT_SECONDS)
        return await self._choose(level, view, style, max(self._max_seconds, PATIENT_SECONDS))

    async def _choose(self, level: Level, view: View, style: Style, max_seconds: float) -> Thought:
        if level.is_quick:
            return await think_here(level, view, style)
        seed, is_ready = seed_of(view), level is not Level.MASTER or self.is_ready()
        used = level if is_ready else level.below
        try:
            async with asyncio.timeout(max_seconds):
                move = await self._call(self._think, used, view, seed, style)
        except (TimeoutError, WorkerLost) as error:
            AI_FALLBACKS.labels(level).inc()
            log.warning("an AI player of level %s didn't move in time: %s", used, str(error) or "it was still thinking")
            return await think_in_thread(level, view, style)
        except Exception:
            log.exception("an AI player of level %s failed", used)
            return Thought(await asyncio.to_thread(choose, used.below, view, seed, style), is_lowered=True)
        if not is_ready:
            AI_FALLBACKS.labels(level).inc()
        return Thought(move, is_lowered=not is_ready)

    def is_ready(self) -> bool:
        """True if masters can move and the coach can work at once. The first call starts preparing the process."""
        return _has_succeeded(self._begin_warming())

    async def prepare(self, on_wait: Callable[[], None]) -> None:
        """Wait until the process is ready. Calls `on_wait` if that takes time.

        Raises `CoachAway` if it fails or takes longer than `COACH_SECONDS`.
        """
        if not self._begin_warming().done():
            on_wait()
        if not await self._is_ready_within(COACH_SECONDS):
            raise CoachAway

    async def _is_ready_within(self, seconds: float) -> bool:
        """True as soon as the process is ready; False if it fails or takes longer."""
        warming = self._begin_warming()
        await asyncio.wait({warming}, timeout=seconds)
        return _has_succeeded(warming)

    async def cost(self, view: View, played: Play | Pass) -> MoveCost | None:
        """The cost of a move (see `cost_of`). Raises `CoachAway` until the process is ready, and if it dies."""
        return await self._review(cost_of, view, played, seed_of(view))

    async def par(self, deal: DealtHand) -> Par:
        """The par of a deal (see `par_of`). Raises `CoachAway` until the process is ready, and if it dies."""
        return await self._review(par_of, deal)

    async def _review(self, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        if not self.is_ready():
            raise CoachAway
        try:
            return await self._call(function, *arguments)
        except WorkerLost as error:
            log.warning("the coach didn't answer: %s", error)
            raise CoachAway from error

    async def _call(self, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """The result of a function in the process. Raises `WorkerLost`."""
        with Job("ai") as job:
            return await self._worker.call(LOST_SECONDS, function, *arguments, on_start=job.start)

    async def close(self) -> None:
        """End the processes, even while they work."""
        self._worker.kill()
        self._compiler.kill()
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.wait({self._warming})
        await self._compiler.close()
        await self._worker.close()

    def _cool_down(self) -> None:
        """The process has ended, so the next move of a master has to wait until one is loaded again."""
        if self._warming is not None and self._warming.done():
            self._warming = None

    def _begin_warming(self) -> asyncio.Task[bool]:
        """The preparation of the process, begun by the first call."""
        if self._warming is None:
            self._warming = asyncio.create_task(self._warm_up(), name="preparing the strongest AI player")
        return self._warming

    async def _warm_up(self) -> bool:
        """Compile, then load the machine code. Returns False if there will be no masters."""
        try:
            if not self._is_compiled:
                await self._compile()
            await self._worker.call(WARM_UP_SECONDS, warm_up)
        except (ImportError, OSError, WorkerLost) as error:
            log.warning("the strongest AI players can't be prepared, so they play one level lower: %s", error)
            return False
        except Exception:
            log.exception("the strongest AI players can't be prepared, so they play one level lower")
            return False
        log.info("the strongest AI player is ready")
        return True

    async def _compile(self) -> None:
        """Compile in a process that ends, unless the machine code is on disk."""
        self._compiler = Worker("compiling")
        try:
            await self._compiler.call(WARM_UP_SECONDS, warm_up)
        finally:
            await self._compiler.close()
        self._is_compiled = True


def _has_succeeded(warming: asyncio.Task[bool]) -> bool:
    return warming.done() and not warming.cancelled() and warming.result()
