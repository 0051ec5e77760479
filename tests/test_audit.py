"""`make audit` with a database of vulnerabilities that knows one, knows none, or can't be reached."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web

ROOT = Path(__file__).parent.parent
FOUND = {
    "id": "GHSA-test-test-test",
    "summary": "made up for this test",
    "modified": "2026-01-01T00:00:00Z",
    "published": "2026-01-01T00:00:00Z",
    "affected": [
        {
            "package": {"ecosystem": "PyPI", "name": "pillow"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}]}],
        }
    ],
}
"""An entry in the format of osv.dev."""

pytestmark = pytest.mark.skipif(
    shutil.which("make") is None or not (ROOT / ".venv-tools" / "tools.done").exists(),
    reason="`make audit` has not installed its tools yet",
)


@asynccontextmanager
async def database(vulnerable: str) -> AsyncIterator[str]:
    """Serve a database that knows a vulnerability of one package. Yields its address."""

    async def query(request: web.Request) -> web.Response:
        asked = (await request.json())["package"]["name"]
        return web.json_response({"vulns": [FOUND]} if asked == vulnerable else {})

    app = web.Application()
    app.router.add_post("/v1/query", query)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1/query"
    await runner.cleanup()


async def audit(folder: Path, address: str) -> tuple[int | None, str]:
    """Run `make audit` against a database. Returns its exit code and output."""
    arguments = f"--vulnerability-service osv --osv-url {address} --cache-dir {folder}"
    process = await asyncio.create_subprocess_exec(
        "make",
        "audit",
        f"ARGS={arguments}",
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    return process.returncode, output.decode()


async def test_a_known_vulnerability_fails_and_is_named(tmp_path: Path) -> None:
    async with database(vulnerable="pillow") as address:
        code, output = await audit(tmp_path, address)
    assert code == 2
    assert "GHSA-test-test-test" in output
    assert "pillow" in output


async def test_without_one_it_passes(tmp_path: Path) -> None:
    async with database(vulnerable="a-package-that-is-not-used") as address:
        code, output = await audit(tmp_path, address)
    assert code == 0
    assert "No known vulnerabilities found" in output


async def test_without_a_database_it_says_so_and_passes(tmp_path: Path) -> None:
    async with database(vulnerable="pillow") as address:
        pass
    code, output = await audit(tmp_path, address)
    assert code == 0
    assert "Nothing was audited" in output
