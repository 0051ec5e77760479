"""Requests that no browser sends: paths out of the folder, other methods, huge headers, foreign hosts, odd tokens."""

import json
from pathlib import Path

import pytest
from yarl import URL

from tests.end_to_end.page_client import Site, app_with_page
from tests.end_to_end.raw_http import exchange, request

SECRET_FILE = "nobody may read this"
PATHS = (
    "/page/../secret.txt", "/page/%2e%2e/secret.txt", "/page/..%2fsecret.txt", "/page/..%2Fsecret.txt",
    "/page/..%5csecret.txt", "/page/..\\secret.txt", "/page/....//secret.txt", "/page/./../secret.txt",
    "/page/%252e%252e%252fsecret.txt", "/page//secret.txt", "/page/%2fetc%2fpasswd", "//etc/passwd", "/page/", "/page",
    "/page/.", "/page/..", "/page/%2e", "/page/%00", "/page/index.html%00", "/page/index.html/", "/page/inner%2fx.txt",
    "/page/inner", "/page/" + "x" * 300, "/page/" + "%C3%A4" * 200, "/page/%ff%fe", "/page/%ed%a0%80", "/page/~root",
    "/page/link.txt%20", "/secret.txt", "/.env", "/api", "/api/", "/api/socket/x", "/login/../../secret.txt",
    "/login/callback/x", "/%2e%2e/secret.txt", "/page/C:%5csecret.txt", "/page/con", "*", "secret.txt", "/page/%",
)  # fmt: skip
KNOWN = ("/", "/page/index.html", "/api/setup", "/api/texts", "/login", "/login/callback", "/api/activity",
         "/api/logout", "/api/socket")  # fmt: skip
METHODS = ("PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "CONNECT", "PROPFIND", "POST", "GET", "get", "X" * 40)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a page, and next to it a file that isn't part of it."""
    page = tmp_path / "page"
    (page / "inner").mkdir(parents=True)
    (page / "index.html").write_text("<title>The table</title>")
    (page / "inner" / "x.txt").write_text(SECRET_FILE)
    (tmp_path / "secret.txt").write_text(SECRET_FILE)
    return page


def status_of(answer: bytes) -> int:
    """The status of a response."""
    assert answer.startswith(b"HTTP/1."), answer[:100]
    return int(answer.split(b" ", 2)[1])


async def is_refused(site: Site, sent: bytes) -> bytes:
    """The answer to a request that the client has done wrong."""
    answer = await exchange(site, sent)
    assert 400 <= status_of(answer) < 500 or status_of(answer) == 501, (sent[:300], answer[:500])
    assert SECRET_FILE.encode() not in answer
    return answer


async def test_no_path_leads_out_of_the_folder(tmp_path: Path, folder: Path) -> None:
    async with app_with_page(tmp_path, {"bot.web.files.PAGE": str(folder)}) as (_, site):
        assert b"The table" in await exchange(site, request("GET", "/page/index.html"))
        for path in PATHS:
            await is_refused(site, request("GET", path))


async def test_other_methods_are_refused(tmp_path: Path, folder: Path) -> None:
    async with app_with_page(tmp_path, {"bot.web.files.PAGE": str(folder)}) as (_, site):
        for path in KNOWN:
            for method in METHODS:
                answer = await exchange(site, request(method, path, {"Content-Length": "0"}))
                assert status_of(answer) < 500 or status_of(answer) == 501, (method, path, answer)


async def test_huge_and_broken_requests_are_refused(tmp_path: Path, folder: Path) -> None:
    async with app_with_page(tmp_path, {"bot.web.files.PAGE": str(folder)}) as (_, site):
        for headers in (
            {"Cookie": "session=" + "x" * 100_000},
            {"X" * 50_000: "1"},
            {f"X-{number}": "1" * 1000 for number in range(1000)},
            {"Content-Length": "-1"},
            {"Content-Length": "9" * 30},
            {"Content-Length": "5", "Transfer-Encoding": "chunked"},
            {"Transfer-Encoding": "gzip, gzip"},
        ):
            await is_refused(site, request("POST", "/api/activity", headers) + b"0\r\n\r\n")
        await is_refused(site, request("GET", "/?" + "x" * 100_000))
        for broken in (b"\r\n\r\nnonsense\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", bytes(range(256)) * 9):
            answer = await exchange(site, broken)
            assert answer == b"" or 400 <= status_of(answer) < 506, (broken[:40], answer)
        bodies = (b"{", b"[" * 4000, b'{"session": "\\ud800"}', b'{"session": {"a": 1}}', b"\xff\xfe\x00", b"1e999")
        for path in ("/api/activity", "/api/logout"):
            for body in bodies:
                headers = {"Origin": site.url, "Content-Length": str(len(body)), "Content-Type": "application/json"}
                answer = await exchange(site, request("POST", path, headers) + body)
                assert status_of(answer) in (200, 403), (path, body[:50], answer)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "evil.example@table.example", "[::1]", ""])
async def test_no_host_header_changes_where_a_login_leads(tmp_path: Path, host: str) -> None:
    async with app_with_page(tmp_path) as (_, site):
        headers = {
            "X-Forwarded-Host": "evil.example",
            "X-Forwarded-Proto": "javascript",
            "Forwarded": "host=evil.example;proto=http",
            "X-Original-URL": "//evil.example/",
        }
        for path in (
            "/login",
            "http://evil.example/login",
            "/login?next=http://evil.example",
            "/login?next=//evil.example",
        ):
            answer = await exchange(site, request("GET", path, headers, host))
            assert status_of(answer) == 302
            assert b"evil.example" not in answer
            location = answer.split(b"Location: ")[1].split(b"\r\n")[0].decode()
            assert URL(location).query["redirect_uri"] == f"{site.url}/login/callback"
            assert location.startswith(site.harness.world.api_url.removesuffix("/api/v10"))
        for path in (
            "/login/callback?state=x&code=y",
            "/login/callback?state=%ed%a0%80",
            "/",
            "/api/setup",
            "/page/none",
        ):
            assert b"evil.example" not in await exchange(site, request("GET", path, headers, host))


@pytest.mark.parametrize(
    "token", ["\ud800", "é", "x" * 3000, "a.b", ".", "..", "\x00", 7, [], {}, True, ["x"], {"session": None}]
)
async def test_no_odd_token_is_a_session(tmp_path: Path, token: object) -> None:
    async with app_with_page(tmp_path) as (_, site):
        async with site.socket() as connection:
            await connection.send_str(json.dumps({"hello": {"session": token, "language": "\ud800"}}))
            assert await connection.receive_json() == {"bye": ""}
        if isinstance(token, str) and "\x00" not in token:
            cookie = {"Cookie": f"session={token}".encode(errors="surrogatepass").decode("latin-1")}
            answer = await exchange(site, request("POST", "/api/logout", {**cookie, "Origin": site.url}))
            assert status_of(answer) == 200
