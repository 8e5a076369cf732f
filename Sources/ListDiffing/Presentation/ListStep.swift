/// One change of a list that is carried out before the next one, as `NSTableView` and plain arrays take them.
///
/// All positions are those of the moment: a step finds the list as the steps before have left it. A row or
/// section that moves is taken out first, so the target counts without it.
public enum ListStep: Hashable, Sendable {
  /// A section goes, with its rows.
  case deleteSection(at: Int)

  /// A section comes, with its rows. No later step moves it: it is at its position in the new list.
  case insertSection(at: Int)

  /// A section changes place.
  case moveSection(from: Int, to: Int)

  /// A row goes.
  case deleteRow(at: ListPath)

  /// A row comes. No later step moves it: it is at its path in the new list.
  case insertRow(at: ListPath)

  /// A row changes place.
  case moveRow(from: ListPath, to: ListPath)
}

extension ListStep: CustomStringConvertible {
  /// The step in words, as in "move 0.2 → 0.0".
  public var description: String {
    switch self {
    case .deleteSection(let section): "delete section \(section)"
    case .insertSection(let section): "insert section \(section)"
    case .moveSection(let old, let new): "move section \(old) → \(new)"
    case .deleteRow(let path): "delete \(path)"
    case .insertRow(let path): "insert \(path)"
    case .moveRow(let old, let new): "move \(old) → \(new)"
    }
  }
}
