/// A path to the texts of an object that a pattern is searched for in.
///
///     $0.matches("tea")        // the path Note.(title, text)
///     $0.note.title.matches("tea")  // the path Line.note.(title), with one step
@_spi(Storage) public struct SearchPath: Hashable, Sendable {
  /// The entity at which the path starts.
  public let root: EntityDescription
  /// The steps through references; none for the object itself.
  public let steps: [ReferenceStep]
  /// The positions of the attributes among the columns of the last entity.
  public let columns: [Int]

  /// The entity that has the attributes.
  public var target: EntityDescription { steps.last?.target ?? root }
}

@_spi(Storage) extension SearchPath: CustomStringConvertible {
  /// The path as text, such as `Line.note.(title, text)`.
  public var description: String {
    let names = columns.map { target.columns[$0].name }.joined(separator: ", ")
    return ([root.name] + steps.map { $0.source.columns[$0.column].name } + ["(\(names))"])
      .joined(separator: ".")
  }
}
