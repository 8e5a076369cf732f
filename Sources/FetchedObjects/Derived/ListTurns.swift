internal import Locking

/// All objects derived from a model, in order of creation.
///
/// They are held weakly.
final class ListTurns: Sendable {
  private struct Entry: Sendable {
    weak var teller: (any DerivedTeller)?
  }

  private let entries = Locked<[Entry]>([])
  /// A flag that is set when the first entry is added.
  ///
  /// Until it is set, a model without derived objects does no work for them.
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
