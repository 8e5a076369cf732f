import Foundation
import LineProgram
import Signalbox

/// The commands of the program.
///
/// A command only commits, or chooses what is shown. Everything that is printed about reminders
/// comes from the screens and from the events of their models.
@MainActor final class RemindersFront: LineFront {
  enum Rank { static let detail = 0, lists = 1, counts = 2 }

  let output: LiveOutput
  let reminders: Reminders
  let start: StartScreen
  var detail: ListScreen
  /// The list to which new reminders are added, or nil if none is shown.
  var shownList: ReminderList.ID?
  var detailTokens: [SubscriptionToken] = []
  private let now: () -> Date
  private var tokens: [SubscriptionToken] = []

  init(_ reminders: Reminders, output: LiveOutput, now: @escaping () -> Date = { Date() }) throws {
    self.reminders = reminders
    self.output = output
    self.now = now
    start = try StartScreen(reminders.store)
    detail = try ListScreen(in: reminders.store, calendar: reminders.calendar)
    followDetail()
    tokens += output.follow(start.lists, rank: Rank.lists) { [start] event in
      event.changedRows.map { "\($0.mark.rawValue) \(start.line(for: $0.row))" }
    }
    tokens += output.follow(start.tags, rank: Rank.lists) { [start] event in
      event.changedRows.map { "\($0.mark.rawValue) \(start.line(for: $0.row))" }
    }
    tokens += output.follow(start.counts, rank: Rank.counts) { [$0.line] }
    tokens.append(output.follow(errors: reminders.store.errors))
  }

  func begin() {
    showStart()
    showDetail()
    output.print("\"help\" lists the commands.")
  }

  func carryOut(_ command: inout LineCommand) throws -> Bool {
    switch command.name {
    case "lists": showStart()
    case "show": try show(command.text("all, today, scheduled, flagged, a list or a #tag"))
    case "sort": try sort(&command)
    case "completed": try showCompleted(&command)
    case "find":
      let words = String(command.rest)
      try change { $0.text = words }
    case "help": output.print(Help.commands)
    case "quit", "exit": return false
    case "list": _ = try reminders.addList(command.text("the title of the list"))
    case "add": _ = try reminders.add(command.text("what there is to do"), to: listOfNew())
    case "clear": try detail.deleteCompleted()
    case "undo":
      try step("un", reminders.store.undoNames.last) { try reminders.store.undo() }
    case "redo":
      try step("re", reminders.store.redoNames.last) { try reminders.store.redo() }
    case "done", "flag", "due", "title", "note", "priority", "tag", "untag", "delete":
      try edit(command.number("reminder"), &command)
    default: throw InputError("\"\(command.name)\" is no command; \"help\" lists them")
    }
    return true
  }

  /// Undoes or redoes a commit.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of the words for it, "un" or "re".
  ///   - name: The name of the commit.
  ///   - body: Undoes or redoes it.
  /// - Throws: An ``InputError`` if it is refused, or an error of the storage.
  private func step(_ prefix: String, _ name: String?, _ body: () throws -> String?) throws {
    do {
      output.print(try body().map { "\(prefix)done: \($0)" } ?? "nothing to \(prefix)do")
    } catch let error as StoreError {
      switch error {
      case .outcomeUnknown: throw error
      case .storage(let fault) where fault.kind != .corrupt: throw error
      default:
        // It would be refused the next time, too, and so would what is before it.
        try reminders.store.clearHistory()
        throw InputError(
          "\"\(name ?? "")\" can't be \(prefix)done, since something has changed meanwhile; what was before it is "
            + "forgotten, too")
      }
    }
  }

  private func edit(_ id: Reminder.ID, _ command: inout LineCommand) throws {
    switch command.name {
    case "done": try reminders.setDone(id, !reminder(id).isDone)
    case "flag": try reminders.setFlagged(id, !reminder(id).isFlagged)
    case "due":
      let text = try command.text(DueDate.forms)
      try reminders.setDue(id, DueDate.parse(text, now: now(), calendar: reminders.calendar))
    case "title":
      let title = try command.text("the new title")
      try reminders.change(id, named: "Change title") { $0.title = title }
    case "note":
      let notes = try command.text("the note")
      try reminders.change(id, named: "Change note") { $0.notes = notes }
    case "priority":
      let priority = try priority(&command)
      try reminders.change(id, named: "Change priority") { $0.priority = priority }
    case "tag": try reminders.addTag(tag(&command), to: id)
    case "untag": try reminders.removeTag(tag(&command), from: id)
    default: try reminders.delete(id)
    }
  }

  private func reminder(_ id: Reminder.ID) throws -> Reminder {
    guard let reminder = try reminders.store.find(Reminder.self, id) else {
      throw InputError("There is no reminder \(id); write another number")
    }
    return reminder
  }

  private func listOfNew() throws(InputError) -> ReminderList.ID {
    guard let list = shownList ?? start.lists.fetchedObjects.first?.id else {
      throw InputError("There is no list yet; \"list Home\" makes one")
    }
    return list
  }

  private func priority(_ command: inout LineCommand) throws(InputError) -> Priority? {
    switch command.word() {
    case "high": .high
    case "medium": .medium
    case "low": .low
    case "none": nil
    default: throw InputError("Write high, medium, low or none after the number")
    }
  }

  private func tag(_ command: inout LineCommand) throws(InputError) -> String {
    let name = command.word().map { $0.drop { $0 == "#" } } ?? ""
    guard !name.isEmpty else { throw InputError("Write a tag after the number, such as errand") }
    try command.end()
    return String(name)
  }
}
