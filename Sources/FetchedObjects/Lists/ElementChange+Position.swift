internal import ListDiffing

extension ElementChange {
  /// The position: in the list before for a delete, and otherwise in the list after.
  var position: Position {
    switch self {
    case .delete(let position), .insert(let position), .update(_, let position),
      .move(_, let position):
      position
    }
  }
}
