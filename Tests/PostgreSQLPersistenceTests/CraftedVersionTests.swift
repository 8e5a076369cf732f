#if PostgreSQL
import EntityStore
import Fixtures
import TestSupport
import Testing

/// A log with versions that no commit has written.
@Suite struct CraftedVersionTests {
  @Test(arguments: [Int64.max, Int64.max - 1, 1 << 62] as [Int64])
  func `S6: a version at the end of all numbers is refused`(_ version: Int64) throws {
    let place = try ToolPlace()
    let store = try place.open([Person.self, Car.self])
    try store.commit { try $0.insert(ann) }
    #expect(place.psql("INSERT INTO signalbox_log (version, token) VALUES (\(version), 1)"))
    for attempt in [
      { try store.commit { try $0.insert(bob) } }, { _ = try place.open([Person.self, Car.self]) },
    ] as [() throws -> Void] {
      let error = #expect(throws: StoreError.self) { try attempt() }
      guard case .storage(let fault)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(fault.kind == .corrupt && fault.description.contains("\(version)"))
    }
    #expect(place.psql("DELETE FROM signalbox_log WHERE version = \(version)"))
    try store.commit { try $0.insert(bob) }
    #expect(try store.count(Query<Person>()) == 2)
  }
}
#endif
