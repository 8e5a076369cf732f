import EntityStore
import FetchedObjects
import Foundation
import Inspector
import WebFeeds

/// What clients in browsers cost.
extension BenchmarkSuite {
  static let feeds = BenchmarkSuite {
    Benchmark(
      "Feeds/page/1000-clients-same-place", size: 1000, unit: .microseconds, aim: 1.2,
      knownMiss: KnownMiss(
        1.4, "each client costs three pieces, 1.4 µs in all, beside a page of 4 ms"),
      measured: .timed("1,000 clients") { try pages(for: 1000) },
      baseline: .timed("one client") { try pages(for: 1) })
    Benchmark(
      "Feeds/shape-live/100000", unit: .microseconds, aim: 5,
      knownMiss: KnownMiss(
        12,
        "two fifths are the check sum (the row's hash, the nodes above it), a fifth the message, and a fifth the release of the last list"
      ),
      measured: .timed {
        let store = try Store.items(100_000)
        let shape = ShapeFeed(of: try FetchedObjectsModel(byName, in: store))
        var parameters = try upToDate(shape)
        var turn = 0
        return { stopwatch in
          for _ in 0..<100 {
            try store.count(turn, of: 100_000)
            turn &+= 1
            let answer = try stopwatch.measure { try Self.answer(shape, parameters) }
            parameters["offset"] = answer["electric-offset"]
            blackHole(answer.body.count)
          }
        }
      },
      baseline: .loop("encoding one row") {
        let encoder = JSONEncoder()
        let rows = Item.many(1000).map(Row.init)
        var turn = 0
        return { iterations in
          for _ in 0..<iterations {
            blackHole(try encoder.encode(rows[turn % 1000]))
            turn &+= 1
          }
        }
      })
    Benchmark(
      "Feeds/resume/100000", unit: .microseconds, aim: 3,
      measured: .timed("1,000 commits behind") {
        let store = try Store.items(100_000)
        let shape = ShapeFeed(of: try FetchedObjectsModel(byName, in: store), keeping: 100_000)
        let parameters = try upToDate(shape)
        for turn in 0..<1000 { try store.count(turn, of: 100_000) }
        var turn = 0
        return { stopwatch in
          // The answer is made again, since the list has changed.
          try store.count(turn % 1000, of: 100_000)
          turn &+= 1
          blackHole(try stopwatch.measure { try Self.answer(shape, parameters) }.body.count)
        }
      },
      baseline: .timed("the net change by hand") {
        let items = Item.many(100_000)
        // What each of the commits changed.
        let kept = (0..<1000).map { [items[$0 &* 7919 % 100_000]] }
        let encoder = JSONEncoder()
        return { stopwatch in
          let data = try stopwatch.measure {
            var last: [Int: Item] = [:]
            for commit in kept { for item in commit { last[item.id] = item } }
            return try encoder.encode(last.values.map(Row.init))
          }
          blackHole(data.count)
        }
      })
    Benchmark(
      "Feeds/inspector-off/1", aim: 1.02,
      measured: .loop("inspected before") {
        let store = try Store.items(10_000)
        // It is released at once.
        blackHole(Inspector(store, inRelease: true) != nil)
        return commits(store)
      },
      baseline: .loop("never inspected") { commits(try Store.items(10_000)) })
  }

  private static func answer(
    _ shape: ShapeFeed, _ parameters: [String: String]
  ) throws -> WebAnswer {
    guard case .answer(let answer) = shape.reply(to: parameters), answer.status == 200 else {
      throw BenchmarkError.wrong("The shape has no news")
    }
    return answer
  }

  /// Returns what a client asks with that has all rows.
  private static func upToDate(_ shape: ShapeFeed) throws -> [String: String] {
    var parameters = ["offset": "-1"]
    while true {
      let answer = try answer(shape, parameters)
      parameters["offset"] = answer["electric-offset"]
      parameters["handle"] = answer["electric-handle"]
      if answer["electric-up-to-date"] != nil { break }
    }
    parameters["live"] = "true"
    return parameters
  }
}

private let byName = Query<Item>().sorted { [$0.name.ascending] }

/// A row as an app encodes it.
private struct Row: Encodable {
  var id: Int
  var name: String
  var number: Int

  init(_ item: Item) { (id, name, number) = (item.id, item.name, item.number) }
}

/// Commits of 1,000 objects, after each of which clients of one list take their pages.
private func pages(for clients: Int) throws -> (inout Stopwatch) throws -> Void {
  let store = try Store.items(100_000)
  let feed = EventStreamFeed([
    EventStreamList("items", of: try FetchedObjectsModel(byName, in: store))
  ])
  let streams = (0..<clients).map { _ in feed.stream(after: nil) }
  func take(_ stream: EventStream) throws {
    while case .bytes(let bytes) = try stream.next() { blackHole(bytes.count) }
  }
  for stream in streams { try take(stream) }
  return { stopwatch in
    try store.commit { draft in
      for id in 0..<1000 { try draft.update(Item.self, id * 100) { $0.number &+= 1 } }
    }
    try stopwatch.measure { for stream in streams { try take(stream) } }
  }
}

/// Commits of one object.
private func commits(_ store: Store) -> (Int) throws -> Void {
  var turn = 0
  return { iterations in
    for _ in 0..<iterations {
      try store.count(turn, of: 10_000)
      turn &+= 1
    }
  }
}
