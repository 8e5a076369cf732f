import Foundation
import Signalbox

enum Priority: Int, Storable { case low = 1, medium, high }

struct ReminderList: Entity {
  let id: Int
  var title: String
  static let attributes = Attributes(.id(\ReminderList.id), .attribute("title", \.title))
  static let schema = Schema(attributes, ReminderList.init, rules: [.unique(\.title)])
}

struct Reminder: Entity {
  let id: Int
  var title: String
  var notes = ""
  var due: Date?
  var day: Date?  // the start of the day on which it is due
  var isDone = false
  var isFlagged = false
  var priority: Priority?
  var list: Ref<ReminderList>
  static let attributes = Attributes(
    .id(\Reminder.id), .attribute("title", \.title), .attribute("notes", \.notes),
    .attribute("due", \.due), .attribute("day", \.day), .attribute("isDone", \.isDone),
    .attribute("isFlagged", \.isFlagged), .attribute("priority", \.priority),
    .one("list", \.list, inverse: \.reminders, onDelete: .cascade))
  static let schema = Schema(
    attributes, Reminder.init, rules: [.fullText(\.title, \.notes), .index(\.due), .index(\.day)])
}

struct Tag: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\Tag.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Tag.init, rules: [.unique(\.name), .fullText(\.name)])
}

struct Tagging: Entity {
  let id: Int
  var reminder: Ref<Reminder>
  var tag: Ref<Tag>
  static let attributes = Attributes(
    .id(\Tagging.id), .one("reminder", \.reminder, inverse: \.taggings, onDelete: .cascade),
    .one("tag", \.tag, inverse: \.taggings, onDelete: .cascade))
  static let schema = Schema(attributes, Tagging.init, rules: [.unique(\.reminder, \.tag)])
}

extension ReminderList {
  var reminders: Many<ReminderList, Reminder> { Many(\.list) }
}

extension Reminder {
  var taggings: Many<Reminder, Tagging> { Many(\.reminder) }
}

extension Tag {
  var taggings: Many<Tag, Tagging> { Many(\.tag) }
}

nonisolated extension Row where Root == Reminder, Target == Reminder {
  var isOverdue: Condition<Reminder> { !self.isDone && self.due < Moment.now }
  var isForToday: Condition<Reminder> { !self.isDone && self.day <= Moment.now }
  var isScheduled: Condition<Reminder> { !self.isDone && self.due != nil }
}
