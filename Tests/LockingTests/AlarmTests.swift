import Locking
import TestSupport
import Testing

@Suite struct `An alarm` {
  @Test(.timeLimit(.minutes(20)))
  func `A thread sleeps until it rings`() {
    let alarm = Alarm()
    let order = Shared<[Int]>([])
    let isStarted = PlatformThread.start {
      order.value.withLock { $0.append(1) }
      alarm.ring()
    }
    #expect(isStarted)
    // It may have rung before: that isn't lost.
    while order.value.withLock({ $0.isEmpty }) { alarm.sleep() }
    #expect(order.value.withLock { $0 } == [1])
  }

  @Test func `What rings while nobody sleeps ends the next sleep, and that alone`() {
    let alarm = Alarm()
    alarm.ring()
    alarm.ring()
    let start = ContinuousClock.now
    alarm.sleep(for: .seconds(3600))
    #expect(ContinuousClock.now - start < .seconds(1800))
    let next = ContinuousClock.now
    // The system may wake a thread before its time, though it hardly does.
    while ContinuousClock.now - next < .milliseconds(5) { alarm.sleep(for: .milliseconds(5)) }
  }

  @Test func `A sleep of no time, or of less, ends at once`() {
    let alarm = Alarm()
    alarm.sleep(for: .zero)
    alarm.sleep(for: .seconds(-5))
    alarm.sleep(for: .nanoseconds(1))
  }

  @Test(.timeLimit(.minutes(20)))
  func `Each of many rings wakes a thread that sleeps for long`() {
    let (there, back) = (Alarm(), Alarm())
    let rounds = SharedWord()
    let isStarted = PlatformThread.start {
      while rounds.word.load() < 1000 {
        there.sleep(for: .seconds(3600))
        rounds.word.add(1)
        back.ring()
      }
    }
    #expect(isStarted)
    var seen = 0
    while seen < 1000 {
      there.ring()
      while rounds.word.load() == seen { back.sleep(for: .seconds(3600)) }
      seen = rounds.word.load()
    }
  }

  @Test(.timeLimit(.minutes(20)))
  func `A thread holds its body until that has ended`() async {
    final class Marker: Sendable {}
    weak var gone: Marker?
    let alarm = Alarm()
    do {
      let marker = Marker()
      gone = marker
      let isStarted = PlatformThread.start { [marker] in
        alarm.sleep()
        withExtendedLifetime(marker) {}
      }
      #expect(isStarted)
    }
    #expect(gone != nil)
    alarm.ring()
    #expect(await becomesTrue { gone == nil })
  }
}
