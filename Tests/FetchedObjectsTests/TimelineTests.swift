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
  private func timeline(_ policy: DeliveryPolicy) -> Timeline<Int, [StoredValue]> {
    var timeline = Timeline<Int, [StoredValue]>(0, policy: policy)
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

  @Test func `F2: a turn shows one step, so that what is shown is what is told`() {
    var timeline = timeline(.each)
    // Another window has the version of the commit before it.
    timeline.append(.init(version: 4, after: 41, touched: []))
    for (version, after) in [(1, 10), (4, 20), (4, 30), (4, 40), (4, 41)] {
      timeline.show(Int64(version))
      #expect(timeline.shown == after)
      #expect(timeline.popEvent()?.after == after)
      #expect(timeline.popEvent() == nil)
    }
    timeline.show(4)
    #expect(timeline.shown == 41)
    #expect(timeline.popEvent() == nil)
  }

  @Test func `F6: what waited before a pause is part of the net step`() {
    for policy in [DeliveryPolicy.each, .latest] {
      var timeline = timeline(policy)
      timeline.pause()
      timeline.show(1)
      #expect(timeline.shown == 0)
      #expect(timeline.resume() == 4)
      timeline.show(1)
      timeline.show(4)
      let event = timeline.popEvent()
      #expect(event?.before == 0 && event?.after == 40 && event?.versions == 1...4)
      #expect(timeline.popEvent() == nil)
    }
  }

  @Test func `F11: an older step doesn't end an error`() {
    var timeline = Timeline<Int, [StoredValue]>(0, policy: .latest)
    timeline.append(.init(version: 1, after: 10, touched: []))
    timeline.append(Fault(number: 2), version: 2)
    timeline.show(1)
    #expect(timeline.shown == 10)
    #expect(timeline.error as? Fault == Fault(number: 2))
    timeline.append(.init(version: 3, after: 30, touched: []))
    timeline.show(3)
    #expect(timeline.error == nil)
  }

  @Test func `F6: while it is paused nothing is shown, and what came is one step afterwards`() {
    var timeline = timeline(.each)
    timeline.pause()
    timeline.show(4)
    #expect(timeline.shown == 0)
    #expect(timeline.newest == 40)
    timeline.append(.init(version: 5, after: 50, touched: [.integer(1)]))
    timeline.show(timeline.resume())
    let event = timeline.popEvent()
    #expect(event?.before == 0 && event?.after == 50 && event?.versions == 1...5)
    #expect(event?.touched?.count == 4)
    #expect(timeline.popEvent() == nil)
  }

  @Test func `F11: an error is told in its turn, and is gone with the next step`() {
    var timeline = Timeline<Int, [StoredValue]>(0, policy: .each)
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
