internal import Locking

/// Who is brought up to date when a list is.
protocol ListDependent<Row>: AnyObject, Sendable {
  associatedtype Row: Sendable

  /// Shows what comes of an event; calls no subscriber.
  ///
  /// It is called in the place of the list, before any callback there.
  func show(_ event: ListEvent<Row>)
}

/// The lists that are derived from a list directly; it doesn't keep them.
final class ListDependents<Row: Sendable>: Sendable {
  private struct Entry: Sendable {
    weak var dependent: (any ListDependent<Row>)?
  }

  private let entries = Locked<[Entry]>([])

  /// Those that are there; the last holder runs a deinit, so they are held until the lock is gone.
  private var dependents: [any ListDependent<Row>] {
    entries.withLock { $0.compactMap(\.dependent) }
  }

  var isEmpty: Bool { dependents.isEmpty }

  func add(_ dependent: some ListDependent<Row>) {
    let held = entries.withLock { entries in
      let held = entries.compactMap(\.dependent)
      entries.removeAll { $0.dependent == nil }
      entries.append(Entry(dependent: dependent))
      return held
    }
    withExtendedLifetime(held) {}
  }

  func show(_ event: ListEvent<Row>) {
    for dependent in dependents { dependent.show(event) }
  }
}

/// Who has subscribers to be told.
protocol DerivedTeller: AnyObject, Sendable {
  /// Tells the subscribers what comes of an event of a model.
  func tell(_ origin: EventOrigin)
}

/// All that is derived from a model, in order of creation; it doesn't keep them.
final class ListTurns: Sendable {
  private struct Entry: Sendable {
    weak var teller: (any DerivedTeller)?
  }

  private let entries = Locked<[Entry]>([])

  func add(_ teller: some DerivedTeller) {
    let held = entries.withLock { entries in
      let held = entries.compactMap(\.teller)
      entries.removeAll { $0.teller == nil }
      entries.append(Entry(teller: teller))
      return held
    }
    withExtendedLifetime(held) {}
  }

  func tell(_ origin: EventOrigin) {
    let tellers = entries.withLock { $0.compactMap(\.teller) }
    for teller in tellers { teller.tell(origin) }
  }
}
