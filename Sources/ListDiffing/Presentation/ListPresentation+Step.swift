extension ListPresentation {
  /// One change of a list that is carried out before the next one, as `NSTableView` and plain
  /// arrays require.
  ///
  ///     for step in pass.steps { print(step) }  // delete 0.3, then move 0.1 → 0.0
  ///
  /// Positions refer to the list as the previous steps have left it. A row or section that moves is
  /// removed first, so the target position is counted without it.
  public enum Step: Hashable, Sendable {
    /// A section is deleted, with its rows.
    case deleteSection(at: Int)

    /// A section is inserted, with its rows.
    ///
    /// It is at its position in the new list, and no later step moves it.
    case insertSection(at: Int)

    /// A section is moved.
    case moveSection(from: Int, to: Int)

    /// A row is deleted.
    case deleteRow(at: ListPath)

    /// A row is inserted.
    ///
    /// It is at its path in the new list, and no later step moves it.
    case insertRow(at: ListPath)

    /// A row is moved.
    case moveRow(from: ListPath, to: ListPath)
  }
}

extension ListPresentation.Step: CustomStringConvertible {
  /// The step as a text, such as "move 0.2 → 0.0".
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
