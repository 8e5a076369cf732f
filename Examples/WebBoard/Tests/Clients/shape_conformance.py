"""Follows WebBoard's shapes as a client of Electric's protocol does, and checks every answer by its rules.

    shape_conformance.py [BINARY] [--time SECONDS] [--seed N]

Clients follow by long polling and by events while the board replays a day. They break off anywhere and go on, and the
server is killed and started again. In the end all have what a client has that begins.
"""

import json
import random
import re
import threading
import time

from server import LOST, Board, Checks, address, arguments, many_days

OFFSET = re.compile(r"\d+_\d+")
ID = "id"  # The key column of both shapes.


class Broken(Exception):
    """An answer that isn't of the protocol."""


def need(holds, *what):
    if not holds:
        raise Broken(" ".join(str(part) for part in what)[:500])


class Shape:
    """The rows of a client, and the rules for the messages that change them."""

    def __init__(self):
        self.rows = {}
        self.seen = set()  # The txids of changes.
        self.visible = 0  # All transactions before this number are confirmed.

    def copy(self):
        other = Shape()
        other.rows, other.seen, other.visible = dict(self.rows), set(self.seen), self.visible
        return other

    def confirms(self, txid):
        return txid in self.seen or txid < self.visible

    def apply(self, messages):
        """Applies a batch; returns the place that its end names, or None if it doesn't end up to date."""
        need(isinstance(messages, list), "not an array", messages)
        txids, ends, changes, place = set(), 0, 0, None
        for message in messages:
            need(isinstance(message, dict) and isinstance(message.get("headers"), dict), "no headers", message)
            need(place is None, "a message after up-to-date", message)
            control = message["headers"].get("control")
            if control is None:
                need(not ends, "a change after snapshot-end", message)
                txids |= self.change(message)
                changes += 1
            elif control == "snapshot-end":
                ends += 1
                self.end_snapshot(message["headers"], txids)
            else:
                need(control == "up-to-date", "unknown control", message)
                place = message["headers"].get("global_last_seen_lsn")
                need(isinstance(place, str) and place.isdigit(), "an lsn that isn't a number", message)
        # A batch without changes may have one, too: a version without a difference has come.
        need(ends == 1 if changes and place else ends <= (1 if place else 0), ends, "snapshot-ends", changes, "changes")
        self.seen |= txids
        return place

    def change(self, message):
        key, value, headers = message.get("key"), message.get("value"), message["headers"]
        need(isinstance(key, str) and isinstance(value, dict), "no key or value", message)
        need(str(value.get(ID)) == key, "the value lacks the key column", message)
        txids = headers.get("txids")
        need(isinstance(txids, list) and txids and all(type(txid) is int for txid in txids), "txids", message)
        operation = headers.get("operation")
        need(operation in ("insert", "update", "delete"), "unknown operation", message)
        need((key in self.rows) == (operation != "insert"), operation, "of a row", key in self.rows, message)
        if operation == "delete":
            del self.rows[key]
        elif operation == "insert":
            self.rows[key] = value
        else:
            old = self.rows[key]
            different = [name for name in value if name != ID and (name not in old or old[name] != value[name])]
            need(len(different) == len(value) - 1 > 0, "an update with what is not different", message, old)
            self.rows[key] = {**old, **value}
        return set(txids)

    def end_snapshot(self, headers, txids):
        xmin, xmax = headers.get("xmin"), headers.get("xmax")
        need(isinstance(xmin, str) and xmin.isdigit() and isinstance(xmax, str) and xmax.isdigit(), "xmin", headers)
        need(headers.get("xip_list") == [] and xmin == xmax, "transactions in progress", headers)
        need(all(txid < int(xmin) for txid in txids), "a change of a transaction that isn't visible", headers)
        need(int(xmin) >= self.visible, "a snapshot before the last one", headers)
        self.visible = int(xmin)


