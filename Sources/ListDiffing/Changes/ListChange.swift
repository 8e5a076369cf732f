/// One change of a list: of a row or of a section.
public enum ListChange: Hashable, Sendable {
  /// What happened to a section.
  case section(SectionChange)
  /// What happened to a row.
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
