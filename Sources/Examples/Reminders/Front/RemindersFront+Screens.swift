import LineProgram
import Signalbox

/// The commands that choose what is shown.
///
/// Each prints the whole screen, so the event of the change isn't printed.
extension RemindersFront {
  func show(_ what: String) throws {
    let (query, list) = try query(what)
    detail = try ListScreen(query, in: reminders.store, calendar: reminders.calendar)
    shownList = list
    followDetail()
    showDetail()
  }

  private func query(_ what: String) throws(InputError) -> (Query<Reminder>, ReminderList.ID?) {
    let all = Query<Reminder>()
    switch what {
    case "all": return (all, nil)
    case "today": return (all.filter { $0.isForToday }, nil)
    case "scheduled": return (all.filter { $0.isScheduled }, nil)
    case "overdue": return (all.filter { $0.isOverdue }, nil)
    case "flagged": return (all.filter { !$0.isDone && $0.isFlagged }, nil)
    default: break
    }
    if what.hasPrefix("#") {
      let name = String(what.dropFirst())
      return (all.filter { $0.taggings.any { $0.tag.name == name } }, nil)
    }
    let lists = start.lists.fetchedObjects
    guard let list = lists.first(where: { $0.title.lowercased() == what.lowercased() }) else {
      throw InputError(
        "There is no list \"\(what)\"; write all, today, scheduled, overdue, flagged, a #tag, "
          + "or one of the lists that \"lists\" shows")
    }
    let id = list.id
    return (all.filter { $0.list == Ref(id) }, id)
  }

  func sort(_ command: inout LineCommand) throws {
    let order: ListOptions.Order? =
      switch command.word() {
      case "due": .due
      case "priority": .priority
      case "title": .title
      default: nil
      }
    guard let order else { throw InputError("Write due, priority or title after \"sort\"") }
    try command.end()
    try change { $0.order = order }
  }

  func showCompleted(_ command: inout LineCommand) throws {
    let word = command.word()
    guard word == "show" || word == "hide" else {
      throw InputError("Write show or hide after \"completed\"")
    }
    try command.end()
    try change { $0.showsDone = word == "show" }
  }

  func change(_ body: (inout ListOptions) -> Void) throws {
    try output.muting(Rank.detail) { try detail.change(body) }
    showDetail()
  }

  func showStart() { output.print([start.counts.value.line] + start.lines) }

  func showDetail() {
    output.print(detail.reminders.count == 0 ? ["No reminders here."] : detail.lines)
  }

  func followDetail() {
    detailTokens = output.follow(detail.reminders, rank: Rank.detail) { [detail] event in
      event.changedRows.map { change in
        let section = detail.title(of: change.section)
        return "\(change.mark.rawValue) \(section): \(detail.line(for: change.row))"
      }
    }
  }
}

extension Counts {
  var line: String { "today \(today), scheduled \(scheduled), flagged \(flagged), all \(all)" }
}
