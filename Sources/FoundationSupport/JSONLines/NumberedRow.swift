internal import EntityStore
internal import Foundation

/// An object of an import, and the line that it stands in.
struct NumberedRow {
  let line: Int
  let row: EntityRow
}
