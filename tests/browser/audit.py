"""Everything that is asked of a page, whatever it shows: axe-core, sizes, no sideways scrolling, both themes."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text()
PHONE = {"width": 360, "height": 740}
SCREEN = {"width": 1280, "height": 800}
SMALLEST = {"width": 320, "height": 640}
SMALLEST_TAP = 44
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Links inside a sentence are excepted, and what only the keyboard reaches; the link of a game is as big as its row.
TOO_SMALL = """smallest => [...document.querySelectorAll('a, button, select, input:not([type=hidden]), summary')]
  .filter(e => !e.closest('p, .sr, .note, label, .board__foot') && !e.matches('.skip') && e.checkVisibility())
  .map(e => [e.outerHTML.slice(0, 80), (e.closest('.game') ?? e).getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.width < smallest - .5 || box.height < smallest - .5))
  .map(([html, box]) => `${Math.round(box.width)}x${Math.round(box.height)} ${html}`)"""
# Beside the rules of WCAG those about headings and landmarks; the size of targets is no default of axe.
RUN = """async rules => {
  const only = rules ? {type: 'rule', values: rules}
    : {type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']};
  const found = await axe.run(document, {runOnly: only, rules: {'target-size': {enabled: true}}, resultTypes: ['violations']});
  return found.violations.flatMap(({id, nodes}) => nodes.map(({html, failureSummary}) =>
    `${id}: ${html.slice(0, 160)} ${failureSummary.split('\\n')[1] ?? ''}`));
}"""
# A wide face that every machine may fall back to. A sheet made by a script is none of the policy's business.
FALL_BACK = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { font-family: "DejaVu Sans", sans-serif !important; }');
  document.adoptedStyleSheets = [sheet];
}"""


def axe(page: Page, *rules: str) -> list[str]:
    """What axe-core finds, all of it or by these rules alone."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found: list[str] = page.evaluate(RUN, list(rules) or None)
    return found


def audit(page: Page, name: str) -> None:
    """Assert all of it. The page keeps its size and theme."""
    size = page.viewport_size
    faults: dict[str, Any] = {}
    for viewport in (PHONE, SCREEN):
        page.set_viewport_size(viewport)  # type: ignore[arg-type] # a ViewportSize in all but name
        width = viewport["width"]
        faults |= {f"axe at {width}": axe(page), f"sideways at {width}": _sideways(page)}
        faults[f"small targets at {width}"] = page.evaluate(TOO_SMALL, SMALLEST_TAP)
    page.emulate_media(color_scheme="dark")
    faults["contrast in the dark"] = axe(page, "color-contrast")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(SMALLEST)  # type: ignore[arg-type]
    faults["sideways at 320"] = _sideways(page)
    page.evaluate(FALL_BACK)
    faults["sideways at 320 with fall-back fonts"] = _sideways(page)
    page.evaluate("document.adoptedStyleSheets = []")
    faults["small targets at 320"] = page.evaluate(TOO_SMALL, SMALLEST_TAP)
    if size is not None:
        page.set_viewport_size(size)
    found = "\n".join(f"{name}, {what}: {fault}" for what, fault in faults.items() if fault)
    assert not found, found
    assert page.locator("h1").count() == 1, name


def audit_narrow(page: Page, name: str) -> None:
    """What longer words may break: nothing scrolls sideways at 320 pixels, and everything can be pressed."""
    page.set_viewport_size(SMALLEST)  # type: ignore[arg-type]
    found = [_sideways(page), page.evaluate(TOO_SMALL, SMALLEST_TAP)]
    page.evaluate(FALL_BACK)
    found.append(_sideways(page))
    assert found == [0, [], 0], f"{name}: {found}"


def _sideways(page: Page) -> int:
    too_wide: int = page.evaluate(SIDEWAYS)
    return max(0, too_wide)
