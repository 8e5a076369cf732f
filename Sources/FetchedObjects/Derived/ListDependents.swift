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
  /// Whether there has ever been one, so that who has none pays nothing.
  private let isUsed = AtomicWord(0)

  // Closures below, since a key path of a generic type is made anew at each use.

  /// Those that are there; the last holder runs a deinit, so they are held until the lock is gone.
  private var dependents: [any ListDependent<Row>] {
    entries.withLock { $0.compactMap { $0.dependent } }
  }

  var isEmpty: Bool { isUsed.load() == 0 || dependents.isEmpty }

  func add(_ dependent: some ListDependent<Row>) {
    isUsed.store(1)
    let held = entries.withLock { entries in
      let held = entries.compactMap { $0.dependent }
      entries.removeAll { $0.dependent == nil }
      entries.append(Entry(dependent: dependent))
      return held
    }
    withExtendedLifetime(held) {}
  }

  func show(_ event: ListEvent<Row>) {
    if isUsed.load() == 0 { return }
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
  /// Whether there has ever been one, so that who has none pays nothing.
  private let isUsed = AtomicWord(0)

  func add(_ teller: some DerivedTeller) {
    isUsed.store(1)
    let held = entries.withLock { entries in
      let held = entries.compactMap { $0.teller }
      entries.removeAll { $0.teller == nil }
      entries.append(Entry(teller: teller))
      return held
    }
    withExtendedLifetime(held) {}
  }

  func tell(_ origin: EventOrigin) {
    if isUsed.load() == 0 { return }
    let tellers = entries.withLock { $0.compactMap { $0.teller } }
    for teller in tellers { teller.tell(origin) }
  }
}
