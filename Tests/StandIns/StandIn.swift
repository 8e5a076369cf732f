// Part of both stand-in modules: what was called, and the counting that real views trap for.

@_exported public import Foundation

/// What the stand-ins were asked to do.
@MainActor
public enum StandIn {
  /// The calls since the start, or since they were taken.
  private static var calls: [String] = []

  /// The completions of animations that are still seen.
  private static var running: [() -> Void] = []

  /// Whether changes are shown without animation at the moment.
  static var isStill = false

  /// Adds a call.
  public static func record(_ call: String) { calls.append(call) }

  /// The calls since they were taken last.
  public static func takeCalls() -> [String] {
    defer { calls = [] }
    return calls
  }

  /// Lets all animations come to their end.
  public static func finishAnimations() {
    let finished = running
    running = []
    for completion in finished { completion() }
  }

  static func run(_ completion: @escaping () -> Void) {
    if isStill { completion() } else { running.append(completion) }
  }
}

/// The counts a batching view keeps, and the changes of the batch under way.
struct Counts {
  /// The rows of each section as the view believes them to be; nil until it asks.
  var rows: [Int]?

  var isInBatch = false
  var deletedSections = IndexSet()
  var insertedSections = IndexSet()
  var movedSections: [(Int, Int)] = []
  var deletes: [IndexPath] = []
  var inserts: [IndexPath] = []

  /// Traps unless the changes lead from the counts to those of the data after the batch.
  mutating func end(with data: [Int]) {
    let old = rows ?? []
    let gone = deletedSections.union(IndexSet(movedSections.map(\.0)))
    var staying = old.indices.filter { !gone.contains($0) }[...]
    precondition(
      data.count == old.count - deletedSections.count + insertedSections.count,
      "Invalid update: \(data.count) sections")
    for section in data.indices where !insertedSections.contains(section) {
      let moved = movedSections.first { $0.1 == section }?.0
      guard let origin = moved ?? staying.popFirst() else {
        preconditionFailure("Invalid update: no origin for section \(section)")
      }
      let expected =
        old[origin] - deletes.count { $0[0] == origin } + inserts.count { $0[0] == section }
      precondition(data[section] == expected, "Invalid update: rows of section \(section)")
    }
    self = Counts(rows: data)
  }
}

extension IndexSet {
  var text: String { map(String.init).joined(separator: " ") }
}

extension Sequence<IndexPath> {
  var text: String { sorted().map(\.text).joined(separator: " ") }
}

extension IndexPath {
  var text: String { map(String.init).joined(separator: ".") }
}
