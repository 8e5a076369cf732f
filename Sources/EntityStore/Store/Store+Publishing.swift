internal import Locking
internal import Relays

// Commits of this store, external commits and errors are all published in the same way. Observers
// prepare, the commit is sealed, observers install it, and each delivery context that has something
// to deliver gets a turn.
extension Store {
  /// A commit or an error that observers have to follow.
  enum News {
    /// A commit that observers haven't prepared, and a reader of its version.
    case commit(Commit, any StorageReader)
    /// A commit that changes nothing on net, but after which rows may have other row numbers.
    /// `commits` doesn't send it.
    case renumbering(Commit, any StorageReader)
    /// An error of reading external commits.
    case error(any Error, after: Int64)

    /// The commit that `commits` sends.
    fileprivate var sent: Commit? { if case .commit(let commit, _) = self { commit } else { nil } }
  }

  /// Publishes news, and runs the queues of all delivery contexts that have something to deliver.
  ///
  /// The caller has deferred the deliveries, and holds the writer's lock unless it publishes an
  /// error.
  ///
  /// - Parameters:
  ///   - news: returns the news, or nil if there is none. It runs while nothing else is published.
  ///   - sealing: makes the commit visible to readers, and notes its version. If it throws, nothing
  ///     has changed. Its argument is the commit that `commits` sends.
  /// - Throws: the error that `sealing` throws.
  func publish(_ news: () -> News?, sealing: (Commit?) throws -> Void) rethrows {
    let queues = try publishing.withLock { _ -> ContiguousArray<DeliveryQueue> in
      let news = news()
      let deliveries = news.map(prepare) ?? []
      try sealing(news?.sent)
      guard let news else { return [] }
      return placing.withLock { _ in install(deliveries, news.sent) }
    }
    for queue in queues { queue.run() }
  }

  /// A delivery that an observer has prepared, and the observer's position in the order of
  /// creation.
  private struct ObserverDelivery: Sendable {
    let sequence: Int
    let prepared: PreparedDelivery
  }

  /// Asks the concerned observers to prepare the news, and returns their deliveries.
  private func prepare(_ news: News) -> ContiguousArray<ObserverDelivery> {
    let concerned = registry.withLock { registry -> [ObserverRegistry.Concerned] in
      switch news {
      case .commit(let commit, _), .renumbering(let commit, _):
        commit.followsUnknown ? registry.everybody() : registry.concerned(by: commit.changes)
      case .error: registry.everybody()
      }
    }
    if concerned.isEmpty { return [] }
    ReleasePool.add(concerned)
    var deliveries: ContiguousArray<ObserverDelivery> = []
    for one in concerned {
      let prepared =
        switch news {
        case .commit(let commit, let reader), .renumbering(let commit, let reader):
          one.observer.prepare(commit, reading: reader)
        case .error(let error, let version): one.observer.prepare(error, after: version)
        }
      if let prepared {
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
  /// - Returns: the queues of these contexts.
  private func install(
    _ deliveries: ContiguousArray<ObserverDelivery>, _ commit: Commit?
  ) -> ContiguousArray<DeliveryQueue> {
    // The store's own context comes first, and there `commits` sends each commit, too.
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
      case .own(let turn):
        add(DeliveryTicket(turn, sequence: delivery.sequence), in: context(of: turn.queue))
      case .entries(let entries):
        for entry in entries { add(DeliveryTicket(entry), in: entry.context) }
      }
    }
    var queues: ContiguousArray<DeliveryQueue> = []
    func append(_ tickets: [DeliveryTicket], to context: DeliveryContext) {
      // In order of creation.
      context.append(
        tickets.count > 1 ? tickets.sorted { $0.sequence < $1.sequence } : tickets, commit)
      queues.append(context.queue)
    }
    if !own.isEmpty || commit != nil && immediateContext.sendsCommits {
      append(own, to: immediateContext)
    }
    for other in others { append(other.tickets, to: other.context) }
    return queues
  }
}
