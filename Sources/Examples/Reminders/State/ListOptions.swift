import Signalbox

/// The choices of the user, which make a query of reminders.
nonisolated struct ListOptions {
  enum Order { case due, priority, title }

  var order = Order.due
  var showsDone = false
  var text = ""

  func found(in base: Query<Reminder>) -> Query<Reminder> {
    let words = SearchPattern(words: text)
    return base.filter { $0.matches(words) || $0.taggings.any { $0.tag.matches(words) } }
  }

  func query(_ base: Query<Reminder>) -> Query<Reminder> {
    let query =
      found(in: base)
      .filter { if !showsDone { !$0.isDone } }
      .sectioned { $0.isOverdue }
      .including {
        $0.list.title
        $0.taggings.values(by: { [$0.tag.name.ascending] }) { $0.tag.name }
      }
    return switch order {
    case .due: query.sorted { [$0.isOverdue.descending, $0.due.ascending.nilsLast] }
    case .priority: query.sorted { [$0.isOverdue.descending, $0.priority.descending] }
    case .title: query.sorted { [$0.isOverdue.descending, $0.title.ascending.natural] }
    }
  }
}
