import EntityStore
import FetchedObjects
import ListDiffing
import Relays

/// Someone whose goods stand in a section of their own.
struct Maker: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\Maker.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Maker.init)
}

/// A row with a reference.
struct Good: Entity {
  let id: Int
  var name: String
  var number: Int
  var maker: Ref<Maker>?
  static let attributes = Attributes(
    .id(\Good.id), .attribute("name", \.name), .attribute("number", \.number),
    .one("maker", \.maker, inverse: \.goods))
  static let schema = Schema(attributes, Good.init)
}

extension Maker { var goods: Many<Maker, Good> { Many(\.maker) } }

/// What the subscribers of a scene count.
///
/// One thread uses it.
final class EventCounter: @unchecked Sendable {
  var events = 0
}

/// A store, the models that follow it and a commit that is made again and again.
struct FollowedScene {
  let store: Store
  var models: [Any] = []
  let counter = EventCounter()
  /// How many events each commit must make; nil if it varies.
  var eventsPerCommit: Int? = 1
  let commit: (_ turn: Int) throws -> Void

  /// A scene of goods by so many makers.
  static func goods(
    _ count: Int, makers: Int = 100, name: @escaping (Int) -> String = Item.name,
    commit: @escaping (Store, Int) throws -> Void
  ) throws -> FollowedScene {
    let store = try Store(.inMemory, entities: [Maker.self, Good.self])
    try store.commit { draft in
      for id in 0..<makers { try draft.insert(Maker(id: id, name: Item.name(id))) }
      for id in 0..<count {
        try draft.insert(Good(id: id, name: name(id), number: id, maker: Ref(id % makers)))
      }
    }
    return FollowedScene(store: store) { try commit(store, $0) }
  }

  /// Shows a query.
  mutating func follow(_ query: Query<Good>) throws {
    let model = try FetchedObjectsModel(query, in: store)
    models.append(model)
    let counter = counter
    models.append(model.didChange.subscribe { counter.events += $0.changes.isEmpty ? 0 : 1 })
  }
}

extension Side {
  /// Makes a scene's commit again and again, and checks that its events come.
  static func following(
    _ name: String = "Signalbox", operations: Int = 1, _ make: @escaping () throws -> FollowedScene
  ) -> Side {
    .loop(name, operations: operations) {
      let scene = try make()
      var turn = 0
      return { iterations in
        let before = scene.counter.events
        for _ in 0..<iterations {
          try scene.commit(turn)
          turn += 1
        }
        let events = scene.counter.events - before
        if let expected = scene.eventsPerCommit, events != iterations * expected {
          throw BenchmarkError.wrong("\(events) events of \(iterations) commits")
        }
      }
    }
  }
}
