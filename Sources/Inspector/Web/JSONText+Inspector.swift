internal import EntityStore
internal import WebFeeds

extension JSONText {
  mutating func truth(_ isTrue: Bool) { isTrue ? literal("true") : literal("false") }

  /// Writes a time in whole units.
  mutating func time(_ duration: Duration, in unit: Duration) {
    number(Int64((duration / unit).rounded(.down)))
  }

  private mutating func optional(_ text: String?) {
    if let text { string(text) } else { null() }
  }

  mutating func commit(_ commit: InspectedCommit) {
    object { text in
      text.name("number")
      text.number(commit.number)
      text.name("time")
      text.time(commit.time, in: .microseconds(1))
      text.name("version")
      if let version = commit.version { text.number(version) } else { text.null() }
      text.name("name")
      text.optional(commit.name)
      text.name("external")
      text.truth(commit.isExternal)
      text.name("error")
      text.optional(commit.error)
      text.name("steps")
      text.array(commit.steps) { text, step in
        text.object { text in
          text.name("name")
          text.string(step.name)
          text.name("time")
          text.time(step.duration, in: .nanoseconds(1))
        }
      }
      text.name("changes")
      text.array(commit.changes) { $0.change($1) }
      text.name("changeCount")
      text.number(commit.changeCount)
      text.name("costs")
      text.array(commit.costs) { $0.cost($1) }
    }
  }

  mutating func change(_ change: InspectedChange) {
    object { text in
      text.name("object")
      text.string(change.object.description)
      text.name("version")
      text.number(change.version)
      text.name("before")
      text.values(change.before)
      text.name("after")
      text.values(change.after)
    }
  }

  private mutating func values(_ values: [(attribute: String, value: StoredValue)]?) {
    guard let values else { return null() }
    object { text in
      for (attribute, value) in values {
        text.name(attribute)
        text.value(value, isExact: true)
      }
    }
  }

  private mutating func cost(_ cost: InspectedCost) {
    object { text in
      text.name("list")
      text.string(cost.list)
      for (name, count) in [
        ("candidates", cost.candidates), ("comparisons", cost.comparisons),
        ("changes", cost.changes), ("fetches", cost.fetches),
      ] {
        text.name(name)
        text.number(count)
      }
    }
  }

  mutating func list(_ list: InspectedList) {
    object { text in
      for (name, value) in [
        ("id", list.id), ("entity", list.entityName), ("query", list.query), ("kind", list.kind),
      ] {
        text.name(name)
        text.string(value)
      }
      for (name, count) in [
        ("rows", list.rowCount), ("commits", list.commits), ("candidates", list.candidates),
        ("comparisons", list.comparisons), ("fetches", list.fetches),
      ] {
        text.name(name)
        text.number(count)
      }
      text.name("models")
      text.array(list.models) { text, model in
        text.object { text in
          for (name, count) in [
            ("from", model.positions.lowerBound), ("rows", model.positions.count),
            ("total", model.totalCount), ("subscriptions", model.subscriptionCount),
            ("waiting", model.waitingCount),
          ] {
            text.name(name)
            text.number(count)
          }
          text.name("error")
          text.optional(model.error)
        }
      }
    }
  }

  /// Writes the parts of reasons.
  mutating func reasons(_ reasons: Reasons) {
    name("stored")
    truth(reasons.isStored)
    name("belongs")
    truth(reasons.belongs)
    name("shown")
    if let isShown = reasons.isShown { truth(isShown) } else { null() }
    name("filter")
    if let filter = reasons.filter { reason(filter) } else { null() }
    name("section")
    array(reasons.section) { $0.value($1) }
    name("order")
    array(reasons.order) { $0.value($1) }
  }

  private mutating func reason(_ reason: Reason) {
    object { text in
      text.name("condition")
      text.string(reason.condition)
      text.name("isTrue")
      text.truth(reason.isTrue)
      text.name("operator")
      text.optional(reason.combination?.rawValue)
      text.name("values")
      text.array(reason.values) { $0.value($1) }
      text.name("parts")
      text.array(reason.parts) { $0.reason($1) }
    }
  }

  private mutating func value(_ value: Reason.Value) {
    object { text in
      text.name("expression")
      text.string(value.expression)
      text.name("value")
      text.string(value.value)
    }
  }
}
