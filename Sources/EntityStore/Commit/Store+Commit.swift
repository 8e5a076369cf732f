internal import Locking
internal import Relays

extension Store {
  /// Runs `body` and makes its writes durable, all or nothing.
  ///
  /// Commits wait for each other. When the outermost commit returns, the storage has it. If only
  /// one thread commits, outside a callback, its immediate events have been delivered as well.
  /// Otherwise another thread may still be delivering them; see ``Store/flush()``. When the commit
  /// throws any error except ``StoreError/outcomeUnknown(version:fault:)``, nothing has changed and
  /// nothing is published. A commit that changes nothing makes no event, and no version either
  /// unless it was given ids by `nextID` in a file.
  ///
  /// A commit inside another commit's body joins it. If the inner one throws, only its own writes
  /// are undone. There is one event in all.
  ///
  /// No callback runs inside a body. A commit made in a callback is delivered after the current
  /// one. A commit made in the body of another store's commit is delivered after that commit has
  /// ended.
  ///
  /// External commits to the same file are merged before the body runs. They are delivered before
  /// the commit's own events, even if the body throws.
  ///
  /// - Parameters:
  ///   - name: the name that people give the change, for `undo`. Undo needs a
  ///     ``Store/historyLimit`` above 0. A commit inside another one has no name.
  ///   - body: writes the changes. It runs once, synchronously, on the calling thread. Only a store
  ///     with a storage that allows several attempts runs it again, after a fault of the kind
  ///     `conflict` with which this commit has given way.
  /// - Returns: the result of `body`.
  /// - Throws: the error that `body` throws, or ``StoreError``.
  @discardableResult @inlinable
  public func commit<Result>(
    named name: String? = nil, _ body: (inout Draft) throws -> Result
  ) throws -> Result {
    var result: Result?
    try commitOrJoin(name) { draft in
      if let old = result { release(old) }
      result = try body(&draft)
    }
    guard let result else { preconditionFailure("A commit was made without its body") }
    return result
  }

  /// Makes a commit like `commit`, and returns the version that it has made.
  ///
  ///     let version = try store.commitReturningVersion { draft in
  ///       try draft.update(Airline.self, "UA") { $0.name = name }
  ///     }
  ///
  /// A client that has sent a command waits until its list has reached that version.
  ///
  /// - Parameters:
  ///   - name: the same as for `commit`.
  ///   - body: writes the changes.
  /// - Returns: the version, or nil if nothing has changed.
  /// - Throws: the error that `body` throws, or ``StoreError``.
  /// - Precondition: it isn't called in the body of another commit, which has no version yet.
  public func commitReturningVersion(
    named name: String? = nil, _ body: (inout Draft) throws -> Void
  ) throws -> Int64? {
    if writer.isHeldHere {
      mistake("A commit inside another commit has no version of its own; use commit there")
    }
    return try commitHere(name, body)
  }

  // Only the public functions know the type of a body's result, and a client's build specialises
  // them. The rest of a commit is the same code for all types.

  /// Makes a commit on this thread, or writes to the running one.
  @usableFromInline func commitOrJoin(
    _ name: String?, _ body: (inout Draft) throws -> Void
  ) throws {
    if writer.isHeldHere { return try joinRunning(name, body) }
    _ = try commitHere(name, body)
  }

  /// Makes a commit in the calling task, once its turn has come, or writes to the running one.
  @usableFromInline nonisolated(nonsending) func commitOrJoinWhenFree(
    _ name: String?, _ body: (inout Draft) throws -> Void
  ) async throws {
    if writer.isHeldHere { return try joinRunning(name, body) }
    _ = try await commitWhenFree(name, body)
  }

  /// Releases the result of an attempt, after which a commit is made again, when no lock is held.
  @usableFromInline func release<Result>(_ result: Result) { ReleasePool.add(result) }

  /// Makes a commit on this thread, again if the storage asks for it.
  ///
  /// - Returns: The version that it has made, or nil if nothing has changed.
  private func commitHere(
    _ name: String?, _ body: (inout Draft) throws -> Void
  ) throws -> Int64? {
    publishing.checkFree()
    let watch = newWatch(name)
    var attempt = 1
    while true {
      var isForeign = false
      do {
        let version = try deferringDeliveries {
          writer.lockHere()
          return try runHere(name, watch, body, &isForeign)
        }
        if let watch { report(watch, version) }
        return version
      } catch {
        guard !isForeign, mayRepeat(after: error, &attempt) else {
          if let watch { report(watch, failed: error) }
          throw error
        }
        watch?.fail()
        WakeUp().sleep(for: Self.pause)
      }
    }
  }

  /// Makes a commit, and notes if the body throws a conflict to which it hasn't given way.
  ///
  /// The body may have committed to another store.
  private func runHere(
    _ name: String?, _ watch: CommitWatch?, _ body: (inout Draft) throws -> Void,
    _ isForeign: inout Bool
  ) throws -> Int64? {
    // Most storages allow one attempt. Then no conflict matters, and nothing is kept for a closure.
    if storage.attempts == 1 { return try writeAndUnlock(name, watch, body) }
    return try writeAndUnlock(name, watch) { draft in
      do { try body(&draft) } catch {
        if Self.isConflict(error) { isForeign = canBeRead(draft.core.base) }
        throw error
      }
    }
  }

  /// Returns true if a transaction goes on; one that has given way refuses each read.
  private func canBeRead(_ transaction: any StorageTransaction) -> Bool {
    guard let entity = entities.first else { return true }
    do {
      _ = try transaction.fetch(FetchPlan(of: entity, limit: 1))
    } catch StoreError.storage {
      return false
    } catch {}
    return true
  }

