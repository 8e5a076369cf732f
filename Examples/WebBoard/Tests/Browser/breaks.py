"""The second checks: nothing that breaks makes a page differ from the store."""

import time

import truth
from lists import VIEWS
from machine import Network, Server, until
from pages import SNAPSHOT, agree, forget, heard, ready


def advance(server, minutes, speed=240):
    """Lets another server move the same store on: what is shown must come from the store."""
    other = Server(beside=server)
    end = truth.playhead(server.store)[1] + minutes
    other.run(speed, end=truth.clock(server.store, minutes))
    try:
        other.moves_until(lambda: truth.playhead(server.store)[1] >= end)
    finally:
        other.stop()
    return truth.playhead(server.store)[1] - end + minutes


CLIENT = """async () => {
  const { follow } = await import("/signalbox.js")
  class Source {
    static all = []
    constructor() { this.readyState = 0; Source.all.push(this) }
    addEventListener(name, heard) { this[name] = heard }
    close() { this.readyState = 2 }
  }
  const until = async holds => { while (!holds()) await new Promise(done => setTimeout(done, 5)) }
  let tries = 0
  const first = follow("/board", {}, { Source, silence: 10, state: now => { if (now == "connecting" && ++tries == 3) first.close() } })
  await until(() => tries == 3)
  const closed = Source.all.map(source => source.readyState)
  Source.all = []
  const error = console.error
  console.error = () => {}
  const second = follow("/board", {}, { Source, silence: 10, state: () => { throw new Error("refused") } })
  await until(() => Source.all.length == 4)
  second.close()
  console.error = error
  const left = Source.all.filter(source => source.readyState != 2).length
  // Nothing else of the page runs while the clock and the timers are these.
  const [clock, timeout] = [Date.now, window.setTimeout]
  let time = 0, action, pause
  Date.now = () => time
  window.setTimeout = (next, length) => { [action, pause] = [next, length] }
  const third = follow("/board", {}, { Source })
  const fail = () => {
    const source = Source.all.at(-1)
    source.readyState = 2
    source.onerror()
    return pause
  }
  for (let count = 0; count < 6; count++) { fail(); action() }
  time += 60000
  Source.all.at(-1).alive()
  const again = fail()
  third.close()
  const fourth = follow("/board", {}, { Source, silence: 1000 })
  const pauses = [1, 2, 3].map(() => {
    Source.all.at(-1).onopen()
    const length = pause
    action()  // It was silent for so long,
    action()  // and is opened once more.
    return length
  })
  Source.all.at(-1).alive()
  pauses.push(pause)
  fourth.close()
  const fifth = follow("/board", {}, { Source })
  const broken = [1, 2, 3].map(() => {
    const source = Source.all.at(-1)
    source.onopen()
    source.onerror()  // The browser would try again at once.
    const length = pause
    action()
    return length
  })
  Source.all.at(-1).alive()
  pause = null
  Source.all.at(-1).onerror()
  broken.push(pause)
  fifth.close()
  Date.now = clock
  window.setTimeout = timeout
  return { closed, left, again, pauses, broken }
}"""


def client(checks, page):
    """The client of event streams, by a source of its own."""
    result = page.evaluate(CLIENT)
    checks(result["closed"] == [2, 2, 2], "a stream that is closed as it connects is closed", result)
    checks(result["left"] == 0, "a page that throws in `state` is followed on, and can close its stream", result)
    checks(result["again"] <= 1000, "a quiet page keeps no long pause of an earlier outage", result)
    checks(result["pauses"] == [1000, 2000, 4000, 1000], "a stream whose list comes slowly gets more time with each try", result)

    broken = result["broken"]
    checks(broken[3] is None and all(500 * 2 ** n <= broken[n] <= 1000 * 2 ** n for n in range(3)),
           "a stream that ends before its first event is tried again with growing pauses", result)


def all_agree(checks, pages, server, text):
    for (name, _, view), page in zip(VIEWS, pages):
        agree(checks, page, server, f"{text}, {name}", **view)


def reloads(checks, pages, server):
    for page in pages:
        page.reload()
        ready(page)
    all_agree(checks, pages, server, "reloaded")


def connections(checks, pages, server, network, cuts):
    """Cut, slowed down, refused."""
    for page in pages:
        forget(page)
    # A stream has the last 100 versions. They are those of half a minute at this speed.
    other = Server(beside=server).run(5, end=truth.clock(server.store, 150))
    ended, longest = 0, 0
    for _ in range(cuts):
        seen, start = [heard(page, "open") for page in pages], time.monotonic()
        ended += network.cut()
        until(lambda: all(heard(page, "open") > count for page, count in zip(pages, seen)))
        longest = max(longest, time.monotonic() - start)
    other.stop()
    checks(ended >= cuts * len(pages), f"{ended} connections were cut while rows changed")
    all_agree(checks, pages, server, "after cuts")
    resets = sum(heard(page, "flights reset") for page in pages)
    text = f"a page that comes back within a moment gets what it missed: {resets} resets after {longest:.0f} s"
    checks(resets == 0 or longest > 10, text)

    if cuts > 1:
        network.piece, network.delay = 50, 0.001
        network.cut()
        moved = advance(server, 10)
        network.piece, network.delay = 65536, 0.0
        agree(checks, pages[0], server, f"through a slow network, after {moved} minutes")

    shown = pages[0].evaluate("boardSnapshot()")
    network.down = True
    network.cut()
    lost = until(lambda: pages[0].evaluate("document.documentElement.dataset.state") == "lost")
    checks(lost and pages[0].is_visible("#notice"), "offline, the page says: " + pages[0].inner_text("#notice"))
    moved = advance(server, 10)
    checks(pages[0].evaluate("boardSnapshot()") == shown, "offline, it keeps its rows")
    network.down = False
    all_agree(checks, pages, server, f"online again after {moved} minutes")
    checks(not pages[0].is_visible("#notice"), "the notice has disappeared")


