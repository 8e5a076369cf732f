import EntityStore
import FetchedObjects
import Foundation
import Locking
import TestSupport
import Testing

@testable import SQLitePersistence

private let first = EncryptionKey.bytes(0..<32)
private let second = EncryptionKey.bytes(100..<132)

private func open(
  _ path: String, _ key: EncryptionKey?, watching: StorageKind.FileWatching = .none
) throws -> Store {
  let kind: StorageKind =
    if let key {
      .sqlite(path: path, key: { key }, durability: .normal, watching: watching)
    } else {
      .sqlite(path: path, durability: .normal, watching: watching)
    }
  return try Store(kind, entities: [Person.self, Car.self])
}

private func fault(_ body: () throws -> Void) -> StorageFault? {
  do { try body() } catch StoreError.storage(let fault) { return fault } catch {
    recordIssue("\(error)")
  }
  return nil
}

/// All bytes of the file and the files beside it.
private func bytes(_ path: String) -> Data {
  ["", "-wal", "-shm", "-journal"].reduce(into: Data()) { data, suffix in
    if let more = FileManager.default.contents(atPath: path + suffix) { data += more }
  }
}

private let text = "a text that must not be seen"

private func car(_ id: Int) -> Car { Car(id: id, model: "\(text) \(id)") }

@Suite struct `A key that isn't one, or isn't wanted` {
  private let path = temporaryPath("key")

