extension ListPresentation.Pass {
  /// Returns the pass of the same list inside a host that shows something before it.
  ///
  /// - Parameters:
  ///   - sections: The number of sections of the host before the first section of the list.
  ///   - rows: The number of rows of the host before the first row of the list, in each of the
  ///     list's sections.
  /// - Returns: The pass at the host's positions.
  /// - Complexity: O(*k*), where *k* is the number of changes.
  public func offset(sections: Int = 0, rows: Int = 0) -> ListPresentation.Pass {
    ListPresentation.Pass(changes.offset(sections: sections, rows: rows), contents: contents)
  }
}
