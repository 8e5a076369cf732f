"""The server that the checks run on, and the network between it and a page."""

import asyncio
import os
import shutil
import socket
import sys
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "Clients"))
import truth  # noqa: E402
from server import Board, many_days  # noqa: E402, F401


def until(condition, limit=120.0):
    """Returns the first true value of a condition, or its last one when the limit has passed.

    The limit is that of a page that hangs; a slow machine needs some of it.
    """
    end = time.monotonic() + limit
    while not (value := condition()) and time.monotonic() < end:
        time.sleep(0.03)
    return value


class Server(Board):
    """A WebBoard. One beside another has the same store."""

    def __init__(self, *options, beside=None):
        super().__init__(os.environ.get("WEBBOARD") or str(HERE.parents[1] / ".build/debug/WebBoard"), *options)
        if beside:
            shutil.rmtree(self.folder)
            self.folder = beside.folder

    @property
    def store(self):
        return self.folder / "store.sqlite"

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def run(self, speed=0, fresh=False, end=None):
        """Starts it. With an end such as "12:00" the board stands still then, however late a check stops the server."""
        options = ["--speed", str(speed), *(["--fresh"] if fresh else []), *(["--until", end] if end else [])]
        return self.start(*options)

    def moves_until(self, goal, limit=120.0):
        """Waits until a condition of the store's board holds, however long that takes while the board moves.

        Only a board that hasn't moved for the limit will not come there; a slow machine needs minutes for a day.
        """
        last, since = None, time.monotonic()
        while not goal():
            now = truth.playhead(self.store)
            if now != last:
                last, since = now, time.monotonic()
            elif time.monotonic() - since > limit:
                raise SystemExit(f"the board stands still at tick {now[0]}: {self.errors()}")
            time.sleep(0.03)


class Network:
    """A TCP proxy that can cut, stall, slow down and refuse the connections of a page.

    A page keeps its address whatever happens to the server, as behind a real network.
    """

    def __init__(self, server):
        self.server = server
        self.down = False
        self.piece, self.delay = 65536, 0.0
        self.links = set()
        self.loop = asyncio.new_event_loop()
        listens = threading.Event()
        threading.Thread(target=self.run, args=(listens,), daemon=True).start()
        listens.wait()

    def run(self, listens):
        asyncio.set_event_loop(self.loop)
        place = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{place.getsockname()[1]}/"
        self.loop.run_until_complete(asyncio.start_server(self.serve, sock=place))
        listens.set()
        self.loop.run_forever()

    async def serve(self, reader, writer):
        try:
            if self.down:
                raise OSError("the network is down")
            upstream = await asyncio.open_connection("127.0.0.1", self.server.port)
        except OSError:
            writer.transport.abort()
            return
        link = Link(self, (reader, writer), upstream)
        self.links.add(link)
        await link.run()
        self.links.discard(link)

    def do(self, action):
        """Does something on the proxy's thread, and waits for it."""
        async def work():
            return action()
        return asyncio.run_coroutine_threadsafe(work(), self.loop).result(60)

    def cut(self):
        """Ends all connections; returns their number."""
        return self.do(lambda: len([link.abort() for link in list(self.links)]))

    def stall(self):
        """Keeps the event streams open but passes nothing on, ever; returns their number.

        The rest of a page's connections are left alone, since a browser reuses them.
        """
        def work():
            streams = [link for link in self.links if link.is_stream]
            for link in streams:
                link.is_stalled = True
            return len(streams)
        return self.do(work)


class Link:
    """One connection through the network."""

    def __init__(self, network, client, server):
        self.network, self.client, self.server = network, client, server
        self.is_stream = self.is_stalled = False

    async def run(self):
        ways = [self.pass_on(self.client[0], self.server[1], True), self.pass_on(self.server[0], self.client[1], False)]
        tasks = [asyncio.ensure_future(way) for way in ways]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        # Of a stalled connection nobody hears that it has ended.
        while self.is_stalled:
            await asyncio.sleep(1)
        self.abort()

    async def pass_on(self, reader, writer, is_request):
        try:
            while data := await reader.read(self.network.piece):
                if is_request and data[:4] == b"GET ":
                    self.is_stream = data.startswith((b"GET /board?", b"GET /flight?"))
                if self.network.delay and not is_request:
                    await asyncio.sleep(self.network.delay)
                while self.is_stalled:
                    await asyncio.sleep(1)
                writer.write(data)
                await writer.drain()
        except OSError:
            pass

    def abort(self):
        self.is_stalled = False
        for _, writer in (self.client, self.server):
            writer.transport.abort()
