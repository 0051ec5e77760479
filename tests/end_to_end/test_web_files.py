"""The page's files and settings over HTTP."""

import gzip
import json
import os
import socket
from pathlib import Path

from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.page_client import SECRET, app_with_page


async def test_files_are_served_with_a_tag(tmp_path: Path) -> None:
    folder = tmp_path / "page"
    folder.mkdir()
    (folder / "index.html").write_text("<title>The table</title>")
    (folder / "app.js").write_text("export {};")
    (tmp_path / "secret.txt").write_text("secret")
    async with app_with_page(tmp_path, {"bot.web.files.PAGE": str(folder)}) as (_, site):
        for path, content in (("/", "<title>"), ("/?table=1&x=2", "<title>"), ("/page/app.js", "export")):
            async with site.http.get(f"{site.url}{path}") as response:
                assert content in await response.text()
                assert response.headers["Cache-Control"] == "no-cache"
                tag = response.headers["ETag"]
            async with site.http.get(f"{site.url}{path}", headers={"If-None-Match": tag}) as response:
                assert response.status == 304
                assert "Content-Security-Policy" in response.headers
        (folder / "built").mkdir()
        (folder / "built" / "app.js").write_text("bundle")
        (folder / "built" / "app.js.gz").write_bytes(gzip.compress(b"compressed"))
        for encoding, content in (("identity", "bundle"), ("gzip", "compressed")):
            async with site.http.get(f"{site.url}/page/app.js", headers={"Accept-Encoding": encoding}) as response:
                assert await response.text() == content
        updated = (folder / "built" / "app.js").stat().st_mtime + 1
        os.utime(folder / "app.js", (updated, updated))
        async with site.http.get(f"{site.url}/page/app.js") as response:
            assert await response.text() == "export {};"
        async with site.http.get(f"{site.url}/page/app.js") as response:
            assert response.content_type in ("text/javascript", "application/javascript")
        for path in (
            "/page/sdk.js",
            "/page/",
            "/page/none",
            "/page/..%2Fsecret.txt",
            "/secret.txt",
            "/page/index.html/x",
        ):
            async with site.http.get(f"{site.url}{path}") as response:
                assert response.status == 404
        async with site.http.get(f"{site.url}/api/setup") as response:
            assert json.loads(await response.text())["has_sdk"] is False


async def test_labels_come_in_the_languages_of_the_catalogs(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (_, site):
        found = {}
        for language in ("en", "de", "de-AT", "tlh", "", "x" * 5000):
            async with site.http.get(f"{site.url}/api/texts", params={"language": language}) as response:
                found[language] = await response.text()
        assert found["en"] == found["tlh"] == found[""] == found["x" * 5000]
        assert found["de"] == found["de-AT"] != found["en"]
        assert json.loads(found["de"]).keys() == json.loads(found["en"]).keys()


async def test_an_address_in_use_is_named(harness: AppHarness) -> None:
    await harness.stop_app()
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        address = f"127.0.0.1:{other.getsockname()[1]}"
        web = {"WEB_ADDRESS": address, "WEB_URL": f"http://{address}", "DISCORD_CLIENT_SECRET": SECRET}
        assert not await harness.try_start(**web)
    assert "WEB_ADDRESS cannot be used: " in harness.log.read_text()
    harness.app = None
