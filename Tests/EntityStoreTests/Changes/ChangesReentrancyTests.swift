@testable import EntityStore
import Locking
import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `R1: a subscription to changes gets the commits after it` {
  private func makeStore() throws -> Store { try Store(.inMemory, entities: [Owner.self]) }

  @Test func `R1: one made in a callback gets later commits only`() throws {
    let store = try makeStore()
    let log = Log<String>()
    let held = Held()
    let token = store.changes(of: Owner.self).subscribe { changes in
      let version = changes.version
      held.add(
        store.changes(of: Owner.self).subscribe { log.note("all \(version): \($0.version)") })
      held.add(
        store.changes(of: Owner.self) { $0.id >= 0 }
          .subscribe { log.note("range \(version): \($0.version)") })
    }
    try store.commit { try $0.insert(Owner(id: 1)) }
    #expect(log.entries == [])
    try store.commit { try $0.insert(Owner(id: 2)) }
    #expect(log.entries == ["all 1: 2", "range 1: 2"])
    token.cancel()
    held.drop()
  }

  @Test func `R1: one made in a callback doesn't get a commit that waits behind it`() throws {
    let store = try makeStore()
    let log = Log<String>()
    let held = Held()
    let token = store.commits.subscribe { commit in
      guard commit.version == 1 else { return }
      _ = try? store.commit { try $0.insert(Owner(id: 2)) }
      // The second commit has been made and is told after this.
      held.add(store.changes(of: Owner.self).subscribe { log.note("\($0.version)") })
      _ = try? store.commit { try $0.insert(Owner(id: 3)) }
    }
    try store.commit { try $0.insert(Owner(id: 1)) }
    #expect(log.entries == ["3"])
    token.cancel()
    held.drop()
  }

  @Test func `R1: one made in a commit's body gets that commit, as one to all commits does`() throws
  {
    let store = try makeStore()
    let log = Log<String>()
    let held = Held()
    try store.commit { draft in
      held.add(store.changes(of: Owner.self, 1).subscribe { log.note("id \($0.version)") })
      held.add(store.commits.subscribe { log.note("commit \($0.version)") })
      held.add(
        store.changes(of: Owner.self) { $0.name == "Ann" }
          .subscribe { log.note("name \($0.version)") })
      try draft.insert(Owner(id: 1, name: "Ann"))
    }
    #expect(log.entries == ["commit 1", "id 1", "name 1"])
    held.drop()
  }

  @Test func `R2: a commit made in a callback is delivered after the current one`() throws {
    let store = try makeStore()
    let log = Log<String>()
    let tokens = (0..<2).map { index in
      store.changes(of: Owner.self) { $0.id < 100 }.subscribe { changes in
        log.note("\(index) begins \(changes.version)")
        if index == 0 && changes.version < 3 {
          _ = try? store.commit { try $0.insert(Owner(id: Int(changes.version) + 1)) }
        }
        log.note("\(index) ends \(changes.version)")
      }
    }
    try store.commit { try $0.insert(Owner(id: 1)) }
    let expected = (1...3).flatMap { version in
      (0..<2).flatMap { ["\($0) begins \(version)", "\($0) ends \(version)"] }
    }
    #expect(log.entries == expected)
    withExtendedLifetime(tokens) {}
  }

  @Test func `S2: one made in a body that is undone, and one that is cancelled there, end well`()
    throws
  {
    let store = try makeStore()
    let log = Log<String>()
    let held = Held()
    #expect(throws: Refusal()) {
      try store.commit { draft in
        held.add(store.changes(of: Owner.self).subscribe { log.note("\($0.version)") })
        try draft.insert(Owner(id: 1))
        throw Refusal()
      }
    }
    #expect(log.entries == [])
    try store.commit { try $0.insert(Owner(id: 1)) }
    #expect(log.entries == ["1"])
    try store.commit { draft in
      held.cancelAll()
      try draft.insert(Owner(id: 2))
    }
    #expect(log.entries == ["1"])
  }

  @Test
  func `R1: while threads commit, come and go, each subscription gets its commits once, in order`()
    async throws
  {
    let store = try makeStore()
    let writers = 2
    let rounds = 400
    let ended = Counter(0)
    let wrong = Log<String>()
    let writing: [@Sendable () throws -> Void] = (0..<writers).map { writer in
      {
        defer { ended.add(1) }
        for round in 0..<rounds {
          try store.commit { draft in
            try draft.upsert(Owner(id: writer, name: "\(round)"))
            try draft.upsert(Owner(id: 10 + round % 5, name: "\(writer) \(round)"))
          }
        }
      }
    }
    let listening: [@Sendable () throws -> Void] = (0..<2).map { listener in
      {
        var count = 0
        while ended.value < writers {
          count += 1
          let all = Recorder(store.changes(of: Owner.self))
          let before = try store.version
          let one = Recorder(store.changes(of: Owner.self, 0))
          let ranged = Recorder(store.changes(of: Owner.self) { $0.id.in(10...14) })
          for _ in 0..<count % 7 { CurrentThread.yield() }
          // Every commit changes one of them.
          let (some, all_) = (ranged.values.map(\.version), all.values.map(\.version))
          for versions in [some, all_] where !versions.isEmpty {
            let expected = Array(versions[0]..<versions[0] + Int64(versions.count))
            if versions != expected { wrong.note("\(versions)") }
          }
          if let first = some.first, first <= before { wrong.note("\(first) came before") }
          let own = one.values.flatMap { $0.inserted + $0.updated.map(\.new) }
          let numbers = own.compactMap { Int($0.name) }
          if let first = numbers.first, numbers != Array(first..<first + numbers.count) {
            wrong.note("\(numbers)")
          }
        }
      }
    }
    try await inThreads(writing + listening)
    #expect(wrong.entries == [])
    let isEmpty = store.registry.withLock { $0.isEmpty }
    #expect(isEmpty)
  }
}
