import LineProgram
import Signalbox

/// The commands that choose what is shown.
///
/// Each prints the whole screen, so the event of the change isn't printed.
extension ChatFront {
  func showList() {
    let lines = list.lines
    output.print(
      lines.isEmpty ? ["There are no conversations; \"new Hiking\" begins one."] : lines)
    shownCounts = []
  }

  func open(_ id: Conversation.ID) throws {
    guard let row = list.conversations.row(for: id) else {
      throw InputError("There is no conversation \(id); \"list\" shows the conversations")
    }
    let screen = try ConversationScreen(id, of: chat, calendar: calendar, showing: size)
    open = screen
    openTokens = output.follow(screen.messages, rank: Rank.messages) { [weak screen] event in
      screen.map { Self.lines(for: event, of: $0) } ?? []
    }
    output.print(row.title)
    show(screen)
  }

  func showEnd() throws {
    let screen = try opened()
    try output.muting(Rank.messages) {
      screen.messages.resume()
      try screen.showEnd()
    }
    show(screen)
  }

  func showUnread() throws {
    let screen = try opened()
    try output.muting(Rank.messages) {
      screen.messages.resume()
      try screen.showFirstUnread(before: size / 4, after: size - size / 4)
    }
    show(screen)
  }

  func pause() throws {
    let screen = try opened()
    guard screen.isAtEnd else {
      throw InputError("These messages already stand still; \"end\" goes to the end")
    }
    screen.messages.pause()
  }

  func find(_ words: String) throws {
    guard !SearchPattern(words: words).isEmpty else {
      search = nil
      searchTokens = []
      return output.print("The search has ended.")
    }
    let search = try MessageSearch(words, in: chat.store)
    self.search = search
    searchTokens = output.follow(search.messages, rank: Rank.found) { [weak search] event in
      search.map { Self.lines(for: event, of: $0) } ?? []
    }
    output.print(search.lines.isEmpty ? ["Nothing is found yet."] : search.lines)
  }

  /// Returns a line for each message that is found or no longer found.
  ///
  /// A message that only left the limited list has no line.
  private static func lines(
    for event: ListEvent<EntityView<Message>>, of search: MessageSearch
  ) -> [String] {
    let last = event.after.rowsAfter > 0 ? event.after.rows.last?.id : nil
    return event.changedRows.compactMap { change in
      if change.mark == .went, let last, change.row.id < last { return nil }
      return "found \(change.mark.rawValue) \(search.line(for: change.row))"
    }
  }

  private func show(_ screen: ConversationScreen) {
    let above = screen.messages.snapshot.rowsBefore
    output.print((above > 0 ? ["\(above) above"] : []) + screen.lines)
    shownCounts = []
  }

  /// Returns a line for each message that came, changed or was deleted.
  ///
  /// A message that only left the window has no line.
  private static func lines(
    for event: ListEvent<EntityView<Message>>, of screen: ConversationScreen
  ) -> [String] {
    let after = event.after
    let first = after.rowsBefore > 0 ? after.rows.first?.id : nil
    let last = after.rowsAfter > 0 ? after.rows.last?.id : nil
    return event.changedRows.compactMap { change in
      if change.mark == .went {
        if let first, change.row.id < first { return nil }
        if let last, change.row.id > last { return nil }
      }
      return "\(change.mark.rawValue) \(screen.line(for: change.row))"
    }
  }
}
