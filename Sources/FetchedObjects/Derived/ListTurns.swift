internal import Locking

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
