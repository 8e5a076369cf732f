"""A reader of Departures' stream that knows only the guide "Feeds": it applies each line by rule D2.

    stream_client.py STATE COMMAND...

It starts the command with the cursor that it kept in the file STATE, if there is one, applies its lines, and after
each one keeps the list and prints its kind. It may be killed at any moment. At the end of the stream it prints the
check sum of its list.
"""

import json
import os
import subprocess
import sys

MULTIPLIER = 6364136223846793005


class FeedList:
    def __init__(self):
        self.sections = []
        self.cursor = None

    def sum(self):
        total = 0
        for section in self.sections:
            for part in [section] + section["rows"]:
                total = (total * MULTIPLIER + int(part["hash"], 16)) % 2**64
        return f"{total:016x}"

    def apply(self, page):
        if page["kind"] == "reset":
            self.sections = page["sections"]
        elif page["kind"] == "changes":
            if page["after"] != self.cursor:
                sys.exit("a page for another list")
            self.change(page["changes"], page["sections"], page["rows"])
        self.cursor = page["cursor"]
        if self.sum() != self.cursor[-16:]:
            sys.exit("another check sum")

    def change(self, changes, heads, rows):
        def key(path):
            return (path["section"], path["row"])

        sections = self.sections
        heads = {head["position"]: head for head in heads}
        rows = {key(row["path"]): row for row in rows}
        for update in changes["updates"]:
            section, row = key(update["old"])
            sections[section]["rows"][row] = rows[key(update["new"])]
        for update in changes["updatedSections"]:
            old = update["old"]
            sections[old] = {**heads[update["new"]], "rows": sections[old]["rows"]}
        gone = changes["deletes"] + [move["old"] for move in changes["moves"]]
        for section, row in sorted(map(key, gone), reverse=True):
            del sections[section]["rows"][row]
        arriving = {position: [] for position in changes["insertedSections"]}
        for move in changes["movedSections"]:
            arriving[move["new"]] = sections[move["old"]]["rows"]
        left = changes["deletedSections"] + [move["old"] for move in changes["movedSections"]]
        for position in sorted(left, reverse=True):
            del sections[position]
        for position in sorted(arriving):
            sections.insert(position, {**heads[position], "rows": arriving[position]})
        come = changes["inserts"] + [move["new"] for move in changes["moves"]]
        for section, row in sorted(map(key, come)):
            sections[section]["rows"].insert(row, rows[(section, row)])


def main():
    state, command = sys.argv[1], sys.argv[2:]
    feed = FeedList()
    if os.path.exists(state):
        with open(state) as file:
            feed.cursor, feed.sections = json.load(file)
        command += ["--after", feed.cursor[:-16] + feed.sum()]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    for line in process.stdout:
        page = json.loads(line)
        feed.apply(page)
        # A file that is half written would be worse than an old one.
        with open(state + ".new", "w") as file:
            json.dump([feed.cursor, feed.sections], file)
        os.replace(state + ".new", state)
        print(page["kind"], flush=True)
        if page.get("end"):
            print("sum", feed.sum(), flush=True)
            sys.exit(process.wait())
    sys.exit("the stream ended in the middle")


main()
