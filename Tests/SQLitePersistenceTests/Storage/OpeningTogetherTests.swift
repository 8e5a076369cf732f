import EntityStore
import Locking
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `Several stores open a file at the same time` {
  @Test func `P3 P5: make it together, in any order`() throws {
    tried(rounds(300), "files opened by two at once")
    for round in 0..<rounds(300) {
      let path = temporaryPath()
      let problems = Locked<[String]>([])
      onThreads(2) { thread in
        // One begins a bit later, each time at another moment of the other's work.
        let begin = ContinuousClock.now + .microseconds(thread * (round % 100) * 50)
        while ContinuousClock.now < begin {}
        do {
          let store = try openGarage(path, watching: .none)
          try store.commit { try $0.insert(Car(id: thread, model: "m\(thread)")) }
        } catch {
          problems.withLock { $0.append("\(error)") }
        }
      }
      let found = problems.withLock { $0 }
      #expect(found.isEmpty, "round \(round)")
      if found.isEmpty { #expect(try openGarage(path).count(Query<Car>()) == 2) }
    }
  }
}
