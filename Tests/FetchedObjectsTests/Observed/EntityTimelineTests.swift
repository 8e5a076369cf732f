import EntityStore
import Testing

@testable import FetchedObjects

@Suite struct EntityTimelineTests {
  private struct Failure: Error {}

  private func content(_ state: ObservedEntityState) -> EntityTimeline.Content {
    EntityTimeline.Content(row: nil, state: state)
  }

  /// What there is to tell, as text.
  private func news(_ timeline: inout EntityTimeline) -> [String] {
    var lines: [String] = []
    while let news = timeline.popNews() {
      switch news {
      case .event(let event):
        lines.append("\(event.before.state) → \(event.after.state) \(event.versions)")
      case .error: lines.append("error")
      case .recovery: lines.append("recovery")
      }
    }
    return lines
  }

  @Test func `F2: under .each a commit shows what it made, and nothing later`() {
    var timeline = EntityTimeline(content(.absent), policy: .each)
    timeline.append(content(.live), version: 1)
    timeline.append(content(.deleted), version: 3)
    #expect(timeline.shown.state == .absent && timeline.newest.state == .deleted)
    timeline.show(0)
    #expect(news(&timeline).isEmpty)
    timeline.show(1)
    #expect(timeline.shown.state == .live)
    timeline.show(2)
    #expect(news(&timeline) == ["absent → live 1...1"])
    timeline.show(3)
    #expect(news(&timeline) == ["live → deleted 3...3"])
  }

  @Test func `F6: under .latest what waits is one, or nothing if it leads back`() {
    var timeline = EntityTimeline(content(.absent), policy: .latest)
    timeline.append(content(.live), version: 1)
    timeline.append(content(.deleted), version: 3)
    timeline.show(0)
    #expect(timeline.shown.state == .absent)
    timeline.show(1)
    #expect(timeline.shown.state == .deleted)
    timeline.show(3)
    #expect(news(&timeline) == ["absent → deleted 1...3"])
    timeline.append(content(.live), version: 4)
    timeline.append(content(.deleted), version: 5)
    timeline.show(4)
    #expect(news(&timeline).isEmpty)
  }

  @Test func `F11: an error is over when a later commit could be read, and only then`() {
    for policy in [DeliveryPolicy.each, .latest] {
      var timeline = EntityTimeline(content(.absent), policy: policy)
      timeline.append(content(.live), version: 1)
      timeline.append(Failure(), version: 2)
      #expect(timeline.isStale)
      timeline.show(1)
      timeline.show(2)
      #expect(timeline.error != nil)
      #expect(news(&timeline) == ["absent → live 1...1", "error"])
      timeline.append(content(.live), version: 3)
      #expect(!timeline.isStale)
      timeline.show(3)
      #expect(timeline.error == nil)
      #expect(news(&timeline) == ["recovery"])
    }
  }

  @Test func `F11: an error that waits behind a merged change is told`() {
    var timeline = EntityTimeline(content(.absent), policy: .each)
    timeline.pause()
    timeline.append(content(.live), version: 1)
    timeline.append(Failure(), version: 2)
    timeline.append(content(.deleted), version: 3)
    timeline.show(3)
    #expect(timeline.shown.state == .absent)
    timeline.append(Failure(), version: 4)
    #expect(timeline.resume() == 4)
    timeline.show(4)
    #expect(timeline.error != nil)
    #expect(news(&timeline) == ["error", "error", "absent → deleted 1...3"])

    timeline.pause()
    timeline.append(content(.live), version: 5)
    timeline.append(Failure(), version: 6)
    #expect(timeline.resume() == 6)
    timeline.show(6)
    // The last commit isn't known, though an earlier one is shown.
    #expect(timeline.error != nil)
    #expect(timeline.resume() == nil)
  }
}
