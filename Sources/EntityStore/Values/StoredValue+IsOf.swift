extension StoredValue {
  /// Returns true if the value is of a type; nil is of none.
  package func isOf(_ type: StoredType) -> Bool {
    switch (self, type) {
    case (.integer, .integer), (.real, .real), (.text, .text), (.bytes, .bytes), (.list, .list):
      true
    default: false
    }
  }
}
