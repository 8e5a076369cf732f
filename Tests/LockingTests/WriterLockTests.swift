import Locking
import TestSupport
import Testing

@Suite struct `A writer lock` {
  private final class Ledger: @unchecked Sendable {
    // @unchecked: `balance` is under `lock`.
    let lock = WriterLock()
    var balance = 0
  }

  @Test func `It knows whether its thread has it`() {
    let lock = WriterLock()
    expectTrue(!lock.isHeldHere)
    lock.lockHere()
    expectTrue(lock.isHeldHere)
    lock.unlockHere()
    expectTrue(!lock.isHeldHere)
  }

  @Test func `Another thread doesn't have it`() {
    let ledger = Ledger()
    ledger.lock.lockHere()
    onThreads(2) { _ in expectTrue(!ledger.lock.isHeldHere) }
    expectTrue(ledger.lock.isHeldHere)
    ledger.lock.unlockHere()
  }

  @Test func `It is taken without waiting only where it is free`() {
    let ledger = Ledger()
    expectTrue(ledger.lock.lockHereIfFree())
    expectTrue(ledger.lock.isHeldHere)
    expectTrue(!ledger.lock.lockHereIfFree())
    onThreads(1) { _ in expectTrue(!ledger.lock.lockHereIfFree()) }
    ledger.lock.unlockHere()
    onThreads(1) { _ in
      expectTrue(ledger.lock.lockHereIfFree())
      ledger.lock.unlockHere()
    }
  }

  @Test func `Only one thread at a time has it, so counts add up`() {
    let ledger = Ledger()
    onThreads(4) { _ in
      for _ in 0..<2_000 {
        expectTrue(!ledger.lock.isHeldHere)
        ledger.lock.lockHere()
        expectTrue(ledger.lock.isHeldHere)
        ledger.balance += 1
        ledger.lock.unlockHere()
      }
    }
    #expect(ledger.balance == 8_000)
  }
}
