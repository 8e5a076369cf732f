import EntityStore
import Testing

@testable import FetchedObjects

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
    #expect(event?.touched == [.integer(1), .integer(2), .integer(3), .integer(4)])
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
}
