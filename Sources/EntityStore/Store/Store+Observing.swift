internal import Locking
package import Relays

extension Store {
  /// Registers an observer, between two commits.
  ///
  /// What is read after this, and every later commit, leave no commit out. `start` says what to
  /// follow and keeps the observation; it runs while no commit is being published, may read a little,
  /// and must not commit.
  package func observe<Result>(
    _ observer: any CommitObserver, start: (Observation) throws -> Result
  ) rethrows -> Result {
    try publishing.withLock { _ in
      try start(Observation(self, registry.withLock { $0.makeEntry(observer) }))
    }
  }

  /// Waits until the observers have taken in the commit that is being published, if one is.
  ///
  /// A commit can be read a moment before it has its turns; who has read one and then waits takes a turn
  /// after it.
  package func waitForPublishing() { publishing.withLock { _ in } }

  /// The queue of a place, with this store's own for `.immediate`.
  package func queue(of delivery: Delivery) -> DeliveryQueue { delivery.queue ?? immediate }

  /// Runs `body` between two commits' turns, and gives a listener a turn if that is to be.
  ///
  /// What `body` takes in is shown after all commits that are taken in already, and before all others.
  /// It calls nobody.
  ///
  /// - Parameters:
  ///   - listener: whose turn it is.
  ///   - body: says whether there is something to show or tell.
  /// - Returns: The queue that the caller runs when it holds no lock, or nil if there is nothing to deliver.
  package func takeTurn(_ listener: ListenerEntry, _ body: () -> Bool) -> DeliveryQueue? {
    ReleasePool.open {
      placing.withLock { _ in
        guard body() else { return nil }
        listener.context.append([DeliveryTicket(listener)])
        return listener.context.queue
      }
    }
  }

  /// What another layer keeps for this store, made when it is first asked for.
  package func companion<Companion: AnyObject & Sendable>(
    _ type: Companion.Type, make: () -> Companion
  ) -> Companion {
    companions.withLock { companions in
      if let companion = companions[ObjectIdentifier(type)] as? Companion { return companion }
      let companion = make()
      companions[ObjectIdentifier(type)] = companion
      return companion
    }
  }

  /// Runs `body` with the storage's reader, for observers.
  package func readStorage<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    try storage.read(body)
  }
}
