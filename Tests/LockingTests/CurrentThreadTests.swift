import Locking
import TestSupport
import Testing

@Suite struct `The current thread` {
  @Test func `Living threads have different tokens, and each keeps its own`() {
    let tokens = Shared<[Int]>([])
    let arrived = SharedWord()
    onThreads(4) { _ in
      let token = CurrentThread.token
      tokens.value.withLock { $0.append(token) }
      arrived.word.add(1)
      // All stay alive until each has been asked.
      while arrived.word.load() < 4 { CurrentThread.yield() }
      #expect(CurrentThread.token == token)
    }
    let all = tokens.value.withLock { $0 }
    #expect(Set(all).count == 4)
    #expect(!all.contains(0))
  }

  @Test func `Each thread has a word of its own, 0 at first`() {
    onThreads(4) { index in
      #expect(CurrentThread[.queue] == 0)
      CurrentThread[.queue] = index + 1
      CurrentThread.yield()
      #expect(CurrentThread[.queue] == index + 1)
    }
  }
}
