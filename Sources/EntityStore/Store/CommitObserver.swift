internal import Locking
package import Relays

/// Something that follows a store's commits: a result, an observed object or a subscription.
package protocol CommitObserver: AnyObject, Sendable {
  /// Works out what a commit means here, on the committing thread, before it is durable.
  ///
  /// It must change nothing that is seen from outside: the commit may still fail. `reader` shows the
  /// version of the commit, and is not to be kept.
  ///
  /// - Returns: what is to be done once the commit is durable, or nil if it doesn't concern this.
  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery?

  /// Works out what it means here that what others have committed after a version can't be read.
  ///
  /// - Returns: what is to be done about it, or nil if it doesn't concern this.
  func prepare(_ error: any Error, after version: Int64) -> PreparedDelivery?
}

extension CommitObserver {
  package func prepare(_ error: any Error, after version: Int64) -> PreparedDelivery? { nil }
}

/// Someone who shows and tells in a place of its own what an observer has taken in.
package protocol CommitListener: AnyObject, Sendable {
  /// Shows what it has taken in up to a turn of its place.
  ///
  /// Calls nobody.
  func show(_ turn: Int)
  /// Calls the subscribers, in its place, after everything there shows the commit.
  func tell()
}

/// Where a listener stands: its place, and its turn among all who listen there.
///
/// It doesn't keep the listener.
package final class ListenerEntry: Sendable {
  let sequence: Int
  package let place: StorePlace
  /// Whether it wants what waits as one.
  let mergesWhatWaits: Bool
  weak let listener: (any CommitListener)?

  /// An entry after all that there are.
  package init(
    _ listener: any CommitListener, _ delivery: Delivery, mergesWhatWaits: Bool, in store: Store
  ) {
    sequence = store.registry.withLock { $0.makeSequence() }
    place = store.place(of: delivery.queue)
    self.mergesWhatWaits = mergesWhatWaits
    self.listener = listener
  }
}

/// A listener that a commit may concern, which is held until no lock is.
package struct ConcernedListener: Sendable {
  let entry: ListenerEntry?
  let listener: any CommitListener
  /// What it shows no more.
  private let leftOut: [any Sendable]

  /// A listener, with its entry if it has something to show or tell, and what is to be freed when no
  /// lock is held.
  package init(
    _ entry: ListenerEntry?, _ listener: any CommitListener, freeing leftOut: [any Sendable] = []
  ) {
    self.entry = entry
    self.listener = listener
    self.leftOut = leftOut
  }
}

/// What an observer does about a commit.
package struct PreparedDelivery: Sendable {
  /// Who shows and tells a commit.
  enum Listeners: Sendable {
    case own(Turn)
    case entries([ConcernedListener])
  }

  /// What is done in one place.
  struct Turn: Sendable {
    let queue: DeliveryQueue?
    let show: @Sendable () -> Void
    let tell: @Sendable () -> Void
  }

  let install: @Sendable () -> Listeners

  /// What one observer does alone.
  ///
  /// - Parameters:
  ///   - queue: where `show` and `tell` run; without one, on the thread that delivers.
  ///   - install: takes the commit in, on the committing thread, once it is durable. It calls nobody.
  ///   - show: shows the commit, in its place. It calls nobody.
  ///   - tell: calls the subscribers, in its place, after everything there shows the commit.
  package init(
    queue: DeliveryQueue?, install: @escaping @Sendable () -> Void,
    show: @escaping @Sendable () -> Void, tell: @escaping @Sendable () -> Void
  ) {
    self.install = {
      install()
      return .own(Turn(queue: queue, show: show, tell: tell))
    }
  }

  /// What an observer does for several listeners.
  ///
  /// - Parameter install: takes the commit in, on the committing thread, once it is durable, and gives
  ///   those who have something to show or tell. It calls nobody.
  package init(install: @escaping @Sendable () -> [ConcernedListener]) {
    self.install = { .entries(install()) }
  }
}

/// One who has something to show or tell of a commit, and when its turn is.
struct PlacedTurn: Sendable {
  private enum Work: Sendable {
    case own(PreparedDelivery.Turn)
    case entry(ListenerEntry)
  }

  let sequence: Int
  private let work: Work

  init(_ turn: PreparedDelivery.Turn, sequence: Int) {
    self.sequence = sequence
    work = .own(turn)
  }

  init(_ entry: ListenerEntry) {
    sequence = entry.sequence
    work = .entry(entry)
  }

  var isOfListener: Bool { if case .entry = work { true } else { false } }

  /// Whether it may be told together with later turns.
  var mergesWhatWaits: Bool {
    if case .entry(let entry) = work { entry.mergesWhatWaits } else { false }
  }

  func show(_ turn: Int) {
    switch work {
    case .own(let own): own.show()
    case .entry(let entry): entry.listener?.show(turn)
    }
  }

  func tell() {
    switch work {
    case .own(let own): own.tell()
    case .entry(let entry): entry.listener?.tell()
    }
  }
}