def killed(checks, pages, server, quick):
    """A page that is up to date when the server dies gets nothing again from the next one."""
    for page in pages:
        forget(page)
    server.kill()
    until(lambda: all(page.evaluate("document.documentElement.dataset.state") == "lost" for page in pages))
    server.run()
    came = until(lambda: all(heard(page, "open") for page in pages))
    # The next page of the lists shows that this one would have arrived.
    moved = advance(server, 3, speed=5)
    until(lambda: all(heard(page, "clock changes") for page in pages))
    # The total is one row, which is sent as a whole whenever it is another one.
    resets = [sum(heard(page, f"{name} reset") for page in pages) for name in ("flights", "clock", "stages")]
    checks(came and resets == [0, 0, 0], f"killed and restarted: resets {resets} on {len(pages)} pages that were up to date")
    all_agree(checks, pages, server, f"killed, restarted and moved on for {moved} minutes")

    if quick:
        return
    server.kill()
    moved = advance(server, 20)
    server.run()
    for page in pages:
        ready(page)
    all_agree(checks, pages, server, f"killed, and back {moved} minutes later")


def asleep(checks, browser, pages, server):
    moved = []
    stopped = browser.sleep(lambda: moved.append(advance(server, 60, speed=600)))
    checks(stopped >= 3 and moved[0] >= 60, f"asleep: {stopped} processes for {moved[0]} minutes of the board")
    all_agree(checks, pages, server, "awake again")


def two_servers(checks, browser, pages, server, quick):
    """Two servers on one store: each shows the commits of the other."""
    second = Server(beside=server).run()
    page = browser.open(second.url)
    agree(checks, page, second, "a page of a second server on the same store")
    page.click(".row")
    page.wait_for_selector("#panel:not([hidden])")
    carrier, name = page.inner_text("#panel [data-text=carrier]"), page.input_value("#newName")
    page.fill("#newName", "Second & <b>Sons</b> ✈️")
    page.keyboard.press("Enter")
    text = "(texts => texts.length && texts.every(text => text == {}))([...document.querySelectorAll('.row')]" \
        ".filter(row => row.querySelector('.carrier').textContent == {}).map(row => row.querySelector('.airline').textContent))"
    there = text.format(repr("Second & <b>Sons</b> ✈️"), repr(carrier))
    checks(until(lambda: pages[0].evaluate(there)), "a name given on a page of the second server is on one of the first")
    # The next name is sent after the answer to this one, which may come later than the name.
    until(lambda: page.inner_text("#renameHint") == "Renamed.")
    page.fill("#newName", name)
    page.keyboard.press("Enter")
    there = text.format(repr(name), repr(carrier))
    checks(until(lambda: pages[0].evaluate(there)), "so is the next one")
    page.keyboard.press("Escape")

    for mover in (server,) if quick else (second, server):
        mover.stop()
        end = truth.playhead(server.store)[1] + 15
        mover.run(120, end=truth.clock(server.store, 15))
        mover.moves_until(lambda: truth.playhead(server.store)[1] >= end)
        mover.stop()
        mover.run()
        for one, of in ((pages[0], server), (page, second)):
            ready(one)
            which = ("first", "second")[of is second]
            agree(checks, one, of, f"the {('first', 'second')[mover is second]} server commits, the {which} shows it")

    def are_same():
        # Rows that agree with the store may still be on the last part of their way.
        first, other = (one.evaluate(SNAPSHOT) for one in (pages[0], page))
        return all(first[name] == other[name] for name in ("clock", "count", "stages", "sections"))
    checks(until(are_same), "the pages of both servers are the same")
    browser.close(page)
    second.stop()


class Stalled:
    """A page whose stream has no end and no news: the page has to notice that itself, after 45 s."""

    def __init__(self, browser, server):
        # A server of its own: the other checks end theirs, and on a slow machine the page is back by then.
        self.browser, self.server = browser, Server(beside=server).run()
        self.network = Network(self.server)
        # From before the page can have heard anything, so that no delay makes its 45 s shorter.
        self.since = time.time()
        self.page = browser.open(self.network.url + "?by=carrier")
        forget(self.page)
        self.count = self.network.stall()

    def check(self, checks):
        checks(self.count == 1, f"{self.count} stream has been stalled")
        until(lambda: heard(self.page, "open"), 180)
        waited = [time / 1000 - self.since for time in self.page.evaluate("openings")[-1:]]
        checks(heard(self.page, "open") == 1 and 30 < waited[0], f"a stalled page connects again after {waited[0]:.0f} s")
        agree(checks, self.page, self.server, "the page that was stalled", by="carrier")
        # The page first, or it would complain of the end.
        self.browser.close(self.page)
        self.server.stop()
