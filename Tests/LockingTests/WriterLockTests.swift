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
    #expect(!lock.isHeldHere)
    lock.lockHere()
    #expect(lock.isHeldHere)
    lock.unlockHere()
    #expect(!lock.isHeldHere)
  }

  @Test func `Another thread doesn't have it`() {
    let ledger = Ledger()
    ledger.lock.lockHere()
    onThreads(2) { _ in #expect(!ledger.lock.isHeldHere) }
    #expect(ledger.lock.isHeldHere)
    ledger.lock.unlockHere()
  }

  @Test func `Only one thread at a time has it, so counts add up`() {
    let ledger = Ledger()
    onThreads(4) { _ in
      for _ in 0..<2_000 {
        #expect(!ledger.lock.isHeldHere)
        ledger.lock.lockHere()
        #expect(ledger.lock.isHeldHere)
        ledger.balance += 1
        ledger.lock.unlockHere()
      }
    }
    #expect(ledger.balance == 8_000)
  }
}
