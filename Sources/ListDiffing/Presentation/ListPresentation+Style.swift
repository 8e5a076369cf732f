extension ListPresentation {
  /// The way in which a host takes changes that it can't take all at once.
  ///
  ///     adapter.updateStyle = .stages
  ///
  /// Hosts don't refresh a row that moves. They can't move rows into an inserted section or out of
  /// a deleted one. They make mistakes if rows are inserted, deleted or moved inside a section that
  /// moves. All styles avoid these problems. They differ in what the user sees, and in how often
  /// the host has to lay out the list.
  public enum Style: Hashable, Sendable, CaseIterable {
    /// One pass without a reload: rows and sections with new content are deleted and inserted.
    ///
    /// Use it for hosts that can't redraw a row or a header. A changed row that moves fades. A row
    /// or a section that looks the same still moves.
    case singlePass

    /// One pass, then a reload of rows and headers with new content.
    ///
    /// A moved section is deleted and inserted if rows inside it are inserted, deleted or moved.
    /// The same holds for rows that move into an inserted section or out of a deleted one. All
    /// other moves are visible as moves, unless they lead to the same position. This suits most
    /// hosts.
    case passThenReload

    /// Up to three passes, each with its own list, then a reload.
    ///
    /// All moves are visible as moves. An exception is a row or a section that is already at its
    /// new position when its pass begins: it is deleted and inserted.
    ///
    /// Sections are inserted empty, then rows move, then sections move and are deleted. If one pass
    /// is enough, there is only one. The host has to read each of the intermediate lists from the
    /// object that presents the changes, such as ``ListAdapter/sections``, and not from the
    /// model.
    case stages
  }
}
