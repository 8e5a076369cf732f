import Signalbox
import TestSupport
import Testing

@Suite struct PortedScreenTests {
  @Test(arguments: [UInt64](1...8)) @MainActor
  func `A screen ported from NSFetchedResultsController draws what there is, and counts right`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let store = try Store(.inMemory, entities: [Airline.self, Flight.self])
    try store.commit { draft in
      try draft.insert(contentsOf: (0..<4).map { Airline(id: $0, name: "Airline \($0)") })
    }
    let screen = try PortedScreen(store)
    for round in 0..<150 {
      try store.commit { draft in
        for _ in 0..<Int.random(in: 1...5, using: &generator) {
          let id = Int.random(in: 0..<20, using: &generator)
          let gate = Bool.random(using: &generator) ? Int.random(in: 1...5, using: &generator) : nil
          switch Int.random(in: 0..<6, using: &generator) {
          case 0: try draft.deleteAll(Query<Flight>().filter { $0.id == id })
          case 1:
            try draft.update(Airline.self, id % 4) { $0.name = "Airline \((gate ?? 0) * 7 % 5)" }
          default:
            try draft.upsert(
              Flight(
                id: id, number: "SB\(id)", gate: gate,
                airline: Ref(Int.random(in: 0..<4, using: &generator))))
          }
        }
      }
      if round == 100 { try screen.search("1") }
      let drawn = screen.table.cells
      screen.table.reloadData()
      try #require(screen.table.complaints.isEmpty, "round \(round)")
      try #require(drawn == screen.table.cells, "round \(round)")
    }
  }
}
