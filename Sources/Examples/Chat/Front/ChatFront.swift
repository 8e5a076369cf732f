import Foundation
import LineProgram
import Signalbox

/// The commands of the program.
///
/// A command only commits, or chooses what is shown. Everything that is printed about messages
/// comes from the screens and from the events of their models.
@MainActor final class ChatFront: LineFront {
  enum Rank { static let messages = 0, found = 1, list = 2 }

  let output: LiveOutput
  let chat: Chat
  let list: ConversationsScreen
  var open: ConversationScreen?
  var search: MessageSearch?
  var openTokens: [SubscriptionToken] = []
  var searchTokens: [SubscriptionToken] = []
  /// The counts that were printed last.
  var shownCounts: [String] = []
  let calendar: Calendar
  let size: Int
  private let now: () -> Date
  private var tokens: [SubscriptionToken] = []
  /// The conversations that have changed since events were printed.
  ///
  /// A line is of two models, the conversation and its unread count. So it is made when both have
  /// changed.
  private var touched: [Conversation.ID: RowMark] = [:]

  init(
    _ chat: Chat, output: LiveOutput, calendar: Calendar = .current, showing size: Int = 20,
    now: @escaping () -> Date = { Date() }
  ) throws {
    self.chat = chat
    self.output = output
    self.calendar = calendar
    self.size = size
    self.now = now
    list = try ConversationsScreen(chat)
    followList()
    output.status = { [weak self] in self?.statusLines() ?? [] }
  }

  func begin() {
    showList()
    output.printEvents()
    output.print("\"help\" lists the commands.")
  }

  func carryOut(_ command: inout LineCommand) throws -> Bool {
    switch command.name {
    case "list": showList()
    case "open": try open(command.number("conversation"))
    case "end": try showEnd()
    case "unread": try showUnread()
    case "find": try find(String(command.rest))
    case "pause": try pause()
    case "resume": try opened().messages.resume()
    case "help": output.print(Help.commands)
    case "quit", "exit": return false
    case "new": try open(chat.begin(command.text("a title")))
    case "read": try opened().markShownAsRead()
    case "say": try say(command.text("a message"), by: chat.user)
    case "as":
      guard let name = command.word() else { throw InputError("Write a name after \"as\"") }
      let text = try command.text("a name and a message")
      _ = try opened()
      try say(text, by: Chat.join(name, in: chat.store))
    case "edit", "react", "delete": try change(command.number("message"), &command)
    default:
      throw InputError(
        "\"\(command.name)\" is no command; \"say\" sends a message, and \"help\" lists the others")
    }
    return true
  }

  private func say(_ text: String, by author: Person.ID) throws {
    try chat.send(text, by: author, to: opened().id, at: now())
  }

  private func change(_ id: Message.ID, _ command: inout LineCommand) throws {
    do {
      switch command.name {
      case "edit": try chat.edit(id, command.text("the new text"))
      case "react": try chat.react(command.text("a sign, such as 👍"), to: id)
      default: try chat.delete(id)
      }
    } catch ChatError.isOfAnother {
      throw InputError("Somebody else wrote message \(id); \"react\" puts a sign under it")
    }
  }

  func opened() throws(InputError) -> ConversationScreen {
    guard let open else { throw InputError("No conversation is open; \"open 1\" opens the first") }
    return open
  }

  private func followList() {
    let conversations = output.follow(list.conversations, rank: Rank.list) { [weak self] event in
      for change in event.changedRows { self?.touched[change.row.id] = change.mark }
      return []
    }
    let unread = output.follow(list.unread, rank: Rank.list) { [weak self] event in
      let ids = event.changedRows.compactMap { $0.row.id.value(as: Conversation.ID.self) }
      for id in ids where self?.touched[id] == nil { self?.touched[id] = .changed }
      return []
    }
    let badge = output.follow(list.badge, rank: Rank.list) { _ in [] }
    tokens = conversations + unread + badge + [output.follow(errors: chat.store.errors)]
  }

  /// Returns the other conversations that have changed, and the counts that have.
  private func statusLines() -> [String] {
    let rows = list.conversations.snapshot.rows
    let others = rows.compactMap { row in
      row.id == open?.id ? nil : touched[row.id].map { "\($0.rawValue) \(list.line(for: row))" }
    }
    touched = [:]
    var counts = ["unread: \(list.badge.value)"]
    if let open, open.countBelow > 0 { counts.append("below: \(open.countBelow)") }
    if let open, open.waitingCount > 0 { counts.append("waiting: \(open.waitingCount)") }
    defer { shownCounts = counts }
    return others + counts.filter { !shownCounts.contains($0) }
  }
}
