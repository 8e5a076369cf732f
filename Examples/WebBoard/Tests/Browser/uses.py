"""The third checks: keys, the panel, and new names."""

import truth
from breaks import advance
from machine import until
from pages import agree

FOCUS = "Number(document.activeElement.dataset.id)"
ALL = "boardSnapshot().flatMap(section => section[1])"
LONG = "x" * 81


def keys(checks, browser, server):
    page = browser.open(server.url)
    press = page.keyboard.press
    rows = page.evaluate(ALL)

    def focuses(row, text):
        checks(until(lambda: page.evaluate(FOCUS) == row), text, f"{page.evaluate(FOCUS)} instead of {row}")

    for key in ("j", "ArrowDown", "j", "k"):
        press(key)
    focuses(rows[1], "j, down, j and k choose the second row")
    press("End")
    focuses(rows[-1], "End chooses the last row")
    inside = "(row, view) => row.bottom <= view.bottom + 1 && row.top > view.top"
    inside = f"({inside})(document.activeElement.getBoundingClientRect(), scroller.getBoundingClientRect())"
    checks(until(lambda: page.evaluate(inside)), "it is in view")
    press("PageUp")
    at = rows.index(page.evaluate(FOCUS))
    checks(len(rows) - 40 < at < len(rows) - 5, f"Page Up goes up by a screen: {len(rows) - 1 - at} rows")
    press("Home")
    focuses(rows[0], "Home chooses the first row")
    stops = page.evaluate("document.querySelectorAll('.row[tabindex=\"0\"]').length")
    checks(stops == 1, "Tab stops at one row only")
    for _ in range(30):
        press("j")
    chosen = page.evaluate(FOCUS)
    moved = advance(server, 5)
    agree(checks, page, server, f"after {moved} minutes, with a chosen row")
    now = page.evaluate(ALL)
    stays = page.evaluate(FOCUS) == chosen if chosen in now else page.evaluate(FOCUS) in now
    checks(stays, f"the focus stays on the flight, which was number 31 and is {now.index(chosen) + 1 if chosen in now else 'away'}")

    chosen = page.evaluate(FOCUS)
    press("Enter")
    checks(until(lambda: page.is_visible("#panel")), "Enter opens the panel")
    press("Escape")
    checks(not page.is_visible("#panel"), "Escape closes it")
    focuses(chosen, "the focus is on the row again")
    press("?")
    checks(page.is_visible("#help"), "? opens the help")
    press("Escape")
    checks(until(lambda: not page.is_visible("#help")), "Escape closes it")
    press("s")
    agree(checks, page, server, "s chooses other sections", by="origin")
    press("/")
    checks(page.evaluate("document.activeElement.id") == "search", "/ goes to the search field")
    page.keyboard.type("jks?/")
    checks(page.input_value("#search") == "jks?/", "letters there are letters")
    press("Escape")
    agree(checks, page, server, "Escape clears the search", by="origin")
    press("Escape")
    checks(page.evaluate("grid.contains(document.activeElement)"), "another Escape goes to the list")
    browser.close(page)

    page = browser.open(server.url)
    path = []
    for _ in range(5):
        page.keyboard.press("Tab")
        name = "element => element.id || element.name || element.getAttribute('class') || element.tagName"
        path.append(page.evaluate(f"({name})(document.activeElement)"))
    wanted = ["theme", "helpButton", "by", "search", "row"]
    found = [next((name for name in wanted if name in stop), stop) for stop in path]
    checks(found[:5] == wanted, f"Tab goes {', '.join(path)}")
    browser.close(page)


def names(page, carrier):
    """The names of an airline in its rows, with a star while they are not yet those of the server."""
    return set(page.evaluate("""carrier => [...document.querySelectorAll(".row")]
        .filter(row => row.querySelector(".carrier").textContent == carrier)
        .map(row => row.querySelector(".airline").textContent + (row.querySelector(".airline.pending") ? "*" : ""))""", carrier))


