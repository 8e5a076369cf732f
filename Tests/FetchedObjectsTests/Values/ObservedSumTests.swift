import EntityStore
@_spi(Inspection) import FetchedObjects
import Fixtures
import ListFixtures
import TestSupport
import Testing

@Suite struct `Observed sums` {
  private let drivers = Query<Driver>().filter { $0.age > 0 }

  private func makeStore(_ storage: TestStorage) throws -> Store {
    let store = try storage.makeDriverFleet()
    try store.fillDriverFleet()
    return store
  }

  @Test(arguments: TestStorage.withServer)
  func `F15: sums, averages, extremes and counts are made again only for what they read`(
    _ storage: TestStorage
  ) throws {
    let store = try makeStore(storage)
    let drivers = drivers
    let all = [
      try ObservedValue(in: store) { try "\($0.sum(of: drivers) { $0.age })" },
      try ObservedValue(in: store) { try "\($0.average(of: drivers) { $0.age } ?? 0)" },
      try ObservedValue(in: store) { try "\($0.max(of: drivers) { $0.age } ?? 0)" },
      try ObservedValue(in: store) { reader in
        try "\(reader.counts(of: drivers, by: { $0.age }).map(\.count))"
      },
      try ObservedValue(in: store) { reader in
        try "\(reader.counts(of: drivers, by: { $0.firm.name }).map(\.count))"
      },
    ]
    func runs(_ body: (inout Draft) throws -> Void) throws -> [Int] {
      let before = all.map(\.work.fetches)
      try store.commit(body)
      return zip(all, before).map { $0.work.fetches - $1 }
    }
    expectEqual(try runs { try $0.update(Driver.self, 1) { $0.name = "Anna" } }, [0, 0, 0, 0, 0])
    expectEqual(try runs { try $0.update(Driver.self, 1) { $0.age = 77 } }, [1, 1, 1, 1, 0])
    expectEqual(try runs { try $0.update(Driver.self, 1) { $0.firm = nil } }, [0, 0, 0, 0, 1])
    expectEqual(try runs { try $0.update(Firm.self, 2) { $0.rank = 9 } }, [0, 0, 0, 0, 0])
    expectEqual(try runs { try $0.update(Firm.self, 2) { $0.name = "Fox" } }, [0, 0, 0, 0, 1])
    expectEqual(try runs { try $0.delete(Driver.self, 3) }, [1, 1, 1, 1, 1])
    // The next one isn't among them, and then it is.
    expectEqual(try runs { try $0.update(Driver.self, 2) { $0.age = -1 } }, [0, 0, 0, 0, 0])
    expectEqual(try runs { try $0.update(Driver.self, 2) { $0.age = 20 } }, [1, 1, 1, 1, 1])
    #expect(all.map(\.value) == ["97", "48.5", "77", "[1, 1]", "[1, 1]"])
  }

  @Test(arguments: TestStorage.withServer)
  func `F15: a sum of the first objects is made again if others may be the first`(
    _ storage: TestStorage
  ) throws {
    let store = try makeStore(storage)
    let first = drivers.sorted { [$0.name.ascending] }.limit(1)
    let age = try ObservedValue(in: store) { try $0.sum(of: first) { $0.age } }
    #expect(age.value == 30)
    try store.commit { try $0.update(Driver.self, 1) { $0.name = "Zoe" } }
    #expect(age.value == 50)
  }

  @Test(arguments: TestStorage.withServer)
  func `F15: what a closure reads of the objects besides a sum counts, too`(
    _ storage: TestStorage
  ) throws {
    let store = try makeStore(storage)
    let drivers = drivers
    let both = try ObservedValue(in: store) { reader in
      let sum = try reader.sum(of: drivers) { $0.age }
      return try "\(sum) \(reader.fetch(drivers).map(\.name))"
    }
    #expect(both.value == #"80 ["Ann", "Cid"]"#)
    try store.commit { try $0.update(Driver.self, 1) { $0.name = "Zoe" } }
    #expect(both.value == #"80 ["Zoe", "Cid"]"#)
  }
}
