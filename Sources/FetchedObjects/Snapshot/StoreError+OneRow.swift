internal import EntityStore

extension StoreError {
  /// True if one row is the cause, so that the others may still be read.
  ///
  /// A sum that comes with the row is beyond `Int`, or a value isn't one of its attribute's type.
  var isOfOneRow: Bool {
    switch self {
    case .overflow, .unreadable: true
    default: false
    }
  }
}