class Client:
    """A client as the protocol describes it. `answer` and `events` make one request and apply what comes."""

    refused = set()  # All handles of answers 409, of all clients.
    wrong_headers = set()  # Those that were missing or wrong anywhere; the clients here go on without.
    places = {}  # The rows at each place, of all clients: the same place has the same rows.
    lock = threading.Lock()

    def __init__(self, board, path, chance=None):
        self.board, self.path, self.chance = board, path, chance or random.Random(0)
        self.counts = {"batches": 0, "refetches": 0, "breaks": 0}
        self.begin(None)

    def begin(self, handle):
        self.shape, self.handle, self.offset, self.cursor, self.is_live = Shape(), handle, "-1", None, False

    def parameters(self, events=False):
        values = {"offset": self.offset, "table": "any"}
        if self.handle and self.offset != "-1":
            values["handle"] = self.handle
        if self.is_live:
            values["live"] = "true"
            if self.cursor:
                values["cursor"] = self.cursor
            if events:
                values |= {"live_sse": "true", "experimental_live_sse": "true"}
        # Parameters of caches, which a server may not mind.
        some = {"log": "full", "expired_handle": "17-42", "cache-buster": "x"}
        return values | {name: some[name] for name in some if self.chance.random() < 0.1}

    def break_off(self, likely=0.08):
        """Sometimes loses the connection."""
        if self.chance.random() < likely:
            self.counts["breaks"] += 1
            raise ConnectionError("broken off")

    # One request of each kind.

    def answer(self, breaks=False):
        """Makes a request and applies its answer, which may wait for news."""
        asked = self.parameters()
        connection = self.board.connection()
        try:
            connection.request("GET", address(self.path, asked))
            response = connection.getresponse()
            if breaks and self.chance.random() < 0.05:
                response.read(self.chance.randrange(2000))
                self.break_off(1)
            body = response.read()
        finally:
            connection.close()
        if breaks:
            self.break_off(0.05)  # The answer has come, and is forgotten.
        if response.status == 409:
            return self.must_refetch(response, body, asked)
        need(response.status == 200, response.status, body[:200])
        need(response.headers["content-type"] == "application/json", response.headers.items())
        messages = json.loads(body)
        is_up_to_date = bool(messages) and messages[-1].get("headers", {}).get("control") == "up-to-date"
        self.check_headers(response.headers, asked, is_up_to_date)
        shape = self.shape.copy()
        if asked["offset"] == "-1":
            kinds = {message["headers"].get("operation") for message in messages}
            need(kinds <= {"insert"} or is_up_to_date, "first rows that aren't inserts", kinds)
        place = shape.apply(messages)
        offset = response.headers["electric-offset"]
        need(place is None or offset == place + "_0", "offset and lsn", offset, place)
        need(asked.get("live") is None or place, "a live answer that doesn't end up to date")
        self.take(shape, response.headers["electric-handle"], offset, response.headers["electric-cursor"], place)
        return messages

    def check_headers(self, headers, asked, is_up_to_date):
        handle = headers["electric-handle"]
        need(handle, "no electric-handle", headers.items())
        need(handle not in self.refused or asked["offset"] == "-1", "a handle of an answer 409", handle)
        need("handle" not in asked or handle == asked["handle"], "another handle", handle, asked)
        need(OFFSET.fullmatch(headers["electric-offset"] or ""), "electric-offset", headers["electric-offset"])
        is_live = "live" in asked
        need(is_live or isinstance(json.loads(headers["electric-schema"] or "null"), dict), "no electric-schema")
        need(not is_live or headers["electric-cursor"], "no electric-cursor", asked)
        if (headers["electric-up-to-date"] is not None) != is_up_to_date:
            self.wrong_headers.add("electric-up-to-date of an answer")
        need(headers["cache-control"] == "no-store", headers["cache-control"])

    def must_refetch(self, response, body, asked):
        handle = response.headers["electric-handle"]
        need(handle and handle != asked.get("handle"), "409 without a new handle", response.headers.items())
        need(json.loads(body) == [{"headers": {"control": "must-refetch"}}], body)
        with self.lock:
            need(handle not in self.refused, "a handle that was used before", handle)
            self.refused.add(handle)
        self.counts["refetches"] += 1
        self.begin(handle)
        return None

    def events(self, limit, breaks=False, batches=None):
        """Follows by events for a time, or until a number of batches; each batch ends up to date."""
        asked, end, seen = self.parameters(events=True), time.monotonic() + limit, 0
        connection = self.board.connection()
        try:
            connection.request("GET", address(self.path, asked), headers={"accept": "text/event-stream"})
            response = connection.getresponse()
            if response.status == 409:
                return self.must_refetch(response, response.read(), asked)
            need(response.status == 200, response.status)
            # A stream may be silent: that is no failure, unless a batch has to come.
            response.fp.raw._sock.settimeout(3 if batches is None else limit)
            self.check_event_headers(response.headers, asked)
            pending, batch = b"", []
            while time.monotonic() < end and (batches is None or seen < batches):
                if breaks:
                    self.break_off(0.03)
                try:
                    piece = response.read1(self.chance.choice([10, 1000, 65536]))
                except TimeoutError:
                    return
                if not piece:
                    return
                *lines, pending = (pending + piece).split(b"\n")
                for line in lines:
                    seen += self.take_line(line, batch)
        finally:
            connection.close()

    def check_event_headers(self, headers, asked):
        need(headers["content-type"] == "text/event-stream", headers["content-type"])
        # The client stops for good without these, also for events. It takes the offset at once, so that has to be
        # the one that it has asked with.
        for name, value in [("handle", asked["handle"]), ("offset", asked["offset"]), ("cursor", None)]:
            if not headers[f"electric-{name}"] or value and headers[f"electric-{name}"] != value:
                self.wrong_headers.add(f"electric-{name} of events")

    def take_line(self, line, batch):
        """Takes a line of a stream; returns 1 if it ends a batch."""
        if not line or line.startswith(b":"):
            return 0
        need(line.startswith(b"data: "), "a line that isn't data", line[:100])
        batch.append(json.loads(line[6:]))
        if batch[-1].get("headers", {}).get("control") != "up-to-date":
            return 0
        shape = self.shape.copy()
        place = shape.apply(batch)
        batch.clear()
        self.take(shape, self.handle, place + "_0", self.cursor, place)
        return 1

    def take(self, shape, handle, offset, cursor, place):
        self.shape, self.handle, self.offset, self.cursor = shape, handle, offset, cursor or self.cursor
        self.is_live = place is not None
        self.counts["batches"] += 1
        if not self.is_live:
            return
        rows = hash(json.dumps(shape.rows, sort_keys=True))
        with self.lock:
            known = self.places.setdefault((self.path, offset), rows)
        need(known == rows, "two clients with other rows at the same place", offset)