  @Test func `P8: it is refused, and nothing is made`() throws {
    for key in [
      .bytes([]), .bytes(0..<31), .bytes(0..<33), .bytes(0..<48), .passphrase(""),
      .passphrase("x'0011'"),
    ] as [EncryptionKey] {
      let fault = try #require(fault { _ = try open(path, key) })
      #expect(fault.kind == .wrongKey)
      #expect(fault.path == path)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `P8: the closure's own error is thrown, and nothing is made`() throws {
    struct Locked: Error {}
    #expect(throws: Locked.self) {
      try Store(.sqlite(path: path, key: { throw Locked() }), entities: [Person.self, Car.self])
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `P8: a key isn't printed`() {
    var dumped = ""
    dump(EncryptionKey.passphrase("secret"), to: &dumped)
    for text in ["\(EncryptionKey.passphrase("secret"))", String(reflecting: first), dumped] {
      #expect(text.contains("EncryptionKey(") && !text.contains("secret") && !text.contains("31"))
    }
  }

  @Test func `P8: a store in memory has no key to change`() throws {
    let store = try Store(.inMemory, entities: [Person.self, Car.self])
    #expect(fault { try store.changeKey(to: second) }?.kind == .wrongKey)
  }
}

#if !SQLCipher
@Suite struct `Without encryption` {
  private let path = temporaryPath("plain")

  @Test func `P8: a key is refused, so that nobody takes a file for encrypted`() throws {
    let fault = try #require(fault { _ = try open(path, first) })
    #expect(fault.kind == .wrongKey)
    #expect(fault.message.contains("add the trait SQLCipher"))
    #expect(!FileManager.default.fileExists(atPath: path))
    let store = try open(path, nil)
    try store.commit { try $0.insert(car(1)) }
    #expect(bytes(path).range(of: Data(text.utf8)) != nil)
  }
}
#else
@Suite(.timeLimit(.minutes(20)), .disabled(if: encryptsAll, "It gives each file a key of its own."))
struct `Encrypted files` {
  private let path = temporaryPath("secret")

  @Test(arguments: [first, .passphrase("correct horse"), .passphrase("e\u{301} \"'; --")])
  func `P8: no byte of a file or beside it says what is inside`(_ key: EncryptionKey) throws {
    do {
      let store = try open(path, key)
      try store.commit { try $0.insert(car(1)) }
      let found = bytes(path)
      #expect(found.count > 4096)
      #expect(found.range(of: Data(text.utf8)) == nil)
      #expect(found.range(of: Data("CREATE TABLE".utf8)) == nil)
      #expect(found.range(of: Data("SQLite format".utf8)) == nil)
    }
    #expect(bytes(path).range(of: Data(text.utf8)) == nil)
    #expect(try open(path, key).find(Car.self, 1)?.model == car(1).model)
  }

  @Test func `P8: another key, or none, is a typed error, and the file is as it was`() throws {
    do { try open(path, first).commit { try $0.insert(car(1)) } }
    let before = bytes(path)
    for key in [second, .passphrase("x"), .bytes([UInt8](repeating: 0, count: 32))] {
      let fault = try #require(fault { _ = try open(path, key) })
      #expect(fault.kind == .wrongKey)
      #expect(fault.message.contains("give its own key"))
    }
    let fault = try #require(fault { _ = try open(path, nil) })
    #expect(fault.kind == .foreign)
    #expect(fault.message.contains("it is encrypted"))
    #expect(bytes(path) == before)
    #expect(try open(path, first).count(Query<Car>()) == 1)
  }

  #if os(Linux)
  /// The locks that this process holds on a file, by the system's list.
  private func locks(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let inode = try #require(attributes[.systemFileNumber] as? Int)
    return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
      .count { $0.contains(":\(inode) ") && $0.contains(" \(getpid()) ") }
  }

  @Test func `P8: looking at a file with another key keeps the locks of an open store`() throws {
    let store = try open(path, first)
    try store.commit { try $0.insert(car(1)) }
    let before = try locks(path)
    #expect(before > 0)
    #expect(fault { _ = try open(path, second) }?.kind == .wrongKey)
    #expect(try locks(path) == before)
    try store.changeKey(to: second)
    #expect(fault { _ = try open(path, first) }?.kind == .wrongKey)
    #expect(try locks(path) >= before)
  }
  #endif

  @Test func `P8: a file that isn't encrypted says so`() throws {
    do { try open(path, nil).commit { try $0.insert(car(1)) } }
    let fault = try #require(fault { _ = try open(path, first) })
    #expect(fault.kind == .wrongKey)
    #expect(fault.message.contains("it isn't encrypted"))
    let store = try open(path, nil)
    #expect(try store.count(Query<Car>()) == 1)
    let other = try #require(
      #expect(throws: StoreError.self) { try store.changeKey(to: second) })
    #expect("\(other)".contains("it isn't encrypted"))
  }

  @Test func `P8: a backup has the key of the store`() throws {
    let copy = path + ".copy"
    let store = try open(path, first)
    try store.commit { try $0.insert(contentsOf: (1...300).map(car)) }
    try store.backUp(to: copy)
    #expect(bytes(copy).range(of: Data(text.utf8)) == nil)
    #expect(try open(copy, first).count(Query<Car>()) == 300)
  }

  @Test func `P8: a changed key opens the file, and the old one doesn't`() throws {
    do {
      let store = try open(path, first)
      try store.commit { try $0.insert(contentsOf: (1...300).map(car)) }
      let model = try FetchedObjectsModel(Query<Car>(), in: store)
      try store.changeKey(to: second)
      #expect(model.fetchedObjects.count == 300)
      try store.commit { try $0.insert(car(301)) }
      #expect(model.fetchedObjects.count == 301)
      #expect(try store.fetch(Query<Car>()).count == 301)
      #expect(try store.version == 2)
      try store.changeKey(to: .passphrase("third"))
      try store.changeKey(to: second)
      try store.commit { try $0.delete(Car.self, 1) }
      #expect(try store.find(Car.self, 1) == nil)
      // Nothing is left under the old key, in the file or its WAL.
      try store.eraseDeleted()
    }
    #expect(fault { _ = try open(path, first) }?.kind == .wrongKey)
    #expect(try open(path, second).count(Query<Car>()) == 300)
  }

  @Test func `P1, P8: a salt that a loss of power has taken is found in the WAL`() throws {
    let copy = path + ".copy"
    let store = try open(path, first)
    try store.commit { try $0.insert(contentsOf: (1...5).map(car)) }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: copy))
    try handle.write(contentsOf: Data(repeating: 0x5A, count: 512))
    try handle.close()
    let salt = [UInt8](bytes(path).prefix(16))
    do {
      // While this one reads, nobody moves the page out of the WAL.
      let file = DatabaseFile(copy, key: FileKey(first, salt: salt))
      let reader = try StoreConnection(file, .readOnly)
      try reader.begin()
      #expect(try reader.control.version() == 1)
      let found = try open(copy, first)
      #expect(try found.count(Query<Car>()) == 5)
      try found.changeKey(to: second)
      try found.commit { try $0.insert(car(6)) }
      #expect(bytes(copy).prefix(16) != Data(salt))
      try reader.commit()
    }
    #expect(try open(copy, second).count(Query<Car>()) == 6)
  }

