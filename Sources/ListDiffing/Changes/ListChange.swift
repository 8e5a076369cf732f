/// One change of a list: of a row or of a section.
///
///     switch change {
///     case .section(let change): print(change)  // move section 2 → 0
///     case .row(let change): print(change)  // move 0.2 → 0.0
///     }
public enum ListChange: Hashable, Sendable {
  /// A change of a section.
  case section(SectionChange)
  /// A change of a row.
  case row(RowChange)
}

extension ListChange: CustomStringConvertible {
  /// The change, as in "move section 2 → 0" and "move 0.2 → 0.0".
  public var description: String {
    switch self {
    case .section(let change): change.description
    case .row(let change): change.description
    }
  }
}
