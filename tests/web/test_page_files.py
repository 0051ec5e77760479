"""The files of the page: small, usable as they are, with types that TypeScript accepts and texts that exist."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from bot.presentation.text.i18n import languages, words_in
from bot.web.texts import PLURALS, TEXTS, page_texts

WEB: Final = Path(__file__).parents[2] / "web"
FILES: Final = sorted(file for file in (WEB / "page").iterdir() if file.is_file())
BUILT: Final = WEB / "page" / "built"
MAX_BYTES: Final = 150_000
MAX_LINES: Final = 400
SCRIPTS: Final = {file.name: file.read_text() for file in FILES if file.suffix == ".js"}
INDEX: Final = (WEB / "page" / "index.html").read_text()
DYNAMIC: Final = {
    "say(action)": r'\["join".*?\]|\[first, .*?\]',
    "say(back)": r'\["come_back", "resume"\]',
    "say(sign)": r'"first" \| "back" \| .*?"halt"',
}
"""Labels whose key is a variable, and where its values are."""


def test_the_page_is_small() -> None:
    assert sum(file.stat().st_size for file in FILES) <= MAX_BYTES
    assert [file.name for file in FILES if len(file.read_text().splitlines()) > MAX_LINES] == []


def test_the_page_loads_its_own_files_only_and_nothing_inline() -> None:
    named = re.findall(r'(?:href|src)="([^"]+)"', INDEX)
    assert all((WEB / name).is_file() for name in named)
    styles = {file.name for file in FILES if file.suffix == ".css"} - {"page.css"}
    assert styles == {*re.findall(r'"\./(.*?)"', (WEB / "page" / "page.css").read_text())}
    assert not re.search(r"<style|<script(?! type=\"module\" src=)|style=|onclick", INDEX)
    imported = {name for text in SCRIPTS.values() for name in re.findall(r'from "\./([\w.]+)"', text)}
    assert imported | {"main.js", "types.js"} == SCRIPTS.keys()


@pytest.mark.skipif(not BUILT.is_dir(), reason="the page isn't bundled (make web)")
def test_the_bundle_is_of_these_files() -> None:
    """Otherwise other tests try an older page."""
    newest = max(file.stat().st_mtime for file in FILES if file.suffix in (".css", ".js"))
    assert (BUILT / "main.js").stat().st_mtime >= newest, "run make web"


def test_every_label_exists_and_is_used() -> None:
    asked = {key for text in SCRIPTS.values() for key in re.findall(r'(?:say|count)\(\s*"(\w+)"', text)}
    for text in SCRIPTS.values():
        for pair in re.findall(r'(?:say|count)\([\w.()]+ \? "(\w+)" : "(\w+)"', text):
            asked |= set(pair)
        for call, values in DYNAMIC.items():
            if call in text:
                asked |= set(re.findall(r'"(\w+)"', " ".join(re.findall(values, text))))
        asked |= set(re.findall(r'"(sounds_o\w+|sort_\w+)"', text))
    assert asked == TEXTS.keys() | PLURALS.keys()


@pytest.mark.parametrize("language", languages())
def test_labels_come_in_every_language_with_both_plurals(language: str) -> None:
    texts = page_texts(words_in(language))
    for key in PLURALS:
        forms = texts[key]
        assert isinstance(forms, dict)
        assert forms.keys() == {"one", "other"}
        assert "{number}" in forms["other"]


def test_the_lock_file_names_no_registry() -> None:
    assert "resolved" not in (WEB / "package-lock.json").read_text()


@pytest.mark.skipif(
    not (WEB / "node_modules" / ".bin" / "tsc").exists() or shutil.which("node") is None,
    reason="TypeScript isn't installed here: make web installs it",
)
def test_typescript_accepts_the_types() -> None:
    checked = subprocess.run(
        [WEB / "node_modules" / ".bin" / "tsc", "--noEmit"], cwd=WEB, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout
