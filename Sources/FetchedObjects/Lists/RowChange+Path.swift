internal import ListDiffing

extension SectionChange {
  /// The position in the list that has the section: the one before for a delete, else the one after.
  var position: Int {
    switch self {
    case .delete(let position), .insert(let position), .update(_, let position),
      .move(_, let position):
      position
    }
  }
}

extension RowChange {
  /// The path in the list that has the row: the one before for a delete, else the one after.
  var path: ListPath {
    switch self {
    case .delete(let path), .insert(let path), .update(_, let path), .move(_, let path): path
    }
  }
}
