import Locking
import TestSupport
import Testing

@Suite struct `An atomic word` {
  @Test func `It keeps what is stored`() {
    let word = AtomicWord(7)
    expectEqual(word.load(), 7)
    expectEqual(word.loadRelaxed(), 7)
    word.store(-1)
    expectEqual(word.load(), -1)
    word.store(.max)
    expectEqual(word.load(), .max)
  }

  @Test func `Exchange gives the value before`() {
    let word = AtomicWord(1)
    expectEqual(word.exchange(2), 1)
    expectEqual(word.load(), 2)
  }

  @Test func `Add gives the sum`() {
    let word = AtomicWord(1)
    expectEqual(word.add(4), 5)
    expectEqual(word.add(-5), 0)
    expectEqual(word.load(), 0)
  }

  @Test func `A value other than the expected one stays`() {
    let word = AtomicWord(1)
    expectTrue(!word.compareExchange(2, 3))
    expectEqual(word.load(), 1)
    expectTrue(word.compareExchange(1, 3))
    expectEqual(word.load(), 3)
  }

  @Test func `Sums of several threads add up`() {
    let sum = SharedWord()
    onThreads(4) { index in
      for _ in 0..<5_000 { sum.word.add(index) }
    }
    expectEqual(sum.word.load(), 30_000)
  }

  @Test func `One of several exchanges wins`() {
    for _ in 0..<100 {
      let gate = SharedWord()
      let winners = SharedWord()
      onThreads(3) { index in
        if gate.word.compareExchange(0, index + 1) { winners.word.add(1) }
        if gate.word.exchange(9) != 9 { winners.word.add(10) }
      }
      expectEqual(winners.word.load(), 11)
    }
  }

  @Test func `A thread that reads a stored value also reads what was written before it`() {
    let message = Message()
    onThreads(2) { index in
      if index == 0 {
        message.text = "ready"
        message.flag.store(1)
      } else {
        while message.flag.load() == 0 { CurrentThread.yield() }
        #expect(message.text == "ready")
      }
    }
  }

  private final class Message: @unchecked Sendable {
    // @unchecked: `text` is written before `flag` is stored and read after it is loaded.
    var text = ""
    let flag = AtomicWord(0)
  }
}

/// A word that closures can share.
final class SharedWord: Sendable {
  let word = AtomicWord(0)
}
