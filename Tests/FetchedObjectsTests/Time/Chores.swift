import EntityStore
import Fixtures
import Foundation
import FoundationSupport
import Locking

/// Something to do by a time, if it has one.
struct Chore: Entity, Hashable {
  let id: Int
  var name: String
  var due: Date?
  var isOpen: Bool
  var list: Ref<ChoreList>?

  init(_ id: Int, due: Double? = nil, name: String = "", isOpen: Bool = true, list: Int? = nil) {
    self.init(
      id: id, name: name, due: due.map(Date.init(timeIntervalSince1970:)), isOpen: isOpen,
      list: list.map { Ref($0) })
  }

  init(id: Int, name: String, due: Date?, isOpen: Bool, list: Ref<ChoreList>?) {
    (self.id, self.name, self.due, self.isOpen, self.list) = (id, name, due, isOpen, list)
  }

  static let attributes = Attributes(
    .id(\Chore.id), .attribute("name", \.name), .attribute("due", \.due),
    .attribute("isOpen", \.isOpen),
    .one("list", \.list, inverse: \.chores, onDelete: .nullify))
  static let schema = Schema(attributes, Chore.init, rules: [.index(\.due)])

  var seconds: Double? { due?.timeIntervalSince1970 }
}

/// A list that can be worked on from a time on.
struct ChoreList: Entity, Hashable {
  let id: Int
  var opens: Date

  init(_ id: Int, opens: Double) {
    self.init(id: id, opens: Date(timeIntervalSince1970: opens))
  }

  init(id: Int, opens: Date) { (self.id, self.opens) = (id, opens) }

  var chores: Many<ChoreList, Chore> { Many(\.list) }

  static let attributes = Attributes(.id(\ChoreList.id), .attribute("opens", \.opens))
  static let schema = Schema(attributes, ChoreList.init)
}

extension TestStorage {
  func makeChores(_ time: TimeSource) throws -> Store {
    try Store(backing, entities: [Chore.self, ChoreList.self], time: time)
  }
}

/// Makes a store of chores that are due at some seconds, numbered from 0.
func makeChores(_ storage: TestStorage, _ time: TimeSource, _ dues: [Double?]) throws -> Store {
  let store = try storage.makeChores(time)
  try store.commit { draft in
    for (id, due) in dues.enumerated() { try draft.insert(Chore(id, due: due)) }
  }
  return store
}
