"""The last checks: motion, narrow screens, barriers, messages; and pictures."""

import importlib.util
from pathlib import Path

from breaks import advance
from machine import until
from pages import agree

MOTIONS = "document.getAnimations().filter(motion => !(motion instanceof CSSAnimation)).length"


def messages(checks, browser, when, allowed=()):
    """The console's messages since the last time."""
    new, browser.messages = browser.messages, []
    bad = [message for message in new if not any(text in message for text in allowed)]
    checks(not bad, f"no errors and no violations {when}", *bad[:8])


def motion(checks, browser, server):
    moving, still = browser.open(server.url), browser.open(server.url, reduced_motion="reduce")
    # Counted at each frame, since motions are short.
    for page in (moving, still):
        count = MOTIONS if page == moving else "document.getAnimations().length"
        page.evaluate("""() => {
            window.most = 0
            const look = () => { window.most = Math.max(window.most, COUNT); requestAnimationFrame(look) }
            look()
        }""".replace("COUNT", count))
    advance(server, 10, speed=20)
    for page in (moving, still):
        agree(checks, page, server, "after a motion" if page == moving else "without motion")
    most = moving.evaluate("window.most")
    checks(most > 3, f"rows move: {most} motions at once")
    most = still.evaluate("window.most")
    checks(most == 0, f"nothing moves where motion is reduced: {most} motions")
    for page in (moving, still):
        browser.close(page)


def narrow(checks, browser, server):
    for width, address in ((360, ""), (360, "?by=carrier"), (320, "?window")):
        page = browser.open(server.url + address, viewport={"width": width, "height": 740})
        page.click(".row:nth-child(3)")
        page.wait_for_selector("#panel:not([hidden])")
        wide = page.evaluate("[document.documentElement, scroller, panel].map(part => part.scrollWidth - part.clientWidth)")
        checks(wide == [0, 0, 0], f"nothing scrolls sideways at {width} px {address}: {wide}")
        browser.close(page)


def barriers(checks, browser, server, quick):
    """What axe-core finds, with and without the panel, in both colours."""
    package = importlib.util.find_spec("axe_playwright_python")
    files = sorted(Path(package.origin).parent.rglob("axe*.js")) if package else []
    if not files:
        return checks.skip("axe-playwright-python isn't installed, so barriers aren't looked for")
    axe = files[0].read_text()
    cases = [("dark", 1300, ""), ("light", 360, "?by=carrier"), ("light", 1300, "?window"), ("dark", 360, "?window")]
    for colours, width, address in cases[:1] if quick else cases:
        page = browser.open(
            server.url + address, color_scheme=colours, viewport={"width": width, "height": 800}, reduced_motion="reduce")
        page.evaluate(axe)
        for part in ("list", "panel"):
            if part == "panel":
                page.click(".row:nth-child(4)")
                page.wait_for_selector("#panel:not([hidden])")
            result = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
            found = [f"{each['id']}: {each['nodes'][0]['html'][:160]}" for each in result["violations"]]
            checks(not found, f"{len(result['passes'])} rules of axe-core hold, {colours}, {width} px {address}, {part}", *found)
        browser.close(page)


def shots(browser, server, folder):
    folder.mkdir(parents=True, exist_ok=True)
    large, phone = {"width": 1300, "height": 800}, {"width": 360, "height": 740}
    for name, address, size, colours, opens in (
        ("dark", "", large, "dark", False), ("light", "?by=carrier", large, "light", False),
        ("panel", "", large, "dark", True), ("virtual", "?window", large, "dark", False),
        ("phone", "", phone, "dark", False), ("phone-light", "", phone, "light", False),
        ("phone-panel", "", phone, "dark", True), ("phone-virtual", "?window", phone, "light", False),
    ):
        page = browser.open(server.url + address, viewport=size, color_scheme=colours)
        if opens:
            page.click(".row:nth-child(3)")
        # The pictures are of a page that has come to rest.
        until(lambda: page.evaluate(MOTIONS) == 0, 10)
        page.screenshot(path=folder / f"{name}.png")
        browser.close(page)
    print(f"pictures are in {folder}")
