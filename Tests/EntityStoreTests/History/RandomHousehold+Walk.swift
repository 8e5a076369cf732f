import EntityStore
import TestSupport
import Testing

extension RandomHousehold {
  /// Makes commits, undoes and redoes them, at last all, and compares each state with a list.
  ///
  /// - Parameters:
  ///   - count: The number of steps.
  ///   - store: A store that keeps at least as many commits.
  ///   - reopen: Opens the store's file again, or nil to go on in the same store.
  /// - Throws: Any error of the store.
  mutating func walk(
    _ count: Int, in store: Store, reopening reopen: (() throws -> Store)? = nil
  ) throws {
    var store = store
    var past: [(name: String, state: [ObjectID: [StoredValue]])] = []
    var future: [(name: String, state: [ObjectID: [StoredValue]])] = []
    for step in 0..<count {
      let now = try store.contents()
      switch number(reopen == nil ? 4 : 5) {
      case 0:
        expectEqual(try store.undo(), past.last?.name)
        guard let step = past.popLast() else { break }
        future.append((step.name, now))
        expectEqual(try store.contents(), step.state)
      case 1:
        expectEqual(try store.redo(), future.last?.name)
        guard let step = future.popLast() else { break }
        past.append((step.name, now))
        expectEqual(try store.contents(), step.state)
      case 4: store = try reopen?() ?? store
      default:
        guard commit(store, named: "\(step)") else { break }
        past.append(("\(step)", now))
        future = []
      }
      expectEqual(store.undoNames, past.map(\.name))
      expectEqual(store.redoNames, future.map(\.name))
    }
    let last = try store.contents()
    for step in past.reversed() {
      expectEqual(try store.undo(), step.name)
      expectEqual(try store.contents(), step.state)
    }
    expectEqual(try store.undo(), nil)
    for step in past { expectEqual(try store.redo(), step.name) }
    expectEqual(try store.contents(), last)
  }
}
