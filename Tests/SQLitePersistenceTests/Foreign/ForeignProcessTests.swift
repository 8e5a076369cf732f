import Dispatch
import EntityStore
import Foundation
import SQLitePersistence
import TestSupport
import Testing

/// How many commits both processes make together.
private let commitCount = rounds(1_000)

/// Waits for the other side, and throws where that doesn't come.
private func wait(_ condition: () -> Bool) throws {
  struct OtherSideIsGone: Error {}
  if !becomesTrueBlocking(condition) { throw OtherSideIsGone() }
}

/// Commits on the one side, until the other side has finished, too.
///
/// - Returns: whether every event was exact, and what is shown at last.
private func takePart(
  _ side: Int, in path: String, byTurns: Bool, count: Int
) throws -> (isExact: Bool, lines: String) {
  let store = try openGarage(path, watching: .automatic)
  let garage = try ReplayedGarage(store)
  var writes = ForeignWrites(seed: side + (byTurns ? 10 : 20))
  let raw = try RawDatabase(path)
  try raw.rows("PRAGMA busy_timeout = 300000")
  for number in 0..<count {
    // Whose turn it is stands in the file.
    if byTurns {
      try wait { (try? store.find(Car.self, 100))?.tower == Ref(side) }
    }
    try writes.commit(to: store)
    if number % 7 == side { try raw.rows(writes.statement()) }
    if byTurns { try store.commit { try $0.upsert(Car(id: 100, model: "", tower: Ref(1 - side))) } }
  }
  try store.commit { try $0.insert(Car(id: 200 + side, model: "done \(side)")) }
  try wait { (try? store.find(Car.self, 201 - side)) != nil }
  try store.refresh()
  // What the watching has taken in, another thread may still be telling.
  let isTold = DispatchSemaphore(value: 0)
  Task.detached {
    await store.flush()
    isTold.signal()
  }
  isTold.wait()
  return (try garage.isExact(), garage.lines)
}

@Suite struct `Two processes write to a file` {
  @Test(.timeLimit(.minutes(20)), arguments: [true, false])
  func `P5: by turns or at once, events lead both to the same list`(_ byTurns: Bool) async throws {
    let path = temporaryPath()
    let side = path + ".lines"
    let count = commitCount / (byTurns ? 4 : 2)
    tried(2 * count, "commits of two processes")
    try openGarage(path).commit { draft in
      try draft.insert(Car(id: 100, model: "", tower: Ref(0)))
      for id in ["a", "b", "c"] { try draft.insert(Person(id: id, name: id, height: 1)) }
    }
    let child = Task {
      _ = await #expect(processExitsWith: .success) {
        [
          path = path as String, side = side as String, byTurns = byTurns as Bool,
          count = count as Int
        ]
        in
        let (isExact, lines) = try takePart(1, in: path, byTurns: byTurns, count: count)
        try lines.write(toFile: side, atomically: true, encoding: .utf8)
        exit(isExact ? 0 : 1)
      }
    }
    let (isExact, lines) = try await onOwnThread {
      try takePart(0, in: path, byTurns: byTurns, count: count)
    }
    await child.value
    #expect(isExact)
    #expect(try String(contentsOfFile: side, encoding: .utf8) == lines)
    #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
  }
}
