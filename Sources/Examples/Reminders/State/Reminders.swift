import Foundation
import Signalbox

/// The commits of the app, each of which has a name and can be undone.
nonisolated struct Reminders {
  static let entities: [any Entity.Type] = [
    ReminderList.self, Reminder.self, Tag.self, Tagging.self,
  ]

  let store: Store
  let calendar: Calendar

  init(_ store: Store, calendar: Calendar) {
    self.store = store
    self.calendar = calendar
    // A file that is opened with a limit keeps its own.
    if store.historyLimit == 0 { store.historyLimit = 100 }
  }

  func addList(_ title: String) throws -> ReminderList.ID {
    try store.commit(named: "Add list") { draft in
      let list = ReminderList(id: try draft.nextID(ReminderList.self), title: title)
      try draft.insert(list)
      return list.id
    }
  }

  func add(_ title: String, to list: ReminderList.ID) throws -> Reminder.ID {
    try store.commit(named: "Add") { draft in
      let reminder = Reminder(id: try draft.nextID(Reminder.self), title: title, list: Ref(list))
      try draft.insert(reminder)
      return reminder.id
    }
  }

  /// Changes the attributes that belong to a reminder alone.
  func change(_ id: Reminder.ID, named name: String, _ body: (inout Reminder) -> Void) throws {
    try store.commit(named: name) { try $0.update(Reminder.self, id, body) }
  }

  func setDone(_ id: Reminder.ID, _ isDone: Bool = true) throws {
    try change(id, named: isDone ? "Complete" : "Reopen") { $0.isDone = isDone }
  }

  func setFlagged(_ id: Reminder.ID, _ isFlagged: Bool = true) throws {
    try change(id, named: isFlagged ? "Flag" : "Remove flag") { $0.isFlagged = isFlagged }
  }

  func setDue(_ id: Reminder.ID, _ date: Date?) throws {
    try change(id, named: "Change date") { $0.setDue(date, in: calendar) }
  }

  func addTag(_ name: String, to id: Reminder.ID) throws {
    try store.commit(named: "Add tag") { draft in
      let tag = try draft.upsert(Tag(id: draft.nextID(Tag.self), name: name), by: \.name)
      let tagging = Tagging(
        id: try draft.nextID(Tagging.self), reminder: Ref(id), tag: Ref(tag))
      try draft.upsert(tagging, by: \.reminder, \.tag)
    }
  }

  func removeTag(_ name: String, from id: Reminder.ID) throws {
    let taggings = Query<Tagging>().filter {
      $0.reminder == Ref(id)
      $0.tag.name == name
    }
    try store.commit(named: "Remove tag") { try $0.deleteAll(taggings) }
  }

  func delete(_ id: Reminder.ID) throws {
    try store.commit(named: "Delete") { try $0.delete(Reminder.self, id) }
  }
}

extension Reminder {
  mutating func setDue(_ date: Date?, in calendar: Calendar) {
    due = date
    day = date.map { calendar.startOfDay(for: $0) }
  }
}
