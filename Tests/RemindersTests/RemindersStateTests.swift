import Foundation
import Signalbox
import TestSupport
import Testing

@testable import Reminders

@MainActor struct RemindersStateTests {
  private let fixture: RemindersFixture
  private var reminders: Reminders { fixture.reminders }

  init() throws { fixture = try RemindersFixture() }

  @Test func `The counts are one value, and an event has all that a commit changes`() throws {
    let start = try StartScreen(fixture.store)
    #expect(start.counts.value == Counts(today: 2, scheduled: 3, all: 4, flagged: 1))
    let recorder = Recorder(start.counts.didChange)
    try reminders.setFlagged(2)
    try reminders.change(2, named: "Change note") { $0.notes = "short" }
    try reminders.setDone(2)
    #expect(
      recorder.values.map(\.new) == [
        Counts(today: 2, scheduled: 3, all: 4, flagged: 2),
        Counts(today: 1, scheduled: 2, all: 3, flagged: 1),
      ])
  }

  @Test func `Lists and tags have the numbers of their open reminders`() throws {
    let start = try StartScreen(fixture.store)
    #expect(start.lines == ["Home 2", "Work 2", "#errand 2", "#money 1"])
    try reminders.setDone(1)
    try reminders.removeTag("money", from: 3)
    try reminders.addTag("car", to: 4)
    #expect(start.lines == ["Home 1", "Work 2", "#car 1", "#errand 1"])
  }

  @Test func `A reminder becomes overdue, and is for today from midnight on, as time passes`()
    async throws
  {
    let start = try StartScreen(fixture.store)
    let all = try fixture.list()
    let today = try fixture.list(Query<Reminder>().filter { $0.isForToday })
    let events = Recorder(all.reminders.didChange)
    #expect(
      all.lines == [
        "Overdue", "  2 [ ] Haircut, Home, due 2026-06-28 09:00 #errand",
        "Open", "  1 [ ] Groceries, Home, due 2026-06-29 10:00 #errand",
        "  3 [ ] Tax return, Work, due 2026-06-30 10:00 #money", "  4 [ ] Invoice, Work, flagged",
      ])

    await fixture.advance(.seconds(3600))
    #expect(events.values.isEmpty)  // a moment that is now isn't past
    await fixture.advance(.seconds(1))
    #expect(events.values.map { "\($0.changes)" } == ["move 1.0 → 0.1"])
    #expect(today.reminders.fetchedObjects.map(\.id) == [2, 1])

    await fixture.advance(.seconds(14 * 3600 - 1))
    #expect(today.reminders.fetchedObjects.map(\.id) == [2, 1, 3])
    #expect(start.counts.value == Counts(today: 3, scheduled: 3, all: 4, flagged: 1))
    #expect(events.values.count == 1)
  }

  @Test func `A completed reminder doesn't become overdue`() async throws {
    let all = try fixture.list()
    try all.change { $0.showsDone = true }
    try reminders.setDone(1)
    let events = Recorder(all.reminders.didChange)
    await fixture.advance(.seconds(7200))
    #expect(events.values.isEmpty)
  }

  @Test func `Words are found in titles, notes and tags, also by their beginning`() throws {
    let all = try fixture.list()
    for (words, ids) in [
      ("gro", [1]), ("tea milk", [1]), ("err", [2, 1]), ("tax money", []), ("", [2, 1, 3, 4]),
      ("\"(", [2, 1, 3, 4]),
    ] {
      try all.change { $0.text = words }
      #expect(all.reminders.fetchedObjects.map(\.id) == ids, "\(words)")
    }
  }

  @Test func `A search follows the tags of a reminder`() throws {
    let all = try fixture.list()
    try all.change { $0.text = "money" }
    try reminders.addTag("money", to: 4)
    #expect(all.reminders.fetchedObjects.map(\.id) == [3, 4])
    try reminders.removeTag("money", from: 3)
    #expect(all.reminders.fetchedObjects.map(\.id) == [4])
  }

  @Test func `A reminder has each tag once`() throws {
    try reminders.addTag("errand", to: 1)
    #expect(try fixture.store.count(Query<Tagging>()) == 3)
    #expect(try StartScreen(fixture.store).lines.suffix(2) == ["#errand 2", "#money 1"])
  }

  @Test func `Another order is one event`() throws {
    let all = try fixture.list()
    try reminders.change(4, named: "Change priority") { $0.priority = .high }
    let events = Recorder(all.reminders.didChange)
    try all.change { $0.order = .priority }
    #expect(all.reminders.fetchedObjects.map(\.id) == [2, 4, 1, 3])
    try all.change { $0.order = .title }
    #expect(all.reminders.fetchedObjects.map(\.id) == [2, 1, 4, 3])
    #expect(events.values.count == 2)
  }

  @Test func `Options whose reminders can't be read aren't taken`() async throws {
    let all = try fixture.list()
    let lines = all.lines
    await fixture.store.close()
    #expect(throws: StoreError.self) { try all.change { $0.text = "tea" } }
    #expect(all.options.text.isEmpty && all.lines == lines)
  }

  @Test func `Each commit is undone and redone by its name`() throws {
    let start = try StartScreen(fixture.store)
    let all = try fixture.list()
    let before = (all.lines, start.lines)
    try reminders.setDone(1)
    try reminders.setFlagged(3)
    try reminders.setDue(4, RemindersFixture.monday)
    try reminders.addTag("errand", to: 4)
    try reminders.delete(2)
    let after = (all.lines, start.lines)
    let names = ["Complete", "Flag", "Change date", "Add tag", "Delete"]
    #expect(fixture.store.undoNames.sorted() == names.sorted())
    for name in names.reversed() { #expect(try fixture.store.undo() == name) }
    #expect((all.lines, start.lines) == before)
    for name in names { #expect(try fixture.store.redo() == name) }
    #expect((all.lines, start.lines) == after)
  }

  @Test func `Deleting what is completed spares other lists, and its undo brings tags back`() throws
  {
    let home = try fixture.list(Query<Reminder>().filter { $0.list == Ref(1) })
    for id in [1, 2, 3] { try reminders.setDone(id) }
    try home.deleteCompleted()
    #expect(try fixture.store.fetch(Query<Reminder>()).map(\.id) == [3, 4])
    #expect(try fixture.store.count(Query<Tagging>()) == 1)
    #expect(try fixture.store.undo() == "Delete completed")
    #expect(try fixture.store.count(Query<Tagging>()) == 3)
  }
}
