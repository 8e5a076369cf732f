@_spi(Storage) import CacheTracking
@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import ListFixtures
import Testing

@Suite struct CacheRequestTests {
  @Test func `A request is made of its parts, and gives them back`() {
    let request = CacheRequest(
      Car.self,
      predicate: {
        $0.year > 1990
        $0.owner.name != ""
      },
      orderings: { [$0.owner.name.ascending, $0.model.descending] }, filterValue: "")
    let query = Query<Car>()
      .filter {
        $0.year > 1990
        $0.owner.name != ""
      }
      .sorted { [$0.owner.name.ascending, $0.model.descending] }
    #expect(request.predicate == query.description.filter)
    #expect(request.orderings == query.description.orderings)
    #expect(request.orderings.map(\.isAscending) == [true, false])
    #expect(request.entity == Car.self)
    #expect(request.objectType == "Car")
    #expect(request.filterValue == "")
    #expect(CacheRequest(Car.self).predicate == nil)
    #expect(CacheRequest(Car.self).filterValue == nil)
  }

  @Test func `What a request asks of a store is a function of it alone`() throws {
    func request() -> CacheRequest<Car> {
      CacheRequest(Car.self, predicate: { $0.year > 2000 }, orderings: { [$0.year.descending] })
    }
    #expect(request().query.description == request().query.description)
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    #expect(try store.fetch(request().query).map(\.id) == [4, 3, 2])
  }

  @Test func `A request has no sections unless its query has`() {
    #expect(CacheRequest(Car.self).query.description.sectioning == nil)
    #expect(CacheRequest(query: byOwner).query.description.sectioning != nil)
  }
}
