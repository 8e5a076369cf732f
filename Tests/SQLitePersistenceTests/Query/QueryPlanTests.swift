@_spi(Inspection) import EntityStore
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `The plan of a query` {
  private let store: Store

  init() throws { store = try openGarage(temporaryPath("plans")) }

  @Test func `what SQL can say is said, with the index that it uses`() throws {
    let query = Query<Car>().filter { $0.owner == Ref("ann") }.sorted { [$0.model.descending] }
      .limit(5)
    let plan = try query.plan(in: store)
    #expect(plan.isWhollySaid)
    #expect(plan.language == "SQL")
    #expect(plan.statement.hasPrefix("SELECT t0.\"id\", t0.\"model\""))
    #expect(plan.parameters == [.text("ann"), .integer(5), .integer(0)])
    #expect(plan.steps.first?.contains("signalbox_index on \"Car\" \"owner\"") == true)
    #expect(plan.conditionsHere.isEmpty && plan.orderHere == nil && !plan.isLimitedHere)
    #expect("\(plan)".contains("with \"ann\", 5, 0"))
    #expect(!"\(plan)".contains("here"))
  }

  @Test func `the conditions of several filters are said one by one`() throws {
    let query = Query<Car>()
      .filter {
        $0.owner == Ref("ann")
        $0.model.lowercased == "é"
      }
      .filter { $0.id > 0 }
    let plan = try query.plan(in: store)
    #expect(plan.parameters == [.text("ann"), .integer(0)])
    #expect(plan.conditionsHere.count == 1)
    #expect(plan.conditionsHere.first?.contains("owner") == false)
  }

  @Test func `what SQL can't say is named, and comes over the rows that the rest selects`() throws {
    let query = Query<Car>()
      .filter {
        $0.owner == Ref("ann")
        $0.model.lowercased == "é"
      }
      .sorted { [$0.model.ascending.natural] }.limit(5)
    let plan = try query.plan(in: store)
    #expect(!plan.isWhollySaid)
    #expect(plan.parameters == [.text("ann")])
    #expect(plan.conditionsHere.count == 1)
    #expect(plan.conditionsHere.first?.contains("Car.model.lowercased") == true)
    #expect(plan.orderHere?.hasPrefix("Car.model ascending, natural") == true)
    #expect(plan.isLimitedHere)
    let lines = "\(plan)".split(separator: "\n")
    #expect(lines.first?.hasPrefix("SQL: SELECT") == true)
    #expect(lines.count(where: { $0.hasPrefix("here: ") }) == 3)
    #expect(lines.contains { $0.hasSuffix("for each row that SQL gives") })
  }

  @Test func `S7: a long list is found by an index, and one of several lengths is one statement`()
    throws
  {
    func plan(listing count: Int) throws -> QueryPlan {
      try Query<Car>().filter { $0.id.in(Array(0..<count)) }.plan(in: store)
    }
    #expect(try plan(listing: 500).parameters.count == 500)
    for count in [501, 601, 16_384] {
      let found = try plan(listing: count)
      #expect(found.isWhollySaid, "\(count)")
      #expect(found.steps.first?.contains("SEARCH") == true, "\(found.steps)")
    }
    #expect(try plan(listing: 601).statement == plan(listing: 1_000).statement)
    #expect(try plan(listing: 16_385).conditionsHere.count == 1)
  }

  @Test func `a path through a reference is a join`() throws {
    let query = Query<Car>().filter { $0.owner.name == "Ann" }
    let plan = try query.plan(in: store)
    #expect(plan.statement.contains(" JOIN \"Person\""))
    #expect(plan.steps.contains { $0.contains("SEARCH t1") }, "\(plan)")
    #expect(plan.steps.contains { $0.contains("SEARCH t0") }, "\(plan)")
    #expect(plan.isWhollySaid)
  }

  @Test func `a draft and a reader report the same plan`() throws {
    let query = Query<Car>().filter { $0.model == "x" }
    let plan = try query.plan(in: store)
    let read = try store.read { try query.plan(in: $0) }
    #expect(read.statement == plan.statement)
    let drafted = try store.commit { draft in
      try draft.insert(Car(id: 1, model: "x"))
      return try query.plan(in: draft)
    }
    #expect(drafted.statement == plan.statement)
  }

  @Test func `in memory it is all done here`() throws {
    let store = try Store(.inMemory, entities: [Person.self, Car.self])
    try store.commit { draft in for id in 0..<100 { try draft.insert(Car(id: id, model: "\(id)")) }
    }
    let plan = try Query<Car>().filter { $0.model.hasSuffix("x") }.limit(1).plan(in: store)
    #expect(plan.language == nil && !plan.isWhollySaid)
    #expect(plan.steps == ["through all 100 objects"])
    #expect(plan.conditionsHere.count == 1 && plan.isLimitedHere)
    #expect(try Query<Car>().filter { $0.id == 7 }.plan(in: store).steps == ["by the id"])
    #expect(
      try Query<Car>().filter { $0.model == "7" }.plan(in: store).steps
        == ["through 1 of 100 objects, by an index"])
    let first = Query<Car>().sorted { [$0.model.descending] }.limit(5)
    #expect(
      try first.plan(in: store).steps
        == ["along an index of 100 of 100 objects, until 5 are found"])
  }
}
