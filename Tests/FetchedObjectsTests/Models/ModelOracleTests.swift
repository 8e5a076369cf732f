import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Relays
import TestSupport
import Testing

@Suite(.oneThread) struct ModelOracleTests {
  @Test(arguments: OracleQuery.all, TestStorage.withServer)
  func `F2 to F5: every event leads exactly from one result to the next`(
    _ oracle: OracleQuery, _ storage: TestStorage
  ) throws {
    let worlds = seeds(storage == .memory ? 40 : 6)
    var events = 0
    for seed in worlds {
      let store = try storage.makeGarage()
      var writer = RandomWriter(random: SeededGenerator(seed: UInt64(seed)))
      for _ in 0..<3 { try writer.commit(store) }
      let model = try FetchedObjectsModel(oracle.query, in: store)
      let recorder = Recorder(model.didChange)
      let check = EventOracle(
        includesOwner: oracle.includesOwner, isSectioned: oracle.isSectioned)
      var last = plain(model.snapshot, includesOwner: oracle.includesOwner)
      for step in 0..<30 {
        let trace = "\(oracle.name), seed \(seed), step \(step)"
        let told = recorder.values.count
        try writer.commit(store)
        let expected = try oracle.expected(store)
        let sections = model.sections
        #expect(sections.map(\.identity) == expected.map(\.section), "\(trace): sections")
        #expect(sections.map { $0.map(\.value.id) } == expected.map(\.ids), "\(trace): rows")
        #expect(
          try store.fetch(oracle.query).map(\.id) == expected.flatMap(\.ids), "\(trace): fetch")
        let new = recorder.values.dropFirst(told)
        let now = plain(model.snapshot, includesOwner: oracle.includesOwner)
        #expect(new.count <= 1, "\(trace): F2, one event for a commit")
        if let event = new.first {
          events += 1
          #expect(plain(event.before, includesOwner: oracle.includesOwner) == last, "\(trace)")
          #expect(plain(event.after, includesOwner: oracle.includesOwner) == now, "\(trace)")
          try check.check(event, trace)
        } else {
          #expect(now == last, "\(trace): F2, a change without an event")
        }
        last = now
      }
    }
    #expect(events > worlds.count * 5)
  }
}
