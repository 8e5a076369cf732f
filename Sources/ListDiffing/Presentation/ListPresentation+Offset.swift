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
    let changes = changes.offset(sections: sections, rows: rows)
    var pass = self
    pass.deletedSections = changes.deletedSections
    pass.insertedSections = changes.insertedSections
    pass.movedSections = changes.movedSections
    pass.deletes = changes.deletes
    pass.inserts = changes.inserts
    pass.moves = changes.moves
    return pass
  }
}
