import Locking
import TestSupport
import Testing

@Suite struct `A wake-up call` {
  @Test(.timeLimit(.minutes(20)))
  func `A thread sleeps until a call comes`() {
    let wakeUp = WakeUp()
    let order = Shared<[Int]>([])
    let isStarted = PlatformThread.start {
      order.value.withLock { $0.append(1) }
      wakeUp.call()
    }
    #expect(isStarted)
    // The call may have come before: that isn't lost.
    while order.value.withLock({ $0.isEmpty }) { wakeUp.sleep() }
    #expect(order.value.withLock { $0 } == [1])
  }

  @Test func `A call without a sleeper ends the next sleep, and only that one`() {
    let wakeUp = WakeUp()
    wakeUp.call()
    wakeUp.call()
    let start = ContinuousClock.now
    wakeUp.sleep(for: .seconds(3600))
    #expect(ContinuousClock.now - start < .seconds(1800))
    let next = ContinuousClock.now
    // The system may wake a thread before its time, though it hardly does.
    while ContinuousClock.now - next < .milliseconds(5) { wakeUp.sleep(for: .milliseconds(5)) }
  }

  @Test func `A sleep of no time, or of less, ends at once`() {
    let wakeUp = WakeUp()
    wakeUp.sleep(for: .zero)
    wakeUp.sleep(for: .seconds(-5))
    wakeUp.sleep(for: .nanoseconds(1))
  }

  @Test(.timeLimit(.minutes(20)))
  func `Each of many rings wakes a thread that sleeps for long`() {
    let (there, back) = (WakeUp(), WakeUp())
    let rounds = SharedWord()
    let isStarted = PlatformThread.start {
      while rounds.word.load() < 1000 {
        there.sleep(for: .seconds(3600))
        rounds.word.add(1)
        back.call()
      }
    }
    #expect(isStarted)
    var seen = 0
    while seen < 1000 {
      there.call()
      while rounds.word.load() == seen { back.sleep(for: .seconds(3600)) }
      seen = rounds.word.load()
    }
  }

  @Test(.timeLimit(.minutes(20)))
  func `A thread holds its body until that has ended`() async {
    final class Marker: Sendable {}
    weak var gone: Marker?
    let wakeUp = WakeUp()
    do {
      let marker = Marker()
      gone = marker
      let isStarted = PlatformThread.start { [marker] in
        wakeUp.sleep()
        withExtendedLifetime(marker) {}
      }
      #expect(isStarted)
    }
    #expect(gone != nil)
    wakeUp.call()
    #expect(await becomesTrue { gone == nil })
  }
}
