#if SQLCipher
@_spi(Storage) import EntityStore
import Foundation
import SQLiteLibrary
import TestSupport
import Testing

@_spi(Storage) @testable import SQLitePersistence

private let first = EncryptionKey.bytes(0..<32)
private let second = EncryptionKey.bytes(100..<132)

private func open(_ path: String, _ key: EncryptionKey, on disk: FaultyDisk?) throws -> Store {
  let storage = try SQLiteStorage(
    path: path, key: { key }, durability: .full, watching: .none, log: .init(), vfs: disk?.name)
  return try Store(.custom { storage }, entities: [Person.self, Car.self])
}

@Suite(.timeLimit(.minutes(20)), .disabled(if: encryptsAll, "It gives each file a key of its own."))
struct `A key that is changed on a disk that fails` {
  private struct Failure: CustomTestStringConvertible {
    let kinds: FaultyDisk.Kinds
    let code: Int32
    let times: Int
    var testDescription: String { "\(kinds.rawValue), code \(code), \(times) times" }
  }

  private static let failures = [1, 10_000].flatMap { times in
    [
      Failure(kinds: .write, code: SQLITE_FULL, times: times),
      Failure(kinds: .write, code: SQLITE_IOERR | 3 << 8, times: times),
      Failure(kinds: .sync, code: SQLITE_IOERR | 4 << 8, times: times),
      Failure(kinds: .read, code: SQLITE_IOERR | 1 << 8, times: times),
      Failure(kinds: .open, code: SQLITE_CANTOPEN, times: times),
    ]
  }

  @Test(arguments: failures)
  private func `P8: it is the old one after an error, else the new one, and nothing is lost`(
    _ failure: Failure
  ) throws {
    var number = 1
    while true {
      let disk = FaultyDisk()
      let path = temporaryPath("failing")
      var mayHave = [first]
      var count = 40
      do {
        let store = try open(path, first, on: disk)
        try store.commit { draft in
          try draft.insert(contentsOf: (1...count).map { Car(id: $0, model: "m\($0)") })
        }
        disk.fail(failure.kinds, at: number, times: failure.times, with: failure.code)
        do {
          try store.changeKey(to: second)
          mayHave = [second]
        } catch StoreError.outcomeUnknown {
          mayHave = [first, second]
        } catch StoreError.storage {}
        let hasFailed = disk.failures > 0
        disk.heal()
        if mayHave.count == 1 {
          #expect(try store.count(Query<Car>()) == count)
          do {
            try store.commit { try $0.insert(Car(id: 41, model: "m41")) }
            count += 1
          } catch StoreError.storage(let fault) {
            // A sync of the log has failed: nothing more is written.
            #expect(failure.kinds == .sync && fault.extendedCode == Int(failure.code))
          }
          #expect(try store.count(Query<Car>()) == count)
        }
        if !hasFailed {
          #expect(mayHave == [second])
          return
        }
      }
      let stores = mayHave.compactMap { try? open(path, $0, on: disk) }
      #expect(stores.count == 1)
      #expect(try stores.first?.count(Query<Car>()) == count)
      number += number < 40 ? 1 : 7
    }
  }

  @Test func `P1, P8: it is the old one once a sync has failed`() throws {
    let path = temporaryPath("failing")
    let storage = try SQLiteStorage(
      path: path, key: { first }, durability: .full, watching: .none, log: .init())
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.commit { try $0.insert(Car(id: 1, model: "m1")) }
    // As the thread notes it that moves the log.
    storage.walHealth.fail(StorageFault(.inputOutput, "A sync has failed", extendedCode: 1034))
    let error = #expect(throws: StoreError.self) { try store.changeKey(to: second) }
    guard case .storage(let fault) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(fault.extendedCode == 1034)
    #expect(try open(path, first, on: nil).count(Query<Car>()) == 1)
    #expect(throws: StoreError.self) { try open(path, second, on: nil) }
  }

  @Test func `P8: after a loss of power it is the old one or the new one, and nothing is lost`()
    throws
  {
    var number = 1
    while true {
      let disk = FaultyDisk()
      let path = temporaryPath("power")
      let store = try open(path, first, on: disk)
      try store.commit { draft in
        try draft.insert(contentsOf: (1...40).map { Car(id: $0, model: "m\($0)") })
      }
      disk.losePower(at: number)
      let hasChanged = (try? store.changeKey(to: second)) != nil
      let isOff = disk.isOff
      let folder = try disk.remains(UInt64(number))
      let name = URL(fileURLWithPath: path).lastPathComponent
      let copy = folder + "/" + name
      let found = [first, second].filter { (try? open(copy, $0, on: nil)) != nil }
      #expect(found.count == 1)
      // A change that has returned stays.
      if hasChanged { #expect(found == [second]) }
      if let key = found.first {
        #expect(try open(copy, key, on: nil).count(Query<Car>()) == 40)
      }
      if !isOff { return }
      number += number < 60 ? 1 : 11
    }
  }
}
#endif
