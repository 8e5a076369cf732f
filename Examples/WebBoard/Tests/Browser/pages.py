"""Pages in headless Chromium: they are opened, watched, and compared with the truth."""

import os
import shutil
import signal
import time
from pathlib import Path

import truth
from machine import until

# Counts the events of the streams by name and kind, and keeps what the page was forbidden to do.
WATCH = """
    window.heard = []
    window.openings = []
    window.violations = []
    addEventListener("securitypolicyviolation", event => violations.push(event.violatedDirective + " " + event.blockedURI))
    const sources = new WeakSet(), add = EventSource.prototype.addEventListener
    EventSource.prototype.addEventListener = function (name, listener) {
      if (!sources.has(this) && this.url.includes("/board?")) {
        sources.add(this)
        add.call(this, "open", () => { heard.push("open"); openings.push(Date.now()) })
      }
      add.call(this, name, event => {
        if (this.url.includes("/board?")) heard.push(name == "alive" ? name : name + " " + JSON.parse(event.data).kind)
        listener(event)
      })
    }
"""

# The page as a reader sees it, with the places of the rows in the list.
SNAPSHOT = """() => {
    const find = id => document.getElementById(id), zero = find("space").getBoundingClientRect().top
    const isShown = cell => cell.getClientRects().length > 0
    return {
      state: document.documentElement.dataset.state,
      isBusy: find("grid").getAttribute("aria-busy") == "true",
      isVirtual: find("grid").classList.contains("virtual"),
      height: parseFloat(getComputedStyle(find("grid")).getPropertyValue("--row")),
      clock: [...document.querySelectorAll(".clock > span")].map(part => part.textContent).join(""),
      count: find("count").textContent,
      stages: [...find("stages").children].map(item => [item.dataset.status, ...[...item.children].slice(1).map(part => part.textContent)]),
      sections: [...find("rows").children].map(group => ({
        title: group.querySelector(".title").textContent,
        identity: group.dataset.section,
        tally: group.querySelector(".tally").textContent,
        rows: [...group.querySelectorAll(".row")].map(row => ({
          id: Number(row.dataset.id),
          status: row.dataset.status,
          late: row.classList.contains("late"),
          label: row.getAttribute("aria-label"),
          top: row.getBoundingClientRect().top - zero,
          index: Number(row.getAttribute("aria-rowindex")),
          texts: Object.fromEntries([...row.querySelectorAll("[data-text]")].map(cell => [cell.dataset.text, cell.textContent])),
          hidden: [...row.querySelectorAll("[data-text]")].filter(cell => cell.textContent && !isShown(cell)).map(cell => cell.dataset.text),
        })),
      })),
    }
}"""


class Checks:
    """Prints a line for each check."""

    # The seconds from one check to the next after which something hangs.
    LIMIT = 1500

    def __init__(self):
        self.start = time.monotonic()
        self.count, self.failures = 0, []

    def __call__(self, holds, text, *details):
        # The next check has the whole time again.
        signal.alarm(self.LIMIT)
        self.count += 1
        print(f"{'ok  ' if holds else 'FAIL'} {time.monotonic() - self.start:6.1f} s  {text}", flush=True)
        if not holds:
            self.failures.append(text)
            for detail in details:
                print("      ", str(detail)[:500], flush=True)
        return bool(holds)

    def skip(self, text):
        print(f"skip {time.monotonic() - self.start:6.1f} s  {text}", flush=True)


