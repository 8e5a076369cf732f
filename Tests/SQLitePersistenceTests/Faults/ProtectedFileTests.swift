@_spi(Storage) import EntityStore
import FetchedObjects
import Foundation
import SQLiteLibrary
@_spi(Storage) import SQLitePersistence
import TestSupport
import Testing

// Swift doesn't see the macros.
private let readFailed: Int32 = SQLITE_IOERR | 1 << 8
private let writeFailed: Int32 = SQLITE_IOERR | 3 << 8

/// Files that a device protects while it is locked: opening, reading and writing fail with `EPERM`.
@Suite(.timeLimit(.minutes(20))) struct ProtectedFileTests {
  private let path = temporaryPath("protected")
  private let disk = FaultyDisk()

  private func open(_ durability: Durability = .normal) throws -> Store {
    try Store(.custom { try disk.storage(path, durability) }, entities: [Person.self, Car.self])
  }

  private func fault(_ body: () throws -> Void) -> StorageFault? {
    do { try body() } catch StoreError.storage(let fault) { return fault } catch {
      Issue.record("\(error)")
    }
    return nil
  }

  @Test func `P11: opening while the device is locked is a fault of its own, until it is unlocked`()
    throws
  {
    try open().commit { try $0.insert(Car(id: 1, model: "a")) }
    disk.protect(.open, with: SQLITE_CANTOPEN)
    let found = fault { _ = try open() }
    #expect(found?.kind == .protected)
    #expect(found?.message.contains("wait until protected data is available") ?? false)
    #expect(found?.message.contains("completeUntilFirstUserAuthentication") ?? false)
    #expect(found?.path == path)
    disk.heal()
    #expect(try open().count(Query<Car>()) == 1)
  }

  @Test func `P11: a file that may be opened and not read is protected, too`() throws {
    try open().commit { try $0.insert(Car(id: 1, model: "a")) }
    disk.protect(.read, with: readFailed)
    #expect(fault { _ = try open() }?.kind == .protected)
    disk.heal()
    #expect(try open().count(Query<Car>()) == 1)
  }

  @Test(arguments: [Durability.normal, .full])
  func `P11: a store that was open reads and commits again once the device is unlocked`(
    _ durability: Durability
  ) throws {
    let store = try open(durability)
    try store.commit { try $0.insert(contentsOf: (1...300).map { Car(id: $0, model: "m\($0)") }) }
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    // All pages are in the WAL; other connections have none of them in memory.
    for round in 1...3 {
      disk.protect([.open, .read], with: readFailed)
      #expect(
        fault { _ = try store.fetch(Query<Car>().filter { $0.model == "m7" }) } == nil
          || disk.failures > 0)
      disk.protect(.write, with: writeFailed)
      let refused = fault {
        try store.commit { try $0.update(Car.self, 1) { $0.model = "lost \(round)" } }
      }
      #expect(refused?.kind == .protected)
      #expect(model.fetchedObjects.first?.model != "lost \(round)")
      disk.heal()
      #expect(try store.fetch(Query<Car>()).count == 300)
      try store.commit { try $0.update(Car.self, 1) { $0.model = "kept \(round)" } }
      #expect(model.fetchedObjects.first?.model == "kept \(round)")
    }
    #expect(try openGarage(path).find(Car.self, 1)?.model == "kept 3")
  }

  @Test func `P11: a read of a protected file is that fault, and the next one works`() throws {
    let store = try open()
    try store.commit { try $0.insert(contentsOf: (1...300).map { Car(id: $0, model: "m\($0)") }) }
    disk.protect([.read], with: readFailed)
    #expect(fault { _ = try store.fetch(Query<Car>()) }?.kind == .protected)
    #expect(fault { _ = try store.find(Car.self, 7) }?.kind == .protected)
    disk.protect([.open], with: SQLITE_CANTOPEN)
    #expect(fault { _ = try store.fetch(Query<Car>()) }?.kind == .protected)
    disk.heal()
    #expect(try store.fetch(Query<Car>()).count == 300)
    #expect(try store.find(Car.self, 7)?.model == "m7")
  }

  @Test func `P11: rights that a file lacks aren't protection`() throws {
    try open().commit { try $0.insert(Car(id: 1, model: "a")) }
    disk.fail(.open, times: .max, with: SQLITE_CANTOPEN)
    #expect(fault { _ = try open() }?.kind != .protected)
  }
}
