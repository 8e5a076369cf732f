@_spi(Inspection) import EntityStore
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `The plan of a long chain of conditions` {
  @Test func `S7: 100 terms of an indexed attribute are expressed in SQL, and use the index`()
    throws
  {
    let store = try openGarage(temporaryPath())
    let query = Query<Car>().filter { car in
      (0..<100).reduce(Condition<Car>.never) { $0 || car.model == "\($1)" }
    }
    let plan = try query.plan(in: store)
    #expect(plan.conditionsHere.isEmpty, "\(plan.conditionsHere)")
    #expect(plan.parameters.count == 100)
    #expect(plan.steps.contains { $0.contains("SEARCH") }, "\(plan.steps)")
  }

  @Test func `S7: so are 100 terms of which none may be true`() throws {
    let store = try openGarage(temporaryPath())
    let query = Query<Car>().filter { car in
      !(0..<100).reduce(Condition<Car>.never) { chain, id in
        let isTerm: Condition<Car> = car.model == "\(id)" && car.id > id
        return chain || isTerm
      }
    }
    let plan = try query.plan(in: store)
    #expect(plan.conditionsHere.isEmpty, "\(plan.conditionsHere)")
    #expect(plan.parameters.count == 200)
  }
}
