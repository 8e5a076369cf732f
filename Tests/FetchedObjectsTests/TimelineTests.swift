import EntityStore
import Testing

@testable import FetchedObjects

extension Timeline {
  fileprivate mutating func popEvent() -> Event? {
    if case .event(let event)? = popNews() { event } else { nil }
  }
}

private struct Fault: Error, Equatable {
  let number: Int
}

@Suite struct TimelineTests {
  private func timeline(_ policy: DeliveryPolicy) -> Timeline<Int> {
    var timeline = Timeline(0, policy: policy)
    for version in 1...4 {
      timeline.append(
        .init(version: Int64(version), after: version * 10, touched: [.integer(Int64(version))]))
    }
    return timeline
  }

  @Test func `Under each, a commit is shown alone`() {
    var timeline = timeline(.each)
    timeline.show(1)
    #expect(timeline.shown == 10)
    #expect(timeline.newest == 40)
    let event = timeline.popEvent()
    #expect(event?.before == 0 && event?.after == 10 && event?.versions == 1...1)
    #expect(timeline.popEvent() == nil)
  }

  @Test func `Under latest, all that wait are shown at once, and the later turns show nothing`() {
    var timeline = timeline(.latest)
    timeline.show(1)
    #expect(timeline.shown == 40)
    let event = timeline.popEvent()
    #expect(event?.before == 0 && event?.after == 40 && event?.versions == 1...4)
    #expect(
      event?.touched.map(Set.init) == [.integer(1), .integer(2), .integer(3), .integer(4)])
    timeline.show(2)
    #expect(timeline.popEvent() == nil)
  }

  @Test func `A turn whose commit is shown already shows nothing newer`() {
    var timeline = timeline(.each)
    timeline.show(2)
    #expect(timeline.shown == 20)
    timeline.show(1)
    #expect(timeline.shown == 20)
    #expect(timeline.popEvent()?.after == 10)
    #expect(timeline.popEvent()?.after == 20)
  }

  @Test func `F6: while it is paused nothing is shown, and what came is one step afterwards`() {
    var timeline = timeline(.each)
    timeline.isPaused = true
    timeline.show(4)
    #expect(timeline.shown == 0)
    #expect(timeline.newest == 40)
    timeline.append(.init(version: 5, after: 50, touched: [.integer(1)]))
    timeline.isPaused = false
    timeline.show(.max)
    let event = timeline.popEvent()
    #expect(event?.before == 0 && event?.after == 50 && event?.versions == 1...5)
    #expect(event?.touched?.count == 4)
    #expect(timeline.popEvent() == nil)
  }

  @Test func `F11: an error is told in its turn, and is gone with the next step`() {
    var timeline = Timeline(0, policy: .each)
    timeline.append(.init(version: 1, after: 10, touched: []))
    timeline.append(Fault(number: 2), version: 2)
    timeline.append(.init(version: 3, after: 30, touched: []))
    timeline.show(1)
    #expect(timeline.popEvent()?.after == 10)
    #expect(timeline.popNews() == nil)
    timeline.show(2)
    #expect(timeline.shown == 10)
    #expect(timeline.error as? Fault == Fault(number: 2))
    guard case .error(let error)? = timeline.popNews() else {
      Issue.record("The error isn't told")
      return
    }
    #expect(error as? Fault == Fault(number: 2))
    timeline.show(3)
    #expect(timeline.error == nil)
    #expect(timeline.popEvent()?.after == 30)
  }
}
