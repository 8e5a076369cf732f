"""The first checks: after many commits, each row, its place and its texts are those of the store."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import truth
from machine import Server, many_days, until
from pages import SNAPSHOT, agree, forget, heard, ready

VIEWS = [
    ("by status", "", {}),
    ("by origin", "?by=origin", {"by": "origin"}),
    ("by airline", "?by=carrier", {"by": "carrier"}),
    ("with a search", "?search=jetblue%20jfk", {"search": "jetblue jfk"}),
    ("in a window", "?window", {}),
]


def many_commits(checks, browser, server, network):
    """Shows a whole day and most of another, then stops the time. Returns the pages."""
    server.run(600, fresh=True)
    server.moves_until(lambda: truth.playhead(server.store)[0] >= 850)
    day = truth.playhead(server.store)[0]
    server.stop()
    server.run(fresh=True)
    pages = [browser.open(network.url + address) for _, address, _ in VIEWS]
    for page in pages:
        forget(page)
    server.stop()
    server.run(30, end="12:00")
    # One server alone is slow enough that pages which are late get as many.
    for page in pages:
        until(lambda: heard(page, "flights changes") >= 15)
    # Two servers go on with one day: the pages get the commits of both. At noon the board is full.
    second = Server(beside=server).run(90, end="12:00")
    second.moves_until(lambda: truth.clock(server.store) >= "12:00")
    second.stop()
    code = server.stop()
    checks(code == 0, f"the server ends by SIGTERM with code {code}")
    server.run()
    for page in pages:
        ready(page)
    commits = truth.version(truth.stream(server.url))
    checks(commits >= 1000, f"{commits} commits, at tick {truth.playhead(server.store)[0]} after one at {day}")
    for (name, _, view), page in zip(VIEWS, pages):
        agree(checks, page, server, f"the page {name} equals the store", **view)
        changes = heard(page, "flights changes")
        checks(changes >= 15, f"it has shown {changes} pages of changes until then")
    return pages


def choices(checks, browser, network, server):
    """The same on one page, by its own buttons and its search field."""
    page = browser.open(network.url)
    for by in ("origin", "carrier", "status"):
        page.check(f"#by input[value={by}]")
        agree(checks, page, server, f"chosen: {by}", by=by)
    page.keyboard.press("/")
    page.keyboard.type("miami")
    agree(checks, page, server, "searched: miami", search="miami")
    # The page searches a moment after the last letter, and "miam" finds the same flights.
    kept = until(lambda: page.evaluate("location.search") == "?search=miami")
    checks(kept, "the search is in the address", page.url)
    page.reload()
    ready(page)
    agree(checks, page, server, "reloaded", search="miami")
    checks(page.input_value("#search") == "miami", "the reloaded page has the search in its field")
    page.fill("#search", "no such flight")
    says = until(lambda: page.is_visible("#empty") and "no such flight" in page.inner_text("#emptyText"))
    checks(says, "a search without a result says so", page.inner_text("#emptyText"))
    page.click("#clear")
    agree(checks, page, server, "the search is cleared")
    browser.close(page)


# The rows that are in view, with their places in the whole list.
IN_VIEW = """() => {
    const view = scroller.getBoundingClientRect(), height = parseFloat(getComputedStyle(grid).getPropertyValue("--row"))
    const columns = parseFloat(getComputedStyle(grid).getPropertyValue("--columns")), zero = view.top + columns
    return [...document.querySelectorAll("#rows .row")].map(row => [row, row.getBoundingClientRect()])
      .filter(([, place]) => place.top >= zero - 1 && place.bottom <= view.bottom + 1)
      .map(([row, place]) => [Math.round((place.top - zero + scroller.scrollTop) / height), Number(row.dataset.id)])
}"""


def long_list(checks, browser):
    """A list that no page can have as a whole: it follows a window, wherever it is scrolled."""
    with TemporaryDirectory() as folder:
        many_days(Path(folder), 5)
        with Server("--data", folder, "--year") as server:
            server.run(20, fresh=True)
            page = browser.open(server.url)
            total = page.evaluate("list => Number(grid.getAttribute('aria-rowcount')) - 1")
            height = page.evaluate("parseFloat(getComputedStyle(grid).getPropertyValue('--row'))")
            for index in (0, 100, 399, 2500, total - 300, total):
                page.evaluate("top => { scroller.scrollTop = top }", index * height)
                until(lambda: len(page.evaluate(IN_VIEW)) > 10)
            until(lambda: any(late(server).values()))
            server.stop()
            server.run()
            ready(page)
            for index in (total, 2500, 350, 0):
                page.evaluate("top => { scroller.scrollTop = top }", index * height)
                window(checks, page, server, total)
            page.click(".row:nth-of-type(3)")
            chosen = page.evaluate("Number(document.querySelector('.row[aria-selected=true]').dataset.id)")
            page.keyboard.press("Escape")
            for index in (2500, 0):
                page.evaluate("top => { scroller.scrollTop = top }", index * height)
                until(lambda: page.evaluate(f"!!document.querySelector('.row[data-id=\"{chosen}\"]')") == (index == 0))
            marked = page.evaluate("[...document.querySelectorAll('.row[aria-selected=true]')].map(row => Number(row.dataset.id))")
            checks(marked == [chosen], "a chosen row is marked when it comes back", marked)
            shown, right = page.evaluate(SNAPSHOT), late(server)
            checks(re.fullmatch(r"\d\d:\d\d", shown["clock"]), "the clock of many days shows the time", shown["clock"])
            rows = {row["id"]: row["late"] for section in shown["sections"] for row in section["rows"]}
            wrong = [id for id in rows if rows[id] != right.get(id)]
            checks(any(rows.values()) and not wrong, "flights of many days are marked as late", rows, wrong)
            browser.close(page)


def late(server):
    """Whether each of the list's first flights is late."""
    sections = truth.stream(server.url)["flights"]["sections"]
    return {row["content"]["id"]: truth.is_late(row["content"]) for section in sections for row in section["rows"]}


def window(checks, page, server, total):
    result = {}

    def same():
        rows = page.evaluate(IN_VIEW)
        if len(rows) < 10:
            return False
        pages = truth.stream(server.url, **{"from": rows[0][0], "rows": len(rows)})
        right = [row["content"]["id"] for section in pages["flights"]["sections"] for row in section["rows"]]
        result["found"], result["right"] = rows, right
        return [id for _, id in rows] == right
    holds = until(same)
    at = result["found"][0][0] if result else None
    checks(holds, f"the rows in view of {total}, from {at}", result)
