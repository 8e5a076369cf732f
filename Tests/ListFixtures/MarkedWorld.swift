package import EntityStore
package import Locking
package import TestSupport

package struct Marked: Entity {
  package let id: Int
  package var mark: Mark
  package static let attributes = Attributes(.id(\Marked.id), .attribute("mark", \.mark))
  package static let schema = Schema(attributes, Marked.init)

  package init(id: Int, mark: Mark) {
    self.id = id
    self.mark = mark
  }
}

/// A store of 20 rows whose marks call `onEnd` when they go.
package final class MarkedWorld: Sendable {
  package let alive = Counter()
  package let numbers = AtomicWord(0)
  package let onEnd = Locked<(@Sendable () -> Void)?>(nil)

  package init() {}

  package func mark() -> Mark {
    alive.add()
    return Mark(numbers.add(1)) { [self] in
      alive.add(-1)
      onEnd.withLock { $0 }?()
    }
  }
  package func fill(_ store: Store) throws {
    try store.commit { draft in
      for id in 0..<20 { try draft.insert(Marked(id: id, mark: self.mark())) }
    }
  }
  package func touch(_ store: Store, _ id: Int) throws {
    try store.commit { draft in try draft.update(Marked.self, id) { $0.mark = self.mark() } }
  }
}

package let byMark = Query<Marked>().sorted { [$0.mark.ascending] }
