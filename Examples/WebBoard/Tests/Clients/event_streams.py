"""Follows WebBoard's event streams with a client that knows only the guide "Feeds" and the standard of events.

    event_streams.py [BINARY] [--time SECONDS] [--seed N]

Clients follow boards and flights while the board replays a day. They break off anywhere, resume with the header or with
the parameter, sometimes with a wrong id, and the server is killed and started again. After each page they compare the
check sum. In the end all lists are those of a new client.
"""

import copy
import json
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from server import LOST, Board, Checks, address, arguments, many_days

MULTIPLIER = 6364136223846793005


class Wrong(Exception):
    """A stream that isn't as the guide says."""


class EventParser:
    """The parser of the HTML standard, section 9.2.6: bytes become events (type, data, id)."""

    def __init__(self):
        self.rest, self.data, self.kind, self.last_id, self.retry = b"", [], "", "", None

    def feed(self, piece):
        *lines, self.rest = (self.rest + piece).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for line in lines:
            event = self.line(line.decode())  # Strictly: the server sends UTF-8 only.
            if event:
                yield event

    def line(self, line):
        if line == "":
            event = (self.kind or "message", "\n".join(self.data), self.last_id) if self.data else None
            self.data, self.kind = [], ""
            return event
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self.kind = value
        elif name == "data":
            self.data.append(value)
        elif name == "id" and "\0" not in value:
            self.last_id = value
        elif name == "retry" and value.isascii() and value.isdigit():
            self.retry = int(value)
        elif name not in ("", "id", "retry"):
            raise Wrong(f"a field that no client knows: {line[:80]!r}")


class FeedList:
    """A list, and the rules by which a page leads from one version to another."""

    def __init__(self):
        self.sections, self.cursor = [], None

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
                raise Wrong(f"a page after {page['after']} for a list at {self.cursor}")
            self.change(page["changes"], page["sections"], page["rows"])
        elif page["kind"] != "unchanged" or set(page) != {"kind", "cursor"}:
            raise Wrong(f"a page of kind {page['kind']} with {sorted(page)}")
        self.cursor = page["cursor"]
        if self.sum() != self.cursor[-16:]:
            raise Wrong(f"another check sum after {page['kind']}")

    def change(self, changes, heads, rows):
        def key(path):
            return path["section"], path["row"]

        sections, heads = self.sections, {head["position"]: head for head in heads}
        rows = {key(row["path"]): {"hash": row["hash"], "content": row["content"]} for row in rows}
        for update in changes["updates"]:
            section, row = key(update["old"])
            sections[section]["rows"][row] = rows[key(update["new"])]
        for update in changes["updatedSections"]:
            sections[update["old"]] = self.head(heads[update["new"]], sections[update["old"]]["rows"])
        gone = [key(path) for path in changes["deletes"]] + [key(move["old"]) for move in changes["moves"]]
        for section, row in sorted(gone, reverse=True):
            del sections[section]["rows"][row]
        arriving = {position: [] for position in changes["insertedSections"]}
        arriving |= {move["new"]: sections[move["old"]]["rows"] for move in changes["movedSections"]}
        left = changes["deletedSections"] + [move["old"] for move in changes["movedSections"]]
        for position in sorted(left, reverse=True):
            if position in changes["deletedSections"] and sections[position]["rows"]:
                raise Wrong("a section is deleted with rows in it")
            del sections[position]
        for position in sorted(arriving):
            sections.insert(position, self.head(heads[position], arriving[position]))
        for section, row in sorted(map(key, changes["inserts"] + [move["new"] for move in changes["moves"]])):
            if row > len(sections[section]["rows"]):
                raise Wrong("a row is inserted beyond the end")
            sections[section]["rows"].insert(row, rows[section, row])

    @staticmethod
    def head(head, rows):
        return {name: value for name, value in head.items() if name != "position"} | {"rows": rows}