# Clients that break off, and a server that is killed.


def follow(client, by_events, stop, faults):
    while not stop.is_set():
        try:
            if client.chance.random() < 0.02:
                # A handle of another time, as after a restart.
                client.handle = client.chance.choice(["x", "0" * 16 + "-" + "1" * 16, client.handle or "1-2"])
            if by_events and client.is_live:
                client.events(client.chance.uniform(0.1, 3), breaks=True)
            else:
                client.answer(breaks=True)
        except (Broken, TimeoutError, ValueError) as error:
            faults.append(f"{client.path} {'events' if by_events else 'long poll'}: {error!r}")
            client.begin(None)
        except LOST:
            time.sleep(0.02)


def trouble(board, chance, end):
    """Does to the server what happens to servers, until the time is over."""
    while time.monotonic() < end:
        time.sleep(chance.uniform(0.3, 2.5))
        speed = str(chance.choice([60, 600]))
        match chance.randrange(6):
            case 0: board.restart("--speed", speed)
            case 1: board.restart("--speed", speed, "--fresh")
            case 2 | 3: board.begin_day_again()
            case _: board.rename(chance.choice(["UA", "DL", "B6"]), chance.choice(["One", "Two", "Three"]))


def settle(client):
    """Catches up without waiting for news."""
    for _ in range(10):
        before, client.is_live = client.offset, False
        client.answer()
        if client.is_live and client.offset == before:
            return client.shape.rows
    raise Broken("no end of news")


def come_to_rest(board, at_least, limit=300):
    """Begins the day, and stops it while flights are on the board: one that has just begun may have none.

    However late this is, the board stands still at noon. One whose day is over has few flights, and begins the next
    day only after 20 s, which no server here lives for.
    """
    end, begins = time.monotonic() + limit, ["--fresh"]
    while True:
        board.restart("--speed", "600", "--until", "12:00", *begins)
        time.sleep(0.5)
        board.restart("--speed", "0")
        rows, begins = settle(Client(board, "/shapes/flights")), []
        if len(rows) >= at_least:
            return
        if time.monotonic() > end:
            raise Broken(f"{len(rows)} flights, and not {at_least}: {board.errors()}")