class Browser:
    def __init__(self, playwright):
        self.chromium = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM") or shutil.which("chromium"), args=["--no-sandbox"])
        self.messages = []

    def open(self, url, wait=True, **options):
        """Opens a page, with connections of its own: those of one context share six to a server."""
        context = self.chromium.new_context(**{"viewport": {"width": 1300, "height": 800}, **options})
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.add_init_script(WATCH)
        page.on("console", lambda message: self.messages.append(message.text))
        page.on("pageerror", lambda error: self.messages.append(f"error: {error}"))
        page.on("dialog", lambda dialog: self.messages.append("a dialog"))
        page.goto(url)
        if wait:
            ready(page)
        return page

    def close(self, page):
        self.messages += page.evaluate("violations.map(text => 'violation: ' + text)")
        page.context.close()

    @staticmethod
    def processes():
        """The processes of Chromium that this program has started, by the tree of processes."""
        parents, names = {}, {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                name, rest = (folder / "stat").read_text().split("(", 1)[1].rsplit(")", 1)
                names[int(folder.name)], parents[int(folder.name)] = name, int(rest.split()[1])
            except OSError:
                continue

        def is_ours(process):
            while process in parents:
                if process == os.getpid():
                    return True
                process = parents[process]
            return False
        return [process for process, name in names.items() if name.startswith("chrom") and is_ours(process)]

    def sleep(self, work):
        """Does something while no process of the browser runs, as while a laptop is asleep."""
        stopped = []
        try:
            for process in self.processes():
                os.kill(process, signal.SIGSTOP)
                stopped.append(process)
            work()
        finally:
            for process in stopped:
                os.kill(process, signal.SIGCONT)
        return len(stopped)


def ready(page):
    # Playwright's own way to wait for a condition evaluates texts, which the page's policy forbids.
    if not until(lambda: page.evaluate("document.documentElement.dataset.state == 'live' && grid.ariaBusy != 'true'")):
        raise SystemExit("the page doesn't become live")


def forget(page):
    page.evaluate("heard.length = 0")


def heard(page, text):
    """How many events of a kind the page has had, such as `flights reset`, or `reset` of all lists."""
    return page.evaluate("text => heard.filter(event => event == text || event.endsWith(' ' + text)).length", text)


def differences(snapshot, pages, file):
    """The differences between the page, the stream and the file, as texts."""
    found, board = [], truth.board(pages)
    if snapshot["state"] != "live" or snapshot["isBusy"]:
        found.append(f"the page is {snapshot['state']}, busy: {snapshot['isBusy']}")
    for name in ("clock", "count", "stages"):
        if snapshot[name] != board[name]:
            found.append(f"{name}: {snapshot[name]} instead of {board[name]}")
    outline = [[section["title"], [row["id"] for row in section["rows"]]] for section in snapshot["sections"]]
    wanted = [[section["title"], [row["id"] for row in section["rows"]]] for section in board["sections"]]
    if outline != wanted:
        return found + [f"rows: {outline}", f"instead of: {wanted}"]
    before = None
    for section, right in zip(snapshot["sections"], board["sections"]):
        for name in ("identity", "tally"):
            if section[name] != right[name]:
                found.append(f"{name} of {right['title']}: {section[name]} instead of {right[name]}")
        for row, right in zip(section["rows"], right["rows"]):
            for name in ("status", "late", "label", "texts"):
                if row[name] != right[name]:
                    found.append(f"{name} of {row['id']}: {row[name]} instead of {right[name]}")
            # A cancelled flight has no expected time.
            if [name for name in row["hidden"] if not (name == "estimated" and row["status"] == "cancelled")]:
                found.append(f"not visible in {row['id']}: {row['hidden']}")
            if before is not None and row["top"] - before < snapshot["height"] - 1:
                found.append(f"{row['id']} is at {row['top']}, its predecessor at {before}")
            before = row["top"]
    rows = [row for section in snapshot["sections"] for row in section["rows"]]
    for index, row in enumerate(rows if snapshot["isVirtual"] else []):
        if abs(row["top"] - index * snapshot["height"]) > 1 or row["index"] != index + 2:
            found.append(f"{row['id']} is at {row['top']}, number {row['index']}, instead of at {index}")
    sections = pages["flights"]["sections"]
    sent = [(section["title"], [tuple(row["content"][name] for name in ("id", "status", "estimated")) for row in section["rows"]])
            for section in sections]
    if sent != file:
        found += [f"the stream has {sent}", f"the file has {file}"]
    return found


def agree(checks, page, server, text, by="status", search=""):
    """Checks that the page shows what the server and its store have, as soon as nothing moves."""
    result = {}

    def same():
        pages = truth.stream(server.url, by=by, search=search)
        file = truth.stored(server.store, by, search)
        result["differences"] = differences(page.evaluate(SNAPSHOT), pages, file)
        result["rows"] = sum(len(section["rows"]) for section in pages["flights"]["sections"])
        return not result["differences"]
    holds = until(same)
    return checks(holds, f"{text}: {result['rows']} rows", *result["differences"][:8])
