@_spi(Storage) internal import EntityStore
internal import Foundation

/// An object of an import, and the number of its line.
struct NumberedRow {
  let line: Int
  let row: EntityRow
}
