import SQLiteLibrary
@_spi(Storage) import EntityStore
import Foundation
import SQLitePersistence
import TestSupport
import Testing

/// Each operation of a commit, of a read and of opening fails once, and from there on.
@Suite(.oneThread) struct `A commit is whole or absent, whichever disk operation fails` {
  /// A fault that a sweep makes.
  struct Sweep: CustomTestStringConvertible, Sendable {
    var kinds: FaultyDisk.Kinds.RawValue
    var code: Int32
    var times: Int
    var testDescription: String { "kinds \(kinds), code \(code), \(times) times" }

    init(_ kinds: FaultyDisk.Kinds, _ code: Int32, times: Int = 1) {
      (self.kinds, self.code, self.times) = (kinds.rawValue, code, times)
    }
  }

  private static let sweeps = [1, 1_000_000].flatMap { times in
    [
      Sweep(.write, SQLITE_IOERR | 3 << 8, times: times),
      Sweep(.write, SQLITE_FULL, times: times),
      Sweep(.sync, SQLITE_IOERR | 4 << 8, times: times),
      Sweep(.read, SQLITE_IOERR | 1 << 8, times: times),
      Sweep(.truncate, SQLITE_IOERR | 6 << 8, times: times),
      Sweep([.shared, .size, .open, .delete], SQLITE_IOERR | 21 << 8, times: times),
      Sweep([.write, .sync, .truncate], SQLITE_IOERR | 28 << 8, times: times),
    ]
  }

  private static let isWhole = rounds(10) >= 100

  /// How far it is from the number of one operation to that of the next to be tried: `SIGNALBOX_ROUNDS=1` tries more,
  /// and 10 all of them.
  private static func step(_ number: Int) -> Int {
    isWhole ? 1 : 1 + number / (rounds(10) > 1 ? 3 : 1)
  }

  private func open(_ disk: FaultyDisk, _ path: String, _ durability: Durability = .full) throws
    -> Store
  {
    try Store(
      .custom { try disk.storage(path, durability, logPages: 12) }, entities: Library.entities)
  }

  @Test(arguments: sweeps, [Durability.full, .normal])
  func `S1: a commit that throws is absent, and one of unknown outcome is whole or absent`(
    _ sweep: Sweep, _ durability: Durability
  ) throws {
    let library = Library(seed: 5, most: 30)
    let before = try library.contents(at: 3)
    let after = try library.contents(at: 4)
    var number = 1
    var passed = false
    while !passed, number < 400 {
      let path = try temporaryFolder("sweep") + "/store.sqlite"
      let disk = FaultyDisk()
      var comment: Comment { "the \(number)th" }
      var next = 4
      do {
        let store = try open(disk, path, durability)
        for version in 1...3 { try library.commit(version, to: store) }
        // Another program writes: what the connections know of the file has to be read again.
        try RawDatabase(path, vfs: disk.name).rows("UPDATE signalbox_metadata SET value = value")
        disk.fail(
          .init(rawValue: sweep.kinds), at: number, times: sweep.times, with: sweep.code)
        var returned = false
        var isUnknown = false
        do {
          try library.commit(4, to: store)
          returned = true
        } catch StoreError.outcomeUnknown(let version, let fault) {
          isUnknown = true
          #expect(version == 4, comment)
          #expect(fault?.extendedCode == Int(sweep.code), comment)
        } catch StoreError.storage(let fault) {
          #expect(fault.code == Int(sweep.code & 0xFF), comment)
          #expect(fault.path != nil && fault.operation != nil && fault.detail != nil, comment)
        }
        passed = disk.failures == 0
        disk.heal()
        // What there would be if the process was killed now, and if the power went.
        let versions = isUnknown ? 3...4 : returned ? 4...4 : 3...3
        let killed = try temporaryFolder("killed")
        for end in ["", "-wal"] where FileManager.default.fileExists(atPath: path + end) {
          try FileManager.default.copyItem(
            atPath: path + end, toPath: killed + "/store.sqlite" + end)
        }
        for folder in [killed, try disk.remains(UInt64(number))] {
          let found = try library.check(folder + "/store.sqlite", comment)
          #expect(
            versions.contains(found) || durability == .normal && folder != killed && found < 4,
            comment)
          try FileManager.default.removeItem(atPath: folder)
        }
        if isUnknown {
          // It refuses, and says why, until it is opened again.
          do {
            try library.commit(5, to: store)
            Issue.record("A commit after an unknown outcome", sourceLocation: #_sourceLocation)
          } catch StoreError.outcomeUnknown(let version, _) { #expect(version == 4, comment) }
          let contents = try Library.Contents(store)
          #expect(contents == before || contents == after, comment)
        } else {
          #expect(try Library.Contents(store) == (returned ? after : before), comment)
          next = returned ? 5 : 4
          do {
            try library.commit(next, to: store)
            next += 1
          } catch StoreError.storage(let fault) {
            // The sync of a log that was to be moved: nothing more is written.
            #expect(fault.extendedCode == Int(sweep.code), comment)
            #expect(sweep.kinds & FaultyDisk.Kinds.sync.rawValue != 0, comment)
            #expect(fault.operation == "moving its log into it", comment)
          }
          #expect(try Library.Contents(store) == library.contents(at: next - 1), comment)
        }
        if isUnknown { next = -1 }
      }
      // Opened again it works, and what it returns outlives the power.
      let version: Int
      do {
        let store = try open(disk, path, durability)
        version = Int(try store.version)
        if next < 0 {
          #expect(version == 3 || version == 4, comment)
        } else {
          #expect(version == next - 1, comment)
        }
        try library.commit(version + 1, to: store)
        let remains = try disk.remains(UInt64(number))
        let found = try library.check(remains + "/store.sqlite", comment)
        #expect(found == version + 1 || durability == .normal && found <= version, comment)
        try FileManager.default.removeItem(atPath: remains)
      }
      #expect(try library.check(path, comment) == version + 1, comment)
      try FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent)
      number += Self.step(number)
    }
    #expect(passed)
    #expect(number > 1)
  }

