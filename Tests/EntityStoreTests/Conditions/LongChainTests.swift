import EntityStore
import Fixtures
import TestSupport
import Testing

@Suite struct `A long chain of conditions` {
  @Test(arguments: TestStorage.withServer)
  func `S7: 200 terms find what one of them describes, or what none does`(_ storage: TestStorage)
    throws
  {
    let store = try storage.makeGarage()
    try store.commit { draft in
      for id in 0..<300 { try draft.insert(Car(id: id, model: "\(id % 7)", year: id)) }
    }
    let pairs = (0..<200).map { (year: 2 * $0, model: "\($0 % 7)") }
    let described = Query<Car>().filter { car in
      pairs.reduce(Condition<Car>.never) { chain, pair in
        let isPair: Condition<Car> = car.year == pair.year && car.model == pair.model
        return chain || isPair
      }
    }
    let others = Query<Car>().filter { car in
      pairs.reduce(Condition<Car>.always) { chain, pair in
        let isPair: Condition<Car> = car.year == pair.year && car.model == pair.model
        return chain && !isPair
      }
    }
    // Each even year is listed, and each seventh of these with the model that its car has.
    let ids = Array(stride(from: 0, to: 300, by: 14))
    let otherIDs = (0..<300).filter { $0 % 14 != 0 }
    #expect(try store.fetch(described).map(\.id) == ids)
    #expect(try store.count(described) == ids.count)
    #expect(try store.fetch(others).map(\.id) == otherIDs)
    #expect(try store.count(others) == otherIDs.count)
    try store.commit { draft in
      try draft.update(Car.self, 0) { $0.year = 1 }
      expectEqual(try draft.fetch(described).map(\.id), Array(ids.dropFirst()))
      expectEqual(try draft.count(others), otherIDs.count + 1)
    }
  }

  @Test func `S7: 10,000 terms are one condition, and no tree of that depth`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      for id in 0..<10 { try draft.insert(Car(id: id, model: "", year: 9_995 + id)) }
    }
    let described = Query<Car>().filter { car in
      (0..<10_000).reduce(Condition<Car>.never) { $0 || car.year == $1 }
    }
    let others = Query<Car>().filter { car in
      (0..<10_000).reduce(Condition<Car>.always) { $0 && car.year != $1 }
    }
    #expect(try store.fetch(described).map(\.id) == Array(0..<5))
    #expect(try store.fetch(others).map(\.id) == Array(5..<10))
  }

  @Test func `S7: it keeps its parts in their order, without parentheses around the first ones`() {
    func condition(_ car: Row<Car, Car>) -> Condition<Car> {
      let years = (1...5).map { year -> Condition<Car> in car.year == year }
      return years[0] || years[1] || (years[2] && years[3] && years[4])
    }
    let query = Query<Car>().filter { condition($0) }
    #expect(
      query.debugDescription
        == "Car where (Car.year == 1) || (Car.year == 2) || "
        + "((Car.year == 3) && (Car.year == 4) && (Car.year == 5))")
  }
}
