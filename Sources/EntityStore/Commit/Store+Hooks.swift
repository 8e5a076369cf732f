internal import Locking

// Operations begin and end here, while no lock of the store is held. The clock is read only if
// there are hooks.
extension Store {
  /// Runs `body`, which sets the versions that it has found, as an operation if there are hooks.
  func operation<Result>(
    _ kind: StoreOperation.Kind, named name: String? = nil,
    _ body: (_ versions: inout ClosedRange<Int64>?) throws -> Result
  ) rethrows -> Result {
    guard let operation = hooks.begin(kind, named: name) else {
      var ignored: ClosedRange<Int64>?
      return try body(&ignored)
    }
    var versions: ClosedRange<Int64>?
    do {
      let result = try body(&versions)
      operation.end(versions)
      return result
    } catch {
      operation.end(nil, error)
      throw error
    }
  }

  /// True if the calling thread is inside a commit, or publishes one.
  ///
  /// No hook runs there: the writers' lock or the publishing lock is held.
  var isBusyHere: Bool { writer.isHeldHere || publishing.isHeldHere }

  /// Returns the versions after a known one, up to the last one, or nil if there are none.
  ///
  /// The caller holds the writers' lock.
  func versions(since known: Int64) -> ClosedRange<Int64>? {
    lastVersion > known ? known + 1...lastVersion : nil
  }
}
