internal import EntityStore
internal import WebFeeds

extension JSONText {
  /// Writes a part that is a time in whole units.
  mutating func time(_ name: String, _ duration: Duration, in unit: Duration) {
    member(name, Int64((duration / unit).rounded(.down)))
  }

  mutating func commit(_ commit: InspectedCommit) {
    object { text in
      text.member("number", commit.number)
      text.time("time", commit.time, in: .microseconds(1))
      text.member("version", commit.version)
      text.member("name", commit.name)
      text.member("external", commit.isExternal)
      text.member("error", commit.error)
      text.array("steps", commit.steps) { text, step in
        text.object { text in
          text.member("name", step.name)
          text.time("time", step.duration, in: .nanoseconds(1))
        }
      }
      text.array("changes", commit.changes) { $0.change($1) }
      text.member("changeCount", commit.changeCount)
      text.array("costs", commit.costs) { $0.cost($1) }
    }
  }

  mutating func change(_ change: InspectedChange) {
    object { text in
      text.member("object", change.object.description)
      text.member("version", change.version)
      text.values("before", change.before)
      text.values("after", change.after)
      // A long value is cut, so the page can't compare it.
      text.array("changed", change.changedAttributes) { $0.value(.text($1)) }
    }
  }

  private mutating func values(
    _ name: String, _ values: [(attribute: String, value: StoredValue)]?
  ) {
    self.name(name)
    guard let values else { return null() }
    object { text in
      for (attribute, value) in values {
        text.name(attribute)
        text.beginning(of: value)
      }
    }
  }

  private mutating func cost(_ cost: InspectedCost) {
    object { text in
      text.member("list", cost.list)
      text.member("candidates", cost.candidates)
      text.member("comparisons", cost.comparisons)
      text.member("changes", cost.changes)
      text.member("fetches", cost.fetches)
    }
  }

  mutating func list(_ list: InspectedList) {
    object { text in
      text.member("id", list.id)
      text.member("entity", list.entityName)
      text.member("query", list.query)
      text.member("kind", list.kind)
      text.member("rows", list.rowCount)
      text.member("commits", list.commits)
      text.member("candidates", list.candidates)
      text.member("comparisons", list.comparisons)
      text.member("fetches", list.fetches)
      text.array("models", list.models) { text, model in
        text.object { text in
          text.member("from", model.positions.lowerBound)
          text.member("rows", model.positions.count)
          text.member("total", model.totalCount)
          text.member("subscriptions", model.subscriptionCount)
          text.member("waiting", model.waitingCount)
          text.member("error", model.error)
        }
      }
    }
  }

  /// Writes the parts of reasons.
  mutating func reasons(_ reasons: Reasons) {
    member("stored", reasons.isStored)
    member("belongs", reasons.belongs)
    member("shown", reasons.isShown)
    name("filter")
    if let filter = reasons.filter { reason(filter) } else { null() }
    array("section", reasons.section) { $0.value($1) }
    array("order", reasons.order) { $0.value($1) }
  }

  private mutating func reason(_ reason: Reason) {
    object { text in
      text.member("condition", reason.condition)
      text.member("isTrue", reason.isTrue)
      text.member("operator", reason.combination?.rawValue)
      text.array("values", reason.values) { $0.value($1) }
      text.array("parts", reason.parts) { $0.reason($1) }
    }
  }

  private mutating func value(_ value: Reason.Value) {
    object { text in
      text.member("expression", value.expression)
      text.member("value", value.value)
    }
  }
}