def chaos(checks, binary, limit, seed):
    chance, stop, faults = random.Random(seed), threading.Event(), []
    with Board(binary) as board:
        board.start("--speed", "600")
        kinds = [("/shapes/flights", False)] * 3 + [("/shapes/flights", True)] * 3
        kinds += [("/shapes/airlines", False), ("/shapes/airlines", True)]
        clients = [Client(board, path, random.Random(f"{seed} {number}")) for number, (path, _) in enumerate(kinds)]
        threads = [
            threading.Thread(target=follow, args=(client, by_events, stop, faults), daemon=True)
            for client, (_, by_events) in zip(clients, kinds)]
        for thread in threads:
            thread.start()
        trouble(board, chance, time.monotonic() + limit)
        stop.set()
        come_to_rest(board, 1)
        for thread in threads:
            thread.join(150)  # A request has 120 s.
        checks.check("all clients end", not any(thread.is_alive() for thread in threads))
        checks.check("every answer is of the protocol", not faults, f"{len(faults)} times, first {faults[:2]}")
        for number, (client, (path, by_events)) in enumerate(zip(clients, kinds)):
            fresh = settle(Client(board, path))
            name = f"client {number} of {path} by {'events' if by_events else 'long poll'} {client.counts}"
            rows = settle(client)
            checks.check(f"{name} has the rows of a new one", rows == fresh and fresh, f"{len(rows)} of {len(fresh)}")
        checks.check("the server never ended without being killed", not board.faults, (board.faults, board.errors()))


# The rules, one by one, on a board at rest.


def rules(checks, binary):
    with Board(binary, "--speed", "60", "--allow-origin", "https://example.org") as board:
        board.start("--fresh")
        come_to_rest(board, 11)
        waits = [
            threading.Thread(target=checks.guard, args=(test.__name__, test, board))
            for test in [held_poll, sign_of_life]]
        for wait in waits:
            wait.start()
        for test in [beginning, refusals, confirmations]:
            checks.guard(test.__name__, test, board)
        for wait in waits:
            wait.join()


def beginning(checks, board):
    first = board.get("/shapes/flights", {"offset": "-1"})
    second = board.get("/shapes/flights", {"offset": "-1"})
    handles = [first.headers["electric-handle"], second.headers["electric-handle"]]
    checks.check("the first answers are the same rows", first.body == second.body and len(first.json) > 10)
    checks.check("each client has its own handle", handles[0] != handles[1], handles)
    now = board.get("/shapes/flights", {"offset": "now"})
    kinds = {message["headers"]["control"] for message in now.json}
    checks.check("offset=now gives no rows, and is up to date", kinds <= {"snapshot-end", "up-to-date"} and
        now.headers["electric-offset"] == now.json[-1]["headers"]["global_last_seen_lsn"] + "_0", now)
    exposed = (first.headers["access-control-expose-headers"] or "").split(",")
    checks.check("an allowed origin may read the headers", first.headers["access-control-allow-origin"] ==
        "https://example.org" and {"electric-handle", "electric-offset", "electric-cursor"} <= set(exposed), exposed)


def refusals(checks, board):
    path, client = "/shapes/flights", Client(board, "/shapes/flights")
    settle(client)
    good = {"offset": client.offset, "handle": client.handle}
    other = Client(board, "/shapes/airlines")
    settle(other)
    version = int(client.offset[:-22])
    for name, status, values in [
        ("no offset", 400, {}), ("a live request that begins", 400, {"offset": "-1", "live": "true"}),
        ("an offset without a handle", 400, {"offset": client.offset}), ("where", 400, good | {"where": "id = 1"}),
        ("columns", 400, good | {"columns": "id"}), ("a subset", 400, {"offset": "-1", "subset__limit": "1"}),
        ("live=maybe", 400, good | {"live": "maybe"}), ("an unknown handle", 409, good | {"handle": "1-2"}),
        ("an empty handle", 409, good | {"handle": ""}),
        ("the handle of another shape", 409, good | {"handle": other.handle}),
        ("another sum", 409, good | {"offset": f"{version}{7:020}_0"}),
        ("a version to come", 409, good | {"offset": f"{version + 9}{7:020}_0"}),
        ("an unknown handle, live", 409, good | {"handle": "1-2", "live": "true"}),
        ("an unknown handle, events", 409, good | {"handle": "1-2", "live": "true", "live_sse": "true"}),
    ]:
        answer = board.get(path, values)
        handle = answer.headers["electric-handle"]
        is_new = status == 400 or handle and handle != values.get("handle") and b"must-refetch" in answer.body
        checks.check(f"{name}: {status}", answer.status == status and is_new, answer)


