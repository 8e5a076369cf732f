internal import Locking
package import Relays

extension Store {
  /// Registers an observer between two commits.
  ///
  /// If the observer reads after this, each commit is in what it reads or is delivered to it later.
  /// `start` states what to follow, and keeps the registration. It runs while no commit is being
  /// published. It must not commit. One that reads is given to `observeReading`.
  package func observe<Result>(
    _ observer: any CommitObserver, start: (ObserverRegistration) throws -> Result
  ) rethrows -> Result {
    try publishing.withLock {
      try start(ObserverRegistration(self, registry.withLock { $0.makeEntry(observer) }))
    }
  }

  /// Waits until the observers have installed the commit that is being published, if there is one.
  ///
  /// A commit can be read a moment before it has its turns. A caller that has read it and waits
  /// here takes a later turn.
  package func waitForPublishing() { publishing.withLock {} }

  /// Returns the queue of a delivery; for `.immediate`, this is the store's own queue.
  package func queue(of delivery: Delivery) -> DeliveryQueue { delivery.queue ?? immediate }

  /// Runs `body` between two commits' turns, and adds a turn for a listener if it is needed.
  ///
  /// The changes that `body` installs are shown after all commits that are installed already, and
  /// before all others. `body` calls no subscriber, and returns true if there is something to
  /// deliver.
  ///
  /// - Returns: the queue that the caller runs when it holds no lock, or nil if there is nothing to
  ///   deliver.
  package func takeTurn(_ listener: ListenerEntry, _ body: () -> Bool) -> DeliveryQueue? {
    ReleasePool.open {
      installing.withLock { _ in
        guard body() else { return nil }
        listener.context.append([DeliveryTicket(listener)])
        return listener.context.queue
      }
    }
  }

  /// Returns the object that another layer keeps for this store; it is made at the first call.
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
    try checkReads()
    return try storage.read(body)
  }
}
