/// A value before and after a change.
///
///     let token = car.changes(of: \.year).subscribe { change in
///       print(change.old ?? 0, change.new)
///     }
public struct ValueChange<Value: Sendable>: Sendable {
  /// The value before, or nil if there was no object yet.
  public let old: Value?
  /// The value after.
  public let new: Value

  /// Creates a change from one value to another.
  public init(old: Value?, new: Value) {
    self.old = old
    self.new = new
  }
}

extension ValueChange: Equatable where Value: Equatable {}
