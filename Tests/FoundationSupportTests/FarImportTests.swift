@_spi(Storage) import EntityStore
import Fixtures
import Foundation
import FoundationSupport
import Locking
import Testing

private struct Mooring: Entity {
  let id: UUID
  var name: String
  var owner: Ref<Owner>?
  static let attributes = Attributes(
    .id(\Mooring.id), .attribute("name", \.name), .one("owner", \.owner))
  static let schema = Schema(attributes, Mooring.init)
}

@Suite struct `An import into a storage far away reads objects together` {
  private static let count = 2000
  private static let owners = 20

  private let storage = FarStorage()
  private let store: Store

  init() throws {
    let storage = storage
    store = try Store(.custom { storage }, entities: [Mooring.self, Owner.self])
  }

  /// Returns the lines of moorings with some names, the same ids and the same owners.
  private func data(_ name: String) throws -> Data {
    let source = try Store(.inMemory, entities: [Mooring.self, Owner.self])
    try source.commit { draft in
      for id in 0..<Self.owners { try draft.insert(Owner(id: id)) }
      for number in 0..<Self.count {
        let (high, low) = (UInt8(number >> 8), UInt8(number & 255))
        let id = UUID(uuid: (high, low, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
        try draft.insert(Mooring(id: id, name: name, owner: Ref(number % Self.owners)))
      }
    }
    return try source.exported()
  }

  @Test(arguments: [nil, 500])
  func `S4: in a few round trips, whatever is done with existing objects`(_ size: Int?) throws {
    var start = storage.trips.load()
    let first = try store.importing(data("old"), objectsPerCommit: size)
    #expect(first.inserted == Self.count + Self.owners)
    // With several commits, each owner is looked up once before they are made.
    let most = 300
    #expect(storage.trips.load() - start < most)
    for (existing, changed) in [(JSONLines.ExistingObjects.skip, 0), (.replace, Self.count)] {
      start = storage.trips.load()
      let result = try store.importing(data("new"), existing: existing, objectsPerCommit: size)
      #expect(storage.trips.load() - start < most, "\(existing)")
      #expect(result.skipped + result.replaced == Self.count + Self.owners)
      #expect(try store.count(Query<Mooring>().filter { $0.name == "new" }) == changed)
    }
    // A commit of the whole file holds only a part of the existing objects.
    #expect(storage.mostAhead.load() <= 512)
  }
}
