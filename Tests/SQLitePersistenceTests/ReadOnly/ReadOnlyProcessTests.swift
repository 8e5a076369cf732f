import EntityStore
import FetchedObjects
import Foundation
import Locking
import Relays
import SQLitePersistence
import TestSupport
import Testing

/// How often a writer opens the file while another process reads.
private let openingCount = rounds(60)

/// A file by which a process says how far it is.
private struct Progress {
  let path: String

  func note(_ number: Int) {
    try? "\(number)\n".write(toFile: path, atomically: true, encoding: .utf8)
  }

  var number: Int {
    (try? String(contentsOfFile: path, encoding: .utf8)).flatMap { Int($0.dropLast()) } ?? 0
  }

  func wait(for number: Int) {
    let hasCome = becomesTrueBlocking { self.number >= number }
    precondition(hasCome, "The other process doesn't come to \(number)")
  }
}

@Suite(.timeLimit(.minutes(20))) struct ReadOnlyProcessTests {
  private func makeClosed(_ count: Int) async throws -> String {
    let path = try pathInOwnFolder()
    let store = try openGarage(path)
    try store.commit { try $0.insert(contentsOf: (1...count).map(numberedCar)) }
    await store.close()
    return path
  }

  @Test func `P9: a reader sees each version of a writer that comes, goes and comes again`()
    async throws
  {
    let path = try await makeClosed(1)
    let (written, read) = (temporaryPath("written"), temporaryPath("read"))
    let count = 24
    let child = Task {
      _ = await #expect(processExitsWith: .success) {
        [
          path = path as String, written = written as String, read = read as String,
          count = count as Int
        ]
        in
        let store = try readGarage(path, watching: .automatic)
        let model = try FetchedObjectsModel(Query<Car>(), in: store)
        let events = Recorder(model.didChange)
        Progress(path: read).note(1)
        for id in 2...count {
          Progress(path: written).wait(for: id)
          let car = try store.find(Car.self, id)
          precondition(car?.model == "m\(id)")
          precondition(becomesTrueBlocking { model.fetchedObjects.count == id })
          precondition(becomesTrueBlocking { events.values.count == id - 1 })
          Progress(path: read).note(id)
        }
        precondition(events.values.map(\.after.count) == Array(2...count))
      }
    }
    try await onOwnThread {
      Progress(path: read).wait(for: 1)
      var store: Store?
      for id in 2...count {
        // Some commits are the first and the last of their process's store.
        if id % 4 == 1 {
          // Nothing else has it, so it closes.
          store = nil
        }
        let writer = try store ?? openGarage(path)
        store = writer
        try writer.commit { try $0.insert(numberedCar(id)) }
        Progress(path: written).note(id)
        Progress(path: read).wait(for: id)
      }
    }
    await child.value
    #expect(try openGarage(path).count(Query<Car>()) == count)
  }

  @Test(arguments: [false, true]) func `P9: a reader that is stopped in a read is in nobody's way`(
    _ hasWriter: Bool
  ) async throws {
    let path = try await makeClosed(300)
    let store = hasWriter ? try openGarage(path) : nil
    try store?.commit { try $0.update(Car.self, 1) { $0.model = "first" } }
    let child = Task {
      _ = await #expect(processExitsWith: .success) {
        [path = path as String, hasWriter = hasWriter as Bool] in
        let store = try readGarage(path)
        do {
          try store.read { reader in
            let before = try reader.fetch(Query<Car>()).map(\.model)
            precondition(before.count == 300)
            StoppedProcess(path).wait()
            // The same version, or an error: never pages of both.
            let after = try reader.fetch(Query<Car>()).map(\.model)
            precondition(after == before)
          }
          precondition(hasWriter)
        } catch StoreError.storage(let fault) where fault.kind == .busy {
          precondition(!hasWriter)
        }
        let count = try store.count(Query<Car>())
        precondition(count == 200)
      }
    }
    try await onOwnThread {
      try StoppedProcess(path).whileStopped {
        // It may be opened, written, moved into the file and closed.
        try Self.write(in: store ?? openGarage(path), path)
        try openGarage(path).commit { try $0.update(Car.self, 1) { $0.model = "again" } }
      }
    }
    await child.value
    #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
  }

  /// Does all that the locks of a process could keep from being done.
  private static func write(in store: Store, _ path: String) throws {
    try store.commit { draft in
      for id in 101...200 { try draft.delete(Car.self, id) }
    }
    try store.commit { draft in
      for id in 1...100 { try draft.update(Car.self, id) { $0.model = "new \(id)" } }
    }
    let raw = try RawDatabase(path)
    try raw.rows("PRAGMA busy_timeout = 0")
    try raw.rows("BEGIN IMMEDIATE")
    try raw.rows("ROLLBACK")
    // The first number is 0 if nobody was in the way.
    let checkpoint = try raw.rows("PRAGMA wal_checkpoint(PASSIVE)")
    #expect(checkpoint.first?.first == "0")
  }

  @Test func `P9: a reader sees whole versions only, however often writers come and go`()
    async throws
  {
    let path = try await makeClosed(400)
    let (written, read) = (temporaryPath("written"), temporaryPath("read"))
    let child = Task {
      _ = await #expect(processExitsWith: .success) {
        [path = path as String, written = written as String, read = read as String] in
        let isOver = AtomicWord(0)
        let counts = (right: Counter(), busy: Counter())
        // All cars are of one round: each commit writes all of them.
        onThreads(2) { thread in
          var kept: Store?
          while isOver.load() == 0 {
            if thread == 0, Progress(path: written).number == .max { isOver.store(1) }
            do {
              let store = try kept ?? readGarage(path)
              kept = counts.right.value % 3 == 0 ? nil : store
              let cars = try store.read { try $0.fetch(Query<Car>()) }
              let rounds = Set(cars.map { $0.model.prefix { $0 != "-" } })
              precondition(cars.count == 400, "\(cars.count) cars")
              precondition(
                rounds.count <= 1 || rounds.allSatisfy { $0.hasPrefix("m") }, "\(rounds)")
              counts.right.add()
              Progress(path: read).note(1)
            } catch StoreError.storage(let fault) where fault.kind == .busy {
              counts.busy.add()
            } catch {
              preconditionFailure("\(error)")
            }
          }
        }
        precondition(counts.right.value > 0)
      }
    }
    let count = openingCount
    try await onOwnThread {
      Progress(path: read).wait(for: 1)
      for round in 1...count {
        let store = try openGarage(path)
        try store.commit { draft in
          for id in 1...400 { try draft.update(Car.self, id) { $0.model = "\(round)-\(id)" } }
        }
        if round % 3 == 0 { _ = try RawDatabase(path).rows("PRAGMA wal_checkpoint(PASSIVE)") }
        if round % 10 == 0 { try? store.eraseDeleted() }
      }
      Progress(path: written).note(.max)
    }
    await child.value
    tried(count, "writers beside a process that only reads")
    #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
  }
}