def confirmations(checks, board):
    """Commands are confirmed by the number that their answer has."""
    for by_events in [False, True]:
        kind, client = "events" if by_events else "long poll", Client(board, "/shapes/airlines")
        # A poll that nobody wakes has the news after 20 s, and a stream after 15 s. On a busy machine the best of some
        # tries counts.
        for number in range(5):
            settle(client)
            name, before, came = f"By {kind} {number}", int(client.offset[:-2]), {}

            def rename():
                time.sleep(0.3)
                came.update(board.rename("UA", name).json, at=time.monotonic())

            thread = threading.Thread(target=rename)
            thread.start()
            wait_for_news(client, by_events)
            end = time.monotonic()
            thread.join()
            late, is_seen = end - came["at"], came["version"] == came["txid"] in client.shape.seen
            if is_seen and late < 5:
                break
        checks.check(f"a command is confirmed by {kind} at once",
            is_seen and client.shape.rows["UA"]["name"] == name and late < 5, (late, came, client.shape.seen))
        checks.check(f"the place grows by {kind}", int(client.offset[:-2]) > before)
        checks.check(f"a command that changes nothing has no txid ({kind})",
            board.rename("UA", name).json == {"version": None})
        txids = [board.rename("UA", text).json["txid"] for text in ["Away", name]]
        txids.append(board.rename("DL", f"Delta {kind}").json["txid"])
        wait_for_news(client, by_events)
        checks.check(f"a net change confirms all that led to it ({kind})", set(client.shape.rows) and
            all(map(client.shape.confirms, txids)) and txids[0] not in client.shape.seen, (txids, client.shape.visible))


def wait_for_news(client, by_events):
    if by_events:
        client.events(60, batches=1)
    else:
        client.answer()


def held_poll(checks, board):
    client = Client(board, "/shapes/flights")
    settle(client)
    # The commands of the other checks change the names of airlines, which are in the rows.
    times = []
    for _ in range(20):
        start, before = time.monotonic(), client.offset
        messages = client.answer()
        if len(messages) == 1:
            times.append(time.monotonic() - start)
            if times[-1] < 40 or len(times) == 3:
                break
    checks.check("a long poll without news is held for 20 s, and only says up-to-date",
        times and 18 < min(times) < 40 and client.offset == before, (times, messages))


def sign_of_life(checks, board):
    client = Client(board, "/shapes/flights")
    settle(client)
    target = address(client.path, client.parameters(events=True))
    sign = b": keep-alive\n\n"
    # A page waits for 45 s.
    for _ in range(3):
        data, _ = board.raw(
            f"GET {target} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode(), 40, enough=lambda data: sign in data)
        if sign in data:
            break
    checks.check("a stream of events sends a comment as a sign of life", sign in data, data[-200:])


def parts(checks, binary, seed):
    """A list of 11,000 rows comes in parts, while it changes and while the server is killed."""
    chance = random.Random(seed)
    with Board(binary) as board:
        many_days(board.folder, 12)
        board.options += ["--year", "--data", str(board.folder), "--speed", "600"]
        board.start()
        client, count = Client(board, "/shapes/flights", chance), 0
        while not client.is_live:
            try:
                client.answer(breaks=True)
                count += 1
            except LOST:
                pass
        checks.check(f"{len(client.shape.rows)} rows come in {count} answers, with what came meanwhile",
            count >= 3 and len(client.shape.rows) > 11000, count)
        late = Client(board, "/shapes/flights")
        late.answer()
        board.restart("--speed", "0")
        checks.check("parts of a server that has been killed are asked for again",
            late.answer() is None and len(settle(late)) == len(settle(client)))
        checks.check("both have the rows of a new client",
            settle(late) == settle(client) == settle(Client(board, "/shapes/flights")))


if __name__ == "__main__":
    chosen, checks = arguments(30), Checks()
    tests = [(chaos, chosen.binary, chosen.time, chosen.seed), (rules, chosen.binary)]
    tests.append((parts, chosen.binary, chosen.seed))
    threads = [threading.Thread(target=checks.guard, args=(test[0].__name__, *test)) for test in tests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # The official client stops with MissingHeadersError without the three of events.
    for name in ["handle of events", "offset of events", "cursor of events", "up-to-date of an answer"]:
        header = f"electric-{name}"
        checks.check(f"{header} is as it has to be", header not in Client.wrong_headers, "missing, or wrong")
    checks.end()
