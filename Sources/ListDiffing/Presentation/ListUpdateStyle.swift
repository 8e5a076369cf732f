/// How a host takes changes that it can't take all at once.
///
/// Hosts don't refresh a row that moves, can't move rows into an inserted section or out of a deleted one, and
/// go wrong where rows come, go or move inside a section that moves. All styles get around that; they differ
/// in what the user sees and in how often the host has to lay the list out.
public enum ListUpdateStyle: Hashable, Sendable, CaseIterable {
  /// One pass and nothing after it: what changed its content is deleted and inserted.
  ///
  /// For hosts that can do no more than insert and delete. Whatever changed fades instead of moving.
  case singlePass

  /// One pass, then what changed its content is reloaded where it is.
  ///
  /// A moved section whose rows come, go or move is deleted and inserted, and so are rows that move into an
  /// inserted section or out of a deleted one. All else that moves is seen to move. This suits most hosts.
  case passThenReload

  /// Up to three passes, each with its own list, then the reload: all that moves is seen to move.
  ///
  /// Sections are inserted empty, then rows move, then sections move and go. Where one pass is enough there
  /// is one. The host has to read each of the lists in between from whoever presents the changes, as from
  /// ``SectionedListAdapter/sections``, and not from the model.
  case stages
}
