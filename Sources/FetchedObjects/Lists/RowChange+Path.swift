internal import ListDiffing

extension SectionChange {
  /// The position of the section: in the list before for a delete, and otherwise in the list after.
  var position: Int {
    switch self {
    case .delete(let position), .insert(let position), .update(_, let position),
      .move(_, let position):
      position
    }
  }
}

extension RowChange {
  /// The path of the row: in the list before for a delete, and otherwise in the list after.
  var path: ListPath {
    switch self {
    case .delete(let path), .insert(let path), .update(_, let path), .move(_, let path): path
    }
  }
}
