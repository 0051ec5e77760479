"""The layers of docs/design.md: imports run one way, and secrets leave the engine only as a view."""

import ast
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent
LAYERS: Final = (
    ("bot.engine",),
    ("bot.base",),
    ("bot.pictures", "bot.players"),
    ("bot.table",),
    ("bot.analysis",),
    ("bot.storage",),
    ("bot.services",),
    ("bot.presentation",),
    ("cogs", "bot.web"),
    ("bot.discord_client",),
    ("bot.process",),
    ("bot.features", "bot.page_server", "bot.app", "bot.commands"),
    ("bot.__main__",),
)
"""From bottom to top; a module imports from its own layer and those below."""
PRESENTATION: Final = ({"text"}, {"ui"}, {"table"}, {"records", "help", "settings"}, {"channel"})
"""The folders of `bot.presentation` from bottom to top; a module imports from its own folder and those below."""
BELOW_PRESENTATION: Final = ("bot.engine", "bot.players", "bot.table", "bot.analysis", "bot.storage", "bot.services")
MAX_LINES: Final = 400
MAX_FUNCTION_LINES: Final = 40


@dataclass(frozen=True)
class Module:
    """The source of a module."""

    name: str
    path: Path

    @cached_property
    def source(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source)

    def nodes(self) -> Iterator[ast.AST]:
        return ast.walk(self.tree)

    def imports(self) -> set[str]:
        """The full names of all modules that it imports, anywhere in its source."""
        found: set[str] = set()
        for node in self.nodes():
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{self.name} imports relatively"
                found |= {origin(node.module or "", alias.name) for alias in node.names}
        return found


def origin(package: str, name: str) -> str:
    """`from bot import app` imports the module `bot.app`; `from bot import __version__` imports `bot`."""
    return f"{package}.{name}" if f"{package}.{name}" in NAMES else package


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


PATHS: Final = {name_of(path): path for top in ("bot", "cogs", "playground") for path in (ROOT / top).rglob("*.py")}
NAMES: Final = frozenset(PATHS)
MODULES: Final = tuple(Module(name, path) for name, path in sorted(PATHS.items()))


