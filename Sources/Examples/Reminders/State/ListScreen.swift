import Foundation
import Signalbox

/// The reminders of a list, of a tag, or of another query, in the sections "Overdue" and "Open".
@MainActor final class ListScreen {
  let reminders: FetchedObjectsModel<Reminder>
  private(set) var options = ListOptions()
  private let base: Query<Reminder>
  private let store: Store
  private let calendar: Calendar

  init(_ base: Query<Reminder> = Query(), in store: Store, calendar: Calendar) throws {
    self.base = base
    self.store = store
    self.calendar = calendar
    reminders = try FetchedObjectsModel(options.query(base), in: store, delivery: .mainActor)
  }

  func change(_ body: (inout ListOptions) -> Void) throws {
    let before = options
    body(&options)  // Before the query, whose event others hear before this is over.
    do { try reminders.setQuery(options.query(base)) } catch { options = before; throw error }
  }

  func deleteCompleted() throws {
    let completed = options.found(in: base).filter { $0.isDone }
    try store.commit(named: "Delete completed") { try $0.deleteAll(completed) }
  }

  func title(of section: SectionInfo<EntityView<Reminder>>) -> String {
    section.name == "true" ? "Overdue" : "Open"
  }

  func line(for row: EntityView<Reminder>) -> String {
    let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: calendar.timeZone)
      .year().month().day().time(includingFractionalSeconds: false)
    var line = "\(row.id) \(row.isDone ? "[x]" : "[ ]") \(row.title), \(row.list?.title ?? "")"
    if let due = row.due { line += ", due \(due.formatted(style).dropLast(3))" }
    if let priority = row.priority { line += ", \(priority)" }
    if row.isFlagged { line += ", flagged" }
    let tags = row.taggings.values(by: { [$0.tag.name.ascending] }) { $0.tag.name }
    return line + tags.map { " #\($0)" }.joined()
  }

  var lines: [String] {
    reminders.sections.flatMap { section in
      [title(of: section)] + section.map { "  " + line(for: $0) }
    }
  }
}
