import Signalbox

nonisolated struct Counts: Equatable {
  var today: Int
  var scheduled: Int
  var all: Int
  var flagged: Int
}

/// The counts of all reminders, the lists with their counts, and the tags in use.
@MainActor final class StartScreen {
  let counts: ObservedValue<Counts>
  let lists: FetchedObjectsModel<ReminderList>
  let tags: FetchedObjectsModel<Tag>

  init(_ store: Store) throws {
    counts = try ObservedValue(in: store, delivery: .mainActor) { reader in
      Counts(
        today: try reader.count(Query<Reminder>().filter { $0.isForToday }),
        scheduled: try reader.count(Query<Reminder>().filter { $0.isScheduled }),
        all: try reader.count(Query<Reminder>().filter { !$0.isDone }),
        flagged: try reader.count(Query<Reminder>().filter { !$0.isDone && $0.isFlagged }))
    }
    lists = try FetchedObjectsModel(
      Query<ReminderList>()
        .sorted { [$0.title.ascending.natural] }
        .including { $0.reminders.count { !$0.isDone } }, in: store, delivery: .mainActor)
    tags = try FetchedObjectsModel(
      Query<Tag>()
        .filter { !$0.taggings.isEmpty }
        .sorted { [$0.name.ascending.natural] }
        .including { $0.taggings.count { !$0.reminder.isDone } }, in: store, delivery: .mainActor)
  }

  func line(for row: EntityView<ReminderList>) -> String {
    "\(row.title) \(row.reminders.count { !$0.isDone })"
  }

  func line(for row: EntityView<Tag>) -> String {
    "#\(row.name) \(row.taggings.count { !$0.reminder.isDone })"
  }

  var lines: [String] {
    lists.snapshot.rows.map { line(for: $0) } + tags.snapshot.rows.map { line(for: $0) }
  }
}
