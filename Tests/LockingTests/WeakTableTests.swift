import Locking
import TestSupport
import Testing

@Suite struct WeakTableTests {
  private final class Plan: Sendable {
    private weak let table: WeakTable<String, Plan>?

    init(_ table: WeakTable<String, Plan>) { self.table = table }

    deinit { table?.forget("query") }
  }

  @Test func `Threads that make and release objects of one key don't wait for each other`() {
    let done = finishes {
      let table = WeakTable<String, Plan>()
      let threads = (0..<2).map { _ in
        TestThread {
          for _ in 0..<300_000 {
            withExtendedLifetime(table.object("query") { Plan(table) }) {}
          }
        }
      }
      for thread in threads { thread.join() }
      #expect(table.objects.isEmpty)
    }
    #expect(done, "an object is released under the table's lock")
  }
}
