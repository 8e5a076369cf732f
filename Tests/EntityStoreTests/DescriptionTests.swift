@_spi(Storage) import EntityStore
import TestSupport
import Testing

@Suite struct `A query can be printed` {
  private func text(
    @Condition<Vehicle>.Builder _ condition: (Row<Vehicle, Vehicle>) -> Condition<Vehicle>
  ) -> String {
    Query<Vehicle>().filter(condition).description.filter?.description ?? ""
  }

  @Test func `Conditions read as they were written`() {
    #expect(text { $0.year > 1990 } == "Vehicle.year > 1990")
    #expect(text { $0.owner.name == "A\"nn" } == #"Vehicle.owner.name == "A\"nn""#)
    #expect(text { $0.price == nil } == "Vehicle.price == nil")
    #expect(
      text {
        $0.year >= 1
        ($0.year < 3) || !($0.model == "b")
      } == #"(Vehicle.year >= 1) && ((Vehicle.year < 3) || !(Vehicle.model == "b"))"#)
    #expect(text { [1, 2].contains($0.year) } == "Vehicle.year.in([1, 2])")
    #expect(
      text { $0.model.hasPrefix("a", ignoring: [.case, .diacritics]) }
        == #"Vehicle.model.hasPrefix("a", ignoring: [.case, .diacritics])"#)
    #expect(text { $0.model.contains("a") } == #"Vehicle.model.contains("a")"#)
    #expect(
      text { $0.owner.staff.any { $0.age > 3 } }
        == "Vehicle.owner[Citizen.boss].count { Citizen.age > 3 } > 0")
  }

  @Test func `Queries say all that they ask`() {
    let query = Query<Vehicle>().filter { $0.year != 0 }
      .sorted {
        [$0.model.descending.natural, $0.price.ascending.nilsLast, $0.year.ascending]
      }
      .sectioned { $0.owner.name }
      .including { $0.maker.name }
      .limit(5, offset: 2)
    #expect(
      "\(query.description)"
        == "Vehicle where Vehicle.year != 0 by Vehicle.model descending, natural; "
        + "Vehicle.price ascending, nil last; Vehicle.year ascending in sections by "
        + "Vehicle.owner.name with Vehicle.maker.name at most 5 after 2")
    #expect("\(Query<Vehicle>().description)" == "Vehicle")
    #expect("\(query)" == "\(query.description)")
    #expect(String(reflecting: query) == "\(query.description)")
  }

  @Test func `A long list is cut short`() {
    #expect(text { $0.year.in(Array(1...20)) }.hasSuffix("19, 20])"))
    let long = text { $0.year.in(Array(1...5000)) }
    #expect(long.hasSuffix("19, 20 and 4980 others])"))
    #expect(long.hasPrefix("Vehicle.year.in([1, 2, "))
  }

  @Test func `Changes say what was inserted, updated and deleted`() throws {
    let store = try Store(.inMemory, entities: [Owner.self, Pet.self])
    let changes = Recorder(store.changes(of: Pet.self))
    try store.commit { draft in
      try draft.insert(Owner(id: 1))
      for id in 1...30 { try draft.insert(Pet(id: id)) }
    }
    try store.commit { draft in
      try draft.update(Pet.self, 1) { $0.owner = Ref(1) }
      try draft.delete(Pet.self, 2)
      try draft.delete(Pet.self, 3)
    }
    #expect(
      changes.values.map { "\($0)" } == [
        "Pet in version 1: inserted Pet(1), Pet(2), Pet(3), Pet(4), Pet(5), Pet(6), Pet(7), Pet(8), "
          + "Pet(9), Pet(10) and 20 others",
        "Pet in version 2: updated Pet(1) (owner); deleted Pet(2) and Pet(3)",
      ])
  }
}