class Client:
    """A page that follows a stream. The id of its last event and its lists are kept together."""

    def __init__(self, board, path, parameters, chance=None):
        self.board, self.path, self.parameters = board, path, parameters
        self.chance = chance or random.Random(0)
        self.lists, self.last_id = {}, None
        self.counts = {"resets": 0, "changes": 0, "unchanged": 0, "breaks": 0}

    @property
    def names(self):
        return {"flight"} if self.path == "/flight" else {"flights", "clock", "stages", "total"}

    def connect(self, connection):
        parameters, headers = dict(self.parameters), {"accept": "text/event-stream"}
        if self.last_id is not None:
            if self.chance.random() < 0.5:
                headers["last-event-id"] = self.last_id
                if self.chance.random() < 0.5:
                    parameters["after"] = "an-older-id"  # The header is newer than the address.
            else:
                parameters["after"] = self.last_id
        connection.request("GET", address(self.path, parameters), headers=headers)
        response = connection.getresponse()
        if response.status != 200 or response.headers["content-type"] != "text/event-stream":
            raise Wrong(f"{response.status} {response.read()[:200]}")
        return response

    def follow(self, limit, breaks=False):
        """Follows for a time, and may break off in the middle of an event."""
        parser, connection = EventParser(), self.board.connection()
        try:
            response = self.connect(connection)
            response.fp.raw._sock.settimeout(1)
            end = time.monotonic() + limit
            while time.monotonic() < end:
                if breaks and self.chance.random() < 0.04:
                    self.counts["breaks"] += 1
                    return
                try:
                    piece = response.read1(self.chance.choice([7, 1000, 65536]))
                except TimeoutError:
                    return  # Nothing is new.
                if not piece:
                    return
                for event in parser.feed(piece):
                    self.take(*event)
        finally:
            connection.close()

    def take(self, name, data, last_id):
        if name == "alive":
            return
        if name not in self.names or not last_id:
            raise Wrong(f"an event {name!r} with the id {last_id!r}")
        page = json.loads(data)
        self.lists.setdefault(name, FeedList()).apply(page)
        self.counts[page["kind"] + ("s" if page["kind"] == "reset" else "")] += 1
        self.last_id = last_id
        if page["cursor"] not in last_id.split(","):
            raise Wrong(f"the id {last_id} without the page's cursor {page['cursor']}")

    def be_wrong(self):
        """Resumes with an id that isn't of its lists; they have to be the server's all the same."""
        parts = (self.last_id or "").split(",")
        number = self.chance.randrange(len(parts))
        broken = [*parts[:number], parts[number][:-16] + f"{self.chance.randrange(2**64):016x}", *parts[number + 1:]]
        self.last_id = self.chance.choice(
            ["x", "", ",,,", ",".join(broken), ",".join(parts[::-1]), "0" * 5000, "%00", "-1--1-", "é,\"<,',;"])

    def content(self):
        return {name: kept.sections for name, kept in self.lists.items()}


def boards(chance):
    """Lists of all kinds: whole ones, windows and searches."""
    yield "/flight", {"id": "1"}
    for id in chance.sample(range(2, 900), 3):
        yield "/flight", {"id": str(id)}
    for by in ["status", "origin", "carrier"]:
        yield "/board", {"by": by}
    yield "/board", {}
    yield "/board", {"by": "carrier", "search": chance.choice(["united", "BOS", "boeing jfk", "é", "%_'\"<>&\\"])}
    yield "/board", {"by": "status", "from": "0", "rows": "20"}
    yield "/board", {"by": chance.choice(["origin", "carrier"]), "from": "15", "rows": "7", "search": "jfk"}
    yield "/board", {"from": "100000000", "rows": "500"}


def chaos_client(client, stop, faults):
    while not stop.is_set():
        try:
            before = copy.deepcopy((client.lists, client.last_id)) if client.chance.random() < 0.2 else None
            client.follow(client.chance.uniform(0.05, 2), breaks=True)
            if before:
                # As a browser's tab that is restored: the lists and the id of an earlier moment.
                client.lists, client.last_id = before
            if client.chance.random() < 0.1:
                client.be_wrong()
        except (Wrong, TimeoutError, KeyError, IndexError, ValueError) as error:
            faults.append(f"{client.path} {client.parameters}: {error!r}")
            client.lists, client.last_id = {}, None
        except LOST:
            time.sleep(0.02)


