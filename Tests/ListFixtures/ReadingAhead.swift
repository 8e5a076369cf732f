package import Dispatch
package import EntityStore
package import Fixtures
internal import Locking
internal import SQLitePersistence
internal import TestSupport

/// Lets `request` read a commit that nobody has taken in yet, and waits a moment for what that tells.
package func race(
  _ storage: GatedStorage, _ store: Store, _ told: DispatchSemaphore,
  _ request: @escaping @Sendable () -> Void
) throws {
  let (isReading, isReadable) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  storage.whenReading.withLock {
    $0 = {
      isReading.signal()
      isReadable.wait()
    }
  }
  let thread = TestThread(request)
  isReading.wait()
  storage.whenReadable.withLock {
    $0 = {
      isReadable.signal()
      // Who tells of it now is too early. Who waits for the commit can't be waited for.
      _ = told.wait(timeout: .now() + .milliseconds(30))
    }
  }
  try store.commit { try $0.insert(Car(id: 5, model: "Seat", year: 2020, owner: nil)) }
  thread.join()
}

/// Two stores on one file with the same four cars.
package func openTwice() throws -> (here: Store, there: Store) {
  let path = temporaryPath("turns")
  func open() throws -> Store {
    try Store(
      .sqlite(path: path, durability: .normal, watching: .none),
      entities: [Person.self, Car.self])
  }
  let here = try open()
  try here.fillGarage()
  return (here, try open())
}

package func insertFifth(_ store: Store) throws {
  try store.commit { try $0.insert(Car(id: 5, model: "Seat", year: 2020, owner: nil)) }
}
