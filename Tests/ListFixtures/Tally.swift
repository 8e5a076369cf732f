package import ListDiffing
internal import Locking
package import Testing

/// How often what occurred in the worlds of an oracle.
///
/// A law that no case has tried isn't tested, so in the end each kind must have occurred.
package final class Tally: Sendable {
  /// What the changes of lists count as.
  static let changes = [
    "deletes", "inserts", "moves", "updates", "deleted sections", "inserted sections",
    "moved sections", "updated sections",
  ]

  private let kinds: [String]
  private let counts = Locked<[String: Int]>([:])

  /// A tally of all kinds of changes, and of others.
  package init(changesAnd others: [String]) { kinds = Self.changes + others }

  /// A tally of some kinds.
  package init(_ kinds: [String]) { self.kinds = kinds }

  package func count(_ name: String, _ number: Int = 1) {
    if number > 0 { counts.withLock { $0[name, default: 0] += number } }
  }

  package func count(_ changes: ListChanges) {
    let numbers = [
      changes.deletes.count, changes.inserts.count, changes.moves.count, changes.updates.count,
      changes.deletedSections.count, changes.insertedSections.count, changes.movedSections.count,
      changes.updatedSections.count,
    ]
    for (name, number) in zip(Self.changes, numbers) { count(name, number) }
  }

  package subscript(name: String) -> Int { counts.withLock { $0[name, default: 0] } }

  package var description: String { kinds.map { "\($0) \(self[$0])" }.joined(separator: ", ") }

  /// Records an issue for each kind that hasn't occurred.
  package func expectAll(sourceLocation: SourceLocation = #_sourceLocation) {
    for kind in kinds where self[kind] == 0 {
      Issue.record("There was no case of \(kind)", sourceLocation: sourceLocation)
    }
  }
}