def chaos(checks, binary, limit, seed, days=0):
    chance, stop, faults = random.Random(seed), threading.Event(), []
    with Board(binary) as board:
        if days:
            many_days(board.folder, days)
            board.options += ["--year", "--data", str(board.folder)]
        board.start("--speed", "600")
        kinds = [kind for kind in boards(chance) if not days or "rows" in kind[1] or kind[0] == "/flight"]
        clients = [Client(board, *kind, random.Random(f"{seed} {number}")) for number, kind in enumerate(kinds)]
        threads = [
            threading.Thread(target=chaos_client, args=(client, stop, faults), daemon=True) for client in clients]
        for thread in threads:
            thread.start()
        trouble(board, chance, time.monotonic() + limit, days)
        stop.set()
        board.restart("--speed", "0")
        for thread in threads:
            thread.join(150)  # A request has 120 s.
        checks.check("every page leads to the list of its check sum", not faults, f"{len(faults)}, first {faults[:2]}")
        fresh = [Client(board, client.path, client.parameters) for client in clients]
        catch_up(fresh + clients)
        for client, new in zip(clients, fresh):
            # A busy machine may send nothing for a second, which a client takes for the end.
            for _ in range(20):
                if is_same(client, new):
                    break
                catch_up([client, new])
            checks.check(f"{client.path} {client.parameters} {client.counts} has the lists of a new client",
                is_same(client, new), [name for name in client.names if client.content().get(name) != new.content().get(name)])
        resume_at_rest(checks, board, clients)
        checks.check("the server never ended without being killed", not board.faults, (board.faults, board.errors()))


def is_same(client, new):
    """Whether a client has all lists, and those of a new one."""
    return client.content() == new.content() and set(new.lists) == client.names


def catch_up(clients):
    """Lets all follow until nothing is new."""
    with ThreadPoolExecutor(len(clients)) as pool:
        list(pool.map(lambda client: client.follow(5), clients))


def trouble(board, chance, end, days):
    while time.monotonic() < end:
        time.sleep(chance.uniform(0.3, 2.5))
        speed = str(chance.choice([60, 600]))
        match chance.randrange(6):
            case 0: board.restart("--speed", speed)
            case 1: board.restart("--speed", speed, *([] if days else ["--fresh"]))
            case 2 | 3 if not days: board.begin_day_again()
            case _: board.rename(chance.choice(["UA", "DL", "B6"]), chance.choice(["One", "Two\n\"", "<b>Drei</b> é"]))


def resume_at_rest(checks, board, clients):
    """A page that has everything gets nothing again, also from a server that has been started again."""
    for when in ["that went on", "that was started again"]:
        if when == "that was started again":
            board.restart("--speed", "0")
        before = [client.counts["resets"] for client in clients]
        catch_up(clients)
        again = [
            f"{client.path} {client.parameters}" for client, count in zip(clients, before)
            if client.counts["resets"] != count]
        checks.check(f"nobody gets a whole list again from a server {when}", not again, again)


def rules(checks, binary):
    with Board(binary, "--speed", "0") as board:
        board.start()
        for name, path, parameters in [
            ("an unknown grouping", "/board", {"by": "x"}), ("a long search", "/board", {"search": "x" * 101}),
            ("from without rows", "/board", {"from": "1"}), ("rows=0", "/board", {"rows": "0"}),
            ("rows=501", "/board", {"rows": "501"}), ("rows=1e2", "/board", {"rows": "1e2"}),
            ("from=-1", "/board", {"rows": "1", "from": "-1"}), ("no id", "/flight", {}),
            ("id=x", "/flight", {"id": "x"}),
            ("a huge id", "/flight", {"id": "9" * 30}),
        ]:
            answer = board.get(path, parameters)
            is_refused = answer.status == 400 and answer.json["error"]["message"]
            checks.check(f"{name}: 400 with a sentence", is_refused, answer)
        sign = b"event: alive\ndata: 0\n\n"
        # The first one follows the list. A page waits for 45 s.
        for _ in range(3):
            data, _ = board.raw(
                b"GET /board HTTP/1.1\r\nhost: localhost\r\n\r\n", 40, enough=lambda data: data.count(sign) > 1)
            if data.count(sign) > 1:
                break
        checks.check("a silent stream has events as signs of life", data.count(sign) > 1, data[-99:])
        checks.check("a stream says when to come back", b"retry: 1000\n\n" in data)
        checks.check("streams aren't kept by proxies", b"x-accel-buffering: no" in data and b"no-transform" in data)


if __name__ == "__main__":
    chosen, checks = arguments(30), Checks()
    tests = [("chaos", chaos, chosen.time, chosen.seed), ("a year", chaos, chosen.time, chosen.seed + 1, 12)]
    tests.append(("rules", rules))
    threads = [
        threading.Thread(target=checks.guard, args=(name, test, chosen.binary, *rest)) for name, test, *rest in tests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    checks.end()
