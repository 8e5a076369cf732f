#!/usr/bin/env python3
"""Checks the page in a browser, against a server and its store: Tests/Browser/board.py [--quick] [--shots FOLDER].

It needs `pip install playwright`, a Chromium (CHROMIUM names it) and a build (WEBBOARD names the
program, .build/debug/WebBoard otherwise). With `axe-playwright-python` it also looks for barriers.
"""

import argparse
import signal
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

import breaks
import inspector
import lists
import looks
import uses
from machine import Network, Server
from pages import Browser, Checks

# A server that ends answers so, or not at all.
ENDING = ("net::ERR_", "a status of 503")


def main():
    parser = argparse.ArgumentParser(description="Checks WebBoard's page in Chromium.")
    parser.add_argument("--quick", action="store_true", help="without the checks that wait for long")
    parser.add_argument("--shots", type=Path, help="a folder for pictures of the page")
    options = parser.parse_args()
    checks = Checks()
    # A page that hangs answers no question, and Playwright waits for it without an end.
    signal.signal(signal.SIGALRM, lambda *_: sys.exit("the checks take too long"))
    signal.alarm(Checks.LIMIT)
    with Server("--inspector") as server, sync_playwright() as playwright:
        network = Network(server)
        browser = Browser(playwright)
        try:
            run(checks, browser, server, network, options)
        finally:
            browser.chromium.close()
    print(f"{checks.count} checks, {len(checks.failures)} failures")
    return 1 if checks.failures else 0


def run(checks, browser, server, network, options):
    pages = lists.many_commits(checks, browser, server, network)
    if not options.quick:
        lists.long_list(checks, browser)
    looks.messages(checks, browser, "while servers start", allowed=ENDING)
    lists.choices(checks, browser, network, server)
    looks.messages(checks, browser, "while nothing breaks")
    stalled = None if options.quick else breaks.Stalled(browser, server)
    if not options.quick:
        breaks.reloads(checks, pages, server)
    breaks.connections(checks, pages, server, network, cuts=1 if options.quick else 3)
    breaks.asleep(checks, browser, pages, server)
    breaks.client(checks, pages[0])
    inspector.parts(checks, pages[0])
    breaks.killed(checks, pages, server, options.quick)
    breaks.two_servers(checks, browser, pages, server, options.quick)
    for page in pages:
        browser.close(page)
    looks.messages(checks, browser, "while connections break", allowed=ENDING)
    looks.motion(checks, browser, server)
    uses.keys(checks, browser, server)
    uses.panel(checks, browser, server)
    looks.narrow(checks, browser, server)
    looks.barriers(checks, browser, server, options.quick)
    if options.shots:
        looks.shots(browser, server, options.shots)
    if stalled:
        stalled.check(checks)
    looks.messages(checks, browser, "at the end", allowed=("status of 422", "net::ERR_FAILED"))


if __name__ == "__main__":
    sys.exit(main())
