@_spi(Storage) internal import EntityStore
internal import Foundation

/// A range of storable values.
protocol StoredRange {
  func contains(_ value: QueryExpression) -> QueryExpression
}

extension StoredRange {
  func isIn(
    _ value: QueryExpression, from lower: (any Storable)?, to upper: (any Storable)?,
    isClosed: Bool
  ) -> QueryExpression {
    .all(
      [
        lower.map { .compare(.greaterOrEqual, value, .constant($0.storedValue)) },
        upper.map { .compare(isClosed ? .lessOrEqual : .less, value, .constant($0.storedValue)) },
      ].compactMap { $0 })
  }
}
