import Foundation
import LineProgram
import Signalbox
import TestSupport
import Testing

@testable import Reminders

/// A store in memory whose clock a test moves, with two lists and four reminders.
@MainActor struct RemindersFixture {
  /// Monday, 2026-06-29 09:00 UTC.
  static let monday = Date(timeIntervalSince1970: 1_782_723_600)

  let clock = ManualClock()
  let store: Store
  let reminders: Reminders
  let calendar: Calendar

  init(_ kind: StorageKind = .inMemory) throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    self.calendar = calendar
    store = try Store(
      kind, entities: Reminders.entities, time: TimeSource(clock, startingAt: Self.monday))
    reminders = Reminders(store, calendar: calendar)
    guard try store.count(Query<ReminderList>()) == 0 else { return }
    let home = try reminders.addList("Home")
    let work = try reminders.addList("Work")
    for (title, list) in [
      ("Groceries", home), ("Haircut", home), ("Tax return", work), ("Invoice", work),
    ] {
      _ = try reminders.add(title, to: list)
    }
    try reminders.change(1, named: "Sample") { $0.notes = "milk, green tea" }
    for (id, hours) in [(1, 1.0), (2, -24), (3, 25)] {
      try reminders.setDue(id, Self.monday + hours * 3600)
    }
    try reminders.setFlagged(4)
    for (id, tag) in [(1, "errand"), (2, "errand"), (3, "money")] {
      try reminders.addTag(tag, to: id)
    }
    try store.clearHistory()
  }

  var now: Date { Self.monday + clock.now.offset / .seconds(1) }

  /// Moves the clock, and waits until all models have followed.
  func advance(_ duration: Duration) async {
    clock.advance(by: duration)
    await store.clockHasChanged()
    await store.flush()
  }

  func list(_ query: Query<Reminder> = Query()) throws -> ListScreen {
    try ListScreen(query, in: store, calendar: calendar)
  }
}

/// A program whose lines a test writes, and whose output it compares.
@MainActor final class RemindersScript {
  let fixture: RemindersFixture
  let front: RemindersFront
  private let lines: Lines

  private final class Lines { var all: [String] = [] }

  init(_ kind: StorageKind = .inMemory) throws {
    fixture = try RemindersFixture(kind)
    let lines = Lines()
    self.lines = lines
    front = try RemindersFront(
      fixture.reminders, output: LiveOutput { lines.all.append($0) },
      now: { [fixture] in fixture.now })
  }

  /// Writes lines, and returns what is printed.
  func take(_ commands: String...) -> String {
    for command in commands where !front.take(command) { lines.all.append("ended") }
    return takeLines()
  }

  func begin() -> String {
    front.begin()
    return takeLines()
  }

  /// Moves the clock, and returns what is printed.
  func advance(_ duration: Duration) async -> String {
    await fixture.advance(duration)
    front.output.printEvents()
    return takeLines()
  }

  private func takeLines() -> String {
    defer { lines.all = [] }
    return lines.all.joined(separator: "\n")
  }
}