def panel(checks, browser, server):
    page = browser.open(server.url)
    page.click(".row:nth-child(3)")
    page.wait_for_selector("#panel:not([hidden])")
    id = page.evaluate("Number(document.querySelector('.row[aria-selected]').dataset.id)")

    def shows():
        flights = [row["content"] for section in truth.stream(server.url)["flights"]["sections"] for row in section["rows"]]
        flight = next(flight for flight in flights if flight["id"] == id)
        details = truth.read(server.store, 'SELECT manufacturer, seats, year FROM "Aircraft" WHERE id = ?', flight.get("tail"))
        details = [str(value if value is not None else "unknown") for value in (details or [[None] * 3])[0]]
        texts = page.evaluate("""() => {
            const cells = [...panel.querySelectorAll("[data-text]")]
            return Object.fromEntries(cells.map(cell => [cell.dataset.text, cell.textContent]))
        }""")
        return flight["carrier"] if (
            texts["flight"] == f"{flight['carrier']} {flight['number']}" and texts["status"].lower() == flight["status"]
            and texts["estimated"] in (flight["estimated"], "–") and texts["scheduled"] == flight["scheduled"]
            and texts["airline"] == flight["airline"] and texts["tail"] == (flight.get("tail") or "unknown")
            and [texts["manufacturer"], texts["seats"], texts["built"]] == details) else None
    carrier = until(shows)
    checks(carrier, "the panel shows the flight and its aircraft")
    if not carrier:
        return browser.close(page)
    # Slowly, so that the flight is still on the board.
    moved = advance(server, 3, speed=5)
    checks(until(shows), f"it does so {moved} minutes later")
    rename(checks, browser, page, server, carrier)

    # The flight ends while somebody reads.
    page.click("[data-section=landed] .row")
    for _ in range(6):
        advance(server, 15)
        if until(lambda: page.is_visible("[data-left]"), 1):
            break
    checks(until(lambda: page.is_visible("[data-left]")), "the panel says when its flight has left the board")
    page.route("**/flight?*", lambda route: route.abort())
    page.click(".row")
    checks(not page.is_visible("[data-left]"), "it doesn't say so of the next one, of which nothing has come")
    page.unroute("**/flight?*")
    page.keyboard.press("Escape")
    checks(page.evaluate("grid.contains(document.activeElement)"), "the focus is in the list afterwards")
    browser.close(page)


def rename(checks, browser, page, server, carrier):
    old = page.input_value("#newName")

    def give(name):
        page.fill("#newName", name)
        page.keyboard.press("Enter")

    def is_there(name, and_also=lambda: True):
        return until(lambda: names(page, carrier) == {name} and and_also())
    held = []
    page.route("**/rename", lambda route: held.append(route))
    give("Not sent yet")
    checks(is_there("Not sent yet*", lambda: held), "a new name is in the rows before the server has it")
    held[0].abort()
    page.unroute("**/rename")
    lost = until(lambda: page.inner_text("#renameError"))
    checks(is_there(old), f"a name that can't be sent is taken back: {lost}")
    hostile = "‮Fine</span><img src=x onerror=alert(1)> & \"Air\" ✈️"
    give(hostile)
    # The name may come before the answer.
    is_renamed = is_there(hostile, lambda: page.inner_text("#renameHint") == "Renamed.")
    checks(is_renamed, "a hostile name is a text as any other")
    # Without the panel, all columns are there.
    another = browser.open(server.url)
    agree(checks, another, server, "another page with a hostile name")
    browser.close(another)
    checks(page.evaluate("document.querySelectorAll('img, #rows script').length") == 0, "it has made no element")
    answer = server.rename(carrier, LONG)
    if answer.status == 422:
        give(LONG)
        refused = until(lambda: page.inner_text("#renameError"))
        checks(refused and names(page, carrier) == {hostile}, f"81 characters are refused, and taken back: {refused}")
        kept = page.get_attribute("#newName", "aria-invalid") == "true" and page.input_value("#newName") == LONG
        checks(kept and page.evaluate("document.activeElement.id") == "newName", "the field keeps them, and the focus")
        checks(answer.json["error"]["kind"] == "checkFailed", f"the answer is {answer}")
    else:
        checks.skip(f"names of 81 characters are answered with {answer.status} by this server")
    give(old)
    checks(is_there(old), "the old name is back")
