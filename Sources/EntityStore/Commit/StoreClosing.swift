internal import Locking

/// How far a store has been closed.
///
/// Each commit and each read looks at one word.
struct StoreClosing: ~Copyable, Sendable {
  private static let hasBegun = 1
  private static let isOver = 2

  private let stage = AtomicWord(0)
  /// The task that closes the store, while it runs.
  private let task = Locked<Task<Void, Never>?>(nil)

  /// True if no commit and no read of the app begins any more.
  var hasBegun: Bool { stage.load() != 0 }

  /// True if models can't read any more, either.
  var hasEndedReads: Bool { stage.load() == Self.isOver }

  /// Begins to close, unless that has begun before.
  ///
  /// - Parameters:
  ///   - note: is called first, on this thread.
  ///   - work: closes the store.
  /// - Returns: the task that closes the store, or nil if it has ended.
  func begin(
    noting note: () -> Void, _ work: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never>? {
    task.withLock { task in
      if stage.load() != 0 { return task }
      note()
      stage.store(Self.hasBegun)
      // A task that is cancelled has to close the store, too. So it waits for another one.
      let closing = Task.detached { await work() }
      task = closing
      return closing
    }
  }

  func endReads() { stage.store(Self.isOver) }

  /// Releases the task, which holds the store.
  func end() {
    _ = task.withLock { $0.take() }
  }
}
