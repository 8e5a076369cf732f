import SQLiteLibrary
@_spi(Storage) import EntityStore
import FetchedObjects
import Foundation
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `A disk that can't be read ends no observation` {
  @Test func `F11: a model keeps its last result while the disk can't be read, and catches up`()
    throws
  {
    let path = temporaryPath()
    try openGarage(path).commit { draft in
      for id in 0..<300 {
        try draft.insert(
          Person(id: "\(id)", name: "\(id)", photo: [UInt8](repeating: 1, count: 2_000)))
        try draft.insert(Car(id: id, model: "\(1_000 + id)", owner: Ref("\(id)")))
      }
    }
    let other = try openGarage(path)
    let disk = FaultyDisk()
    let store = try Store(
      .custom { try disk.storage(path, .normal) }, entities: [Person.self, Car.self])
    let query = Query<Car>().filter { $0.owner.name != "none" }
      .sorted { [$0.owner.name.descending, $0.model.ascending] }
      .including { $0.owner.name }
    let model = try FetchedObjectsModel(query, in: store)
    let events = Recorder(model.didChange)
    let errors = Recorder(model.errors)
    var thrown = 0
    var number = 1
    var passed = false
    while !passed, number < 200 {
      // The pages that the connections know are of an older version now, and the model reads anew.
      try other.commit { try $0.upsert(Person(id: "other", name: "\(number)")) }
      try RawDatabase(path).rows("UPDATE signalbox_metadata SET value = value")
      let shown = model.fetchedObjects.map(\.id)
      let (eventCount, errorCount) = (events.values.count, errors.values.count)
      disk.fail(.read, at: number, times: 1_000_000, with: SQLITE_IOERR | 1 << 8)
      do {
        try store.commit { draft in
          try draft.upsert(Car(id: 1_000 + number, model: "\(number)", owner: Ref("\(number)")))
        }
        passed = disk.failures == 0
      } catch StoreError.storage(let fault) {
        // SQLite undoes a transaction that can't read, whoever it is that reads in it.
        thrown += 1
        #expect(fault.kind == .inputOutput)
      }
      if !passed {
        #expect(model.fetchedObjects.map(\.id) == shown)
        #expect(events.values.count == eventCount)
      } else {
        #expect(errors.values.count == errorCount)
      }
      // Another query that can't be read throws, too.
      disk.fail(.read, times: 1_000_000, with: SQLITE_IOERR | 1 << 8)
      try RawDatabase(path).rows("UPDATE signalbox_metadata SET value = value")
      let before = model.fetchedObjects.map(\.id)
      #expect(throws: StoreError.self) { try model.setQuery(query.filter { $0.model != "x" }) }
      #expect(model.fetchedObjects.map(\.id) == before)
      disk.heal()
      try store.commit {
        try $0.upsert(Car(id: 5_000, model: "\(5_000 + number)", owner: Ref("5")))
      }
      #expect(try model.fetchedObjects.map(\.id) == store.fetch(query).map(\.id))
      number += 1 + number / 4
    }
    #expect(passed)
    #expect(thrown > 0)
  }

  @Test(.plainFile)
  func `F11: a model keeps its last result when a table that it reads is damaged`() throws {
    let path = temporaryPath()
    try openGarage(path).commit { draft in
      for id in 0..<100 { try draft.insert(Person(id: "\(id)", name: "\(id)")) }
      for id in 0..<5 { try draft.insert(Car(id: id, model: "\(id)", owner: Ref("\(id)"))) }
    }
    let (store, other) = (try openGarage(path), try openGarage(path))
    let model = try FetchedObjectsModel(
      Query<Car>().sorted { [$0.owner.name.descending] }.including { $0.owner.name }, in: store)
    let events = Recorder(model.didChange)
    let errors = Recorder(model.errors)
    try damage("Person", path)
    // A car whose owner has to be read, without a commit that reads him.
    try RawDatabase(path).rows("INSERT INTO Car (id, model, owner) VALUES (7, '7', '70')")
    try other.commit { try $0.insert(Car(id: 8, model: "8")) }
    var faults: [StorageFault] = []
    do {
      try store.commit { try $0.insert(Car(id: 9, model: "9")) }
    } catch StoreError.storage(let fault) {
      faults.append(fault)
    } catch StoreError.outcomeUnknown(_, let fault) {
      faults += [fault].compactMap(\.self)
    }
    for case StoreError.storage(let fault) in errors.values { faults.append(fault) }
    #expect(!faults.isEmpty && faults.allSatisfy { $0.kind == .corrupt })
    #expect(model.fetchedObjects.map(\.id) == [4, 3, 2, 1, 0])
    #expect(events.values.isEmpty)
  }
}
