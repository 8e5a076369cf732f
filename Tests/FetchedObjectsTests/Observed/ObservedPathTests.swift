import EntityStore
import FetchedObjects
import Fixtures
import ListFixtures
import Relays
import TestSupport
import Testing

@Suite struct ObservedPathTests {
  @Test(arguments: TestStorage.withServer)
  func `F8, F5: an included object that comes by another reference shows what that one includes`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeStore([Tour.self, Town.self])
    try store.commit { draft in
      try draft.insert(Town(id: 1, name: "Oslo", size: 7))
      try draft.insert(Tour(id: 1, start: Ref(1), end: nil))
    }
    let tour = try ObservedEntity<Tour>(1, in: store) {
      $0.start.name
      $0.end.size
    }
    try tour.update { tour in
      tour.start = nil
      tour.end = Ref(1)
    }
    #expect(tour.end?.size == 7)
    let events = Recorder(tour.didChange)
    try store.commit { try $0.update(Town.self, 1) { $0.size = 8 } }
    #expect(tour.end?.size == 8)
    try store.commit { try $0.update(Town.self, 1) { $0.name = "Lund" } }
    #expect(events.values.count == 1)
  }
}

/// A way from one town to another, which includes something else of each.
private struct Tour: Entity {
  let id: Int
  var start: Ref<Town>?
  var end: Ref<Town>?
  static let attributes = Attributes(
    .id(\Tour.id), .one("start", \.start, onDelete: .nullify),
    .one("end", \.end, onDelete: .nullify))
  static let schema = Schema(attributes, Tour.init)
}
