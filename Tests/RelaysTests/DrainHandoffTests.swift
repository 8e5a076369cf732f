import Testing

@testable import Relays

@Suite struct DrainHandoffTests {
  @Test(arguments: [(64, true, false), (65, true, true), (32, false, false), (33, false, true)])
  func `R2: the main thread waits only behind more than 64 values, and others behind 32`(
    count: Int, isOnMain: Bool, waits: Bool
  ) {
    var handoff = DrainHandoff()
    let wait = handoff.wait(behind: count, isOnMain: isOnMain, mayDeliver: false)
    let hasToWait = wait != nil
    #expect(hasToWait == waits)
  }

  @Test func `R2: the main thread waits for 10 ms at most, and others for 100 ms`() {
    var handoff = DrainHandoff()
    let most = [true, false].map { isOnMain in
      handoff.wait(behind: 1_000_000, isOnMain: isOnMain, mayDeliver: false)?.1
    }
    #expect(most == [.milliseconds(10), .milliseconds(100)])
  }
}