  @Test func `P8: a key that is none changes nothing`() throws {
    let store = try open(path, first)
    try store.commit { try $0.insert(car(1)) }
    #expect(fault { try store.changeKey(to: .bytes([1])) }?.kind == .wrongKey)
    try store.commit { try $0.insert(car(2)) }
    #expect(try open(path, first).count(Query<Car>()) == 2)
  }

  @Test func `P8: reads and commits of other threads go on while the key changes`() throws {
    let store = try open(path, first)
    try store.commit { try $0.insert(contentsOf: (1...200).map(car)) }
    let hasEnded = AtomicWord(0)
    let errors = Locked<[String]>([])
    let threads = (0..<3).map { number in
      TestThread {
        while hasEnded.load() == 0 {
          do {
            switch number {
            case 0: try store.commit { try $0.update(Car.self, 1) { $0.model += "." } }
            case 1: _ = try store.fetch(Query<Car>())
            default: _ = try store.find(Car.self, 1)
            }
          } catch {
            errors.withLock { $0.append("\(error)") }
          }
        }
      }
    }
    var key = first
    for round in 0..<max(6, rounds(60)) {
      key = round % 2 == 0 ? second : first
      try store.changeKey(to: key)
    }
    hasEnded.store(1)
    for thread in threads { thread.join() }
    #expect(errors.withLock { $0 } == [])
    let count = try store.version
    #expect(try open(path, key).version == count)
  }

  @Test func `P8: another store that has the file open says that its key is wrong`() throws {
    let store = try open(path, first)
    try store.commit { try $0.insert(car(1)) }
    let other = try open(path, first)
    #expect(try other.count(Query<Car>()) == 1)
    try store.changeKey(to: second)
    #expect(fault { _ = try other.fetch(Query<Car>()) }?.kind == .wrongKey)
    #expect(fault { try other.commit { try $0.insert(car(2)) } }?.kind == .wrongKey)
    try store.commit { try $0.insert(car(3)) }
    #expect(try open(path, second).fetch(Query<Car>()).map(\.id) == [1, 3])
  }

  @Test func `P8: a watching store follows others after a change of the key`() async throws {
    let store = try open(path, first, watching: .every(.milliseconds(5)))
    try store.commit { try $0.insert(car(1)) }
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    try store.changeKey(to: second)
    let other = try open(path, second)
    try other.commit { try $0.insert(car(2)) }
    #expect(await becomesTrue { model.fetchedObjects.count == 2 })
  }

  @Test func `P8: a process may exit while its store reads and writes`() async throws {
    for _ in 0..<3 {
      await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
        let store = try open(path, first)
        Thread.detachNewThread { while true { _ = try? store.fetch(Query<Car>()) } }
        for _ in 0..<30 { try store.commit { try $0.insert(car(try $0.nextID(Car.self))) } }
        exit(7)
      }
    }
  }

  @Test func `P8: while another program writes, the key stays`() throws {
    let store = try open(path, first)
    try store.commit { try $0.insert(car(1)) }
    let other = try StoreConnection(DatabaseFile(path, key: FileKey(first)), .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    #expect(fault { try store.changeKey(to: second) }?.kind == .busy)
    try other.execute("ROLLBACK")
    try store.commit { try $0.insert(car(2)) }
    #expect(try open(path, first).count(Query<Car>()) == 2)
  }
}
#endif