  private static func isConflict(_ error: any Error) -> Bool {
    if case StoreError.storage(let fault) = error { fault.kind == .conflict } else { false }
  }

  /// Returns true if a commit has given way and may be made again.
  private func mayRepeat(after error: any Error, _ attempt: inout Int) -> Bool {
    guard Self.isConflict(error), attempt < storage.attempts else { return false }
    attempt += 1
    return true
  }

  /// The time from a conflict to the next attempt; it is random, so that two writers that met don't
  /// meet again.
  private static var pause: Duration { .milliseconds(Int.random(in: 10...100)) }

  /// Can't be used: a commit's body can't wait, because all other commits would wait for it.
  ///
  /// It exists only for its message.
  @available(
    *, unavailable,
    message: "a body can't wait; await before, and wait for the commit's turn with commitAsync"
  )
  @discardableResult
  public func commit<Result>(
    named name: String? = nil, _ body: (inout Draft) async throws -> Result
  ) async throws -> Result { mistake("A commit's body can't wait for anything; await before it") }

  /// Can't be used: a commit's body can't wait, because all other commits would wait for it.
  ///
  /// It exists only for its message.
  @available(
    *, unavailable,
    message: "a body can't wait, that of commitAsync neither; await before the commit"
  )
  @discardableResult
  public func commitAsync<Result>(
    named name: String? = nil, _ body: (inout Draft) async throws -> Result
  ) async throws -> Result { mistake("A commit's body can't wait for anything; await before it") }

  /// Makes a commit like `commit`, but suspends instead of blocking while others write.
  ///
  /// It suspends while other commits of this store are made. The caller's thread is blocked while
  /// it waits for the writer of another process or machine, as long as `busyTimeout` or `waiting`
  /// says, and for the disk or the server. On the main actor, a commit to a storage that may take
  /// long is better made in a detached task.
  ///
  /// `body` runs on the caller's actor, once its turn has come. Tasks take their turns in the order
  /// of their calls. A task whose actor is busy when its turn comes doesn't hold up the others: a
  /// thread in `commit` goes before it. So does a task that comes while nobody waits, and a task
  /// that waits goes before it after some milliseconds. The late task is the next one as soon as
  /// its actor runs it.
  ///
  /// - Returns: the result of `body`.
  /// - Throws: the error that `body` throws, ``StoreError``, or `CancellationError` if the task is
  ///   cancelled before its turn has come. Then `body` hasn't run.
  @discardableResult @inlinable
  public nonisolated(nonsending) func commitAsync<Result>(
    named name: String? = nil, _ body: (inout Draft) throws -> Result
  ) async throws -> Result {
    var result: Result?
    try await commitOrJoinWhenFree(name) { draft in
      if let old = result { release(old) }
      result = try body(&draft)
    }
    guard let result else { preconditionFailure("A commit was made without its body") }
    return result
  }

  /// Makes a commit like ``commitReturningVersion(named:_:)``, but suspends instead of blocking
  /// while others write.
  ///
  /// - Parameters:
  ///   - name: the same as for `commit`.
  ///   - body: writes the changes.
  /// - Returns: the version, or nil if nothing has changed.
  /// - Throws: the same errors as `commitAsync`.
  /// - Precondition: it isn't called in the body of another commit, which has no version yet.
  public nonisolated(nonsending) func commitAsyncReturningVersion(
    named name: String? = nil, _ body: (inout Draft) throws -> Void
  ) async throws -> Int64? {
    if writer.isHeldHere {
      mistake("A commit inside another commit has no version of its own; use commit there")
    }
    return try await commitWhenFree(name, body)
  }

  /// Makes a commit in the calling task, once its turn has come, again if the storage asks for it.
  ///
  /// - Returns: The version that it has made, or nil if nothing has changed.
  private nonisolated(nonsending) func commitWhenFree(
    _ name: String?, _ body: (inout Draft) throws -> Void
  ) async throws -> Int64? {
    publishing.checkFree()
    let watch = newWatch(name)
    var attempt = 1
    do {
      var conflict: (any Error)?
      while true {
        do { try await writer.lockWhenFree() } catch {
          // The body has run before, so the task was cancelled too late.
          throw conflict ?? error
        }
        var isForeign = false
        do {
          let version = try deferringDeliveries {
            try runHere(name, watch, body, &isForeign)
          }
          if let watch { report(watch, version) }
          return version
        } catch let error where !isForeign && mayRepeat(after: error, &attempt) {
          watch?.fail()
          conflict = error
          guard (try? await Task.sleep(for: Self.pause)) != nil else { throw error }
        }
      }
    } catch {
      if let watch { report(watch, failed: error) }
      throw error
    }
  }

  /// Waits until all commits so far have been delivered, in all delivery contexts.
  ///
  /// The caller's actor is free meanwhile, also if a storage takes long to answer. It can't be
  /// called from a callback, because it suspends.
  public func flush() async {
    // A commit that can be read may not have its turns yet. Then a thread holds the lock. Its
    // storage may take long to answer, and the caller's actor is free meanwhile.
    if publishing.isHeld { await publishing.becomeFree() }
    await DeliveryQueue.flush(immediate)
  }

  /// Runs `body`, and delivers afterwards what it has left, when its locks are released.
  func deferringDeliveries<Result>(_ body: () throws -> Result) rethrows -> Result {
    try ReleasePool.openInner {
      DeferredDeliveries.begin()
      // This also happens if a later step throws.
      defer { DeferredDeliveries.end() }
      return try body()
    }
  }
}
