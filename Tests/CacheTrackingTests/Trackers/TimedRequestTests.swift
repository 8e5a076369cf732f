import CacheTracking
import EntityStore
import FetchedObjects
import Foundation
import FoundationSupport
import TestSupport
import Testing

/// Something that has to be done by a time.
private struct Due: Entity {
  let id: Int
  var time: Date
  static let attributes = Attributes(.id(\Due.id), .attribute("time", \.time))
  static let schema = Schema(attributes, Due.init)
}

@Suite struct TimedRequestTests {
  @Test func `F17: a tracker that fetches again refuses a condition of time`() async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Store(.inMemory, entities: [Due.self])
      let tracker = RefetchingCacheTracker<Due, Int>(in: store) { $0.id }
      try tracker.start(with: CacheRequest(query: Query<Due>().filter { $0.time < Moment.now }))
    }
    trap.expectMessage(
      "fetched again after each commit can't follow conditions of time", inRelease: true)
  }
}
