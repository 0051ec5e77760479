"""The house stands as docs/design.md says: every import runs down, and secrets leave the core only as a view."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent
LAYERS: Final = (
    ("bot.engine",),
    ("bot.fair_queue",),
    ("bot.pictures", "bot.players"),
    ("bot.table",),
    ("bot.analysis",),
    ("bot.storage",),
    ("bot.services",),
    ("bot.presentation",),
    ("cogs",),
    ("bot.gateway",),
    ("bot.client", "bot.settings", "bot.logs", "bot.health"),
    ("bot.app", "bot.commands"),
    ("bot.__main__",),
)
"""From the bottom to the top; a module imports from its own layer and from those below."""
MAX_LINES: Final = 400
MAX_FUNCTION_LINES: Final = 40


@dataclass(frozen=True)
class Module:
    """A module as it is written."""

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
        """Every module that it imports anywhere, by its full name."""
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
    """The layer of a module of ours; None for the package itself and for what is not ours."""
    return next((number for number, packages in enumerate(LAYERS) if within(name, *packages)), None)


def of(*packages: str) -> tuple[Module, ...]:
    found = tuple(module for module in MODULES if within(module.name, *packages))
    assert found, f"nothing in {packages}"
    return found


def named(module: Module) -> str:
    return module.name


@pytest.mark.parametrize("module", of("bot", "cogs"), ids=named)
def test_no_import_runs_up(module: Module) -> None:
    own = layer(module.name)
    above = {name for name in module.imports() if own is not None and (layer(name) or 0) > own}
    assert not above


def test_every_module_has_its_layer() -> None:
    without = {module.name for module in of("bot", "cogs") if layer(module.name) is None}
    assert without == {"bot"}


def test_the_engine_imports_the_standard_library_only() -> None:
    for module in of("bot.engine"):
        tops = {name.split(".")[0] for name in module.imports() if not within(name, "bot.engine")}
        assert tops <= sys.stdlib_module_names


def test_the_engine_and_the_players_have_no_clock_no_loop_and_no_files() -> None:
    doors = {"time", "datetime", "asyncio", "socket", "os", "pathlib", "secrets", "threading", "logging"}
    for module in of("bot.engine", "bot.players"):
        assert not doors & {name.split(".")[0] for name in module.imports()}, module.name
    for module in of("bot.engine"):
        handed_in = module.name == "bot.engine.playout"  # it plays at random with the Random that it is given
        assert handed_in or "random" not in module.imports()


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
        "bot.pictures.render_worker": {"asyncio", "multiprocessing", "os", "threading"},
    }
    for module in of("bot.pictures"):
        tops = {
            name.split(".")[0]
            for name in module.imports()
            if not within(name, "bot.engine", "bot.fair_queue", "bot.pictures")
        }
        drawing = {"PIL", "matplotlib"} if module.name == "bot.pictures.plots" else {"PIL"}
        assert tops - drawing <= sys.stdlib_module_names, module.name
        assert tops & doors == opened.get(module.name, set()), module.name


@pytest.mark.parametrize("module", of("bot.players", "bot.storage", "bot.services"), ids=named)
def test_nothing_below_the_presentation_draws(module: Module) -> None:
    assert not {name for name in module.imports() if within(name, "bot.pictures", "PIL", "matplotlib")}


@pytest.mark.parametrize("module", of("bot.engine", "bot.players", "bot.storage", "bot.services"), ids=named)
def test_nothing_below_the_presentation_knows_discord(module: Module) -> None:
    assert not {name for name in module.imports() if within(name, "discord", "aiohttp")}


@pytest.mark.parametrize("module", of("bot.presentation", "cogs"), ids=named)
def test_screens_and_commands_do_not_touch_the_database(module: Module) -> None:
    assert not {name for name in module.imports() if within(name, "bot.storage", "sqlalchemy")}


@pytest.mark.parametrize("module", of("bot.table", "bot.analysis"), ids=named)
def test_tables_and_analysis_do_no_input_or_output(module: Module) -> None:
    doors = {"asyncio", "os", "pathlib", "secrets", "socket", "sqlalchemy", "threading", "time"}
    assert not doors & {name.split(".")[0] for name in module.imports()}


@pytest.mark.parametrize("module", of("playground"), ids=named)
def test_the_playground_knows_nothing_of_the_app(module: Module) -> None:
    assert not {name for name in module.imports() if within(name, "bot", "cogs")}


def test_no_module_imports_itself_through_others() -> None:
    imports = {module.name: module.imports() & NAMES for module in MODULES}
    while leaves := {name for name, imported in imports.items() if not imported & imports.keys()}:
        imports = {name: imported for name, imported in imports.items() if name not in leaves}
    assert imports == {}


@pytest.mark.parametrize("module", of("bot", "cogs"), ids=named)
def test_the_app_knows_nothing_of_the_playground(module: Module) -> None:
    assert not {name for name in module.imports() if within(name, "playground", "tests")}


@pytest.mark.parametrize("module", of("bot.presentation", "cogs"), ids=named)
def test_secrets_leave_the_core_only_as_a_view(module: Module) -> None:
    for node in module.nodes():
        match node:
            case ast.Attribute(attr="state" | "State") | ast.Name(id="State") | ast.alias(name="State" | "Dealt"):
                pytest.fail(f"{module.name}, line {node.lineno} mentions the state of a match")


@pytest.mark.parametrize("module", of("cogs"), ids=named)
def test_types_of_command_parameters_are_imported_for_real(module: Module) -> None:
    assert "TYPE_CHECKING" not in module.source
    assert "__future__" not in module.imports()


@pytest.mark.parametrize("module", [module for module in of("bot", "cogs") if module.name != "bot.settings"], ids=named)
def test_only_the_settings_read_the_environment(module: Module) -> None:
    names = {getattr(node, "attr", None) or getattr(node, "id", None) for node in module.nodes()}
    names |= {node.name for node in module.nodes() if isinstance(node, ast.alias)}
    assert not names & {"environ", "environb", "getenv", "load_dotenv", "dotenv"}


@pytest.mark.parametrize("module", MODULES, ids=named)
def test_no_room_has_grown_too_large(module: Module) -> None:
    assert len(module.source.splitlines()) <= MAX_LINES
    if within(module.name, "bot.storage.migrations"):
        return  # a migration lists a whole schema
    for node in module.nodes():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= MAX_FUNCTION_LINES, f"{node.name} has {length} lines"


def test_the_app_does_not_load_what_only_translators_or_the_worker_need() -> None:
    program = "import sys, bot.app, bot.commands; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert "bot.presentation.text.i18n" in loaded
    assert not {"babel.messages.extract", "matplotlib", "playground", "pytest"} & loaded
