"""Starts a WebBoard for a test, measures it, and asks it for things.

The programs beside this file use it. They take the binary from their first argument or from the variable WEBBOARD.
"""

import csv
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from urllib.parse import urlencode

DAY = pathlib.Path(__file__).resolve().parents[4] / "Sources/Examples/DeparturesModel/Resources/2013-02-08"
LOST = (OSError, http.client.HTTPException)  # A connection that was cut off, or never made.


class Board:
    """A server with a store of its own. It may be killed and started again at the same port."""

    def __init__(self, binary, *options):
        self.binary = binary
        self.options = list(options)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="webboard-"))
        self.port = 0
        self.process = None
        self.faults = []  # Ends of the process that nobody asked for.

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def command(self, port, *options):
        store = str(self.folder / "store.sqlite")
        return [self.binary, "--port", str(port), "--store", store, *self.options, *options]

    def start(self, *options):
        log = open(self.folder / "errors.txt", "ab")
        self.process = subprocess.Popen(
            self.command(self.port, *options), stdout=subprocess.PIPE, stderr=log, text=True)
        log.close()
        line = self.process.stdout.readline()
        match = re.fullmatch(r"The board is at http://127\.0\.0\.1:(\d+)/ .*\n", line)
        if not match:
            raise SystemExit(f"The server didn't start: {line!r} {self.errors()}")
        self.port = int(match[1])
        return self

    def kill(self):
        """Ends the process as a loss of power would."""
        self.note_end()
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self, limit=60):
        """Ends the process politely; returns its exit code, or None if it took too long."""
        self.note_end()
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None

    def restart(self, *options):
        self.kill()
        return self.start(*options)

    def begin_day_again(self):
        """Lets a second server, on the same store, start the day over."""
        other = subprocess.Popen(
            self.command(0, "--fresh", "--speed", "0"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        started = other.stdout.readline() != ""
        other.kill()
        other.wait()
        other.stdout.close()
        return started

    def note_end(self):
        if self.process.poll() is not None:
            self.faults.append(self.process.returncode)

    @property
    def is_running(self):
        return self.process.poll() is None

    def errors(self):
        return (self.folder / "errors.txt").read_text(errors="replace")[-2000:]

    # What the system knows of the process.

    def memory(self):
        """The resident memory in MB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def cpu(self):
        """The seconds of processor time since the start."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def open_files(self):
        """How many sockets it has open. The store opens more files as it is read by more threads."""
        folder, count = f"/proc/{self.process.pid}/fd", 0
        for name in os.listdir(folder):
            try:
                count += os.readlink(f"{folder}/{name}").startswith("socket:")
            except OSError:
                pass
        return count

    # The limits are those of a server that hangs; a slow machine needs some of their time.

    def connection(self, limit=120):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=limit)

    def get(self, path, parameters=None, headers=None, limit=120):
        return self.ask("GET", address(path, parameters), None, headers, limit)

    def post(self, path, body, headers=None, limit=120):
        headers = {"content-type": "application/json", **(headers or {})}
        return self.ask("POST", path, body if isinstance(body, bytes) else json.dumps(body), headers, limit)

    def ask(self, method, target, body=None, headers=None, limit=120):
        connection = self.connection(limit)
        try:
            connection.request(method, target, body, headers or {})
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    def rename(self, airline, name):
        return self.post("/rename", {"airline": airline, "name": name})

    def raw(self, data, limit=60, most=200_000, enough=lambda answer: False):
        """Sends bytes on a new connection; returns the answer, and whether the server has closed the connection.

        It waits until the connection is closed or the time is over, or a moment longer than until it is enough.
        """
        answer, end = b"", time.monotonic() + limit
        with socket.create_connection(("127.0.0.1", self.port), timeout=limit) as stream:
            try:
                stream.sendall(data)
                while len(answer) < most and time.monotonic() < end:
                    stream.settimeout(max(0.01, end - time.monotonic()))
                    piece = stream.recv(65536)
                    if not piece:
                        return answer, True
                    answer += piece
                    if enough(answer):
                        end = min(end, time.monotonic() + 0.1)
            except TimeoutError:
                pass
            except OSError:
                return answer, True
        return answer, False


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.body[:200]!r}"


def address(path, parameters=None):
    return path + "?" + urlencode(sorted(parameters.items())) if parameters else path


class Checks:
    """Prints a line for each check, and remembers those that failed."""

    def __init__(self):
        self.lock = threading.Lock()
        self.failed = 0

    def check(self, name, holds, detail=""):
        with self.lock:
            self.failed += 0 if holds else 1
            # A detail is part of the failure, and says what came instead.
            print(f"ok      {name}" if holds else f"FAILED  {name}: {str(detail)[:400]}", flush=True)
        return bool(holds)

    def guard(self, name, test, *values):
        """Runs a test; an error that it doesn't expect is a failure."""
        try:
            test(self, *values)
        except Exception as error:
            self.check(f"{name} runs to its end", False, "".join(traceback.format_exception(error))[-390:])

    def end(self):
        print(f"{self.failed} checks failed" if self.failed else "All checks passed.")
        sys.exit(1 if self.failed else 0)


def many_days(folder, days):
    """Makes tables in which the bundled day is repeated, for lists that are longer than one answer."""
    for name in ["airlines.csv", "airports.csv", "planes.csv"]:
        shutil.copy(DAY / name, folder)
    with open(DAY / "flights.csv", newline="") as source, open(folder / "flights.csv", "w", newline="") as copy:
        rows = csv.DictReader(source)
        writer = csv.DictWriter(copy, rows.fieldnames, lineterminator="\n")
        writer.writeheader()
        flights = list(rows)
        for day in range(1, days + 1):
            for flight in flights:
                # The hour is in UTC, and may be of the next day.
                shift = int(flight["time_hour"][8:10]) - 8 + day
                hour = f"2013-02-{shift:02}{flight['time_hour'][10:]}"
                writer.writerow({**flight, "day": day, "time_hour": hour})


def arguments(default_time):
    """The binary, the seconds and the seed: [BINARY] [--time N] [--seed N]."""
    import argparse
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", nargs="?", default=os.environ.get("WEBBOARD"))
    parser.add_argument("--time", type=float, default=default_time)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    chosen = parser.parse_args()
    if not chosen.binary:
        parser.error("name the binary of WebBoard, as an argument or in WEBBOARD")
    print(f"seed {chosen.seed}, {chosen.time:g} s")
    return chosen
