import EntityStore
import FetchedObjects
import Foundation
import Relays
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `A store notices external commits automatically` {
  @Test(.timeLimit(.minutes(20)))
  func `P5: an event comes without a call`() async throws {
    let path = temporaryPath()
    let here = try openGarage(path, watching: .automatic)
    let there = try openGarage(path)
    let raw = try RawDatabase(path)
    let model = try FetchedObjectsModel(Query<Car>(), in: here)
    var events = model.didChange.values().makeAsyncIterator()
    for id in 1...20 {
      if id % 2 == 0 {
        try there.commit { try $0.insert(Car(id: id, model: "\(id)")) }
      } else {
        try raw.rows("INSERT INTO Car (id, model) VALUES (\(id), '\(id)')")
      }
      let event = await events.next()
      #expect(event?.after.count == id)
      #expect(event?.versions == Int64(id)...Int64(id))
    }
  }

  @Test(.timeLimit(.minutes(20)))
  func `P5: what was committed while a store opened is noticed, too`() async throws {
    let path = temporaryPath()
    let there = try openGarage(path, watching: .none)
    let here = try openGarage(path, watching: .every(.milliseconds(1)))
    let commits = here.commits.values()
    try there.commit { try $0.insert(Car(id: 1, model: "a")) }
    for await commit in commits {
      #expect(commit.line == "1 foreign +Car(1)")
      break
    }
  }

  @Test(.timeLimit(.minutes(20)))
  func `P5: what is noticed while a body runs comes after it`() async throws {
    let path = temporaryPath()
    let here = try openGarage(path, watching: .every(.milliseconds(1)))
    let there = try openGarage(path, watching: .none)
    var commits = here.commits.values().makeAsyncIterator()
    for id in 1...50 {
      try there.commit { try $0.insert(Car(id: id, model: "\(id)")) }
      try here.commit { try $0.insert(Car(id: -id, model: "\(-id)")) }
    }
    var next: Int64 = 1
    while next <= 100 {
      guard let commit = await commits.next() else { break }
      #expect(commit.versions == next...next)
      #expect(commit.isExternal == (next % 2 == 1))
      next = commit.version + 1
    }
  }

  @Test(.timeLimit(.minutes(20)))
  func `P5: watching keeps no store, and has no file open afterwards`() async throws {
    let path = temporaryPath()
    weak var gone: Store?
    do {
      let store = try openGarage(path, watching: .every(.milliseconds(1)))
      gone = store
      let there = try openGarage(path, watching: .none)
      var commits = store.commits.values().makeAsyncIterator()
      try there.commit { try $0.insert(Car(id: 1, model: "a")) }
      _ = await commits.next()
    }
    #expect(await becomesTrue { gone == nil })
    // Only the last connection can move everything into the file itself.
    #expect(await becomesTrue { !fileExists(path + "-wal") })
  }

  @Test(.timeLimit(.minutes(20)))
  func `P5: a store that looks seldom has no file open after its end, either`() async throws {
    let path = temporaryPath()
    weak var gone: Store?
    do {
      let store = try openGarage(path, watching: .every(.seconds(3600)))
      gone = store
      try store.commit { try $0.insert(Car(id: 1, model: "a")) }
    }
    #expect(await becomesTrue { gone == nil && !fileExists(path + "-wal") })
  }

  #if os(Linux)
  @Test func `P5: the thread that looks ends with its store, however long it would have slept`()
    async
  {
    await #expect(processExitsWith: .exitCode(7)) {
      func threadCount() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? -1
      }
      // What the library itself starts for its first store is there already.
      _ = try openGarage(temporaryPath(), watching: .every(.milliseconds(1)))
      let before = threadCount()
      var stores: [Store] = []
      for _ in 0..<30 {
        stores.append(try openGarage(temporaryPath(), watching: .every(.seconds(3600))))
      }
      guard threadCount() >= 30 else { exit(1) }
      stores = []
      // The system's own threads for tasks may be a few more or less.
      exit(await becomesTrue { threadCount() < before + 10 } ? 7 : 2)
    }
  }
  #endif

  @Test func `P5: a file is looked at the less often the longer others haven't written`() {
    let intervals = StorageKind.FileWatching.automatic.intervals
    let times: [(Int, Duration)] = [
      (0, .milliseconds(2)), (200, .milliseconds(2)), (700, .milliseconds(7)),
      (1500, .milliseconds(15)), (3_600_000, .milliseconds(15)),
    ]
    for (quiet, interval) in times {
      #expect(intervals?.interval(quietFor: .milliseconds(quiet)) == interval)
    }
    let steady = StorageKind.FileWatching.every(.milliseconds(40)).intervals
    #expect(steady?.interval(quietFor: .zero) == .milliseconds(40))
    #expect(steady?.interval(quietFor: .seconds(60)) == .milliseconds(40))
  }

  @Test func `S6: an interval of nothing traps`() async {
    await #expect(processExitsWith: .failure) { _ = StorageKind.FileWatching.every(.zero) }
  }
}
