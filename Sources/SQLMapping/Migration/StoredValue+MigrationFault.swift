@_spi(Storage) package import EntityStore

extension StoredValue {
  /// Returns the part of a sentence for a value that no column can have, or nil if one can.
  package func migrationFault(as name: String) -> String? {
    switch self {
    case .real(let number) where number.isNaN:
      "a \(name) that is NaN, which can't be stored; use nil"
    case .list: "a \(name) of several parts; give each part to its own column"
    default: nil
    }
  }
}
