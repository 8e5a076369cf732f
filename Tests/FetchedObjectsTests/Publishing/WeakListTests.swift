import TestSupport
import Testing

@testable import FetchedObjects

@Suite struct WeakListTests {
  private final class Member: Sendable {}

  @Test func `Adding and reading cost what exists, and not what has existed`() {
    let (list, calls) = (WeakList<Member>(), Counter())
    func add() -> Member {
      let member = Member()
      list.add { [weak member] in
        calls.add()
        return member
      }
      return member
    }
    var members = (0..<1000).map { _ in add() }
    #expect(calls.value < 10_000)
    expectTrue(list.objects.elementsEqual(members, by: ===), "the members")
    members.removeLast(900)
    #expect(list.objects.count == 100)
    calls.set(0)
    expectTrue(list.objects.elementsEqual(members, by: ===), "the members")
    #expect(calls.value <= 300)
    members.removeAll()
    #expect(list.objects.isEmpty)
    calls.set(0)
    #expect(list.objects.isEmpty)
    #expect(calls.value == 0)
    // Members that come and go leave little behind.
    for _ in 0..<1000 { _ = add() }
    calls.set(0)
    _ = list.objects
    #expect(calls.value <= 128)
  }
}
