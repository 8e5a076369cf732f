import EntityStore
import Fixtures
import SQLitePersistence
import TestSupport
import Testing

/// What is done to an entity's ids, on one or two stores.
private enum IDStep: CaseIterable {
  case add, addMany, take, insert, delete, deleteHighest, fail, undo, redo, reopen, switchStore
}

@Suite struct `The next id after random commits` {
  /// The stores of a life, and all ids that something had or was given.
  private struct World {
    let path: String?
    var stores: [Store] = []
    var current = 0
    var used: Set<Int> = []
    var steps: [IDStep] = []
    var generator: SeededGenerator

    var store: Store { stores[current] }

    init(_ storage: TestStorage, seed: Int) throws {
      path = storage == .file ? temporaryPath("life") : nil
      generator = SeededGenerator(seed: seed)
      try open()
    }

    mutating func open() throws {
      stores = []
      guard let path else {
        stores = [try Store(.inMemory, entities: [Owner.self])]
        return stores[0].historyLimit = 100
      }
      for _ in 1...2 {
        let store = try Store(
          .sqlite(path: path, durability: .normal, watching: .none), entities: [Owner.self])
        store.historyLimit = 100
        stores.append(store)
      }
    }

    func next(_ draft: borrowing Draft, _ taken: inout [Int]) throws -> Int {
      let id = try draft.nextID(Owner.self)
      expectTrue(!used.contains(id) && !taken.contains(id), "\(id) again after \(steps)")
      expectTrue(id > (used.max() ?? 0), "\(id) after \(steps)")
      taken.append(id)
      return id
    }

    private struct Refused: Error {}

    mutating func take(_ step: IDStep) throws {
      steps.append(step)
      var taken: [Int] = []
      let live = try store.all(Owner.self).map(\.id)
      switch step {
      case .add, .addMany:
        let count = step == .add ? 1 : 5
        try store.commit(named: "Add") { draft in
          for _ in 1...count { try draft.insert(Owner(id: try next(draft, &taken))) }
        }
      case .take: try store.commit { draft in _ = try next(draft, &taken) }
      case .insert:
        let id = Int.random(in: 1...(2 * used.count + 5), using: &generator)
        try store.commit(named: "Insert") { try $0.upsert(Owner(id: id, name: "\(used.count)")) }
        taken = [id]
      case .delete, .deleteHighest:
        guard let id = step == .delete ? live.randomElement(using: &generator) : live.max() else {
          return
        }
        try store.commit(named: "Delete") { try $0.delete(Owner.self, id) }
      case .fail:
        let failed: Void? = try? store.commit { draft in
          try draft.insert(Owner(id: try next(draft, &taken)))
          throw Refused()
        }
        expectTrue(failed == nil, "a refused commit returned")
        taken = []
      case .undo: do { try store.undo() } catch is StoreError { try store.clearHistory() }
      case .redo: do { try store.redo() } catch is StoreError { try store.clearHistory() }
      case .reopen: if path != nil { try open() }
      case .switchStore: current = (current + 1) % stores.count
      }
      used.formUnion(taken)
    }
  }

  @Test(.oneThread, arguments: TestStorage.withServer)
  func `S4: it is above all that were used, whatever is done and however often the file is opened`(
    _ storage: TestStorage
  ) throws {
    try withEvery("seed", in: seeds(storage == .file ? 60 : 300)) { seed in
      var world = try World(storage, seed: seed)
      for _ in 0..<40 {
        try world.take(IDStep.allCases.randomElement(using: &world.generator) ?? .add)
      }
    }
  }
}
