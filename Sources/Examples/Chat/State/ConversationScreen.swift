import Foundation
import Signalbox

/// A part of a conversation: its end, or the messages around the first unread one.
@MainActor final class ConversationScreen {
  let id: Conversation.ID
  let messages: FetchedObjectsModel<Message>
  private(set) var isAtEnd = true
  private let chat: Chat
  private let calendar: Calendar
  private let size: Int

  init(_ id: Conversation.ID, of chat: Chat, calendar: Calendar, showing size: Int = 50) throws {
    self.id = id
    self.chat = chat
    self.calendar = calendar
    self.size = size
    let user = Ref<Person>(chat.user)
    messages = try FetchedObjectsModel(
      Query<Message>()
        .filter { $0.conversation == Ref(id) }
        .sorted { [$0.id.ascending] }
        .sectioned { $0.sent.start(of: .day, in: calendar) }
        .including {
          $0.author.name
          $0.unread.count { $0.person == user }
          $0.reactions.values(by: { [$0.id.ascending] }) { $0.emoji }
        }
        .last(size), in: chat.store, delivery: .mainActor)
  }

  func showEnd() throws {
    try messages.setWindow(last: size)
    isAtEnd = true
  }

  func showFirstUnread(before: Int = 4, after: Int = 15) throws {
    let unread = chat.unread.filter { $0.message.conversation == Ref(id) }
    guard let first = try chat.store.first(unread.sorted { [$0.message.id.ascending] }) else {
      return try showEnd()
    }
    try messages.setWindow(around: first.message.id, before: before, after: after)
    isAtEnd = false
  }

  func markShownAsRead() throws {
    guard let last = messages.fetchedObjects.last else { return }
    try chat.markRead(id, through: last.id)
  }

  /// The number of messages below the window.
  var countBelow: Int { messages.snapshot.rowsAfter }

  /// The number of messages that have come since `messages.pause()`.
  var waitingCount: Int {
    guard let event = messages.waitingEvent else { return 0 }
    return event.after.totalCount - event.before.totalCount
  }

  func line(for row: EntityView<Message>) -> String {
    let user = Ref<Person>(chat.user)
    let mark = row.unread.count { $0.person == user } > 0 ? "•" : " "
    let edited = row.isEdited ? " (edited)" : ""
    let signs = row.reactions.values(by: { [$0.id.ascending] }) { $0.emoji }.map { " \($0)" }
    let text = "\(row.text)\(edited)\(signs.joined())"
    return "\(row.id) \(mark) \(row.author?.name ?? "?"): \(text)"
  }

  var lines: [String] {
    let style = Date.ISO8601FormatStyle(timeZone: calendar.timeZone).year().month().day()
    return messages.sections.flatMap { section in
      let day = section.id.value(as: Date.self)?.formatted(style) ?? ""
      return [day] + section.map { "  " + line(for: $0) }
    }
  }
}
