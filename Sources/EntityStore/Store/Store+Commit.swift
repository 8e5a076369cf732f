internal import Locking
internal import Relays

extension Store {
  /// Runs `body` and makes what it wrote durable, all or nothing.
  ///
  /// Commits wait for each other. A commit inside another one's body joins it: if it throws, only its
  /// own writes are undone, and there is one event in all. When the outermost commit returns, the
  /// storage has it, and outside a callback its immediate events have been delivered; when it throws,
  /// nothing has changed and nothing is published. A commit that changes nothing makes no version and
  /// no event. A commit made in a callback is delivered after the current one, and one made in the
  /// body of another store's commit after that has ended: no callback runs inside a body.
  ///
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws, or ``StoreError``.
  @discardableResult
  public func commit<Result>(_ body: (inout Draft) throws -> Result) throws -> Result {
    if writer.isHeldHere, let running { return try join(running, body) }
    precondition(
      !writer.isHeldHere,
      "A commit is made while another one is published, by code that reads or stores an attribute; "
        + "such code must not use the store")
    DeferredDeliveries.begin()
    // Kept until the locks are gone: the last holder of an observer may run its deinit.
    var observers: [any CommitObserver] = []
    // Runs last, when the locks are gone, and also if a later step throws.
    defer {
      DeferredDeliveries.end()
      withExtendedLifetime(observers) {}
    }
    writer.lockHere()
    defer { writer.unlockHere() }
    try checkHealth()
    let transaction = try storage.begin()
    let (result, changes) = try write(body, to: transaction)
    if changes.isEmpty {
      transaction.rollBack()
      return result
    }
    for queue in try finish(changes, transaction, keeping: &observers) { queue.run() }
    return result
  }

  private func join<Result>(
    _ core: DraftCore, _ body: (inout Draft) throws -> Result
  ) throws -> Result {
    try core.savepoint {
      var draft = Draft(core)
      return try body(&draft)
    }
  }

  /// Runs the body and judges what it wrote.
  private func write<Result>(
    _ body: (inout Draft) throws -> Result, to transaction: any StorageTransaction
  ) throws -> (Result, NetChanges) {
    let core = DraftCore(over: transaction, entities: entities)
    running = core
    defer {
      core.close()
      running = nil
    }
    do {
      var draft = Draft(core)
      let result = try body(&draft)
      return (result, try judge.judge(core))
    } catch {
      transaction.rollBack()
      throw error
    }
  }

  /// Makes the changes durable and gives the queues that have something to deliver.
  private func finish(
    _ changes: NetChanges, _ transaction: any StorageTransaction,
    keeping observers: inout [any CommitObserver]
  ) throws -> [DeliveryQueue] {
    do {
      try transaction.apply(changes)
    } catch {
      transaction.rollBack()
      throw error
    }
    // Another store on the same file may have committed in between.
    let hasGap = transaction.version != lastVersion + 1
    let commit = Commit(
      version: transaction.version, changes: changes, followsUnknown: hasGap)
    return try publishing.withLock { _ in
      observers = registry.withLock { registry in
        (hasGap ? registry.everybody() : registry.concerned(by: changes)).map(\.observer)
      }
      let deliveries = observers.compactMap { $0.prepare(commit, reading: transaction) }
      do {
        try transaction.commit()
      } catch {
        if let error = error as? StoreError, case .outcomeUnknown = error { fail(error) }
        throw error
      }
      lastVersion = commit.version
      return enqueue(commit, deliveries)
    }
  }

  /// Takes the commit in and leaves one job in each place that has something to show or tell.
  private func enqueue(_ commit: Commit, _ deliveries: [PreparedDelivery]) -> [DeliveryQueue] {
    for delivery in deliveries { delivery.install() }
    // The store's own place comes first, and there all commits are told, too.
    var queues = [immediate]
    var byQueue: [ObjectIdentifier: [PreparedDelivery]] = [:]
    for delivery in deliveries {
      let queue = delivery.queue ?? immediate
      if !queues.contains(where: { $0 === queue }) { queues.append(queue) }
      byQueue[ObjectIdentifier(queue), default: []].append(delivery)
    }
    if byQueue[ObjectIdentifier(immediate)] == nil && !commitRelay.hasSubscribers {
      queues.removeFirst()
    }
    for queue in queues {
      let here = byQueue[ObjectIdentifier(queue)] ?? []
      let commits = queue === immediate ? commitRelay : nil
      queue.enqueue {
        for delivery in here { delivery.show() }
        commits?.send(commit)
        for delivery in here { delivery.tell() }
      }
    }
    return queues
  }
}
