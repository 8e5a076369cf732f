internal import Locking
internal import Relays

// Commits of this store, external commits and errors are all published in the same way. Observers
// prepare, the commit is sealed, observers install it, and each delivery context that has something
// to deliver gets a turn.
extension Store {
  /// Runs `body` while nothing else is published, and then the queues that it returns.
  ///
  /// The body prepares deliveries, makes the commit visible to readers, and installs the
  /// deliveries. The caller has deferred the deliveries, and holds the writers' lock unless it
  /// publishes an error.
  func publish(_ body: () throws -> ContiguousArray<DeliveryQueue>) rethrows {
    let queues = try publishing.withLock { try body() }
    for queue in queues { queue.run() }
  }

  /// A delivery that an observer has prepared, and the observer's position in the order of
  /// creation.
  struct ObserverDelivery: Sendable {
    fileprivate let sequence: Int
    fileprivate let prepared: PreparedDelivery
  }

  /// Asks the observers that a commit concerns to prepare it, and returns their deliveries.
  func prepare(
    _ commit: Commit, reading reader: any StorageReader
  ) -> ContiguousArray<ObserverDelivery> {
    let concerned = registry.withLock { registry in
      commit.followsUnknown ? registry.everybody() : registry.observers(of: commit.changes)
    }
    return prepare(concerned) { observer in
      reader.isolating { observer.prepare(commit, reading: reader) }
    }
  }

  /// Asks all observers to prepare an error, and returns their deliveries.
  func prepare(_ error: any Error, after version: Int64) -> ContiguousArray<ObserverDelivery> {
    prepare(registry.withLock { $0.everybody() }) { $0.prepare(error, after: version) }
  }

  /// Publishes what observers show because time has passed, like a commit that changes no object.
  ///
  /// The clock is read when nothing else is published, so that time doesn't go back.
  ///
  /// - Returns: false if external commits have to be merged first. Then nothing has happened.
  /// - Throws: the storage's error.
  func pass(_ observers: [any TimeObserver]) throws -> Bool {
    var isMerged = true
    try deferringDeliveries {
      try publish {
        if closing.hasBegun { return [] }
        return try readingUrgently {
          try storage.read { reader -> ContiguousArray<DeliveryQueue> in
            guard reader.version == merged.value else {
              isMerged = false
              return []
            }
            ReleasePool.add(observers)
            let instant = time.now
            var deliveries: ContiguousArray<ObserverDelivery> = []
            for observer in observers {
              let prepared = reader.isolating { observer.prepare(at: instant, reading: reader) }
              guard let prepared else { continue }
              // Each of its listeners has a position of its own.
              deliveries.append(ObserverDelivery(sequence: 0, prepared: prepared))
            }
            ReleasePool.add(deliveries)
            // As in a merge: if the storage has been suspended meanwhile, this throws.
            if !deliveries.isEmpty { _ = try reader.externalMark(of: reader.version) }
            return install(deliveries, sending: nil)
          }
        }
      }
    }
    return isMerged
  }

  /// Registers an observer between two commits, like `observe`, with reads in `start`.
  ///
  /// They wait for no other reads, because commits wait for `start`.
  package func observeReading<Result>(
    _ observer: any CommitObserver, start: (ObserverRegistration) throws -> Result
  ) throws -> Result {
    try readingUrgently { try observe(observer, start: start) }
  }

  /// Runs `body`, for whose reads commits wait, so that these wait for no other reads.
  private func readingUrgently<Result>(_ body: () throws -> Result) throws -> Result {
    guard let storage = storage as? any SkippingStorage else { return try body() }
    return try storage.merging(body)
  }

  private func prepare(
    _ concerned: [ObserverRegistry.HeldObserver],
    _ prepare: (any CommitObserver) -> PreparedDelivery?
  ) -> ContiguousArray<ObserverDelivery> {
    if concerned.isEmpty { return [] }
    ReleasePool.add(concerned)
    var deliveries: ContiguousArray<ObserverDelivery> = []
    for one in concerned {
      if let prepared = prepare(one.observer) {
        deliveries.append(ObserverDelivery(sequence: one.sequence, prepared: prepared))
      }
    }
    if !deliveries.isEmpty { ReleasePool.add(deliveries) }
    return deliveries
  }

  /// The tickets for one delivery context.
  private struct ContextTickets {
    let context: DeliveryContext
    var tickets: [DeliveryTicket]
  }

  /// Installs deliveries, and adds a turn in each delivery context that has something to deliver.
  ///
  /// `commit` is the one that `commits` sends, if it sends one.
  ///
  /// - Returns: the queues of these contexts.
  func install(
    _ deliveries: ContiguousArray<ObserverDelivery>, sending commit: Commit?
  ) -> ContiguousArray<DeliveryQueue> {
    installing.withLock { _ in enqueueTurns(deliveries, commit) }
  }

  private func enqueueTurns(
    _ deliveries: ContiguousArray<ObserverDelivery>, _ commit: Commit?
  ) -> ContiguousArray<DeliveryQueue> {
    // The store's own context is run first, and there `commits` sends each commit, too.
    var own: [DeliveryTicket] = []
    var others: ContiguousArray<ContextTickets> = []
    var indexes: [ObjectIdentifier: Int] = [:]
    func add(_ ticket: DeliveryTicket, in context: DeliveryContext) {
      if context === immediateContext { return own.append(ticket) }
      if let last = others.indices.last, others[last].context === context {
        return others[last].tickets.append(ticket)
      }
      if let index = indexes[ObjectIdentifier(context)] {
        return others[index].tickets.append(ticket)
      }
      indexes[ObjectIdentifier(context)] = others.count
      others.append(ContextTickets(context: context, tickets: [ticket]))
    }
    for delivery in deliveries {
      switch delivery.prepared.install() {
      case .own(let deliver):
        add(DeliveryTicket(deliver, sequence: delivery.sequence), in: immediateContext)
      case .entries(let entries):
        for entry in entries { add(DeliveryTicket(entry), in: entry.context) }
      }
    }
    func append(_ tickets: [DeliveryTicket], to context: DeliveryContext) {
      // In order of creation.
      context.append(
        tickets.count > 1 ? tickets.sorted { $0.sequence < $1.sequence } : tickets, commit)
    }
    for other in others { append(other.tickets, to: other.context) }
    var queues = ContiguousArray(others.map(\.context.queue))
    if !own.isEmpty || commit != nil && immediateContext.sendsCommits {
      // A thread that delivers there takes this turn at once, and what its callbacks send to other
      // contexts comes behind their turns (F13).
      append(own, to: immediateContext)
      queues.insert(immediateContext.queue, at: 0)
    }
    return queues
  }
}
