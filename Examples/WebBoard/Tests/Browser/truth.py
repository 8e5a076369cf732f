"""The rows that a page has to show: by a new stream of its own, and by the store's file."""

import http.client
import json
import sqlite3
from urllib.parse import urlencode, urlsplit

LISTS = ("flights", "clock", "stages", "total")


def stream(url, **query):
    """Reads the first page of each list from a new event stream, and closes it."""
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=120)
    query = {"by": "status", "search": "", "from": 0, "rows": 400, **query}
    connection.request("GET", "/board?" + urlencode(query), headers={"Accept": "text/event-stream"})
    answer = connection.getresponse()
    if answer.status != 200:
        raise SystemExit(f"the server answers {answer.status}: {answer.read()[:200]!r}")
    pages, event, data = {}, None, []
    try:
        while set(pages) != set(LISTS):
            line = answer.readline()
            if not line:
                raise SystemExit(f"the stream has ended after {sorted(pages)}")
            field, _, value = line.decode().rstrip("\n").partition(":")
            if field == "event":
                event = value.strip()
            elif field == "data":
                data.append(value[1:])
            elif not field:
                if event in LISTS:
                    pages[event] = json.loads("\n".join(data))
                event, data = None, []
    finally:
        answer.close()
        connection.close()
    return pages


def version(pages):
    """The number of the store's commits, which is part of a cursor."""
    return int(pages["flights"]["cursor"].split("-")[1])


def read(store, question, *values):
    # Read-only: a check never changes what it looks at.
    connection = sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=120)
    try:
        return connection.execute(question, values).fetchall()
    finally:
        connection.close()


def playhead(store):
    """The tick and the board's time in minutes, or (0, 0) if there is none yet."""
    rows = read(store, 'SELECT tick, now FROM "Playhead"')
    return (rows[0][0], int(rows[0][1]) // 60) if rows else (0, 0)


def clock(store, later=0):
    """What the board's clock shows, or will show so many minutes later."""
    now, offset = read(store, 'SELECT now, clockOffset FROM "Playhead"')[0]
    minute = (int(now) // 60 + offset + later) % 1440
    return f"{minute // 60:02}:{minute % 60:02}"


ROWS = """
    SELECT flight.id, flight.stage, flight.estimated, flight.number, flight.carrier, flight.origin,
      flight.destination, coalesce(flight.aircraft, ''), airline.name, stage.title, stage."order", origin.name,
      coalesce(destination.name, ''), coalesce(aircraft.model, ''), "Playhead".clockOffset
    FROM "Departure" flight
    JOIN "Airline" airline ON airline.id = flight.carrier
    JOIN "Stage" stage ON stage.id = flight.stage
    JOIN "Airport" origin ON origin.id = flight.origin
    LEFT JOIN "Airport" destination ON destination.id = flight.destination
    LEFT JOIN "Aircraft" aircraft ON aircraft.id = flight.aircraft, "Playhead"
"""


def stored(store, by="status", search=""):
    """The board by the file alone, with its own idea of order and search: (title, [(id, status, time)])."""
    flights = []
    for row in read(store, ROWS):
        (id, stage, estimated, number, carrier, origin, destination, tail, airline, title, order, airport,
         place, model, offset) = row
        if not all(matches(word, row) for word in search.split()):
            continue
        section = {"status": (order, title), "origin": (origin, airport), "carrier": (airline, airline)}[by]
        minute = (int(estimated) // 60 + offset) % 1440
        time = f"{minute // 60:02}:{minute % 60:02}"
        flights.append(((section[0], estimated, airline, number, id), section[1], (id, stage, time)))
    sections = []
    for _, title, flight in sorted(flights):
        if not sections or sections[-1][0] != title:
            sections.append((title, []))
        sections[-1][1].append(flight)
    return sections


def matches(word, row):
    _, _, _, number, carrier, origin, destination, tail, airline, _, _, _, place, model, _ = row
    lower = word.lower()
    return (
        lower in (carrier.lower(), origin.lower(), destination.lower(), str(number)) or tail.lower().startswith(lower)
        or any(lower in text.lower() for text in (airline, place, model)))


def is_late(flight):
    def minutes(time):
        return int(time[-5:-3]) * 60 + int(time[-2:])  # With several days, the day is before it.
    return 0 < (minutes(flight["estimated"]) - minutes(flight["scheduled"])) % 1440 < 1080


def row(flight):
    """A flight's row as a reader sees it."""
    estimated = "" if flight["estimated"] == flight["scheduled"] else flight["estimated"]
    destination = flight["destination"] or flight["destinationCode"]
    status = flight["status"].capitalize()
    time = f"{estimated}, scheduled {flight['scheduled']}" if estimated else flight["scheduled"]
    name = f"{flight['carrier']} {flight['number']}"
    return {
        "id": flight["id"],
        "status": flight["status"],
        "late": is_late(flight),
        "label": f"{name} to {destination}, {status}, {time}, from {flight['origin']}, {flight['airline']}",
        "texts": {
            "scheduled": flight["scheduled"], "estimated": estimated, "carrier": flight["carrier"],
            "number": str(flight["number"]), "destination": destination, "code": flight["destinationCode"],
            "origin": flight["origin"], "airline": flight["airline"], "aircraft": flight.get("aircraft") or "",
            "tail": flight.get("tail") or "", "status": status,
        },
    }


def board(pages):
    """The whole page by the stream."""
    sections = pages["flights"]["sections"]
    clock = pages["clock"]["sections"][0]["rows"][0]["content"]
    total = pages["total"]["sections"][0]["rows"][0]["content"]["rows"]
    stages = pages["stages"]["sections"][0]["rows"]
    return {
        "clock": clock["now"],
        "count": f"{total:,} flight" + ("" if total == 1 else "s"),
        "stages": [[row["content"]["id"], f"{row['content']['flights']:,}", row["content"]["title"]] for row in stages],
        "sections": [
            {
                "title": section["title"], "identity": str(section["identity"]), "tally": f"{len(section['rows']):,}",
                "rows": [row(each["content"]) for each in section["rows"]],
            } for section in sections
        ],
    }
