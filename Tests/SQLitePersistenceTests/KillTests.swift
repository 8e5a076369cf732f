import EntityStore
import Foundation
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `A killed process loses no commit that returned` {
  @Test(arguments: 0..<4)
  func `P2: the file opens with exactly the returned commits, and perhaps the one in flight`(
    _ seed: Int
  ) async throws {
    let path = temporaryPath("killed")
    let side = path + ".returned"
    try Data().write(to: URL(fileURLWithPath: side))
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, side = side as String, seed = seed as Int] in
      let store = try openGarage(path)
      var generator = SeededGenerator(seed: seed)
      let last = Int64.random(in: 5..<120, using: &generator)
      let spin = Int.random(in: 0..<40_000, using: &generator)
      let returned = FileHandle(forWritingAtPath: side)
      // Each commit deletes and inserts, changes unique values and follows its own.
      let killer = Thread {
        // Another thread kills, somewhere in the middle of a commit.
        while (try? store.version) ?? 0 < last {}
        var count = 0
        for number in 0..<spin { count &+= number }
        if count != -1 { kill(getpid(), SIGKILL) }
      }
      killer.start()
      var version: Int64 = 0
      while true {
        try store.commit { draft in
          version += 1
          if version > 1 {
            try draft.update(Person.self, "a") { $0.name = "\(version)" }
            try draft.update(Person.self, "b") { $0.name = "\(version - 1)" }
            try draft.delete(Car.self, Int(version - 1))
          } else {
            try draft.insert(Person(id: "a", name: "1"))
            try draft.insert(Person(id: "b", name: "0"))
          }
          try draft.insert(Car(id: Int(version), model: "\(version)", owner: Ref("a")))
        }
        returned?.write(Data("\(version)\n".utf8))
      }
    }
    let lines = try String(contentsOfFile: side, encoding: .utf8).split(separator: "\n")
    let returned = Int64(lines.last ?? "0") ?? 0
    #expect(lines.count == Int(returned))
    let store = try openGarage(path)
    let version = try store.version
    #expect(version == returned || version == returned + 1)
    #expect(version > 0)
    #expect(try store.find(Person.self, "a")?.name == "\(version)")
    #expect(try store.find(Person.self, "b")?.name == "\(version - 1)")
    #expect(try store.fetch(Query<Car>()).map(\.id) == [Int(version)])
    let file = try RawDatabase(path)
    #expect(try file.value("PRAGMA integrity_check") == "ok")
    #expect(try file.rows("PRAGMA foreign_key_check").isEmpty)
    #expect(try file.value("SELECT count(*) FROM signalbox_log") == "\(version)")
    try store.commit { try $0.insert(Person(id: "c", name: "after")) }
    #expect(try store.version == version + 1)
  }
}
