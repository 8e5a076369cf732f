import DeparturesModel
import Signalbox

/// A verifier that compares the order of all rows of a year with the reference.
///
/// It compares the counts of the sections, and the flights at some positions. The events have to
/// lead to the same counts.
@MainActor final class OverviewVerifier {
  private let overview: IndexedObjectsModel<Departure>
  /// The counts of the sections according to the events, or nil after an event that didn't fit.
  private var counts: [Int]?
  private var token: SubscriptionToken?
  private var samples: UInt64 = 0

  private static let sampleCount = 64

  init(_ overview: IndexedObjectsModel<Departure>) {
    self.overview = overview
    counts = overview.snapshot.rowCounts
    token = overview.didChange.subscribe(on: .mainActor) { [weak self] in self?.take($0) }
  }

  private func take(_ event: ListEvent<IndexedRow>) {
    guard event.before.rowCounts == counts else {
      counts = nil
      return
    }
    counts = event.changes.rowCounts(after: event.before.rowCounts)
  }

  func compare(_ order: ReferenceBoard.Order, _ moment: String) throws {
    let snapshot = overview.snapshot
    guard snapshot.rowCounts == order.counts else {
      throw VerificationError(
        description: "\(moment) the sections have \(snapshot.rowCounts) rows, not \(order.counts)")
    }
    guard counts == order.counts else {
      throw VerificationError(description: "\(moment) the events of all rows lead elsewhere")
    }
    guard order.count > 0 else { return }
    let positions = (0..<Self.sampleCount).map { _ in
      // These are Knuth's constants for the MMIX.
      samples = samples &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(samples >> 33) % order.count
    }
    let found = try overview.objects(at: positions.map { snapshot.path(at: $0) })
    for (position, flight) in zip(positions, found)
    where flight?.id != order.flight(at: position) {
      let expected = order.flight(at: position)
      let name = flight.map { "flight \($0.id)" } ?? "nothing"
      throw VerificationError(
        description: "\(moment) \(name) stands at \(position), not flight \(expected)")
    }
  }
}

extension ListChanges {
  /// Returns the counts of the sections after the changes, or nil if a section with rows is deleted
  /// (D2).
  fileprivate func rowCounts(after counts: [Int]) -> [Int]? {
    var counts = counts
    for path in deletes + moves.map(\.old) { counts[path.section] -= 1 }
    guard deletedSections.allSatisfy({ counts[$0] == 0 }) else { return nil }
    let arriving =
      insertedSections.map { (position: $0, count: 0) }
      + movedSections.map { (position: $0.new, count: counts[$0.old]) }
    for section in (deletedSections + movedSections.map(\.old)).sorted(by: >) {
      counts.remove(at: section)
    }
    for section in arriving.sorted(by: { $0.position < $1.position }) {
      counts.insert(section.count, at: section.position)
    }
    for path in inserts + moves.map(\.new) { counts[path.section] += 1 }
    return counts
  }
}
