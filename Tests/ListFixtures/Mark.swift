package import EntityStore

/// A value that calls back when it goes.
package final class Mark: Storable {
  package static let storedType = StoredType.integer
  package let number: Int
  private let end: (@Sendable () -> Void)?
  package init(_ number: Int, end: (@Sendable () -> Void)? = nil) {
    self.number = number
    self.end = end
  }
  package convenience init(storedValue: StoredValue) throws {
    self.init(try Int(storedValue: storedValue))
  }
  package var storedValue: StoredValue { number.storedValue }
  deinit { end?() }
}
