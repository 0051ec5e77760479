"""A hand played as with a screen reader: by the roles and names that the browser tells it, and nothing else."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from playwright.async_api import Browser, CDPSession, Page

from tests.end_to_end.app_harness import PATIENCE
from tests.end_to_end.browser_table import opened
from tests.end_to_end.page_client import app_with_page

TABLE, HAND = "At the table", "My hand"
"""The regions of the page."""


@dataclass(frozen=True, slots=True)
class Element:
    """An element as a screen reader meets it."""

    role: str
    name: str
    description: str
    around: frozenset[str]
    """The roles of the elements around it, and the names of regions among them."""
    node: int
    """What DevTools calls the element."""

    @classmethod
    def of(cls, found: dict[str, Any], around: frozenset[str]) -> Self:
        """From DevTools' accessibility tree."""
        role, name, description = (str(found.get(key, {}).get("value", "")) for key in ("role", "name", "description"))
        return cls(role, name, description, around, found["backendDOMNodeId"])


class ScreenReader:
    """Reads a page, and presses its buttons."""

    def __init__(self, devtools: CDPSession) -> None:
        self._devtools = devtools

    @classmethod
    async def on(cls, page: Page) -> Self:
        """A screen reader for a page."""
        return cls(await page.context.new_cdp_session(page))

    async def read(self) -> list[Element]:
        """All elements that aren't hidden, in no certain order."""
        found = (await self._devtools.send("Accessibility.getFullAXTree"))["nodes"]
        nodes = {each["nodeId"]: each for each in found}

        def around(node: dict[str, Any]) -> frozenset[str]:
            outer = nodes.get(node.get("parentId", ""))
            if outer is None:
                return frozenset()
            role = outer["role"]["value"]
            return around(outer) | {role, *([outer["name"]["value"]] if role == "region" else ())}

        return [Element.of(each, around(each)) for each in found if not each["ignored"] and "backendDOMNodeId" in each]

    async def press(self, element: Element) -> None:
        """Press a button, as the key for it does."""
        resolved = await self._devtools.send("DOM.resolveNode", {"backendNodeId": element.node})
        press = {"functionDeclaration": "function () { this.click() }", "objectId": resolved["object"]["objectId"]}
        await self._devtools.send("Runtime.callFunctionOn", press)


def on_table(elements: list[Element]) -> list[str]:
    """What can be heard about the table."""
    return [each.name for each in elements if TABLE in each.around]


def button(elements: list[Element], name: str) -> Element:
    """The button with a name, which the play may follow."""
    return next(each for each in elements if each.role == "button" and each.name.startswith(name))


def buttons_in(elements: list[Element], role: str) -> list[Element]:
    """The buttons of the hand in an element with a role: cards are in a group, and plays with them in a list."""
    return [each for each in elements if each.role == "button" and {HAND, role} <= each.around]


def is_my_turn(elements: list[Element]) -> bool:
    """True if the hand says so."""
    return any(HAND in each.around and each.name.startswith(("Your turn", "You lead")) for each in elements)


async def take_turn(reader: ScreenReader, elements: list[Element]) -> None:
    """Select the first card of a legal play, then the first play with it. Pass if there's none."""
    playable = [card for card in buttons_in(elements, "group") if not card.description]
    if not playable:
        await reader.press(button(elements, "Pass"))
        return
    await reader.press(playable[0])
    elements = await reader.read()
    if plays := buttons_in(elements, "list"):
        await reader.press(plays[0])
        elements = await reader.read()
    await reader.press(button(elements, "Play"))


async def test_a_hand_by_the_accessibility_tree_alone(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=3)
        async with opened(browser, site, harness.people[0].id) as page, asyncio.timeout(PATIENCE):
            reader, turns, heard = await ScreenReader.on(page), 0, set[str]()
            elements = await reader.read()
            while not any(each.role == "dialog" for each in elements):
                heard |= {each.name for each in elements if "log" in each.around}
                if is_my_turn(elements):
                    await take_turn(reader, elements)
                    turns += 1
                    while on_table(await reader.read()) == on_table(elements):
                        await page.wait_for_timeout(20)
                await page.wait_for_timeout(20)
                elements = await reader.read()
            assert turns >= 2
            assert {text.partition(":")[0] for text in heard} >= {"Ana", "🤖 Jade", "🤖 Bamboo", "🤖 Lotus"}
            assert button(elements, "Continue")
