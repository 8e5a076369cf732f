import EntityStore

/// A value that calls back when it goes.
final class Mark: Storable {
  static let storedType = StoredType.integer
  let number: Int
  private let end: (@Sendable () -> Void)?
  init(_ number: Int, end: (@Sendable () -> Void)? = nil) {
    self.number = number
    self.end = end
  }
  convenience init(storedValue: StoredValue) throws { self.init(try Int(storedValue: storedValue)) }
  var storedValue: StoredValue { number.storedValue }
  deinit { end?() }
}