def within(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def layer(name: str) -> int | None:
    """The layer of a module; None for the package `bot` and for libraries."""
    return next((number for number, packages in enumerate(LAYERS) if within(name, *packages)), None)


def of(*packages: str) -> tuple[Module, ...]:
    found = tuple(module for module in MODULES if within(module.name, *packages))
    assert found, f"nothing in {packages}"
    return found


def importing(modules: Iterable[Module], *packages: str) -> dict[str, set[str]]:
    """The imports from these packages, by module."""
    found = {module.name: {name for name in module.imports() if within(name, *packages)} for module in modules}
    return {name: imported for name, imported in found.items() if imported}


def test_no_import_runs_up() -> None:
    for module in of("bot", "cogs"):
        own = layer(module.name)
        above = {name for name in module.imports() if own is not None and (layer(name) or 0) > own}
        assert not above, module.name


def test_no_import_runs_up_in_the_presentation() -> None:
    below: set[str] = set()
    for folders in PRESENTATION:
        for folder in folders:
            allowed = [f"bot.presentation.{each}" for each in (*below, folder)]
            for name, imported in importing(of(f"bot.presentation.{folder}"), "bot.presentation").items():
                assert all(within(each, *allowed) for each in imported), name
        below |= folders


def test_every_module_has_its_layer() -> None:
    without = {module.name for module in of("bot", "cogs") if layer(module.name) is None}
    assert without == {"bot"}


def test_the_engine_imports_the_standard_library_only() -> None:
    for module in of("bot.engine"):
        tops = {name.split(".")[0] for name in module.imports() if not within(name, "bot.engine")}
        assert tops <= sys.stdlib_module_names


def test_the_engine_and_the_players_have_no_clock_no_loop_and_no_files() -> None:
    doors = {"time", "datetime", "asyncio", "socket", "os", "pathlib", "secrets", "threading", "logging"}
    opened = {
        "bot.players.compiled.machine_code": {"os", "pathlib", "time"},
        "bot.players.compiled.weights": {"pathlib"},
    }
    for module in of("bot.engine", "bot.players"):
        tops = {name.split(".")[0] for name in module.imports()}
        assert tops & doors == opened.get(module.name, set()), module.name
    for module in of("bot.engine"):
        assert "random" not in module.imports()


def test_the_pictures_know_cards_and_pillow_only() -> None:
    doors = {
        "asyncio",
        "datetime",
        "logging",
        "multiprocessing",
        "os",
        "pathlib",
        "random",
        "socket",
        "threading",
        "time",
    }
    opened = {
        "bot.pictures.fonts": {"pathlib"},
        "bot.pictures.render_worker": {"logging"},
    }
    for module in of("bot.pictures"):
        tops = {
            name.split(".")[0]
            for name in module.imports()
            if not within(
                name,
                "bot.engine",
                "bot.base.fair_lock",
                "bot.base.fair_queue",
                "bot.base.worker_process",
                "bot.pictures",
            )
        }
        drawing = {"PIL", "matplotlib"} if module.name == "bot.pictures.plots" else {"PIL"}
        assert tops - drawing <= sys.stdlib_module_names, module.name
        assert tops & doors == opened.get(module.name, set()), module.name


def test_the_processes_for_slow_work_do_not_load_the_metrics() -> None:
    loaded = of("bot.engine", "bot.players", "bot.pictures", "bot.base.worker_process", "bot.table", "bot.analysis")
    measuring = ("bot.base.fair_lock", "bot.base.metrics", "prometheus_client")
    assert importing(loaded, *measuring).keys() == {"bot.pictures.render_worker"}


def test_the_app_only_describes_pictures() -> None:
    names = ("descriptions", "emoji_names", "replay", "render_worker")
    used = tuple(f"bot.pictures.{name}" for name in names)
    drawing = tuple(module.name for module in of("bot.pictures") if module.name not in ("bot.pictures", *used))
    users = [module for module in of("bot", "cogs") if module.name not in drawing]
    assert importing(users, *drawing, "PIL", "matplotlib") == {}


def test_nothing_below_the_presentation_draws() -> None:
    assert importing(of(*BELOW_PRESENTATION), "bot.pictures", "PIL", "matplotlib") == {}


def test_nothing_below_the_presentation_knows_discord() -> None:
    assert importing(of(*BELOW_PRESENTATION, "bot.pictures"), "discord", "aiohttp") == {}


def test_screens_and_commands_do_not_touch_the_database() -> None:
    assert importing(of("bot.presentation", "bot.web", "cogs"), "bot.storage", "sqlalchemy") == {}


def test_tables_and_analysis_do_no_input_or_output() -> None:
    doors = ("asyncio", "os", "pathlib", "secrets", "socket", "sqlalchemy", "threading", "time")
    assert importing(of("bot.table", "bot.analysis"), *doors) == {}


def test_the_playground_knows_nothing_of_the_app() -> None:
    assert importing(of("playground"), "bot", "cogs") == {}


def test_no_module_imports_itself_through_others() -> None:
    imports = {module.name: module.imports() & NAMES for module in MODULES}
    while leaves := {name for name, imported in imports.items() if not imported & imports.keys()}:
        imports = {name: imported for name, imported in imports.items() if name not in leaves}
    assert imports == {}


def test_the_app_knows_nothing_of_the_playground() -> None:
    assert importing(of("bot", "cogs"), "playground", "tests") == {}


def test_no_screen_reads_the_seed_of_a_table() -> None:
    """Tables have none there, and `Archive.revealed_seed` gives it when it's no longer secret."""
    for module in of("bot.presentation", "bot.web", "cogs"):
        for node in module.nodes():
            if isinstance(node, ast.Attribute) and node.attr == "seed":
                pytest.fail(f"{module.name}, line {node.lineno} reads a seed")


def test_secrets_leave_the_core_only_as_a_view() -> None:
    players = {module.name for module in of("bot.players")} - {"bot.players", "bot.players.simulation"}
    for module in of(*players, "bot.presentation", "bot.web", "cogs"):
        for node in module.nodes():
            match node:
                case ast.Attribute(attr="state" | "State") | ast.Name(id="State") | ast.alias(name="State" | "Dealt"):
                    pytest.fail(f"{module.name}, line {node.lineno} mentions the state of a match")


def test_types_of_command_parameters_are_imported_for_real() -> None:
    for module in of("cogs"):
        assert "TYPE_CHECKING" not in module.source, module.name
    assert importing(of("cogs"), "__future__") == {}


def test_only_the_settings_read_the_environment() -> None:
    for module in of("bot", "cogs"):
        names = {getattr(node, "attr", None) or getattr(node, "id", None) for node in module.nodes()}
        names |= {node.name for node in module.nodes() if isinstance(node, ast.alias)}
        read = names & {"environ", "environb", "getenv", "load_dotenv", "dotenv"}
        assert not read or module.name == "bot.process.settings", module.name


def test_modules_and_functions_are_short() -> None:
    for module in MODULES:
        assert len(module.source.splitlines()) <= MAX_LINES, module.name
        for node in module.nodes():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                assert length <= MAX_FUNCTION_LINES, f"{module.name}.{node.name} has {length} lines"
