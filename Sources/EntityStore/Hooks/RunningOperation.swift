/// An operation that has been reported as begun.
struct RunningOperation {
  private let hooks: any StoreHooks
  private let operation: StoreOperation
  private let start: ContinuousClock.Instant

  fileprivate init(_ operation: StoreOperation, _ hooks: any StoreHooks) {
    self.hooks = hooks
    self.operation = operation
    hooks.began(operation)
    start = .now
  }

  func end(_ versions: ClosedRange<Int64>?, _ error: (any Error)? = nil) {
    end(after: .now - start, versions, error)
  }

  func end(after time: Duration, _ versions: ClosedRange<Int64>?, _ error: (any Error)?) {
    hooks.ended(operation, StoreReport(time, versions, error: error))
  }
}

extension (any StoreHooks)? {
  /// Reports that an operation begins, or returns nil if there are no hooks.
  func begin(_ kind: StoreOperation.Kind, named name: String? = nil) -> RunningOperation? {
    map { RunningOperation(StoreOperation(kind, name: name), $0) }
  }
}