  @Test func `S1: a body that keeps a failed read to itself commits nothing in part`() throws {
    let library = Library(seed: 9)
    let path = try temporaryFolder("sweep") + "/store.sqlite"
    let disk = FaultyDisk()
    let store = try open(disk, path)
    for version in 1...3 { try library.commit(version, to: store) }
    for number in 1...12 {
      try RawDatabase(path, vfs: disk.name).rows("UPDATE signalbox_metadata SET value = value")
      do {
        try store.commit { draft in
          disk.fail(.read, at: number, times: 1_000_000, with: SQLITE_IOERR | 1 << 8)
          let shelves = (try? draft.fetch(Query<Shelf>())) ?? []
          let books = (try? draft.fetch(Query<Book>())) ?? []
          if disk.failures == 0 { throw CocoaError(.userCancelled) }
          // SQLite has undone the transaction by itself.
          disk.heal()
          for id in 0..<5 {
            try draft.insert(Shelf(id: 900 + id, name: "\(id) \(shelves.count) \(books.count)"))
          }
        }
        Issue.record("A commit that SQLite has undone returns")
      } catch StoreError.storage(let fault) {
        #expect(fault.kind == .inputOutput)
      } catch is CocoaError {}
      disk.heal()
      #expect(try Library.Contents(store) == library.contents(at: 3))
    }
    try library.commit(4, to: store)
    #expect(try Library.Contents(store) == library.contents(at: 4))
  }

  @Test(arguments: sweeps)
  func `P3: a read that fails throws, and the next one reads`(_ sweep: Sweep) throws {
    let library = Library(seed: 6, most: 30)
    let path = try temporaryFolder("sweep") + "/store.sqlite"
    do {
      let store = try Store(.sqlite(path: path), entities: Library.entities)
      for version in 1...3 { try library.commit(version, to: store) }
    }
    let expected = try library.contents(at: 3)
    let disk = FaultyDisk()
    let store = try open(disk, path)
    var number = 1
    var passed = false
    while !passed, number < 400 {
      try RawDatabase(path, vfs: disk.name).rows("UPDATE signalbox_metadata SET value = value")
      disk.fail(.init(rawValue: sweep.kinds), at: number, times: sweep.times, with: sweep.code)
      do {
        #expect(try Library.Contents(store) == expected)
      } catch StoreError.storage(let fault) {
        #expect(disk.failures > 0, "\(fault)")
      }
      passed = disk.failures == 0
      disk.heal()
      #expect(try Library.Contents(store) == expected)
      number += Self.step(number)
    }
    #expect(passed)
    try library.commit(4, to: store)
    #expect(try Library.Contents(store) == library.contents(at: 4))
  }

  @Test(arguments: sweeps)
  func `P3: opening that fails throws, and the file is there for the next time`(_ sweep: Sweep)
    throws
  {
    let library = Library(seed: 7)
    for isNew in [true, false] {
      var number = 1
      var passed = false
      while !passed, number < 400 {
        let path = try temporaryFolder("sweep") + "/store.sqlite"
        if !isNew {
          let store = try Store(.sqlite(path: path), entities: Library.entities)
          for version in 1...2 { try library.commit(version, to: store) }
        }
        let disk = FaultyDisk()
        disk.fail(.init(rawValue: sweep.kinds), at: number, times: sweep.times, with: sweep.code)
        do {
          let store = try open(disk, path)
          #expect(try store.version == (isNew ? 0 : 2))
        } catch StoreError.storage(let fault) {
          #expect(disk.failures > 0, "\(fault)")
          #expect(fault.path != nil, "\(fault)")
        }
        passed = disk.failures == 0
        disk.heal()
        #expect(try library.check(path, "the \(number)th") == (isNew ? 0 : 2))
        try FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent)
        number += Self.step(number)
      }
      #expect(passed)
    }
  }
}
