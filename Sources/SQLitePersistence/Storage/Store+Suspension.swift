@_spi(Storage) public import EntityStore
internal import Locking

extension Store {
  /// Unlocks the store's file, before the system suspends the app.
  ///
  ///     func sceneDidEnterBackground(_ scene: UIScene) {
  ///       if !store.suspend() { log("A commit is still running") }
  ///     }
  ///
  /// A system may end an app that holds a lock on a file while it is suspended (on iOS with the
  /// code `0xdead10cc`), because other processes, such as a widget, wait for the lock. So from here
  /// on no commit and no read of the file begins, and others' commits aren't looked for. What is
  /// running ends: a read or a body that asks the store for something gets the error, and nothing
  /// of its commit is kept. So does a commit that waits for another process to write. A merge of
  /// others' commits gets it, too, and is made again after ``resume()``. A commit whose body is
  /// over is completed. If the store is being closed, this waits until its file is closed.
  ///
  /// Until ``resume()``, commits and reads of the file throw
  /// ``/EntityStore/StoreError/storage(_:)`` with the kind `suspended`. Models, observed objects
  /// and snapshots keep what they show. A store in memory has no file, and goes on.
  ///
  /// - Parameter time: the longest time to wait for what is running. Only a body that takes long
  ///   and doesn't ask the store for anything needs any.
  /// - Returns: true if the file is unlocked. If it is false, something is still running; it ends
  ///   at its next request.
  /// - Precondition: it isn't called in the body of a commit or a read.
  @discardableResult
  public func suspend(within time: Duration = .seconds(2)) -> Bool {
    (storage as? SQLiteStorage)?.gate.close(within: time) ?? true
  }

  /// Lets the store use its file again.
  ///
  /// If the store is watching, it soon publishes the commits of others as one event, the net
  /// change. ``/EntityStore/Store/refresh()`` does so at once. Models with conditions of time soon
  /// show the result of the present. If the store isn't suspended, this method does nothing. A
  /// store that was closed stays closed.
  public func resume() {
    guard !isClosing, let storage = storage as? SQLiteStorage, storage.gate.open() else { return }
    storage.walCheckpointer.withLock { $0 }?.resume()
    Task.detached { [weak self] in await self?.clockHasChanged() }
  }
}
